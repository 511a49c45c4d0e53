"""The fast path of this project, from the library that CMake builds beside the tests."""
import ctypes
import pathlib

import numpy

LIBRARY = pathlib.Path(__file__).parents[2] / "build/release/tests/peers/libheadroom_peer.so"


class Ours:
    name = "Headroom"
    precision = {"f32": "f32", "bf16": "f32"}  # that it calculates in

    def __init__(self, library=LIBRARY):
        self._c = ctypes.CDLL(str(library))
        pointer, size = ctypes.c_void_p, ctypes.c_int64
        self._c.headroom_prepare.argtypes = [pointer] * 3 + [size] * 6 + [ctypes.c_int] * 2
        self._c.headroom_prepare.restype = pointer
        self._c.headroom_failure.restype = ctypes.c_char_p
        self._c.headroom_launch.argtypes = self._c.headroom_free.argtypes = [pointer]
        self._c.headroom_launch.restype = self._c.headroom_free.restype = None
        self._c.headroom_output.argtypes = [pointer]
        self._c.headroom_output.restype = ctypes.POINTER(ctypes.c_float)

    def prepare(self, data, threads):
        return Prepared(self._c, data, threads)


class Prepared:
    def __init__(self, c, data, threads):
        self._c, self._data, self._ready, self._last = c, data, [], 0
        for k, v in zip(data.k, data.v):
            case = data.case
            ready = c.headroom_prepare(data.q.ctypes.data, k.ctypes.data, v.ctypes.data, case.B, case.H, case.Hkv, case.L,
                                       case.S, case.D, 8 * data.q.itemsize, threads)
            if not ready:
                raise ValueError(c.headroom_failure().decode())
            self._ready.append(ready)

    def launch(self, n):
        self._last = n % len(self._ready)
        self._c.headroom_launch(self._ready[self._last])

    def output(self):
        case = self._data.case
        return numpy.ctypeslib.as_array(self._c.headroom_output(self._ready[self._last]),
                                        (case.B, case.H, case.L, case.D)).copy()

    def __del__(self):
        for ready in self._ready:
            self._c.headroom_free(ready)
