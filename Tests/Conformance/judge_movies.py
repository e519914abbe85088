#!/usr/bin/env python3
"""Checks that independent readers accept gscap's movies: ffprobe, ffmpeg and exiftool, as far as they are installed.

Movies of the simulated camera are recorded in both containers, with and without sound, in several files, and with
gscap killed at random. A killed recording must decode up to its last second.

    judge_movies.py [--kills N]

Prints a line for each failed check and the counts of passed and failed ones; exits with 0 if none failed.
"""

import argparse
import datetime
import json
import pathlib
import random
import re
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


def kill(verdict, folder, number):
    """Kills a recording at random, and checks that it decodes up to its last second, on a busy machine its last two."""
    path = folder / f"killed-{number}.{'mov' if number % 2 else 'mp4'}"
    words = ["gscap", "record", str(path), *CAMERA] + (SOUND if number % 3 == 0 else [])
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        while line := process.stdout.readline():
            if json.loads(line)["event"] == "recording":
                break
        start = time.monotonic()
        time.sleep(random.uniform(1.2, 4))
        process.kill()
        length = time.monotonic() - start
    times, errors = decoded(path)
    lost = length - (times[-1] if times else 0)
    verdict.check(not errors and lost < 2, f"{path.name}: the last {lost:.2f} s of {length:.2f} are lost; {errors}")
    return lost


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
        lost = [kill(verdict, folder, number) for number in range(kills)]
        print(f"killed recordings lost at most {max(lost, default=0):.2f} s")
    print(f"{verdict.passed} passed, {verdict.failed} failed")
    return 1 if verdict.failed or not verdict.passed else 0


if __name__ == "__main__":
    sys.exit(main())
