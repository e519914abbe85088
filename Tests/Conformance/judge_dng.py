#!/usr/bin/env python3
"""Lets independent readers judge DNG files.

Adobe's SDK (dngpy), LibRaw (rawpy) and tifffile open each file and must find the same raw codes, bit for bit; exiftool
validates its structure. With a reference, the codes must also be those of the frame that the file was made of: the very
codes, or where the file has a linearization table, those nearest to the frame's values.

    judge_dng.py FILE.dng...
    judge_dng.py FILE.dng --reference FRAME.raw [--width W --height H] [--samples 3] [--stride CODES] [--lossy] [--no-libraw]

The reference holds 16-bit little-endian codes: a mosaic's, or (--samples 3 or 4) a linear photo's, whose fourth sample
is left out. A line a judge, then how many passed and failed; exit status 0 when none failed.
"""

import argparse
import io
import json
import shutil
import subprocess
import sys

try:
    import numpy
    import rawpy
    import tifffile
except ImportError as missing:
    sys.exit(f"{missing}: make a venv and install Tests/Conformance/requirements.txt into it")

RAW_PHOTOMETRICS = (32803, 34892)  # a colour filter array, linear raw


class Verdict(Exception):
    """What a judge has against a file."""


def sdk_codes(path):
    """The stored codes as Adobe's SDK reads them; a process of its own, because the SDK complains on stderr."""
    program = (
        "import dngpy, numpy, sys\n"
        "pixels = numpy.ascontiguousarray(dngpy.Dng(sys.argv[1]).raw_pixels)\n"
        "numpy.save(sys.stdout.buffer, pixels)\n"
    )
    run = subprocess.run([sys.executable, "-c", program, path], capture_output=True)
    words = run.stderr.decode(errors="replace")
    complaints = [line.strip() for line in words.splitlines() if "***" in line]
    if complaints:
        raise Verdict("; ".join(complaints))
    if run.returncode != 0:
        raise Verdict(words.strip().splitlines()[-1] if words.strip() else f"exit status {run.returncode}")
    return squeezed(numpy.load(io.BytesIO(run.stdout)))


def libraw_codes(path):
    """The values as LibRaw unpacks them, which looks codes up in the table, and a render that must not be empty."""
    with rawpy.imread(path) as raw:
        codes = raw.raw_image.copy()
        picture = raw.postprocess(half_size=True, output_bps=8)
    if picture.size == 0 or picture.max() == 0:
        raise Verdict("the rendered picture is black")
    return squeezed(codes)


def raw_directory(file):
    """The one raw directory of a file that tifffile has opened."""
    directories = [page for top in file.pages for page in (top, *(top.pages or ()))]
    raws = [page for page in directories if int(page.photometric) in RAW_PHOTOMETRICS]
    if len(raws) != 1:
        raise Verdict(f"{len(raws)} raw directories, one is wanted")
    return raws[0]


def tifffile_codes(path):
    """The stored codes of the one raw directory."""
    with tifffile.TiffFile(path) as file:
        return squeezed(raw_directory(file).asarray())


def linearization_table(path):
    """The values that the codes stand for; None when they stand for themselves."""
    with tifffile.TiffFile(path) as file:
        tag = raw_directory(file).tags.get(50712)
        return None if tag is None else numpy.array(tag.value, dtype=numpy.int64)


def squeezed(codes):
    """Without a plane axis of one, and without a fourth plane."""
    codes = numpy.asarray(codes)
    if codes.ndim == 3 and codes.shape[2] == 1:
        codes = codes[:, :, 0]
    return codes[:, :, :3] if codes.ndim == 3 else codes


def exiftool_validates(path):
    """No warning of exiftool's validator but those it calls minor."""
    run = subprocess.run(
        ["exiftool", "-json", "-validate", "-warning", "-error", "-a", "-G1:4", path], capture_output=True, text=True
    )
    found = json.loads(run.stdout or "[{}]")[0]
    texts = [str(value) for key, value in found.items() if key.split(":")[-1] in ("Warning", "Error")]
    serious = [text for text in texts if not text.startswith(("[minor]", "[Minor]"))]
    if serious:
        raise Verdict("; ".join(serious))
    if not any(key.endswith("Validate") for key in found):
        raise Verdict("exiftool gave no verdict")


def reference_codes(options):
    """The frame that the file was made of."""
    codes = numpy.fromfile(options.reference, dtype="<u2")
    stride = options.stride or options.width * options.samples
    needed = stride * (options.height - 1) + options.width * options.samples
    if codes.size < needed:
        raise Verdict(f"the reference holds {codes.size} codes, {needed} are needed")
    padded = numpy.zeros(stride * options.height, dtype="<u2")
    padded[:needed] = codes[:needed]
    rows = padded.reshape(options.height, stride)[:, : options.width * options.samples]
    return squeezed(rows.reshape(options.height, options.width, options.samples))


def compare(codes, expected):
    """Throws unless both hold the same codes."""
    if codes.shape != expected.shape:
        raise Verdict(f"shape {codes.shape}, expected {expected.shape}")
    wrong = numpy.argwhere(codes != expected)
    if len(wrong):
        place = tuple(int(i) for i in wrong[0])
        raise Verdict(
            f"{len(wrong)} codes differ, first at (row, column[, plane]) {place}: {codes[place]}, expected {expected[place]}"
        )


def compare_companded(codes, table, expected):
    """Throws unless each code stands for the value of the table that is nearest to the frame's."""
    if codes.shape != expected.shape:
        raise Verdict(f"shape {codes.shape}, expected {expected.shape}")
    if (numpy.diff(table) <= 0).any():
        raise Verdict("the linearization table does not rise everywhere")
    expected = expected.astype(numpy.int64)
    error = abs(table[codes] - expected)
    for step in (-1, 1):
        neighbour = table[numpy.clip(codes.astype(numpy.int64) + step, 0, len(table) - 1)]
        wrong = error > abs(neighbour - expected)
        if wrong.any():
            raise Verdict(f"{wrong.sum()} codes are not the nearest to the frame's values")


def judge(path, options):
    """Prints a line a judge; returns how many passed and failed."""
    results = []
    readings = []

    def hear(name, question):
        try:
            results.append((name, True, question() or "ok"))
        except Exception as reason:  # whatever a reader throws is its verdict
            results.append((name, False, f"{type(reason).__name__ if not isinstance(reason, Verdict) else ''} {reason}"))

    def read(name, reader, expected=lambda codes: codes):
        def question():
            codes = reader(path)
            # Decoders of lossy JPEG may round differently.
            if readings and not options.lossy:
                compare(codes, expected(readings[0][1]))
            readings.append((name, codes))
            return f"{'×'.join(str(side) for side in codes.shape)}, codes {codes.min()}…{codes.max()}"

        hear(name, question)

    table = linearization_table(path)
    read("dngpy", sdk_codes)
    read("tifffile", tifffile_codes)
    if not options.no_libraw:
        read("rawpy", libraw_codes, lambda codes: codes if table is None else table[codes])
    hear("exiftool", lambda: exiftool_validates(path))
    if options.reference:

        def question():
            if not readings:
                raise Verdict("no reader opened the file")
            codes = readings[0][1]
            if not options.width or not options.height:
                options.height, options.width = codes.shape[:2]
            expected = reference_codes(options)
            if options.lossy:
                values = codes if table is None else table[codes]
                error = abs(values.astype(float) - expected).mean() / max(expected.mean(), 1)
                if error > 0.03:
                    raise Verdict(f"the mean error is {error:.1%} of the mean value")
                return f"the mean error is {error:.2%} of the mean value"
            if table is None:
                compare(codes, expected)
                return "the file holds the frame, bit for bit"
            compare_companded(codes, table, expected)
            return "each code stands for the nearest value"

        hear("reference", question)

    for name, passed, words in results:
        print(f"{'ok  ' if passed else 'FAIL'} {name:9} {path}: {words.strip()}")
    passed = sum(passed for _, passed, _ in results)
    return passed, len(results) - passed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE.dng")
    parser.add_argument("--reference", metavar="FRAME.raw", help="16-bit little-endian codes of the frame")
    parser.add_argument("--width", type=int, help="pixels in a row of the reference; default: the file's")
    parser.add_argument("--height", type=int, help="rows of the reference; default: the file's")
    parser.add_argument("--samples", type=int, choices=(1, 3, 4), default=1, help="samples of a pixel of the reference")
    parser.add_argument("--stride", type=int, help="codes from a row of the reference to the next")
    parser.add_argument("--lossy", action="store_true", help="the file need not hold the very frame")
    parser.add_argument("--no-libraw", action="store_true", help="LibRaw does not read this kind (JPEG XL)")
    options = parser.parse_args()
    if options.reference and len(options.files) > 1:
        parser.error("a reference goes with one file")
    if shutil.which("exiftool") is None:
        parser.error("exiftool is missing: install the Debian package libimage-exiftool-perl")
    counts = [judge(path, options) for path in options.files]
    passed, failed = (sum(column) for column in zip(*counts))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
