"""The openai Python client, as its users call it, against `assay simulate` in each wire form."""

import os
import signal
import subprocess
import sys
import unittest

import openai

PROGRAM = sys.argv.pop(1)
KEY = "a key for this test"
SUM = [{"role": "user", "content": "What is 17 * 23?"}]


class Server:
    def __init__(self, *flags):
        self.process = subprocess.Popen(
            [PROGRAM, "simulate", "--rate", "2000", "--think-median", "40", "--think-sigma", "0", *flags],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ, SIMULATED_KEY=KEY))
        self.base_url = self.process.stdout.readline().strip()

    def client(self, key=KEY):
        return openai.OpenAI(base_url=self.base_url, api_key=key, max_retries=0, timeout=60)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        _, said = self.process.communicate(timeout=60)
        return self.process.returncode, said


class WireForm:
    """Cases that hold of every wire form; `wire` and `field` are set by the classes below."""

    @classmethod
    def setUpClass(cls):
        cls.server = Server("--wire", cls.wire, "--model", "kimi", "--api-key-env", "SIMULATED_KEY", "--context", "4096")
        cls.client = cls.server.client()

    @classmethod
    def tearDownClass(cls):
        cls.client.close()
        code, said = cls.server.stop()
        assert code == 0, said
        assert "completed" in said, said

    def reasoning(self, message):
        return getattr(message, self.field)

    def streamed(self, **more):
        chunks = list(self.client.chat.completions.create(model="kimi", messages=SUM, stream=True, **more))
        with_choice = [chunk.choices[0] for chunk in chunks if chunk.choices]
        return (
            "".join(getattr(choice.delta, self.field, None) or "" for choice in with_choice),
            "".join(choice.delta.content or "" for choice in with_choice),
            [choice.finish_reason for choice in with_choice if choice.finish_reason],
            [chunk.usage for chunk in chunks if chunk.usage],
            chunks,
        )

    def test_lists_the_model(self):
        models = self.client.models.list().data
        self.assertEqual([model.id for model in models], ["kimi"])
        self.assertEqual(models[0].owned_by, self.wire)
        self.assertEqual(models[0].max_model_len, 4096)

    def test_a_reply_without_a_stream(self):
        reply = self.client.chat.completions.create(model="kimi", messages=SUM, seed=3, temperature=0.6, top_p=0.95, max_tokens=1000)
        choice = reply.choices[0]
        self.assertTrue(choice.message.content.endswith("17 * 23 = 391"), choice.message.content)
        self.assertTrue(self.reasoning(choice.message))
        self.assertEqual(choice.finish_reason, "stop")
        self.assertEqual(choice.message.role, "assistant")
        self.assertEqual(reply.usage.total_tokens, reply.usage.prompt_tokens + reply.usage.completion_tokens)
        self.assertGreater(reply.usage.completion_tokens, 40)

    def test_a_stream_says_the_same_as_a_reply_without_one(self):
        whole = self.client.chat.completions.create(model="kimi", messages=SUM, seed=5)
        reasoning, content, finish, usage, chunks = self.streamed(seed=5, stream_options={"include_usage": True})
        self.assertEqual(content, whole.choices[0].message.content)
        self.assertEqual(reasoning, self.reasoning(whole.choices[0].message))
        self.assertEqual(finish, ["stop"])
        self.assertEqual([one.completion_tokens for one in usage], [whole.usage.completion_tokens])
        self.assertEqual(chunks[-1].choices, [])
        self.assertEqual(len({chunk.id for chunk in chunks}), 1)

    def test_a_stream_has_no_usage_unless_asked(self):
        *_, usage, _ = self.streamed()
        self.assertEqual(usage, [])

    def test_a_budget_that_ends_in_the_thinking(self):
        reply = self.client.chat.completions.create(model="kimi", messages=SUM, max_completion_tokens=10)
        self.assertFalse(reply.choices[0].message.content)
        self.assertTrue(self.reasoning(reply.choices[0].message))
        self.assertEqual(reply.choices[0].finish_reason, "length")
        self.assertEqual(reply.usage.completion_tokens, 10)
        _, content, finish, *_ = self.streamed(max_tokens=10)
        self.assertEqual((content, finish), ("", ["length"]))

    def test_an_unknown_model(self):
        with self.assertRaises(openai.NotFoundError) as caught:
            self.client.chat.completions.create(model="other", messages=SUM)
        self.assertIn("other", str(caught.exception))
        self.assertEqual(caught.exception.body["param"], "model")

    def test_a_wrong_key(self):
        with self.server.client(key="wrong") as client, self.assertRaises(openai.AuthenticationError):
            client.chat.completions.create(model="kimi", messages=SUM)

    def test_a_budget_beyond_the_context(self):
        with self.assertRaises(openai.BadRequestError) as caught:
            self.client.chat.completions.create(model="kimi", messages=SUM, max_tokens=4096, stream=True)
        self.assertIn("4096", str(caught.exception))

    def test_a_field_of_the_wrong_type(self):
        with self.assertRaises(openai.BadRequestError):
            self.client.chat.completions.create(model="kimi", messages=SUM, extra_body={"temperature": "warm"})


class Sglang(WireForm, unittest.TestCase):
    wire = "sglang"
    field = "reasoning_content"

    def test_usage_has_reasoning_tokens_beside_completion_tokens(self):
        reply = self.client.chat.completions.create(model="kimi", messages=SUM)
        self.assertEqual(reply.usage.reasoning_tokens, 40)


class Vllm(WireForm, unittest.TestCase):
    wire = "vllm"
    field = "reasoning"

    def test_usage_has_reasoning_tokens_in_its_details(self):
        reply = self.client.chat.completions.create(model="kimi", messages=SUM)
        self.assertEqual(reply.usage.completion_tokens_details.reasoning_tokens, 40)


class Faults(unittest.TestCase):
    def run_with(self, *flags):
        server = Server(*flags)
        self.addCleanup(server.stop)
        client = server.client()
        self.addCleanup(client.close)
        return client

    def test_a_reset_in_the_middle_of_a_stream_is_an_error(self):
        client = self.run_with("--drop-rate", "1")
        # The transport's own exception, whichever library the client stands on.
        with self.assertRaises(Exception) as caught:
            list(client.chat.completions.create(model="simulated", messages=SUM, stream=True))
        self.assertNotIsInstance(caught.exception, AssertionError)

    def test_an_error_before_the_first_byte(self):
        client = self.run_with("--error-rate", "1")
        with self.assertRaises(openai.InternalServerError):
            client.chat.completions.create(model="simulated", messages=SUM)

    def test_a_limit_on_requests_in_flight(self):
        client = self.run_with("--rate-limit", "0")
        with self.assertRaises(openai.RateLimitError) as caught:
            client.chat.completions.create(model="simulated", messages=SUM)
        self.assertEqual(caught.exception.response.headers["retry-after"], "1")


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="error")  # what the client could only half parse it says in a warning
