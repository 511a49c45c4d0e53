"""Those we compare with, each as its manual says it should be used: for its best case, and without a copy in the loop."""
import numpy


def sees(case):
    """[L, S]: whether a query sees a key."""
    return numpy.arange(case.S)[None, :] <= numpy.arange(case.S - case.L, case.S)[:, None]


class Rotating:
    """Launches the n-th of several bound calls; `output` is that of the last."""

    def __init__(self, case, calls, as_numpy=lambda x: x):
        self._case, self._calls, self._as_numpy, self._last = case, calls, as_numpy, None

    def launch(self, n):
        self._last = self._calls[n % len(self._calls)]()

    def output(self):
        case = self._case
        return numpy.array(self._as_numpy(self._last)).reshape(case.B, case.H, case.L, case.D)


class NumpyFolded:
    """The heads of a group folded into the rows of one product per KV head, on NumPy's OpenBLAS."""
    name = "NumPy, folded"
    precision = {"f32": "f32"}

    def __init__(self):
        pass

    def prepare(self, data, threads):
        case = data.case
        folded = data.q.reshape(case.B, case.Hkv, case.group * case.L, case.D)
        hidden = numpy.where(numpy.tile(sees(case), (case.group, 1)), 0, -numpy.inf).astype(numpy.float32)

        def attention(k, v):
            scores = folded @ k.swapaxes(-1, -2)
            scores *= numpy.float32(case.D ** -0.5)
            if case.L > 1:
                scores += hidden
            scores -= scores.max(axis=-1, keepdims=True)
            numpy.exp(scores, out=scores)
            scores /= scores.sum(axis=-1, keepdims=True)
            return scores @ v

        return Rotating(case, [lambda k=k, v=v: attention(k, v) for k, v in zip(data.k, data.v)])


class Torch:
    """What PyTorch's three ways have in common: tensors on the same memory as ours."""
    precision = {"f32": "f32", "bf16": "bf16"}

    def __init__(self):
        import torch
        self.torch = torch

    def tensors(self, data):
        def tensor(array):
            made = self.torch.from_numpy(array)
            return made.view(self.torch.bfloat16) if data.type == "bf16" else made
        return tensor(data.q), list(map(tensor, data.k)), list(map(tensor, data.v))

    def prepare(self, data, threads):
        self.torch.set_num_threads(threads)
        q, keys, values = self.tensors(data)
        attention = self.attention(data.case, q)

        def call(k, v):
            with self.torch.inference_mode():
                return attention(k, v)

        return Rotating(data.case, [lambda k=k, v=v: call(k, v) for k, v in zip(keys, values)], lambda x: x.float().numpy())


class TorchSdpa(Torch):
    name = "PyTorch SDPA"

    def attention(self, case, q):
        sdpa = self.torch.nn.functional.scaled_dot_product_attention
        return lambda k, v: sdpa(q, k, v, is_causal=case.L > 1, enable_gqa=case.group > 1)


class TorchSdpaFolded(Torch):
    """Decode: a group's heads are rows of one query, so that SDPA reads each key once for all of them."""
    name = "PyTorch SDPA, folded"

    def attention(self, case, q):
        sdpa = self.torch.nn.functional.scaled_dot_product_attention
        folded = q.view(case.B, case.Hkv, case.group, case.D)
        return lambda k, v: sdpa(folded, k, v)

    @staticmethod
    def fits(case):
        return case.L == 1 and case.group > 1


class TorchFolded(Torch):
    name = "PyTorch matmul, folded"

    def attention(self, case, q):
        torch = self.torch
        folded = q.view(case.B, case.Hkv, case.group * case.L, case.D) * case.D ** -0.5
        hidden = torch.from_numpy(~sees(case)).repeat(case.group, 1)

        def attend(k, v):
            scores = torch.matmul(folded, k.transpose(-1, -2))
            if case.L > 1:
                scores.masked_fill_(hidden, -torch.inf)
            return torch.matmul(torch.softmax(scores, -1), v)

        return attend


class OnnxRuntime:
    """GroupQueryAttention with its cache in place: the past is also the present. Of f32 on the CPU."""
    name = "onnxruntime GQA"
    precision = {"f32": "f32"}

    def __init__(self):
        import onnx
        import onnxruntime
        self.onnx, self.onnxruntime = onnx, onnxruntime

    def session(self, case, threads):
        helper, tensor = self.onnx.helper, self.onnx.TensorProto
        rows, kv_rows = [case.B, case.L, case.H * case.D], [case.B, case.L, case.Hkv * case.D]
        cache = [case.B, case.Hkv, case.S, case.D]

        def value(name, shape, type=tensor.FLOAT):
            return helper.make_tensor_value_info(name, type, shape)

        inputs = [value("query", rows), value("key", kv_rows), value("value", kv_rows), value("past_key", cache),
                  value("past_value", cache), value("seqlens_k", [case.B], tensor.INT32),
                  value("total_sequence_length", [1], tensor.INT32)]
        outputs = [value("output", rows), value("present_key", cache), value("present_value", cache)]
        node = helper.make_node("GroupQueryAttention", [x.name for x in inputs], [x.name for x in outputs],
                                domain="com.microsoft", num_heads=case.H, kv_num_heads=case.Hkv)
        model = helper.make_model(helper.make_graph([node], "attention", inputs, outputs), ir_version=10,
                                  opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)])
        options = self.onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
        return self.onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])

    def prepare(self, data, threads):
        case, session = data.case, self.session(data.case, threads)
        on_memory_of = self.onnxruntime.OrtValue.ortvalue_from_numpy

        def rows(x):  # [B, heads, L, D] -> [B, L, heads D]
            return numpy.ascontiguousarray(x.transpose(0, 2, 1, 3).reshape(case.B, case.L, -1))

        new_k, new_v = (rows(x[0][:, :, case.S - case.L:]) for x in (data.k, data.v))
        small = {"query": rows(data.q), "key": new_k, "value": new_v,
                 "seqlens_k": numpy.full(case.B, case.S - 1, numpy.int32),
                 "total_sequence_length": numpy.array([case.S], numpy.int32)}
        output = on_memory_of(numpy.empty((case.B, case.L, case.H * case.D), numpy.float32))
        calls = []
        for k, v in zip(data.k, data.v):
            binding = session.io_binding()
            for name, array in small.items():
                binding.bind_ortvalue_input(name, on_memory_of(array))
            for name, array in (("key", k), ("value", v)):  # it writes the new token where it already stands
                cache = on_memory_of(array)
                assert cache.data_ptr() == array.ctypes.data, "onnxruntime copied the cache"
                binding.bind_ortvalue_input("past_" + name, cache)
                binding.bind_ortvalue_output("present_" + name, cache)
            binding.bind_ortvalue_output("output", output)
            calls.append(lambda binding=binding: (session.run_with_iobinding(binding), output)[1])

        def heads(value):
            return value.numpy().reshape(case.B, case.L, case.H, case.D).transpose(0, 2, 1, 3)

        return Rotating(case, calls, heads)


PEERS = [NumpyFolded, TorchSdpa, TorchSdpaFolded, TorchFolded, OnnxRuntime]


def peers():
    """Those that are installed, and why the others are not there."""
    there, missing = [], []
    for peer in PEERS:
        try:
            there.append(peer())
        except ImportError as error:
            missing.append(f"{peer.name}: {error}")
    return there, missing


def fits(peer, case, type):
    return type in peer.precision and getattr(peer, "fits", lambda case: True)(case)
