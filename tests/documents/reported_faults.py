#!/usr/bin/env python3
"""Every public report about attention, masks, positions, caches and dtypes that the project knows has a test named after it."""
import re
import sys
from pathlib import Path

KNOWN = (1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 19, 20, 22, 23, 25, 26, 28, 29, 31, 32, 34, 35, 37, 38, 40, 41)
TESTS = Path(__file__).resolve().parents[1]

found = {int(number) for path in TESTS.rglob("*_test.cpp")
         for number in re.findall(r'TEST_CASE\("(?:reported )?(?:fault|report) (\d+):', path.read_text(encoding="utf-8"))}
missing = [number for number in KNOWN if number not in found]
for number in missing:
    print(f"no test is named 'fault {number}: …'")
for number in sorted(found - set(KNOWN)):
    print(f"a test is named after fault {number}, which is not on the list")
print(f"{len(KNOWN) - len(missing)} of {len(KNOWN)} reported faults have a test")
sys.exit(1 if missing or found - set(KNOWN) else 0)
