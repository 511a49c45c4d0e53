"""What the comparison does, on shapes that take a moment. Arguments: the library, then the classes of tests to run."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

os.environ["OPENBLAS_NUM_THREADS"] = "2"
try:
    import numpy
except ImportError as missing:
    print(f"{missing}: tests/peers/README.md says how to install it", file=sys.stderr)
    sys.exit(2)

import bf16
import cases
import exact
import peers
import table
import turns
from ours import Ours

LIBRARY = sys.argv[1]


def outputs(who, case, type):
    data = cases.data(case, type, rotate=False)
    ready = who.prepare(data, 2)
    ready.launch(0)
    return ready.output(), exact.Expected(data)


class Always(unittest.TestCase):
    def test_bf16_rounds_to_nearest_even(self):
        one = 2 ** -7  # the distance of the neighbours of 1
        values = [1 + one / 2, 1 + 1.5 * one, 1 + 0.51 * one, -1 - 1.49 * one, 0, 3e38]
        expected = [1, 1 + 2 * one, 1 + one, -1 - one, 0]
        self.assertEqual(list(bf16.rounded(numpy.array(values, numpy.float32)))[:5], expected)

    def test_exact_attention_is_a_plain_loop(self):
        data = cases.data(cases.SMALL[3], "f32", rotate=False)
        q, k, v = (x.astype(numpy.float64) for x in (data.q, data.k[0], data.v[0]))
        h, i = 4, 20  # reads KV head 4 // 3
        weights = [numpy.exp(q[0, h, i] @ k[0, 1, j] / 8) for j in range(i + 1)]
        expected = sum(w * v[0, 1, j] for j, w in enumerate(weights)) / sum(weights)
        numpy.testing.assert_allclose(exact.Expected(data).output[0, h, i], expected, rtol=1e-12)

    def test_ours_and_numpy_are_right(self):
        for case in cases.SMALL:
            for who in (Ours(LIBRARY), peers.NumpyFolded()):
                for type in who.precision:
                    with self.subTest(case=case.name, who=who.name, type=type):
                        output, expected = outputs(who, case, type)
                        self.assertEqual(expected.objection(output, who.precision[type]), "")

    def test_wrong_outputs_are_rejected(self):
        for type, precision in (("f32", "f32"), ("bf16", "bf16")):
            data = cases.data(cases.SMALL[3], type, rotate=False)
            expected = exact.Expected(data)
            right, shifted = expected.output, expected.output.copy()
            q, k, v = (bf16.to_f32(x) if type == "bf16" else x for x in (data.q, data.k[0], data.v[0]))
            shifted[:, :, 1:] = exact.attention(q[:, :, 1:], k[:, :, :-1], v[:, :, :-1])
            wrong = {"heads the other way round": right[:, ::-1], "zeros": 0 * right, "constant": 0 * right + right.mean(),
                     "NaN": numpy.where(numpy.arange(right.size).reshape(right.shape) == 5, numpy.nan, right),
                     "a mask off by one": shifted, "one head less": right[:, 1:], "a wrong group": right[:, [0, 1, 3, 2, 4, 5]]}
            for name, output in wrong.items():
                with self.subTest(name=name, type=type):
                    self.assertNotEqual(expected.objection(output, precision), "")

    def test_copies_do_not_fit_into_the_cache(self):
        data = cases.data(cases.Case("long", 1, 2, 1, 64, 1, 8192), "bf16")
        self.assertGreater(sum(k.nbytes + v.nbytes for k, v in zip(data.k, data.v)), cases.last_level_cache())
        self.assertTrue(all(x.ctypes.data % 4096 == 0 for x in [data.q, *data.k, *data.v]))

    def test_ratios_are_theirs_over_ours(self):
        now, launched = [0.0], []

        def takes(seconds, who):
            def launch(n):
                now[0] += seconds * (3 if n < 8 else 1)  # the machine is slow at first
                launched.append((who, n))
            return launch

        with unittest.mock.patch("turns.clock", lambda: now[0]), unittest.mock.patch("turns.PAUSE", 0):
            pairs, ms = turns.ratios(takes(0.008, "theirs"), takes(0.002, "ours"), rounds=4, block_ms=1)
        self.assertEqual([round(x, 9) for x in pairs], [4, 4, 4, 4])
        self.assertAlmostEqual(ms, 4)  # two rounds of 6 ms, two of 2 ms
        # Each launch takes another copy; the first of a block is not counted; who begins alternates.
        self.assertEqual(launched[:16], [("theirs", n) for n in range(4)] + [("ours", n) for n in range(8)] +
                         [("theirs", n) for n in range(4, 8)])

    def test_the_table_goes_between_its_markers(self):
        rows = [table.Row("D1", "f32", "A", [2, 1, 4], 1.0), table.Row("D1", "f32", "B", [3], 1.0),
                table.Row("D1", "bf16", "B", [5], 1.0)]
        text = table.markdown(rows, 2)
        self.assertIn("| D1 | f32 | 2.00 (1.00 … 4.00) | 3.00 (3.00 … 3.00) |", text)
        self.assertIn("| D1 | bf16 | – | 5.00 (5.00 … 5.00) |", text)
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.md"
            page.write_text(f"above\n{table.BEGIN}\nold\n{table.END}\nbelow\n", encoding="utf-8")
            table.update(page, text)
            self.assertEqual(page.read_text(encoding="utf-8"), f"above\n{table.BEGIN}\n{text}\n{table.END}\nbelow\n")
            page.write_text("no markers", encoding="utf-8")
            self.assertRaises(ValueError, table.update, page, text)

    def test_ours_refuses_in_words(self):
        data = cases.data(cases.Case("odd", 1, 4, 3, 64, 1, 8), "f32", rotate=False)
        with self.assertRaisesRegex(ValueError, "3"):
            Ours(LIBRARY).prepare(data, 2)


class Installed(unittest.TestCase):
    def test_every_peer_is_right(self):
        there, missing = peers.peers()
        self.assertEqual(missing, [])
        for peer in there:
            for case in cases.SMALL:
                for type in peer.precision:
                    if peers.fits(peer, case, type):
                        with self.subTest(peer=peer.name, case=case.name, type=type):
                            output, expected = outputs(peer, case, type)
                            self.assertEqual(expected.objection(output, peer.precision[type]), "")

    def test_the_whole_comparison(self):
        here = pathlib.Path(__file__).parent
        ran = subprocess.run([sys.executable, "-B", here / "compare.py", "--small", "--rounds", "1", "--block-ms", "1",
                              "--library", LIBRARY], capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        for word in ("decode-mqa", "PyTorch SDPA", "onnxruntime GQA", "median", "| prefill | bf16 |"):
            self.assertIn(word, ran.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
