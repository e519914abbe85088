#!/usr/bin/env python3
"""Checks that `gscap convert` keeps everything of DNG files of other makers.

    judge_convert.py [--keep FOLDER]

foreign_files.py makes the files. Each is converted, with and without compression. exiftool must report the same tags
before and after, byte for byte, but for those that describe how the raw picture is stored; tifffile must decode the
same samples; and Adobe's SDK must render the same picture, with a difference of 0. Prints a line for each failure and
the counts; exits with 0 if nothing failed.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import numpy
    import tifffile
except ImportError as missing:
    sys.exit(f"{missing}: make a venv and install Tests/Conformance/requirements.txt into it")

import foreign_files
import judge_look

# What a conversion means to change: the storage of the raw picture. exiftool 12 reports ColumnInterleaveFactor by its
# number.
STORAGE = re.compile(
    r"(IFD0|SubIFD\d*):(Compression|Predictor|RowsPerStrip|TileWidth|TileLength|StripOffsets|StripByteCounts|"
    r"TileOffsets|TileByteCounts|PlanarConfiguration|RowInterleaveFactor|ColumnInterleaveFactor|Exif_0xcd43)$"
)
# Positions in the file, and what exiftool takes from the file system or computes from it.
ELSEWHERE = re.compile(
    r"^(SourceFile|System:.*|File:.*|ExifTool:.*|Composite:.*|\w+:(PreviewImageStart|ThumbnailOffset|OtherImageStart|"
    r"JpgFromRawStart|StripOffsets|TileOffsets|StripByteCounts))$"
)
RAW = (foreign_files.CFA, foreign_files.LINEAR)


def exif(paths):
    """Returns all tags of files as exiftool reports them, with binary values, by path."""
    run = subprocess.run(
        ["exiftool", "-json", "-a", "-u", "-n", "-G1:4", "-b", *map(str, paths)], capture_output=True, text=True
    )
    return {pathlib.Path(tags["SourceFile"]): tags for tags in json.loads(run.stdout)}


def plain(key):
    """Returns a tag's name with its group, without the number of a copy."""
    return re.sub(r":Copy\d+", "", key)


def values(tags):
    """Returns the values of each tag; exiftool numbers those that occur several times in the order of the file."""
    found = {}
    for key, value in tags.items():
        found.setdefault(plain(key), []).append(str(value))
    return {key: sorted(texts) for key, texts in found.items()}


def without_raw_data(tags):
    """Returns the tags without the data of the raw picture: from version 13 on, exiftool calls each picture that is
    stored as JPEG XL a preview. samples() compares what this data decodes to."""
    pictures = {key.split(":")[0]: value for key, value in tags.items() if key.endswith(":PhotometricInterpretation")}
    return {
        key: value
        for key, value in tags.items()
        if pictures.get(key.split(":")[0]) not in RAW or not key.split(":")[-1].startswith("PreviewJXL")
    }


def changes(before, after, allowed):
    """Returns the tags that differ, other than those that a conversion means to change."""
    before, after = values(without_raw_data(before)), values(without_raw_data(after))
    return [
        f"{key}: {str(before.get(key))[:60]} became {str(after.get(key))[:60]}"
        for key in sorted(set(before) | set(after))
        if before.get(key) != after.get(key)
        and not ELSEWHERE.search(key)
        and not STORAGE.search(key)
        and key.split(":")[-1] not in allowed
    ]


def allowed_changes(name, options):
    """Returns further tags that a conversion of this kind of file means to change."""
    words = name.split()
    allowed = set()
    if words[2] != "float" and int(words[3]) not in (8, 16, 24, 32) and "none" in options:
        allowed |= {"BitsPerSample", "WhiteLevel"}  # stored in 16 bits; the default of WhiteLevel would be another
    if words[3] == "24" and words[2] != "float" and "none" not in options:
        allowed |= {"BitsPerSample", "WhiteLevel"}  # stored in 32 bits
    if words[2] == "float":
        allowed |= {"DNGBackwardVersion"} if "none" in options else set()
    if words[2] == "xl":
        allowed |= {"DNGBackwardVersion"}  # older readers open the copy
    if "jpeg-xl" in options:
        allowed |= {"DNGVersion", "DNGBackwardVersion", "BitsPerSample", "WhiteLevel"}
        if "table" in words:  # the values of the table are stored, in place of its codes
            allowed |= {"LinearizationTable", "RawDataUniqueID"}
    return allowed


def samples(path):
    """Returns the stored samples of the raw picture, decoded by tifffile."""
    with tifffile.TiffFile(path) as file:
        pages = [page for top in file.pages for page in (top, *(top.pages or ()))]
        page = next(page for page in pages if int(page.photometric) in RAW)
        return planes_joined(page.asarray().squeeze(), page.tags)


def planes_joined(stored, tags):
    """Returns a picture whose rows and columns are stored as separate fields (RowInterleaveFactor) in their order."""
    picture = stored
    for axis, tag in ((0, 50975), (1, 52547)):
        factor = int(tags[tag].value) if tag in tags else 1
        order = numpy.concatenate([numpy.arange(first, picture.shape[axis], factor) for first in range(factor)])
        picture = numpy.take(picture, numpy.argsort(order), axis)
    return picture


def renders(pairs):
    """Renders pairs of files with Adobe's SDK in one process; returns the greatest difference of each pair."""
    run = subprocess.run(
        [sys.executable, __file__, "--render", *(str(path) for pair in pairs for path in pair)],
        capture_output=True, text=True,
    )  # fmt: skip
    lines = [line.split() for line in run.stdout.splitlines() if line.startswith("difference ")]
    if len(lines) != len(pairs):
        print(run.stderr[-2000:])
    return [float(words[1]) for words in lines] + [float("nan")] * (len(pairs) - len(lines))


def render(paths):
    """Prints the greatest difference of the renders of each pair of files."""
    for before, after in zip(paths[::2], paths[1::2]):
        print(before, file=sys.stderr, flush=True)
        pictures = []
        for path in (before, after):
            with tempfile.NamedTemporaryFile(suffix=".npy") as target:
                judge_look.adobe(path, target.name)
                pictures.append(numpy.load(target.name).astype(int))
        one, other = pictures
        same = one.shape == other.shape and one.size > 0 and one.max() > one.min()
        print("difference", abs(one - other).max() if same else "nan", flush=True)


def options_of(name, number):
    """Returns the options of the conversions of a file: lossless, and every third without compression or as JPEG XL."""
    found = [[]]
    if number % 3 == 0:
        found.append(["--compression", "none"])
    elif number % 3 == 1 and not re.search(" float | four | 24 | 32 ", name):
        found.append(["--compression", "jpeg-xl"])
    return found


def judge(folder):
    sources = foreign_files.make_all(folder)
    jobs = []
    results = []
    for number, (name, path) in enumerate(sources.items()):
        for options in options_of(name, number):
            target = path.with_name(f"{path.stem}{'-'.join(['', *options[1:]])}-copy.dng")
            run = subprocess.run(["gscap", "convert", path, target, *options], capture_output=True, text=True)
            if run.returncode != 0:
                results.append((name, options, [run.stderr.strip()]))
                continue
            jobs.append((name, options, path, target))
    tags = exif([*sources.values(), *(target for *_, target in jobs)])
    differences = renders([(path, target) for *_, path, target in jobs])
    for (name, options, path, target), difference in zip(jobs, differences):
        problems = changes(tags[path], tags[target], allowed_changes(name, options))
        if difference != 0:
            problems.append(f"the SDK's renders differ by {difference}")
        if path.read_bytes()[:2] != target.read_bytes()[:2]:
            problems.append("the byte order changed")
        # tifffile does not decode samples of 24 bits, which the SDK's render covers.
        if not ("table" in name and "jpeg-xl" in options) and " 24 " not in name:
            one, other = samples(path), samples(target)
            if not numpy.array_equal(one, other, equal_nan=one.dtype.kind == "f"):
                problems.append("tifffile decodes other samples")
        results.append((name, options, problems))
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", metavar="FOLDER", type=pathlib.Path, help="keep the files in this folder")
    parser.add_argument("--render", nargs="*", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.render:
        render(options.render)
        return 0
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
        results = judge(options.keep)
    else:
        with tempfile.TemporaryDirectory() as folder:
            results = judge(pathlib.Path(folder))
    failed = [result for result in results if result[2]]
    for name, words, problems in failed:
        print(f"FAIL {name} {' '.join(words)}: {'; '.join(problems)}")
    print(f"{len(results) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
