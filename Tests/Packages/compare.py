#!/usr/bin/env python3
"""Compares a photo that another architecture's gscap has made with that of this machine's.

    compare.py FILE OTHER [--codes N] [--share X]

At most the share X of the samples of a TIFF or DNG file may differ, by at most N codes; by default none may. JPEG
previews are compared only by default, since a difference of one code changes many of theirs. The numbers of the gain
table may differ by five millionths, because it is computed with functions of the C library. Prints a line for each
comparison and the counts.
"""

import argparse
import sys

try:
    import numpy
    import tifffile
except ImportError as missing:
    sys.exit(f"{missing}: make a venv and install Tests/Conformance/requirements.txt into it")

GAIN_TABLE = 52525  # ProfileGainTableMap: 64 bytes of integers and weights, then floats in big-endian order
RELATIVE_BOUND = 5e-6


def directories(path):
    """Yields all directories of a TIFF file."""
    for page in tifffile.TiffFile(path).pages:
        yield page
        yield from page.pages or ()


def compared(options):
    """Yields the name, the result and the figures of each comparison."""
    pages = zip(directories(options.file), directories(options.other), strict=True)
    for number, (one, two) in enumerate(pages):
        is_lossy = one.compression == tifffile.COMPRESSION.JPEG and one.bitspersample == 8
        if not is_lossy or options.codes == 0:
            ours, theirs = (page.asarray().astype(int) for page in (one, two))
            differing, most = numpy.count_nonzero(ours != theirs), abs(ours - theirs).max()
            good = most <= options.codes and differing <= options.share * ours.size
            yield f"directory {number}", good, f"{differing} of {ours.size} samples differ, by at most {most}"
        if GAIN_TABLE in one.tags:
            tables = [bytes(page.tags[GAIN_TABLE].value) for page in (one, two)]
            ours, theirs = (numpy.frombuffer(table[64:], ">f4").astype(float) for table in tables)
            error = (abs(ours - theirs) / ours).max()
            good = tables[0][:64] == tables[1][:64] and error <= RELATIVE_BOUND
            yield "gain table", good, f"{numpy.count_nonzero(ours != theirs)} numbers differ, by at most {error:.1e}"


parser = argparse.ArgumentParser(description="Compares two photos.")
parser.add_argument("file")
parser.add_argument("other")
parser.add_argument("--codes", type=int, default=0)
parser.add_argument("--share", type=float, default=0)
options = parser.parse_args()
passed = failed = 0
for part, good, words in compared(options):
    print(f"{'ok    ' if good else 'FAILED'} {options.other.rsplit('/', 1)[-1]}, {part}: {words}")
    passed, failed = passed + good, failed + (not good)
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
