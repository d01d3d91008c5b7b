"""Judges captured requests by the parameter types of the official SDKs.

Usage: check.py FOLDER, where FOLDER holds WIRE.MODEL.CASE.json files. Every request must validate, and may contain
no key that the types do not know: an ignored key would be a typing mistake of ours that no one sees.
"""

import functools
import importlib
import json
import pathlib
import sys
import typing

import anthropic
import openai
import pydantic


def eager(name):
    """A module of the SDKs' types in which `Iterable` means `List`.

    Pydantic validates iterables lazily: a union would take the first branch without looking inside.
    """
    package = ".".join(name.split(".")[:2])
    for loaded in [module for module in sys.modules if module == package or module.startswith(package + ".")]:
        del sys.modules[loaded]
    iterable, typing.Iterable = typing.Iterable, typing.List
    try:
        return importlib.import_module(name)
    finally:
        typing.Iterable = iterable


response_create_params = eager("openai.types.responses.response_create_params")
completion_create_params = eager("openai.types.chat.completion_create_params")
message_create_params = eager("anthropic.types.message_create_params")

# Fields that compatible servers know and the official Chat types do not; we send them to no one else.
COMPATIBLE = {"reasoning_content"}

PARAMS = {
    "responses": (
        response_create_params.ResponseCreateParamsStreaming,
        response_create_params.ResponseCreateParamsNonStreaming,
    ),
    "chat": (
        completion_create_params.CompletionCreateParamsStreaming,
        completion_create_params.CompletionCreateParamsNonStreaming,
    ),
    "messages": (
        message_create_params.MessageCreateParamsStreaming,
        message_create_params.MessageCreateParamsNonStreaming,
    ),
}


@functools.cache
def adapter(params):
    return pydantic.TypeAdapter(params)


def lost_keys(sent, understood, path=""):
    """Keys that were sent but that validation dropped."""
    if isinstance(sent, dict) and isinstance(understood, dict):
        for key, value in sent.items():
            here = f"{path}.{key}"
            if key not in understood:
                if key not in COMPATIBLE:
                    yield here
            else:
                yield from lost_keys(value, understood[key], here)
    elif isinstance(sent, list) and isinstance(understood, list):
        for place, (a, b) in enumerate(zip(sent, understood)):
            yield from lost_keys(a, b, f"{path}[{place}]")


def faults(wire, request):
    streaming, whole = PARAMS[wire]
    params = streaming if request.get("stream") else whole
    try:
        understood = adapter(params).validate_python(request)
    except pydantic.ValidationError as error:
        return [f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors()[:8]]
    return [f"unknown key {key}" for key in lost_keys(request, understood)]


def self_test():
    """The judge can say no."""
    bad = [
        ("responses", {"model": "m", "input": [{"type": "function_call", "name": "x", "arguments": "{}"}], "stream": True}),
        ("chat", {"model": "m", "messages": [{"role": "tool", "content": "x"}], "stream": True}),
        ("messages", {"model": "m", "messages": [{"role": "user", "content": "x"}], "stream": True}),
        ("messages", {"model": "m", "max_tokens": 1, "temperatur": 1, "messages": [], "stream": True}),
    ]
    for wire, request in bad:
        assert faults(wire, request), (wire, request)


def main():
    folder = pathlib.Path(sys.argv[1])
    self_test()
    files = sorted(folder.glob("*.json"))
    failed = 0
    for file in files:
        found = faults(file.name.split(".")[0], json.loads(file.read_text()))
        if found:
            failed += 1
            print(f"{file.name}:")
            for fault in found:
                print(f"  {fault}")
    print(f"openai {openai.__version__}, anthropic {anthropic.__version__}")
    print(f"{len(files) - failed} passed, {failed} failed")
    return 1 if failed or not files else 0


if __name__ == "__main__":
    sys.exit(main())
