"""The same streams through the openai Python client's asynchronous streaming: events parsed, texts kept.

    openai_streams.py BASE_URL STREAMS SECONDS     prints one line of JSON and ends with the streams still open

Where it does not get all of them going within four minutes, it says how many, and measures nothing.
"""
import asyncio
import json
import os
import resource
import sys
import time

import openai

RAMP, SETTLING = 3.0, 1.0  # as in measured_window.hpp
PATIENCE = 240.0  # seconds until all streams have begun
base_url, streams, window_s = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
events = begun = started = ended = 0


def processor_s():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


async def stream(client, seed):
    global events, begun, started, ended
    texts = []
    started += 1
    reply = await client.chat.completions.create(
        model="simulated", messages=[{"role": "user", "content": "What is 17 * 23?"}], max_tokens=65536, seed=seed, stream=True,
        stream_options={"include_usage": True})
    async for chunk in reply:
        for choice in chunk.choices:
            text = getattr(choice.delta, "reasoning_content", None) or choice.delta.content
            if text:
                begun += not texts
                texts.append(text)
                events += 1
    ended += 1


async def main():
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    limits = dict(max_connections=None, max_keepalive_connections=None)
    http_client = openai.DefaultAsyncHttpxClient(limits=type(openai.DEFAULT_CONNECTION_LIMITS)(**limits), timeout=None)
    client = openai.AsyncOpenAI(base_url=base_url, api_key="none", max_retries=0, http_client=http_client, timeout=None)
    before, start = processor_s(), time.monotonic()
    tasks = []
    deadline = start + PATIENCE
    for seed in range(streams):
        if time.monotonic() > deadline:
            break
        await asyncio.sleep(max(0.0, start + RAMP * seed / streams - time.monotonic()))
        tasks.append(asyncio.create_task(stream(client, seed)))
    await asyncio.sleep(max(0.0, start + RAMP + SETTLING - time.monotonic()))
    while begun < streams and time.monotonic() < deadline:  # where starting them takes longer than the ramp
        await asyncio.sleep(0.1)
    if begun < streams:
        print(json.dumps({"begun": begun, "seconds": PATIENCE}), flush=True)
        os._exit(0)
    first, first_events, first_time, open_then = processor_s(), events, time.monotonic(), started - ended
    await asyncio.sleep(window_s)
    print(json.dumps({"processor_s": processor_s() - first, "bytes": -1, "events": events - first_events, "open": open_then,
                      "still_open": started - ended, "start_processor_s": first - before, "resident_kib": -1,
                      "window_s": time.monotonic() - first_time}), flush=True)
    failed = [task for task in tasks if task.done() and task.exception()]
    if failed:
        print(failed[0].exception(), file=sys.stderr, flush=True)
    os._exit(1 if failed else 0)


asyncio.run(main())
