#!/usr/bin/env python3
"""Frames in the layouts of the kernel's documentation, with their codes: vectors.txt, for the tests beside it.

vectors.py          writes the file
vectors.py --check  fails if the file differs

The layouts are those of Documentation/userspace-api/media/v4l: pixfmt-srggb8.rst to pixfmt-srggb16.rst,
pixfmt-srggb10p.rst, pixfmt-srggb12p.rst, pixfmt-srggb14p.rst, pixfmt-yuv-luma.rst. Each line of the file is a format,
the width, the height, the bytes from row to row, the codes, and the bytes; rows end with bytes that belong to no code.
A line that begins with a space continues the one before it.
"""
import pathlib
import random
import sys

HEIGHT = 4
FILE = pathlib.Path(__file__).with_name("vectors.txt")

# The names in the order BGGR, GBRG, GRBG, RGGB, grey.
FORMATS = {
    "8": "BA81 GBRG GRBG RGGB GREY",
    "10": "BG10 GB10 BA10 RG10 Y10_",
    "12": "BG12 GB12 BA12 RG12 Y12_",
    "14": "BG14 GB14 GR14 RG14 Y14_",
    "16": "BYR2 GB16 GR16 RG16 Y16_",
    "10P": "pBAA pGAA pgAA pRAA Y10P",
    "12P": "pBCC pGCC pgCC pRCC Y12P",
    "14P": "pBEE pGEE pgEE pREE Y14P",
    "16BE": "Y16_-BE",
}


def bits(value, high, low):
    """The bits of a code from `high` down to `low`, as the pages name them."""
    return value >> low & (1 << high - low + 1) - 1


def packed10(a, b, c, d):
    """Four high bytes; then the two low bits of each pixel, the first pixel's in bits 1 and 0."""
    return [bits(x, 9, 2) for x in (a, b, c, d)] + [
        bits(d, 1, 0) << 6 | bits(c, 1, 0) << 4 | bits(b, 1, 0) << 2 | bits(a, 1, 0)
    ]


def packed12(a, b):
    """Two high bytes; then the four low bits of the second pixel, and those of the first."""
    return [bits(a, 11, 4), bits(b, 11, 4), bits(b, 3, 0) << 4 | bits(a, 3, 0)]


def packed14(a, b, c, d):
    """Four high bytes; then the six low bits of each pixel, from the first pixel's in bit 0 of the fifth byte on."""
    return [bits(x, 13, 6) for x in (a, b, c, d)] + [
        bits(b, 1, 0) << 6 | bits(a, 5, 0),
        bits(c, 3, 0) << 4 | bits(b, 5, 2),
        bits(d, 5, 0) << 2 | bits(c, 5, 4),
    ]


def row_bytes(kind, codes):
    if kind == "8":
        return list(codes)
    if kind.endswith("P"):
        pack, group = {"10P": (packed10, 4), "12P": (packed12, 2), "14P": (packed14, 4)}[kind]
        codes = codes + [0] * (-len(codes) % group)
        return [byte for i in range(0, len(codes), group) for byte in pack(*codes[i : i + group])]
    order = (8, 0) if kind == "16BE" else (0, 8)
    return [code >> shift & 255 for code in codes for shift in order]


def lines():
    numbers = random.Random(1)
    for kind, names in FORMATS.items():
        depth = int(kind.rstrip("BEP"))
        for name in names.split():
            # Widths with which the last group is and is not complete.
            for width in (16, 18):
                rows = [[numbers.getrandbits(depth) for _ in range(width)] for _ in range(HEIGHT)]
                # Every bit alone, and all of them, in every position of a group.
                marks = [1 << bit for bit in range(depth)] + [(1 << depth) - 1]
                for index, mark in enumerate(marks):
                    rows[index // width][index % width] = mark
                    rows[2 + (index + 1) // width][(index + 1) % width] = mark
                # As hardware aligns rows: to 32 bytes, here with at least 5 to spare.
                stride = len(row_bytes(kind, rows[0])) + 5 + 31 & ~31
                data = [row_bytes(kind, row) for row in rows]
                data = [row + [numbers.getrandbits(8) for _ in range(stride - len(row))] for row in data]
                yield " ".join(
                    [name, str(width), str(HEIGHT), str(stride)]
                    + ["".join(f"{code:04x}" for row in rows for code in row)]
                    + ["".join(f"{byte:02x}" for row in data for byte in row)]
                )


def main():
    # Lines of at most 120 columns, of which those that go on begin with a space.
    text = ""
    for line in lines():
        text += line[:119] + "\n"
        text += "".join(" " + line[i : i + 119] + "\n" for i in range(119, len(line), 119))
    if sys.argv[1:] == ["--check"]:
        if FILE.read_text() != text:
            sys.exit(f"{FILE} differs from what {__file__} writes")
    else:
        FILE.write_text(text)


main()
