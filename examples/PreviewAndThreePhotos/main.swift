// Shows a live preview in a window and takes three photos, whose events a delegate receives.
//
//     swift run -c release PreviewAndThreePhotos [FOLDER]

import GSCapture

final class Photographer: PhotoCaptureDelegate {
    let folder: String
    let finished: AsyncStream<Void>.Continuation

    init(folder: String, finished: AsyncStream<Void>.Continuation) {
        self.folder = folder
        self.finished = finished
    }

    func photoOutput(_ output: PhotoOutput, didCapturePhotoFor settings: ResolvedPhotoSettings) {
        print("photo \(settings.uniqueID): taken, you may move")
    }

    func photoOutput(_ output: PhotoOutput, didFinishProcessingPhoto photo: Photo, error: CaptureError?) {
        let path = "\(folder)/preview-\(photo.resolvedSettings.uniqueID).\(photo.format.fileExtension)"
        do {
            try photo.write(to: path, replacing: true)
            print(path)
        } catch {
            print(error)
        }
    }

    func photoOutput(
        _ output: PhotoOutput, didFinishCaptureFor settings: ResolvedPhotoSettings, error: CaptureError?
    ) {
        finished.yield()
    }
}

let output = PhotoOutput()
output.isProRAWEnabled = true
let session = CaptureSession()
try session.add(CaptureDeviceInput(device: .simulated()))
try session.add(PreviewOutput())
try session.add(output)
try await session.startRunning()

let (captures, finished) = AsyncStream<Void>.makeStream()
let photographer = Photographer(folder: CommandLine.arguments.dropFirst().first ?? ".", finished: finished)
for _ in 1...3 {
    try output.capturePhoto(with: PhotoSettings(raw: [.proRAW], processed: [.jpeg]), delegate: photographer)
    try await Task.sleep(for: .seconds(2))
}
for await _ in captures.prefix(3) {}
await session.stopRunning()
