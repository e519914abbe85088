#!/usr/bin/env python3
"""Checks DNG files with independent readers.

Adobe's SDK (dngpy), LibRaw (rawpy) and tifffile decode each file and must return identical raw codes; exiftool
validates the structure. With a reference, the codes must also equal those of the frame that the file was made from, or,
if the file has a linearization table, be the nearest to the frame's values.

    judge_dng.py FILE.dng...
    judge_dng.py FILE.dng --reference FRAME.raw [--width W --height H] [--samples 3] [--stride CODES] [--lossy]
        [--no-libraw]

The reference contains 16-bit little-endian codes of a mosaic or, with --samples 3 or 4, of a linear photo, whose fourth
sample is ignored. Prints a line for each check and the counts of passed and failed checks; exits with 0 if none failed.
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

RAW_PHOTOMETRICS = (32803, 34892)  # colour filter array, LinearRaw


class Verdict(Exception):
    """The reason why a check fails."""


def sdk_codes(path):
    """Returns the stored codes decoded by Adobe's SDK in a separate process, whose stderr contains the SDK's errors."""
    program = (
        "import dngpy, io, numpy, sys\n"
        "pixels = numpy.ascontiguousarray(dngpy.Dng(sys.argv[1]).raw_pixels)\n"
        "whole = io.BytesIO()\n"  # numpy.save needs a seekable file, which a pipe is not
        "numpy.save(whole, pixels)\n"
        "sys.stdout.buffer.write(whole.getvalue())\n"
    )
    run = subprocess.run([sys.executable, "-c", program, path], capture_output=True)
    words = run.stderr.decode(errors="replace")
    errors = [line.strip() for line in words.splitlines() if "***" in line]
    if errors:
        raise Verdict("; ".join(errors))
    if run.returncode != 0:
        raise Verdict(words.strip().splitlines()[-1] if words.strip() else f"exit status {run.returncode}")
    return squeezed(numpy.load(io.BytesIO(run.stdout)))


def libraw_codes(path):
    """Returns the values that LibRaw decodes, after the linearization table. Fails if LibRaw's render is black."""
    with rawpy.imread(path) as raw:
        codes = raw.raw_image.copy()
        picture = raw.postprocess(half_size=True, output_bps=8)
    if picture.size == 0 or picture.max() == 0:
        raise Verdict("the rendered picture is black")
    return squeezed(codes)


def raw_directory(file):
    """Returns the only raw IFD of a file that tifffile has opened."""
    directories = [page for top in file.pages for page in (top, *(top.pages or ()))]
    raws = [page for page in directories if int(page.photometric) in RAW_PHOTOMETRICS]
    if len(raws) != 1:
        raise Verdict(f"{len(raws)} raw IFDs, expected one")
    return raws[0]


def tifffile_codes(path):
    """Returns the codes of the only raw IFD, decoded by tifffile, in the picture's order."""
    with tifffile.TiffFile(path) as file:
        directory = raw_directory(file)
        codes = squeezed(directory.asarray())
        factors = [directory.tags[tag].value if tag in directory.tags else 1 for tag in (50975, 52547)]
    # RowInterleaveFactor and ColumnInterleaveFactor: the file stores every nth row or column from 0, then from 1, …
    orders = [numpy.concatenate([numpy.arange(size)[first::factor] for first in range(factor)])
              for size, factor in zip(codes.shape, factors)]  # fmt: skip
    result = numpy.empty_like(codes)
    result[numpy.ix_(*orders)] = codes
    return result


def linearization_table(path):
    """Returns the LinearizationTable, which maps codes to values, or None without the tag."""
    with tifffile.TiffFile(path) as file:
        tag = raw_directory(file).tags.get(50712)
        return None if tag is None else numpy.array(tag.value, dtype=numpy.int64)


def squeezed(codes):
    """Removes a plane axis of length 1, and planes after the third."""
    codes = numpy.asarray(codes)
    if codes.ndim == 3 and codes.shape[2] == 1:
        codes = codes[:, :, 0]
    return codes[:, :, :3] if codes.ndim == 3 else codes


def exiftool_validates(path):
    """Fails if exiftool's validator reports an error, or a warning that is not minor."""
    run = subprocess.run(
        ["exiftool", "-json", "-validate", "-warning", "-error", "-a", "-G1:4", path], capture_output=True, text=True
    )
    found = json.loads(run.stdout or "[{}]")[0]
    texts = [str(value) for key, value in found.items() if key.split(":")[-1] in ("Warning", "Error")]
    serious = [text for text in texts if not text.startswith(("[minor]", "[Minor]"))]
    if serious:
        raise Verdict("; ".join(serious))
    if not any(key.endswith("Validate") for key in found):
        raise Verdict("exiftool returned no result")


def reference_codes(options):
    """Returns the codes of the frame that the file was made from, read from --reference."""
    codes = numpy.fromfile(options.reference, dtype="<u2")
    stride = options.stride or options.width * options.samples
    needed = stride * (options.height - 1) + options.width * options.samples
    if codes.size < needed:
        raise Verdict(f"the reference contains {codes.size} codes, expected at least {needed}")
    padded = numpy.zeros(stride * options.height, dtype="<u2")
    padded[:needed] = codes[:needed]
    rows = padded.reshape(options.height, stride)[:, : options.width * options.samples]
    return squeezed(rows.reshape(options.height, options.width, options.samples))


def compare(codes, expected):
    """Fails unless both arrays contain the same codes."""
    if codes.shape != expected.shape:
        raise Verdict(f"shape {codes.shape}, expected {expected.shape}")
    wrong = numpy.argwhere(codes != expected)
    if len(wrong):
        position = tuple(int(i) for i in wrong[0])
        raise Verdict(
            f"{len(wrong)} codes differ, first at (row, column[, plane]) {position}:"
            f" {codes[position]}, expected {expected[position]}"
        )


def compare_companded(codes, table, expected):
    """Fails unless each code maps to the value in the table that is nearest to the frame's value."""
    if codes.shape != expected.shape:
        raise Verdict(f"shape {codes.shape}, expected {expected.shape}")
    if (numpy.diff(table) <= 0).any():
        raise Verdict("the linearization table is not strictly increasing")
    expected = expected.astype(numpy.int64)
    error = abs(table[codes] - expected)
    for step in (-1, 1):
        neighbour = table[numpy.clip(codes.astype(numpy.int64) + step, 0, len(table) - 1)]
        wrong = error > abs(neighbour - expected)
        if wrong.any():
            raise Verdict(f"{wrong.sum()} codes are not the nearest to the frame's values")


def judge(path, options):
    """Prints a line for each check; returns the numbers of passed and failed checks."""
    results = []
    readings = []

    def run_check(name, work):
        try:
            results.append((name, True, work() or "ok"))
        except Exception as reason:  # any exception of a reader is a failed check
            kind = "" if isinstance(reason, Verdict) else type(reason).__name__
            results.append((name, False, f"{kind} {reason}"))

    def read(name, reader, expected=lambda codes: codes):
        def work():
            codes = reader(path)
            # Decoders of lossy JPEG may round differently, so their codes are not compared.
            if readings and not options.lossy:
                compare(codes, expected(readings[0][1]))
            readings.append((name, codes))
            return f"{'×'.join(str(side) for side in codes.shape)}, codes {codes.min()}…{codes.max()}"

        run_check(name, work)

    table = linearization_table(path)
    read("dngpy", sdk_codes)
    read("tifffile", tifffile_codes)
    if not options.no_libraw:
        read("rawpy", libraw_codes, lambda codes: codes if table is None else table[codes])
    run_check("exiftool", lambda: exiftool_validates(path))
    if options.reference:

        def compare_with_reference():
            if not readings:
                raise Verdict("no reader decoded the file")
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
                return "the file contains exactly the frame's codes"
            compare_companded(codes, table, expected)
            return "each code maps to the nearest value"

        run_check("reference", compare_with_reference)

    for name, passed, words in results:
        print(f"{'ok  ' if passed else 'FAIL'} {name:9} {path}: {words.strip()}")
    passed = sum(passed for _, passed, _ in results)
    return passed, len(results) - passed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE.dng")
    parser.add_argument("--reference", metavar="FRAME.raw", help="16-bit little-endian codes of the frame")
    parser.add_argument("--width", type=int, help="the width of the reference in pixels (default: the file's)")
    parser.add_argument("--height", type=int, help="the height of the reference in rows (default: the file's)")
    parser.add_argument("--samples", type=int, choices=(1, 3, 4), default=1, help="samples per pixel of the reference")
    parser.add_argument("--stride", type=int, help="codes from the start of one row of the reference to the next")
    parser.add_argument("--lossy", action="store_true", help="compare only the mean error, for lossy JPEG")
    parser.add_argument("--no-libraw", action="store_true", help="skip LibRaw, which does not decode JPEG XL")
    options = parser.parse_args()
    if options.reference and len(options.files) > 1:
        parser.error("--reference needs exactly one file")
    if shutil.which("exiftool") is None:
        parser.error("exiftool is missing: install the Debian package libimage-exiftool-perl")
    counts = [judge(path, options) for path in options.files]
    passed, failed = (sum(column) for column in zip(*counts))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
