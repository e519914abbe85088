"""Takes a photo with the installed module, stores it in the named file, and prints its receipt."""
import sys

import gscap

with gscap.Camera.open("gscapsensorsrc is-live=true ! video/x-bayer,width=640,height=480") as camera:
    photo = camera.take_photo(seconds=30)
with open(sys.argv[1], "wb") as file:
    file.write(photo.data)
print(photo.receipt.to_json())
