internal import GStreamer
internal import PictureFiles
internal import RawImage
internal import Synchronization

/// What tells one encoder of pictures from another.
protocol PictureEncoderKind: Sendable {
    /// What gst-inspect shows.
    static var elementClass: ElementClass { get }

    /// The settings at birth.
    init()

    /// Takes a property's new value.
    mutating func set(_ name: String, to value: Value)

    /// A property's value.
    func value(of name: String) -> Value

    /// The media type of the files.
    var mediaType: String { get }

    /// How files are made.
    var encoding: PictureEncoding { get }
}

/// Makes a file of each picture, with what the frame tells of itself as Exif and XMP.
///
/// It works on the thread that brings the frames: a queue before it makes that a thread of its own.
final class PictureEncoder<Kind: PictureEncoderKind>: TransformBehaviour {
    private let kind = Mutex(Kind())
    private let input = Mutex<PictureCaps?>(nil)
    private let element: ElementHandle

    init(element: ElementHandle) {
        self.element = element
    }

    static var elementClass: ElementClass { Kind.elementClass }

    func setProperty(_ name: String, to value: Value) {
        kind.withLock { $0.set(name, to: value) }
    }

    func property(_ name: String) -> Value {
        kind.withLock { $0.value(of: name) }
    }

    func outputCaps(for input: Caps) -> Caps {
        let mediaType = kind.withLock { $0.mediaType }
        if input.isAny { return Caps(mediaType, [:]) }
        return Caps(
            input.structures.map { structure in
                var file = Structure(mediaType)
                for field in ["width", "height", "framerate"] { file[field] = structure[field] }
                return file
            })
    }

    func inputCaps(for output: Caps) -> Caps { .any }

    func setCaps(input caps: Caps, output: Caps) throws {
        let format = try PictureCaps(caps)
        input.withLock { $0 = format }
    }

    /// Writes one file. A frame that cannot be written costs its own capture only: the stream goes on.
    func process(_ frame: consuming Buffer, output: Pad) throws {
        guard let format = input.withLock({ $0 }) else { throw FlowError.notNegotiated }
        let id = frame.captureIdentifier
        do {
            try output.push(try file(of: frame, format))
        } catch let flow as FlowError {
            throw flow
        } catch {
            guard let id else { return element.post(warning: error) }
            element.postFailure(of: id, "\(error)")
        }
    }

    private func file(of frame: borrowing Buffer, _ format: PictureCaps) throws -> Buffer {
        let metadata = frame.frameMetadata
        var encoding = kind.withLock { $0.encoding }
        encoding.metadata = metadata
        encoding.software = "gscap \(GscapPlugin.version)"
        var file = try Buffer(copying: try encoding.encode(format.picture(frame)))
        file.copyTimes(from: frame)
        if let metadata { try file.setFrameMetadata(metadata) }
        return file
    }
}
