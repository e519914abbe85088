"""pads.py MEDIA NODE: a camera starts although the pads of its media graph have formats that do not fit together."""
import subprocess
import sys

from camera import Pipeline, end

media, node = sys.argv[1:3]
failures = []
DISORDER = [
    ['"Sensor A":0[fmt:SBGGR8_1X8/1280x720]'],
    ['"Debayer A":0[fmt:SGRBG8_1X8/640x480]', '"Scaler":0[fmt:RGB888_1X24/320x240]'],
    ['"Scaler":1[fmt:RGB888_1X24/1920x1080]', '"Sensor A":0[fmt:SRGGB10_1X10/800x600]'],
]
for disorder in DISORDER:
    for format in disorder:
        subprocess.run(['media-ctl', '-d', media, '-V', format], capture_output=True)
    for size in ['640x480', '320x240']:
        width, height = size.split('x')
        try:
            with Pipeline(
                    f'gscapv4l2src device={node} ! video/x-bayer,format=rggb12le,width={width},height={height} ! '
                    'appsink name=sink sync=false') as pipeline:
                pipeline.buffer()
        except RuntimeError as error:
            failures.append(f'{disorder} at {size}: {error}')
end(failures, f'{2 * len(DISORDER)} starts')
