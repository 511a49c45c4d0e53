"""bfloat16 as the upper half of a float32, in uint16: NumPy has no such type."""
import numpy


def from_f32(values):
    """Rounded to the nearest, ties to even; the values are finite."""
    bits = numpy.ascontiguousarray(values, numpy.float32).view(numpy.uint32)
    return ((bits + 0x7fff + ((bits >> 16) & 1)) >> 16).astype(numpy.uint16)


def to_f32(halves):
    return (halves.astype(numpy.uint32) << 16).view(numpy.float32)


def rounded(values):
    return to_f32(from_f32(values))
