"""Tensors of an ONNX file: its weights by name, read with numpy alone (onnx.ai/onnx/repo-docs/IR.html)."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Tensor = npt.NDArray[Any]
_MODEL_GRAPH = 7
_GRAPH_TENSOR = 5
_DIMS, _TYPE, _NAME, _RAW = 1, 2, 8, 9
_TYPES: Mapping[int, np.dtype[Any]] = {1: np.dtype(np.float32), 3: np.dtype(np.int8)}
_VARINT, _FIXED_64, _LENGTH, _FIXED_32 = 0, 1, 2, 5
_Value = int | memoryview


def read_tensors(path: Path) -> dict[str, Tensor]:
    """Read the tensors of 32-bit floats and of bytes; raises `ValueError` for what is no such file."""
    tensors: dict[str, Tensor] = {}
    try:
        for number, graph in _fields(memoryview(path.read_bytes())):
            if number == _MODEL_GRAPH and isinstance(graph, memoryview):
                found = (_tensor(value) for field, value in _fields(graph) if field == _GRAPH_TENSOR)
                tensors.update(item for item in found if item is not None)
    except (IndexError, TypeError, UnicodeDecodeError) as error:
        raise ValueError("The file is no ONNX model.") from error
    return tensors


def _tensor(value: _Value) -> tuple[str, Tensor] | None:
    shape: list[int] = []
    name, data_type, raw = "", 0, memoryview(b"")
    for number, part in _fields(value):
        if number == _DIMS and isinstance(part, int):
            shape.append(part)
        elif number == _TYPE and isinstance(part, int):
            data_type = part
        elif number == _NAME and isinstance(part, memoryview):
            name = str(part, "utf-8")
        elif number == _RAW and isinstance(part, memoryview):
            raw = part
    kind = _TYPES.get(data_type)
    return (name, np.frombuffer(raw, kind).reshape(shape)) if kind and len(raw) else None


def _fields(message: _Value) -> Iterator[tuple[int, _Value]]:
    """Yield the fields of a protobuf message: a number's value, or the bytes of what has a length."""
    if not isinstance(message, memoryview):
        raise TypeError("A message has a length.")
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        wire = key & 7
        if wire == _VARINT:
            number, at = _varint(message, at)
            yield key >> 3, number
        elif wire == _LENGTH:
            length, at = _varint(message, at)
            if at + length > len(message):
                raise IndexError
            yield key >> 3, message[at : at + length]
            at += length
        elif wire in (_FIXED_32, _FIXED_64):
            at += 4 if wire == _FIXED_32 else 8
        else:
            raise IndexError


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
