// Takes one photo with the simulated camera and stores it as a linear DNG and a JPEG.
//
//     swift run -c release TakePhoto [FOLDER]

import GSCapture
import RawImage

let folder = CommandLine.arguments.dropFirst().first ?? "."

let output = PhotoOutput()
output.isProRAWEnabled = true

let session = CaptureSession()
try session.add(CaptureDeviceInput(device: .simulated()))
try session.add(output)
try await session.startRunning()

var settings = PhotoSettings(raw: [.proRAW], processed: [.jpeg])
settings.photoQualityPrioritization = .quality

for photo in try await output.capturePhoto(with: settings).photos {
    let path = "\(folder)/example.\(photo.format.fileExtension)"
    try photo.write(to: path, replacing: true)
    print(path, photo.fileSize, "bytes,", photo.metadata?.fusedFrames ?? 1, "frames")
}
await session.stopRunning()
