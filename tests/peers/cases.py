"""The shapes that are compared, and their data: one pattern of numbers in as many copies as the last-level cache cannot hold."""
import glob
from dataclasses import dataclass

import numpy

import bf16

TYPES = {"f32": 4, "bf16": 2}  # bytes of a number


@dataclass(frozen=True)
class Case:
    name: str
    B: int
    H: int
    Hkv: int
    D: int
    L: int
    S: int

    @property
    def group(self):
        return self.H // self.Hkv


CASES = [
    Case("D1", 8, 16, 4, 64, 1, 1024),
    Case("D2-4096", 1, 32, 8, 128, 1, 4096),
    Case("D2-4096-mqa", 1, 32, 1, 128, 1, 4096),
    Case("D2-4096-mha", 1, 32, 32, 128, 1, 4096),
    Case("P1", 1, 32, 8, 128, 1024, 1024),
]
# For the tests: 1 < Hkv < H, L != S, B > 1, sizes that are no multiple of any tile.
SMALL = [
    Case("decode", 2, 6, 2, 64, 1, 77),
    Case("decode-mqa", 1, 4, 1, 64, 1, 130),
    Case("decode-mha", 1, 4, 4, 64, 1, 33),
    Case("prefill", 1, 6, 2, 64, 45, 45),
]


@dataclass
class Data:
    """q [B, H, L, D]; k and v [B, Hkv, S, D], one of each per copy; bf16 as uint16."""
    case: Case
    type: str
    q: numpy.ndarray
    k: list
    v: list


def last_level_cache():
    sizes = [0]
    for path in glob.glob("/sys/devices/system/cpu/cpu0/cache/index*/size"):
        with open(path) as file:
            sizes.append(int(file.read().strip().rstrip("K")) * 1024)
    return max(sizes)


def aligned(array):
    """The same array at the start of a page: what Python's allocator gives may cut every vector in two."""
    memory = numpy.empty(array.nbytes + 4096, numpy.uint8)
    start = -memory.ctypes.data % 4096
    copy = memory[start:start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def data(case, type, rotate=True):
    """Numbers in [-4, 4], where an attention that sees one key too few is far from right."""
    random = numpy.random.default_rng(7)

    def numbers(*shape):
        values = random.uniform(-4, 4, shape).astype(numpy.float32)
        return values if type == "f32" else bf16.from_f32(values)

    q, k, v = (numbers(case.B, case.H, case.L, case.D), numbers(case.B, case.Hkv, case.S, case.D),
               numbers(case.B, case.Hkv, case.S, case.D))
    copies = last_level_cache() * 4 // (k.nbytes + v.nbytes) + 2 if rotate and case.L == 1 else 1
    return Data(case, type, aligned(q), [aligned(k) for _ in range(copies)], [aligned(v) for _ in range(copies)])
