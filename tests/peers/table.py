"""The rows as a table, and the table in a page between two markers."""
import statistics
from dataclasses import dataclass

BEGIN, END = "<!-- peers: begin -->", "<!-- peers: end -->"


@dataclass
class Row:
    case: str
    type: str
    peer: str
    pairs: list  # how many times as long the peer took
    ms: float  # ours, median

    @property
    def median(self):
        return statistics.median(self.pairs)

    def __str__(self):
        pairs = " ".join(f"{x:.2f}" for x in self.pairs)
        return f"{self.case:<12} {self.type:<5} {self.peer:<23} {pairs}   median {self.median:.2f}   ours {self.ms:.3f} ms"


def processor():
    try:
        with open("/proc/cpuinfo") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return "unknown processor"


def markdown(rows, threads):
    """A line for each case and type, a column for each peer: the median, and the least and the most of the pairs."""
    names = list(dict.fromkeys(row.peer for row in rows))
    lines = [f"{processor()}, {threads} threads. How many times as long each takes as Headroom: median (least … most) of the pairs.", "",
             "| case | type | " + " | ".join(names) + " |", "|---|---|" + "--:|" * len(names)]
    for case, type in dict.fromkeys((row.case, row.type) for row in rows):
        cells = {row.peer: f"{row.median:.2f} ({min(row.pairs):.2f} … {max(row.pairs):.2f})" for row in rows
                 if (row.case, row.type) == (case, type)}
        lines.append(f"| {case} | {type} | " + " | ".join(cells.get(name, "–") for name in names) + " |")
    return "\n".join(lines)


def update(page, text):
    old = page.read_text(encoding="utf-8")
    if old.count(BEGIN) != 1 or old.count(END) != 1 or old.index(END) < old.index(BEGIN):
        raise ValueError(f"{page.name} needs {BEGIN} and, below it, {END}")
    before, after = old.split(BEGIN)[0], old.split(END)[1]
    page.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", encoding="utf-8")
