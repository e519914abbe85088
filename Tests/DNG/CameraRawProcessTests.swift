import CCameraRaw
import CameraRaw
import DNG
import Foundation
import Testing

/// Tests of the process that reads cameras' raw files, with a program that misbehaves in place of LibRaw.
@Suite(.timeLimit(.minutes(10))) struct CameraRawProcessTests {
    private static let folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent().path

    /// Reads a file of these bytes with the program that misbehaves, and returns the error.
    private func error(
        _ bytes: [UInt8], limits: CameraRawLimits = CameraRawLimits(fileSize: 0)
    ) throws -> GscapError? {
        let program = CameraRawProgram(paths: [Self.folder + "/MisbehavingReader"], limits: limits)
        return try HandmadeCameraRaw().onDisk(bytes) { path in
            do throws(GscapError) {
                _ = try CameraRawFile.decode(path: path, program: program)
                return nil
            } catch {
                return error
            }
        }
    }

    private func error(_ mode: Character, limits: CameraRawLimits = CameraRawLimits(fileSize: 0)) throws
        -> GscapError?
    {
        try error([mode.asciiValue ?? 0], limits: limits)
    }

    @Test func aCrashIsAnErrorOfTheFile() throws {
        let error = try error("c")
        #expect(error?.code == .malformed && error?.message.contains("crashes") == true, "\(error?.message ?? "")")
    }

    @Test func aFailureOfTheProgramSaysWhatItPrinted() throws {
        let error = try error("x")
        #expect(error?.message.contains("out of order") == true, "\(error?.message ?? "")")
    }

    @Test func aHangEndsAtTheLimitOfProcessorTime() throws {
        let limits = CameraRawLimits(memory: 128 << 20, processorSeconds: 1, seconds: 600)
        let error = try error("h", limits: limits)
        #expect(error?.code == .malformed, "\(error?.message ?? "")")
        #expect(error?.message.contains("1 s of processor time") == true, "\(error?.message ?? "")")
    }

    @Test func aProcessThatIsLateIsKilled() throws {
        let error = try error("h", limits: CameraRawLimits(memory: 128 << 20, processorSeconds: 600, seconds: 0))
        #expect(error?.code == .malformed && error?.message.contains("within 0 s") == true, "\(error?.message ?? "")")
    }

    @Test func memoryIsLimited() throws {
        let error = try error("m", limits: CameraRawLimits(memory: 64 << 20, processorSeconds: 60, seconds: 600))
        #expect(error?.code == .malformed, "\(error?.message ?? "")")
        #expect(error?.message.contains("more than 64 MB of memory") == true, "\(error?.message ?? "")")
    }

    /// A descriptor that the host has opened for its programs is inherited by none of these.
    @Test func theProcessOpensNothing() throws {
        let inherited = unsafe open("/dev/null", O_RDONLY)
        defer { close(inherited) }
        let error = try error("o")
        #expect(error?.message.contains("is confined") == true, "\(error?.message ?? "")")
    }

    @Test func aMissingProgramIsNamed() throws {
        let error = try HandmadeCameraRaw().onDisk { path in
            #expect(throws: GscapError.self) {
                _ = try CameraRawFile.header(path: path, program: CameraRawProgram(paths: []))
            }
        }
        #expect(error?.code == .missingCodec && error?.message.contains("gscap-libraw") == true)
    }

    @Test func theProgramIsFoundBesideTheTests() {
        #expect(CameraRawProgram.installed.paths.first == Self.folder + "/gscap-libraw")
    }

    // MARK: Records

    /// A record of a Bayer picture of 4×4 pixels with its codes.
    private func record(_ change: (inout GscapRawRecord) -> Void = { _ in }) -> [UInt8] {
        var record = GscapRawRecord()
        (record.magic, record.version) = (GSCAP_RAW_MAGIC, GSCAP_RAW_VERSION)
        let size = MemoryLayout<GscapRawRecord>.size
        record.size = UInt32(size)
        record.outcome = GscapRawOutcomeDone.rawValue
        (record.rawWidth, record.rawHeight, record.width, record.height) = (4, 4, 4, 4)
        (record.colors, record.filters, record.maximum, record.samples) = (3, 1, 4095, 1)
        unsafe withUnsafeMutableBytes(of: &record.colorNames) { unsafe $0.copyBytes(from: "RGB".utf8) }
        unsafe withUnsafeMutableBytes(of: &record.square) { square in
            for index in square.indices {
                let (row, column) = (index / Int(GSCAP_RAW_SQUARE) % 2, index % Int(GSCAP_RAW_SQUARE) % 2)
                unsafe square[index] = UInt8(row + column)
            }
        }
        let start = (size + 63) / 64 * 64
        record.codes = GscapRawPart(offset: UInt64(start), size: 32)
        change(&record)
        var bytes = unsafe withUnsafeBytes(of: record) { unsafe Array($0) }
        bytes += [UInt8](repeating: 0, count: start - bytes.count)
        bytes += (0..<32).map { (place: UInt8) -> UInt8 in place % 2 == 0 ? place : 1 }
        return [UInt8(ascii: "r")] + bytes
    }

    @Test func aValidRecordIsRead() throws {
        #expect(try error(record()) == nil)
    }

    @Test func falseRecordsAreErrors() throws {
        let changes: [(String, (inout GscapRawRecord) -> Void)] = [
            ("another version", { $0.version += 1 }), ("another version", { $0.magic = 0 }),
            ("another version", { $0.size += 8 }),
            ("not complete", { $0.outcome = 0 }), ("not complete", { $0.outcome = 77 }),
            ("outside", { $0.codes.offset = 0 }), ("outside", { $0.codes.offset += 1 }),
            ("outside", { $0.codes.offset = .max - 63 }), ("outside", { $0.codes.size = .max }),
            ("outside", { $0.preview = GscapRawPart(offset: $0.codes.offset, size: 33) }),
            ("another size", { $0.width = 5 }), ("another size", { $0.height = .max }),
            ("another size", { $0.samples = 4 }), ("another size", { $0.samples = 0 }),
            ("pixel has 1 samples", { $0.filters = 0 }),
            ("another size", { $0.codes.size -= 2 }), ("another size", { ($0.blackRows, $0.blackColumns) = (2, 2) }),
            ("another size", { $0.blackRows = .max }), ("another size", { $0.left = 70_000 }),
            ("none are visible", { ($0.width, $0.height, $0.codes.size) = (0, 0, 0) }),
            ("no raw picture", { $0.codes.size = 0 }), ("which gscap does not read", { $0.isFoveon = 1 }),
        ]
        for (words, change) in changes {
            let message = try error(record(change))?.message ?? "no error"
            #expect(message.contains(words), "\(words): \(message)")
        }
        for count in [1, 2, 100, MemoryLayout<GscapRawRecord>.size] {
            #expect(try error(Array(record().prefix(count))) != nil, "\(count) bytes")
        }
    }

    @Test func changedRecordsAreErrorsAtMost() throws {
        let whole = record()
        var dice = Dice(seed: 3)
        for _ in 0..<200 {
            var bytes = whole
            for _ in 0..<6 {
                // Most of a record is text.
                let index = Int.random(in: 1..<(dice.next() % 2 == 0 ? 1200 : bytes.count), using: &dice)
                bytes[index] = [0, 0xFF, 0x80, UInt8(truncatingIfNeeded: dice.next())].randomElement(using: &dice) ?? 0
            }
            _ = try error(bytes)
        }
    }
}
