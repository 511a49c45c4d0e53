"""load_file and save_file of the package `safetensors`, for where it is not installed: NumPy is enough.

    file      uint64 length of the header, the header as JSON, the tensors' bytes one after the other
    header    {"q": {"dtype": "F32", "shape": [1, 8, 1, 64], "data_offsets": [begin, end]}, …}
"""
import json
import struct

import numpy as np

TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "U8": "u1", "BOOL": "?"}
NAMES = {np.dtype(numpy): name for name, numpy in TYPES.items()}


def save_file(tensors, path):
    header, data = {}, b""
    for name, array in tensors.items():
        begin, data = len(data), data + np.ascontiguousarray(array).tobytes()
        header[name] = {"dtype": NAMES[array.dtype], "shape": array.shape, "data_offsets": [begin, len(data)]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


def load_file(path):
    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        data = file.read()
    header.pop("__metadata__", None)
    return {name: np.frombuffer(data[slice(*tensor["data_offsets"])], TYPES[tensor["dtype"]]).reshape(tensor["shape"])
            for name, tensor in header.items()}
