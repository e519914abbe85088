#!/usr/bin/env python3
"""Checks the picture files that the tests stored in a folder (GSCAP_JUDGED) with independent readers.

Pillow, pillow-heif, tifffile, imagecodecs, OpenEXR and libultrahdr decode each file: the pixels must equal the
reference, exactly or within coding error. ICC profiles must be valid for Little CMS and describe the picture's colours.
exiftool must find the capture's metadata and report no fault.

    judge_pictures.py FOLDER

Prints a line for each check and the counts of passed and failed checks; exits with 0 if none failed.
"""

import argparse
import io
import json
import pathlib
import re
import struct
import subprocess
import sys

try:
    import heif_gain_maps
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
METADATA = {
    "ExposureTime": 1 / 125, "ISO": 320, "FNumber": 1.8, "FocalLength": 6.765, "FocalLengthIn35mmFormat": 24,
    "DigitalZoomRatio": 1.5,
    "Make": "Gscap", "Model": "Test camera", "LensMake": "Lens & Sons", "LensModel": "6.8mm f/1.8",
    "Artist": "Ada Löffler", "Copyright": "© 2026 Ada Löffler", "ImageDescription": "Ramps, a disc & a lamp",
    "GPSLatitude": -33.856784, "GPSLongitude": 151.215297, "GPSAltitude": 12.5, "SubSecTimeOriginal": 123456,
    "Description": "Ramps, a disc & a lamp", "FusedFrames": 7,
}  # fmt: skip


class Verdict(Exception):
    """The reason why a check fails."""


def reference(folder, entry, name="reference"):
    """Returns the samples that the test encoded, as floats: rows, columns, colours."""
    numbers = numpy.fromfile(folder / entry[name], dtype="<f4")
    return numbers.reshape(entry["height"], entry["width"], 3)


def upright(pixels, orientation):
    """Rotates and mirrors pixels by the Exif orientation."""
    turns = {2: lambda p: p[:, ::-1], 3: lambda p: p[::-1, ::-1], 4: lambda p: p[::-1], 5: lambda p: p.swapaxes(0, 1),
             6: lambda p: numpy.rot90(p, -1), 7: lambda p: p[::-1, ::-1].swapaxes(0, 1),
             8: lambda p: numpy.rot90(p)}  # fmt: skip
    return turns.get(orientation, lambda p: p)(pixels)


def decoded(path, entry):
    """Returns the samples that a reader decodes, and whether it has applied the orientation."""
    if entry["kind"] == "exr":
        with OpenEXR.File(str(path)) as file:
            return numpy.asarray(file.channels()["RGB"].pixels, dtype=numpy.float32), True
    return decoded_data(path.read_bytes(), entry["kind"])


def decoded_data(data, kind):
    """Returns the samples of a file's bytes, and whether the reader has applied the orientation."""
    if kind in ("jpeg", "webp"):
        return numpy.asarray(Image.open(io.BytesIO(data)).convert("RGB")) / 255, False
    if kind == "png":
        pixels = imagecodecs.png_decode(data)
        return pixels / numpy.iinfo(pixels.dtype).max, False
    if kind == "tiff":
        pixels = tifffile.imread(io.BytesIO(data))
        return (pixels if pixels.dtype.kind == "f" else pixels / numpy.iinfo(pixels.dtype).max), False
    if kind == "jxl":
        pixels = imagecodecs.jpegxl_decode(data, keeporientation=False)
        return (pixels if pixels.dtype.kind == "f" else pixels / numpy.iinfo(pixels.dtype).max), True
    if kind == "avif":
        pixels = imagecodecs.avif_decode(data)
        return pixels / (1023 if pixels.dtype == numpy.uint16 else 255), False
    pixels = numpy.asarray(pillow_heif.open_heif(io.BytesIO(data), convert_hdr_to_8bit=False))
    return (pixels / 65535 if pixels.dtype == numpy.uint16 else pixels / 255), True


def judge_pixels(path, folder, entry):
    """Compares the decoded pixels with the reference."""
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
        raise Verdict(f"PSNR {signal:.1f} dB, expected at least {least} dB")
    return f"{signal:.1f} dB"


def judge_exif(path, entry):
    """Checks that exiftool reads the capture's metadata and reports no fault."""
    run = subprocess.run(
        ["exiftool", "-json", "-n", "-validate", "-warning", "-error", "-a", "-all", path],
        capture_output=True, text=True,
    )
    found = json.loads(run.stdout or "[{}]")[0]
    texts = [str(value) for key, value in found.items() if key in ("Warning", "Error")]
    # Each auxiliary image of a HEIF has its own item reference of type auxl, which exiftool reports as duplicates.
    serious = [text for text in texts if not text.startswith(("[minor]", "[Minor]", "Duplicate tag 'auxl'"))]
    if serious:
        raise Verdict("; ".join(serious))
    # OpenEXR files have attributes of their own and no XMP packet, whose length readers such as ffmpeg cannot take.
    if entry["kind"] == "exr":
        if "XMPToolkit" in found:
            raise Verdict("the file has an XMP packet")
        return "no faults"
    if entry["orientation"] == 0:
        return "no faults"
    wanted = METADATA | ({"Orientation": entry["orientation"]})
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
    """Returns the ICC profile that a file contains, or None."""
    if entry["kind"] == "tiff":
        with tifffile.TiffFile(path) as file:
            return bytes(file.pages[0].tags[34675].value)
    if entry["kind"] in ("heic", "avif"):
        return pillow_heif.open_heif(path).info.get("icc_profile")
    return Image.open(path).info.get("icc_profile")


def judge_profile(path, entry):
    """Checks that Little CMS accepts the profile and that its primaries and cicp tag are correct."""
    data = profile_of(path, entry)
    if not data:
        raise Verdict("no profile")
    profile = ImageCms.ImageCmsProfile(io.BytesIO(data))
    inner = profile.profile
    if inner.version < 4.3 or inner.xcolor_space.strip() != "RGB":
        raise Verdict(f"version {inner.version}, {inner.xcolor_space}")
    points = {"sRGB": [(0.64, 0.33), (0.30, 0.60), (0.15, 0.06)],
              "displayP3": [(0.68, 0.32), (0.265, 0.69), (0.15, 0.06)],
              "rec2020": [(0.708, 0.292), (0.170, 0.797), (0.131, 0.046)]}[entry["primaries"]]  # fmt: skip
    for (x, y), (xyz, _) in zip(points, (inner.red_colorant, inner.green_colorant, inner.blue_colorant)):
        got = numpy.linalg.solve(numpy.array(inner.chromatic_adaptation[0]), xyz)
        got = got[:2] / got.sum()
        if abs(got - (x, y)).max() > 1e-3:
            raise Verdict(f"a primary is at {got}, expected {(x, y)}")
    if data[data.find(b"cicp", 400) + 8 :][:2] != bytes((PRIMARIES[entry["primaries"]], TRANSFERS[entry["transfer"]])):
        raise Verdict("the cicp tag specifies other colours")
    words = ImageCms.getProfileDescription(profile).strip()
    if entry["transfer"] == "sRGB" and entry["primaries"] == "sRGB":
        ramp = Image.fromarray(numpy.repeat(numpy.arange(256, dtype=numpy.uint8)[None, :, None], 3, axis=2))
        turned = ImageCms.profileToProfile(ramp, profile, ImageCms.createProfile("sRGB"), outputMode="RGB")
        error = abs(numpy.asarray(ramp, dtype=int) - numpy.asarray(turned, dtype=int)).max()
        if error > 1:
            raise Verdict(f"sRGB differs from Little CMS's by {error} codes")
    return words


def judge_colors(path, entry):
    """Checks the colour code points (nclx), and for HDR the content light level."""
    # Some versions of pillow_heif report one of the two descriptions of colours only. The first box is the picture's.
    found = struct.unpack(">HH", (path.read_bytes().split(b"colrnclx", 1) + [b"\0" * 4])[1][:4])
    wanted = (PRIMARIES[entry["primaries"]], TRANSFERS[entry["transfer"]])
    if found != wanted:
        raise Verdict(f"nclx specifies {found}, expected {wanted}")
    if entry["transfer"] in ("pq", "hlg") and b"clli" not in path.read_bytes():
        raise Verdict("no content light level (clli)")
    return f"nclx {found}"


def judge_companions(path, entry):
    """Checks that pillow-heif finds the mattes and the depth map."""
    heif = pillow_heif.open_heif(path)
    found = sum(len(ids) for ids in heif.info.get("aux", {}).values()) + len(heif.info.get("depth_images", []))
    if found < entry["mattes"]:
        raise Verdict(f"pillow-heif finds {found} of {entry['mattes']}: {heif.info.get('aux')}")
    for ids in heif.info["aux"].values():
        matte = numpy.asarray(heif.get_aux_image(ids[0]))
        if matte.max() < 200 or matte.min() > 50:
            raise Verdict(f"the values of a matte are {matte.min()} to {matte.max()}")
    return f"{found} found: {', '.join(heif.info['aux'])}"


def judge_converter(path, entry, folder):
    """Checks that heif-convert decodes the file upright."""
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
        raise Verdict(f"PSNR {signal:.1f} dB, expected at least 30 dB")
    return f"{signal:.1f} dB"


def judge_gains(path, folder, entry):
    """Checks that the HDR picture is reconstructed from the gain map: by libultrahdr, or from the items of a HEIF."""
    data = path.read_bytes()
    wanted = numpy.maximum(reference(folder, entry, "hdr"), 0)
    if entry["kind"] == "jpeg":
        if not imagecodecs.ultrahdr_check(data):
            raise Verdict("libultrahdr finds no gain map")
        pixels = imagecodecs.ultrahdr_decode(data, dtype="float16")[:, :, :3].astype(numpy.float32)
    else:
        pixels = heif_gain_maps.reconstruct(data, lambda data: decoded_data(data, entry["kind"])[0])
        if entry["kind"] == "heic":
            wanted = upright(wanted, entry["orientation"])
    error = numpy.log2((pixels + 1 / 64) / (wanted + 1 / 64))
    middle, far = numpy.median(abs(error)), numpy.percentile(abs(error), 99)
    summary = (
        f"the median error is {middle:.3f} stops, the 99th percentile {far:.3f}; peak {pixels.max():.2f} of"
        f" {wanted.max():.2f}"
    )
    if middle > 0.05 or far > 0.4 or pixels.max() < 0.8 * wanted.max():
        raise Verdict(summary)
    if entry["kind"] != "jpeg":
        return summary
    run = subprocess.run(["exiftool", "-b", "-MPImage2", path], capture_output=True)
    if not run.stdout.startswith(b"\xff\xd8") or data[-len(run.stdout) :] != run.stdout:
        raise Verdict("exiftool does not find the gain map at the offset in the MPF index")
    return summary


def judge(folder, entry):
    """Prints a line for each check; returns the numbers of passed and failed checks."""
    path = folder / entry["file"]
    checks = [("pixels", lambda: judge_pixels(path, folder, entry)), ("exiftool", lambda: judge_exif(path, entry))]
    if entry["kind"] in ("jpeg", "png", "tiff", "heic", "avif"):
        checks.append(("profile", lambda: judge_profile(path, entry)))
    if entry["kind"] in ("heic", "avif"):
        checks.append(("colours", lambda: judge_colors(path, entry)))
        checks.append(("converter", lambda: judge_converter(path, entry, folder)))
        if entry["mattes"]:
            checks.append(("mattes", lambda: judge_companions(path, entry)))
    if entry.get("hdr"):
        checks.append(("gain map", lambda: judge_gains(path, folder, entry)))
    passed = 0
    for name, check in checks:
        try:
            words, good = check(), True
        except Exception as reason:  # any exception of a reader is a failed check
            words, good = f"{'' if isinstance(reason, Verdict) else type(reason).__name__} {reason}", False
        passed += good
        print(f"{'ok  ' if good else 'FAIL'} {name:9} {entry['file']}: {words.strip()}")
    return passed, len(checks) - passed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="the folder in which the tests stored the files")
    folder = parser.parse_args().folder
    entries = json.loads((folder / "list.json").read_text())
    counts = [judge(folder, entry) for entry in entries]
    passed, failed = (sum(column) for column in zip(*counts))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
