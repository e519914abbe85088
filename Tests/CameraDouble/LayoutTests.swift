import CameraDouble
import Errors
import FrameStream
import GStreamer
import RawImage
import Testing

@testable import Cameras

/// Frames that vectors.py has computed from the kernel's documentation of the layouts.
struct LayoutVector: CustomTestStringConvertible {
    var code: String
    var width: Int
    var height: Int
    var stride: Int
    var codes: [UInt16]
    var bytes: [UInt8]

    var testDescription: String { "\(code) \(width)" }

    static let all: [LayoutVector] = {
        // Lines that begin with a space go on with the line before.
        var lines: [String] = []
        for line in String(decoding: PackageResources.vectors_txt, as: UTF8.self).split(separator: "\n") {
            if line.first == " ", let last = lines.indices.last {
                lines[last] += line.dropFirst()
            } else {
                lines.append(String(line))
            }
        }
        return lines.map { line in
            let fields = line.split(separator: " ")
            return LayoutVector(
                code: fields[0].map { $0 == "_" ? " " : String($0) }.joined(), width: Int(fields[1]) ?? 0,
                height: Int(fields[2]) ?? 0, stride: Int(fields[3]) ?? 0,
                codes: numbers(fields[4], digits: 4), bytes: numbers(fields[5], digits: 2))
        }
    }()

    private static func numbers<Number: FixedWidthInteger>(_ text: Substring, digits: Int) -> [Number] {
        let text = Array(text)
        return Swift.stride(from: 0, to: text.count, by: digits).map {
            Number(String(text[$0..<$0 + digits]), radix: 16) ?? 0
        }
    }

    /// The codes of rows that the elements give, which are padded to four bytes.
    func rows(_ bytes: [UInt8]) -> [UInt16] {
        let stride = (width * 2 + 3) & ~3
        return (0..<height).flatMap { row in
            (0..<width).map { column in
                let at = row * stride + column * 2
                return at + 1 < bytes.count ? UInt16(bytes[at]) | UInt16(bytes[at + 1]) << 8 : 0
            }
        }
    }
}

extension CameraDoubleTests {
    /// The layouts of raw formats, from the driver's memory to the codes.
    @Suite struct LayoutTests {
        private let devices: DoubleDevices

        init() throws { devices = try DoubleDevices() }

        /// A Bayer format of each order, depth and packing comes from a device whose rows are longer than their codes.
        @Test(arguments: LayoutVector.all.filter { BayerDialect.meaning(of: $0.code)?.pattern != nil })
        func bayerFramesHaveTheCodesOfTheKernelsPages(_ vector: LayoutVector) throws {
            let camera = DoubleCamera("video7", "Double", .init(vector))
            try check(vector, camera, data: vector.bytes)
        }

        /// Buffers of the interface with planes, whose pictures begin after other data.
        @Test(
            arguments: LayoutVector.all.filter { ["RG10", "pRAA", "pGCC", "pgEE"].contains($0.code) },
            [0, 48] as [UInt32])
        func planesMayBeginWithOtherData(_ vector: LayoutVector, offset: UInt32) throws {
            let camera = DoubleCamera("video7", "Double", .init(vector)) { behaviour in
                (behaviour.is_multi_planar, behaviour.data_offset) = (true, offset)
            }
            try check(vector, camera, data: vector.bytes)
        }

        private func check(_ vector: LayoutVector, _ camera: DoubleCamera, data: [UInt8]) throws {
            let meaning = try #require(BayerDialect.meaning(of: vector.code))
            let pipeline = try CameraPipeline(through: "rawunpack")
            #expect(camera.deliver(data, sequence: 0))
            let sample = try pipeline.sample()
            #expect(vector.rows(sample.bytes) == vector.codes)
            let pattern = try #require(meaning.pattern)
            let shape = MosaicFormat(width: 0, height: 0, pattern: pattern, bitDepth: meaning.bitDepth)
            let caps = sample.caps?.first
            #expect(caps?["format"]?.text == BayerCaps.canonicalName(shape))
            #expect(caps?["width"]?.integer == vector.width && caps?["height"]?.integer == vector.height)
        }

        /// The layouts of grey formats are those of Bayer formats.
        @Test(arguments: LayoutVector.all)
        func everyLayoutIsUnpackedAsOnTheKernelsPages(_ vector: LayoutVector) throws {
            let meaning = try #require(BayerDialect.meaning(of: vector.code))
            let format = PackedMosaicFormat(
                width: vector.width, height: vector.height, pattern: meaning.pattern ?? .rggb,
                bitDepth: meaning.bitDepth, layout: meaning.layout, stride: vector.stride)
            var codes = [UInt16](repeating: 0, count: vector.width * vector.height)
            let clipped = try unsafe vector.bytes.span.withUnsafeBytes { bytes in
                var span = codes.mutableSpan
                return try unsafe format.unpack(
                    RawSpan(_unsafeBytes: bytes), into: &span, stride: vector.width)
            }
            #expect(clipped == 0)
            #expect(codes == vector.codes)
        }
    }
}

extension DoubleCamera.Format {
    init(_ vector: LayoutVector) {
        self.init(code: vector.code, width: vector.width, height: vector.height, stride: vector.stride)
    }
}
