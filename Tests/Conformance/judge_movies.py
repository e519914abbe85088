#!/usr/bin/env python3
"""Checks that independent readers accept gscap's movies: ffprobe, ffmpeg and exiftool, as far as they are installed.

Movies of the simulated camera are recorded in both containers, with and without sound, in several files, and with
gscap killed at random. A killed recording must decode up to its last half second.

    judge_movies.py [--kills N]

Prints a line for each failed check and the counts of passed and failed ones; exits with 0 if none failed.
"""

import argparse
import datetime
import json
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile
import time

from verdict import Verdict

CAMERA = ["--size", "640x480", "--rate", "30", "--no-preview", "--json"]
SECONDS = 3
SOUND = ["--audio", "audiotestsrc is-live=true"]


def record(path, *options):
    """Records a movie; returns the events of gscap."""
    words = ["gscap", "record", str(path), *CAMERA, *options]
    lines = subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()
    return [json.loads(line) for line in lines]


def probe(path):
    """Returns the streams and the container as ffprobe reads them, with the number of packets of each stream."""
    words = ["ffprobe", "-v", "error", "-count_packets", "-show_streams", "-show_format", "-of", "json", str(path)]
    run = subprocess.run(words, capture_output=True, text=True, check=False)
    return json.loads(run.stdout or "{}"), run.stderr


def decoded(path):
    """Decodes the pictures with ffmpeg; returns the time of the last one in seconds, and the errors."""
    words = ["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "frame=pts_time", "-of", "csv=p=0"]
    run = subprocess.run(words + [str(path)], capture_output=True, text=True, check=False)
    times = [float(line.strip(",")) for line in run.stdout.split()]
    return times, run.stderr


def judge(verdict, event, name, has_sound):
    """Checks a file that gscap has reported."""
    path = event["file"]
    data, errors = probe(path)
    verdict.check(not errors, f"{name}: ffprobe says {errors}")
    streams = {stream["codec_type"]: stream for stream in data.get("streams", [])}
    video = streams.get("video", {})
    verdict.check(video.get("codec_name") == "h264", f"{name}: the codec is {video.get('codec_name')}")
    colors = [video.get(f"color_{key}") for key in ("primaries", "transfer", "space")]
    verdict.check(colors == ["bt709"] * 3, f"{name}: the colours are {colors}")
    verdict.check(int(video.get("nb_read_packets", 0)) == event["frames"], f"{name}: {video}")
    length = float(data.get("format", {}).get("duration", 0))
    # ffprobe adds the time before the first packet of sound to the length of the sound.
    most = 0.15 if has_sound else 0.05
    verdict.check(abs(length - event["seconds"]) < most, f"{name}: {length} s, not {event['seconds']}")
    verdict.check(("audio" in streams) == has_sound, f"{name}: the streams are {list(streams)}")
    if has_sound:
        sound = streams["audio"]
        verdict.check(
            sound["codec_name"] == "aac" and abs(float(sound["duration"]) - length) < 0.5, f"{name}: {sound}"
        )
    times, errors = decoded(path)
    verdict.check(not errors and len(times) == event["frames"], f"{name}: {len(times)} frames decode; {errors}")
    run = subprocess.run(["exiftool", "-j", "-n", path], capture_output=True, text=True, check=False)
    tags = json.loads(run.stdout or "[{}]")[0]
    wrong = tags.get("Error") or tags.get("Warning")
    verdict.check(not wrong and tags.get("ImageWidth") == 640, f"{name}: exiftool says {wrong}, {tags}")
    software = tags.get("Software") or tags.get("Encoder", "")
    verdict.check(software.startswith("gscap "), f"{name}: the software is {software}")
    # QuickTime's metadata has the date of the header with a time zone.
    if path.endswith(".mov"):
        dates = data.get("format", {}).get("tags", {})
        stated = [dates.get(key) for key in ("creation_time", "com.apple.quicktime.creationdate")]
        instants = {datetime.datetime.fromisoformat(text) for text in stated if text}
        verdict.check(None not in stated and len(instants) == 1, f"{name}: the dates are {stated}")
        date = tags.get("CreationDate", "")
        verdict.check(re.fullmatch(r"[\d:]{10} [\d:]{8}([+-][\d:]{5}|Z)", date), f"{name}: exiftool reads {date}")


def fragments(path):
    """Returns the number of complete fragments of a movie: each is an index, the box moof, and its data, mdat."""
    data = path.read_bytes() if path.exists() else b""
    at, complete, previous = 0, 0, b""
    while at + 8 <= len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        if size < 8 or at + size > len(data):
            break
        complete += previous == b"moof" and kind == b"mdat"
        at, previous = at + size, kind
    return complete


def kill(verdict, folder, number):
    """Kills a recording after a random number of fragments, and checks that all of them decode, half a second each."""
    path = folder / f"killed-{number}.{'mov' if number % 2 else 'mp4'}"
    words = ["gscap", "record", str(path), *CAMERA] + (SOUND if number % 3 == 0 else [])
    least = random.randint(2, 7)
    end = time.monotonic() + 120
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None and fragments(path) < least and time.monotonic() < end:
            time.sleep(random.uniform(0.01, 0.1))
        process.kill()
    count = fragments(path)
    times, errors = decoded(path)
    streams = probe(path)[0].get("streams", [])
    packets = sum(int(stream["nb_read_packets"]) for stream in streams if stream["codec_type"] == "video")
    seconds = times[-1] if times else 0
    # A gap in the sound ends a fragment early.
    holds = count >= least and len(times) == packets > 0 and seconds <= 0.6 * count
    words = f"{count} fragments with {packets} pictures: {len(times)} decode, up to {seconds:.2f} s"
    verdict.check(not errors and holds, f"{path.name}: {words}; {errors}")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--kills", type=int, default=4, help="how many recordings are killed (default: 4)")
    kills = options.parse_args().kills
    verdict = Verdict()
    if not verdict.has_readers():
        print(f"0 passed, {verdict.failed} failed")
        return 1
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for ending in ("mp4", "mov"):
            for has_sound in (False, True):
                name = f"{ending}{' with sound' if has_sound else ''}"
                path = folder / f"{'sound' if has_sound else 'silent'}.{ending}"
                events = record(path, "--duration", str(SECONDS), *(SOUND if has_sound else []))
                files = [event for event in events if event["event"] == "file"]
                verdict.check(len(files) == 1, f"{name}: {len(files)} files")
                for event in files:
                    judge(verdict, event, name, has_sound)
        events = record(folder / "split.mp4", "--duration", "4", "--split-time", "1.5", *SOUND)
        files = [event for event in events if event["event"] == "file"]
        verdict.check(len(files) == 3, f"a split movie has {len(files)} files")
        for event in files:
            judge(verdict, event, pathlib.Path(event["file"]).name, True)
        for number in range(kills):
            kill(verdict, folder, number)
    print(f"{verdict.passed} passed, {verdict.failed} failed")
    return 1 if verdict.failed or not verdict.passed else 0


if __name__ == "__main__":
    sys.exit(main())
