"""Safetensors files, read and written with NumPy alone; the same input gives the same bytes."""

import json
import struct
from pathlib import Path

import numpy as np

from .config import DecoderConfig

DTYPES = {"F16": np.dtype("<f2"), "F32": np.dtype("<f4"), "F64": np.dtype("<f8")}
NAMES = {dtype: name for name, dtype in DTYPES.items()}


def write(path, tensors, metadata):
    """Tensors in the given order behind a JSON header that is padded to a multiple of 8 bytes."""
    header = {"__metadata__": metadata}
    offset = 0
    for name, tensor in tensors.items():
        header[name] = {
            "dtype": NAMES[tensor.dtype],
            "shape": list(tensor.shape),
            "data_offsets": [offset, offset + tensor.nbytes],
        }
        offset += tensor.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)))
        file.write(text)
        for tensor in tensors.values():
            file.write(np.ascontiguousarray(tensor).tobytes())


def read(path):
    """(tensors, metadata); the tensors keep the type in which they are stored."""
    data = Path(path).read_bytes()
    (length,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + length])
    metadata = header.pop("__metadata__", {})
    body = memoryview(data)[8 + length :]
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        numbers = np.frombuffer(body[begin:end], DTYPES[entry["dtype"]])
        tensors[name] = numbers.reshape(entry["shape"])
    return tensors, metadata


def write_model(path, config, weights, training, dtype="<f2"):
    """A model as it ships: the weights rounded to `dtype`, what it is, how it was made."""
    tensors = {name: np.asarray(weights[name]).astype(dtype) for name in config.shapes()}
    write(path, tensors, {
        "format": "headroom",
        "headroom.decoder": json.dumps(config.as_dict()),
        "headroom.training": json.dumps(training),
    })


def read_model(path, dtype=np.float64):
    """(config, weights, training facts) of a model file; the shapes must fit the configuration."""
    tensors, metadata = read(path)
    config = DecoderConfig(**json.loads(metadata["headroom.decoder"]))
    found = {name: tensor.shape for name, tensor in tensors.items()}
    if found != config.shapes():
        raise ValueError(f"{path}: tensors do not fit the configuration")
    weights = {name: tensor.astype(dtype) for name, tensor in tensors.items()}
    return config, weights, json.loads(metadata["headroom.training"])
