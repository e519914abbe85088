"""values.py NODE FRAMES SEED [--changing]: no frame states an exposure or gain that its first samples contradict.

The first eight samples are the truth, which the code never reads. With --changing the sensor's delay changes.
"""
import random
import sys

from camera import Pipeline, end, frame_metadata, line_time, truth

node, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
changing = '--changing' in sys.argv
width, height = 320, 240
line = line_time(width)
random.seed(seed)
failures, inferred = [], 0
with Pipeline(
        f'gscapv4l2src name=camera device={node} ! video/x-bayer,format=rggb12le,width={width},height={height} ! '
        'appsink name=sink sync=false max-buffers=1') as pipeline:
    camera = pipeline['camera']
    for index in range(count):
        buffer = pipeline.buffer()
        exposure, gain, number = truth(buffer)
        fields = frame_metadata(buffer)
        stated, iso = fields.get_double('exposure-time')[1], fields.get_double('iso')[1]
        if stated == 0:
            inferred += 1
        elif abs(stated / line - exposure) > 0.5 or abs(iso - gain) > 0.5:
            failures.append(
                f'frame {index} ({number}) states {stated / line:.1f} lines, ISO {iso:.1f}; it has {exposure}, {gain}')
        if index % 12 == 11:
            if random.random() < 0.7:
                camera.set_property('exposure-time', random.choice([200, 500, 1000, 2000, 4000]) * line)
            if random.random() < 0.5:
                camera.set_property('iso', random.choice([100, 200, 400, 800]))
        if changing and index % 150 == 149:
            with open('/sys/module/vimc/parameters/ctrl_delay', 'w') as delay:
                delay.write(str(random.randrange(7)))
# How many frames state values depends on the frames that a busy machine loses.
share = 1 - inferred / count
if share < 0.5:
    failures.append(f'only {100 * share:.0f} % of the frames state values')
end(failures, f'{count} frames, {100 * share:.1f} % state values')
