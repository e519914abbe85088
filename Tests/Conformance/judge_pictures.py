#!/usr/bin/env python3
"""Lets independent readers judge the picture files that the tests wrote into a folder (GSCAP_JUDGED).

Pillow, pillow-heif, tifffile, imagecodecs, OpenEXR and libultrahdr open each file: pixels must be those that the file was made
of, the very same or within coding error; ICC profiles must be valid for Little CMS and tell the picture's colours; exiftool must
find what the capture told, and have nothing against the file.

    judge_pictures.py FOLDER

A line a judge, then how many passed and failed; exit status 0 when none failed.
"""

import argparse
import io
import json
import pathlib
import re
import subprocess
import sys

try:
    import imagecodecs
    import numpy
    import OpenEXR
    import pillow_heif
    import tifffile
    from PIL import Image, ImageCms
except ImportError as missing:
    sys.exit(f"{missing}: make a venv and install Tests/Conformance/requirements.txt into it")

PRIMARIES = {"sRGB": 1, "displayP3": 12, "rec2020": 9}
TRANSFERS = {"sRGB": 13, "rec709": 1, "linear": 8, "pq": 16, "hlg": 18}
STORY = {
    "ExposureTime": 1 / 125, "ISO": 320, "FNumber": 1.8, "FocalLength": 6.765, "FocalLengthIn35mmFormat": 24,
    "Make": "Gscap", "Model": "Test camera", "LensMake": "Lens & Sons", "LensModel": "6.8mm f/1.8",
    "Artist": "Ada Löffler", "Copyright": "© 2026 Ada Löffler", "ImageDescription": "Ramps, a disc & a lamp",
    "GPSLatitude": -33.856784, "GPSLongitude": 151.215297, "GPSAltitude": 12.5, "SubSecTimeOriginal": 123456,
    "Description": "Ramps, a disc & a lamp", "FusedFrames": 7,
}  # fmt: skip


class Verdict(Exception):
    """What a judge has against a file."""


def reference(folder, entry, name="reference"):
    """The numbers that the file was made of."""
    numbers = numpy.fromfile(folder / entry[name], dtype="<f4")
    return numbers.reshape(entry["height"], entry["width"], 3)


def upright(pixels, orientation):
    """Pixels turned as Exif's orientation asks."""
    turns = {2: lambda p: p[:, ::-1], 3: lambda p: p[::-1, ::-1], 4: lambda p: p[::-1], 5: lambda p: p.swapaxes(0, 1),
             6: lambda p: numpy.rot90(p, -1), 7: lambda p: p[::-1, ::-1].swapaxes(0, 1), 8: lambda p: numpy.rot90(p)}  # fmt: skip
    return turns.get(orientation, lambda p: p)(pixels)


def decoded(path, entry):
    """The pixels as numbers, and whether the reader turned them upright."""
    kind, data = entry["kind"], path.read_bytes()
    if kind == "jpeg":
        return numpy.asarray(Image.open(io.BytesIO(data)).convert("RGB")) / 255, False
    if kind == "png":
        pixels = imagecodecs.png_decode(data)
        return pixels / numpy.iinfo(pixels.dtype).max, False
    if kind == "tiff":
        pixels = tifffile.imread(path)
        return (pixels if pixels.dtype.kind == "f" else pixels / numpy.iinfo(pixels.dtype).max), False
    if kind == "exr":
        with OpenEXR.File(str(path)) as file:
            return numpy.asarray(file.channels()["RGB"].pixels, dtype=numpy.float32), True
    if kind == "jxl":
        pixels = imagecodecs.jpegxl_decode(data, keeporientation=False)
        return (pixels if pixels.dtype.kind == "f" else pixels / numpy.iinfo(pixels.dtype).max), True
    if kind == "avif":
        pixels = imagecodecs.avif_decode(data)
        return pixels / (1023 if pixels.dtype == numpy.uint16 else 255), False
    heif = pillow_heif.open_heif(path, convert_hdr_to_8bit=False)
    pixels = numpy.asarray(heif)
    return (pixels / 65535 if pixels.dtype == numpy.uint16 else pixels / 255), True


def judge_pixels(path, folder, entry):
    """The pixels are those the file was made of."""
    pixels, is_upright = decoded(path, entry)
    wanted = reference(folder, entry)
    if is_upright:
        wanted = upright(wanted, entry["orientation"])
    if pixels.shape != wanted.shape:
        raise Verdict(f"shape {pixels.shape}, expected {wanted.shape}")
    floats = entry.get("depth") == "half"
    if entry["lossless"] and entry["kind"] != "jpeg":
        error = abs(pixels.astype(numpy.float32) - wanted).max()
        if error > (0 if floats else 1e-6):
            raise Verdict(f"the largest error is {error}")
        return "equal"
    if floats:
        pixels, wanted = numpy.log2(abs(pixels) + 0.05), numpy.log2(wanted + 0.05)
    error = numpy.sqrt(((pixels - wanted) ** 2).mean())
    peak = 1.0 if not floats else wanted.max() - wanted.min()
    signal = 20 * numpy.log10(peak / max(error, 1e-9))
    least = 30 if entry["quality"] < 0.5 else 36
    if signal < least:
        raise Verdict(f"{signal:.1f} dB, at least {least} is wanted")
    return f"{signal:.1f} dB"


def judge_exif(path, entry):
    """exiftool reads what the capture told and has nothing against the file."""
    run = subprocess.run(
        ["exiftool", "-json", "-n", "-validate", "-warning", "-error", "-a", "-all", path], capture_output=True, text=True
    )
    found = json.loads(run.stdout or "[{}]")[0]
    texts = [str(value) for key, value in found.items() if key in ("Warning", "Error")]
    # Each companion of a HEIF has a reference of its own, all of one name.
    serious = [text for text in texts if not text.startswith(("[minor]", "[Minor]", "Duplicate tag 'auxl'"))]
    if serious:
        raise Verdict("; ".join(serious))
    if entry["kind"] == "exr" and entry["orientation"]:
        # Old versions of exiftool show OpenEXR's packet as it is, newer ones its properties; with -b all show the packet.
        packet = subprocess.run(["exiftool", "-b", "-xmp", path], capture_output=True, text=True).stdout
        for word in ("gscap:FusedFrames>7<", "Ramps, a disc &amp; a lamp"):
            if word not in packet:
                raise Verdict(f"{word} is not in the XMP packet")
        return "nothing against it, and the XMP packet"
    if entry["orientation"] == 0:
        return "nothing against it"
    wanted = STORY | ({"Orientation": entry["orientation"]})
    for name, value in wanted.items():
        if name not in found:
            raise Verdict(f"{name} is missing")
        got = found[name]
        if isinstance(value, float):
            if abs(float(got) - value) > abs(value) * 1e-5:
                raise Verdict(f"{name} is {got}, expected {value}")
        elif str(got) != str(value):
            raise Verdict(f"{name} is {got}, expected {value}")
    if not str(found.get("DateTimeOriginal", "")).startswith("2026:06:12"):
        raise Verdict(f"DateTimeOriginal is {found.get('DateTimeOriginal')}")
    return f"{len(wanted)} values"


def profile_of(path, entry):
    """The ICC profile that a file holds."""
    if entry["kind"] == "tiff":
        with tifffile.TiffFile(path) as file:
            return bytes(file.pages[0].tags[34675].value)
    return Image.open(path).info.get("icc_profile")


def judge_profile(path, entry):
    """Little CMS takes the profile, and it turns the primaries into what they are."""
    data = profile_of(path, entry)
    if not data:
        raise Verdict("no profile")
    profile = ImageCms.ImageCmsProfile(io.BytesIO(data))
    inner = profile.profile
    if inner.version < 4.3 or inner.xcolor_space.strip() != "RGB":
        raise Verdict(f"version {inner.version}, {inner.xcolor_space}")
    points = {"sRGB": [(0.64, 0.33), (0.30, 0.60), (0.15, 0.06)], "displayP3": [(0.68, 0.32), (0.265, 0.69), (0.15, 0.06)],
              "rec2020": [(0.708, 0.292), (0.170, 0.797), (0.131, 0.046)]}[entry["primaries"]]  # fmt: skip
    for (x, y), (xyz, _) in zip(points, (inner.red_colorant, inner.green_colorant, inner.blue_colorant)):
        got = numpy.linalg.solve(numpy.array(inner.chromatic_adaptation[0]), xyz)
        got = got[:2] / got.sum()
        if abs(got - (x, y)).max() > 1e-3:
            raise Verdict(f"a primary lies at {got}, expected {(x, y)}")
    if data[data.find(b"cicp", 400) + 8 :][:2] != bytes((PRIMARIES[entry["primaries"]], TRANSFERS[entry["transfer"]])):
        raise Verdict("the cicp tag tells other colours")
    words = ImageCms.getProfileDescription(profile).strip()
    if entry["transfer"] == "sRGB" and entry["primaries"] == "sRGB":
        ramp = Image.fromarray(numpy.repeat(numpy.arange(256, dtype=numpy.uint8)[None, :, None], 3, axis=2))
        turned = ImageCms.profileToProfile(ramp, profile, ImageCms.createProfile("sRGB"), outputMode="RGB")
        error = abs(numpy.asarray(ramp, dtype=int) - numpy.asarray(turned, dtype=int)).max()
        if error > 1:
            raise Verdict(f"its sRGB differs from Little CMS's by {error}")
    return words


def judge_colors(path, entry):
    """The file tells its colours in code points, and how bright it gets."""
    nclx = pillow_heif.open_heif(path).info.get("nclx_profile") or {}
    given = (int(nclx.get("color_primaries", 0)), int(nclx.get("transfer_characteristics", 0)))
    wanted = (PRIMARIES[entry["primaries"]], TRANSFERS[entry["transfer"]])
    if given != wanted:
        raise Verdict(f"nclx tells {given}, expected {wanted}")
    if entry["transfer"] in ("pq", "hlg") and b"clli" not in path.read_bytes():
        raise Verdict("no light levels")
    return f"nclx {given}"


def judge_companions(path, entry):
    """A reader finds the mattes and depth."""
    heif = pillow_heif.open_heif(path)
    found = sum(len(ids) for ids in heif.info.get("aux", {}).values()) + len(heif.info.get("depth_images", []))
    if found < entry["mattes"]:
        raise Verdict(f"pillow-heif finds {found} of {entry['mattes']}: {heif.info.get('aux')}")
    for ids in heif.info["aux"].values():
        matte = numpy.asarray(heif.get_aux_image(ids[0]))
        if matte.max() < 200 or matte.min() > 50:
            raise Verdict(f"a matte goes from {matte.min()} to {matte.max()}")
    return f"{found} found: {', '.join(heif.info['aux'])}"


def judge_converter(path, entry, folder):
    """heif-convert opens the file and shows it upright."""
    target = folder / "converted.png"
    run = subprocess.run(["heif-convert", path, target], capture_output=True, text=True)
    if run.returncode != 0:
        raise Verdict(run.stderr.strip() or run.stdout.strip())
    pixels = numpy.asarray(Image.open(target).convert("RGB")) / 255
    wanted = upright(reference(folder, entry), entry["orientation"])
    if pixels.shape != wanted.shape:
        raise Verdict(f"shape {pixels.shape}, expected {wanted.shape}")
    signal = -20 * numpy.log10(numpy.sqrt(((pixels - wanted) ** 2).mean()))
    if signal < 30:
        raise Verdict(f"{signal:.1f} dB, at least 30 is wanted")
    return f"{signal:.1f} dB"


def judge_gains(path, folder, entry):
    """libultrahdr makes the HDR picture again."""
    data = path.read_bytes()
    if not imagecodecs.ultrahdr_check(data):
        raise Verdict("libultrahdr finds no gain map")
    pixels = imagecodecs.ultrahdr_decode(data, dtype="float16")[:, :, :3].astype(numpy.float32)
    wanted = numpy.maximum(reference(folder, entry, "hdr"), 0)
    error = numpy.log2((pixels + 1 / 64) / (wanted + 1 / 64))
    middle, far = numpy.median(abs(error)), numpy.percentile(abs(error), 99)
    if middle > 0.05 or far > 0.4 or pixels.max() < 0.8 * wanted.max():
        raise Verdict(f"off by {middle:.3f} stops in the middle, {far:.3f} at 99%; peak {pixels.max():.2f} of {wanted.max():.2f}")
    run = subprocess.run(["exiftool", "-b", "-MPImage2", path], capture_output=True)
    if not run.stdout.startswith(b"\xff\xd8") or data[-len(run.stdout) :] != run.stdout:
        raise Verdict("exiftool does not find the gain map where the index says")
    return f"off by {middle:.3f} stops in the middle, {far:.3f} at 99%; peak {pixels.max():.2f} of {wanted.max():.2f}"


def judge(folder, entry):
    """Prints a line a judge; returns how many passed and failed."""
    path = folder / entry["file"]
    questions = [("pixels", lambda: judge_pixels(path, folder, entry)), ("exiftool", lambda: judge_exif(path, entry))]
    if entry["kind"] in ("jpeg", "png", "tiff"):
        questions.append(("profile", lambda: judge_profile(path, entry)))
    if entry["kind"] in ("heic", "avif"):
        questions.append(("colours", lambda: judge_colors(path, entry)))
        questions.append(("converter", lambda: judge_converter(path, entry, folder)))
        if entry["mattes"]:
            questions.append(("mattes", lambda: judge_companions(path, entry)))
    if entry.get("hdr"):
        questions.append(("gain map", lambda: judge_gains(path, folder, entry)))
    passed = 0
    for name, question in questions:
        try:
            words, good = question(), True
        except Exception as reason:  # whatever a reader throws is its verdict
            words, good = f"{'' if isinstance(reason, Verdict) else type(reason).__name__} {reason}", False
        passed += good
        print(f"{'ok  ' if good else 'FAIL'} {name:9} {entry['file']}: {words.strip()}")
    return passed, len(questions) - passed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="what the tests wrote")
    folder = parser.parse_args().folder
    entries = json.loads((folder / "list.json").read_text())
    counts = [judge(folder, entry) for entry in entries]
    passed, failed = (sum(column) for column in zip(*counts))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
