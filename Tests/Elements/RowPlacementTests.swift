import CHarness
import FrameStream
import GStreamer
import GscapElements
import RawImage
import Testing

/// Frames whose GstVideoMeta places the rows otherwise than the caps: each element reads them as frames without one.
@Suite(.timeLimit(.minutes(10))) struct RowPlacementTests {
    init() throws { try GscapPlugin.register() }

    private let width = 33
    private let height = 18

    /// An element with the caps of its input and the bytes of a row's pixels.
    private struct Case: Sendable, CustomTestStringConvertible {
        var text: String
        var caps: String
        var length: Int
        /// The bytes from row to row without metadata.
        var stride: Int
        var frames = 1

        var testDescription: String { text + " " + caps }

        init(_ text: String, _ caps: String, length: Int, frames: Int = 1, isPacked: Bool = false) {
            (self.text, self.caps, self.length, self.frames) = (text, caps, length, frames)
            stride = isPacked ? length : (length + 3) & ~3
        }
    }

    private static let cases = [
        Case("rawunpack", "video/x-bayer,format=rggb", length: 33),
        Case("rawunpack", "video/x-bayer,format=rggb12p", length: 51, isPacked: true),
        Case("rawunpack", "video/x-bayer,format=rggb12le", length: 66),
        Case("rawshutter captures=1 frames=1", "video/x-bayer,format=rggb12le", length: 66),
        Case("rawfusion", "video/x-bayer,format=rggb12le", length: 66, frames: 2),
        Case("rawdevelop", "video/x-bayer,format=rggb12le", length: 66),
        Case("rawdevelop", "video/x-raw,format=RGBA64_LE,colorimetry=1:1:1:0", length: 264),
        Case("dngenc", "video/x-bayer,format=rggb12le", length: 66),
        Case("dngenc", "video/x-raw,format=RGBA64_LE,colorimetry=1:1:1:0", length: 264),
        Case("gscapjpegenc", "video/x-raw,format=RGB", length: 99),
        Case("gscappngenc", "video/x-raw,format=BGR", length: 99),
        Case("gscappngenc", "video/x-raw,format=RGBA64_LE", length: 264),
    ]

    /// Returns a picture whose rows are at a place; all other bytes have a value of their own.
    private func frame(_ test: Case, _ placement: RowPlacement, padding: UInt8, index: Int) throws -> Buffer {
        let end = placement.stride < 0 ? -placement.stride : placement.stride
        var bytes = [UInt8](repeating: padding, count: placement.offset + end * height)
        for row in 0..<height {
            for byte in 0..<test.length {
                // The low bits of 16-bit codes vary, the high ones stay within 12 bits.
                let value = byte % 2 == 0 || test.length < 66 ? (row * 31 + byte * 7 + index) % 251 : row % 16
                bytes[placement.offset + row * placement.stride + byte] = UInt8(value)
            }
        }
        var buffer = try Buffer(copying: bytes)
        buffer.presentationTime = UInt64(index) * 100_000_000
        var metadata = FrameMetadata(bitDepth: 12)
        metadata.capture = CaptureTag(id: 1, index: index, count: test.frames)
        try buffer.setFrameMetadata(metadata)
        return buffer
    }

    /// Returns a frame with a GstVideoMeta that places its rows.
    private func stating(_ placement: RowPlacement, _ frame: consuming Buffer) -> Buffer {
        let pointer = unsafe frame.intoRawPointer()
        unsafe gscap_buffer_place_rows(
            pointer, UInt32(width), UInt32(height), UInt(placement.offset), Int32(placement.stride))
        return unsafe Buffer(takingRawPointer: pointer)
    }

    /// Returns what an element makes of frames whose rows are at a place, stated by metadata if `isStated` is set.
    private func output(
        _ test: Case, _ placement: RowPlacement, isStated: Bool, padding: UInt8 = 0
    ) throws -> [UInt8] {
        let harness = try Harness(Bin(parsing: test.text, name: "bin"))
        harness.send(caps: test.caps + ",width=\(width),height=\(height),framerate=10/1")
        harness.play()
        for index in 0..<test.frames {
            let plain = try frame(test, placement, padding: padding, index: index)
            let buffer = isStated ? stating(placement, plain) : plain
            #expect(harness.push(buffer) >= 0 || test.text.contains("captures"))
        }
        guard let output = harness.waitAndPull() else { throw GStreamerError(message: "no frame came out") }
        return output.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
    }

    @Test(arguments: cases) private func rowsAreReadWhereTheMetadataPlacesThem(test: Case) throws {
        let plain = try output(test, RowPlacement(stride: test.stride), isStated: false)
        let same = try output(test, RowPlacement(stride: test.stride), isStated: true)
        #expect(plain.elementsEqual(same), "the usual placement, stated")
        let padded = try output(test, RowPlacement(offset: 32, stride: test.stride + 48), isStated: true, padding: 77)
        #expect(plain.elementsEqual(padded), "padded rows behind an offset")
    }
}
