import DNG
import Glibc
import RawImage
import Testing

/// Random single-bit damage of files that `DNGWriter` encoded. GSCAP_FLIPS sets the number of flips for each part of
/// each kind of file.
@Suite(.timeLimit(.minutes(10))) struct FlipTests {
    private static let flips: Int = {
        let text = unsafe getenv("GSCAP_FLIPS").map { unsafe String(cString: $0) }
        return text.flatMap { Int($0) } ?? 20
    }()

    private static let cases = CompleteFiles.Kind.allCases.flatMap { kind in parts(of: kind).map { (kind, $0) } }

    private static func parts(of kind: CompleteFiles.Kind) -> [FileRegions.Part] {
        FileRegions.Part.allCases.filter { $0 != .original || kind == .embeddedOriginal }
    }

    @Test(arguments: CompleteFiles.Kind.allCases) func theWholeFileIsCovered(_ kind: CompleteFiles.Kind) throws {
        let bytes = try CompleteFiles.file(kind)
        let result = try DNGFile(bytes: bytes).verification()
        #expect(result.verdict == .sound, "\(result)")
        #expect(result.uncovered.isEmpty)
        for title in [
            "the raw picture", "preview 1", "preview 2", "matte 1", "matte 2", "the depth map", "OpcodeList2",
            "ProfileGainTableMap", "the metadata",
        ] {
            #expect(result.covered.contains(title), "\(title): \(result.covered)")
        }
        let regions = FileRegions(bytes)
        for part in Self.parts(of: kind) { #expect(regions.count(of: part) > 60, "\(part)") }
    }

    @Test(arguments: FlipTests.cases)
    func noFlippedBitIsSound(_ kind: CompleteFiles.Kind, _ part: FileRegions.Part) throws {
        let bytes = try CompleteFiles.file(kind)
        let regions = FileRegions(bytes)
        var dice = Dice(seed: UInt64(regions.count(of: part)) &* 31 &+ 7)
        var missed: [String] = []
        for _ in 0..<Self.flips {
            let position = regions.position(
                of: part, byte: Int.random(in: 0..<regions.count(of: part), using: &dice))
            let bit = UInt8.random(in: 0..<8, using: &dice)
            var damaged = bytes
            damaged[position] ^= 1 << bit
            guard let file = try? DNGFile(bytes: damaged) else { continue }
            let verdict = file.verification().verdict
            // Equal codes prove a raw picture whose stored bytes have changed.
            let isFound =
                switch part {
                case .directories, .raw:
                    verdict == .damaged || verdict == .edited || verdict == .partlyProved
                        || verdict == .unproved
                default: verdict == .damaged
                }
            if !isFound { missed.append("bit \(bit) of byte \(position): \(verdict)") }
            // Tags beside the pixels, and the original raw file, do not matter to decoding.
            if verdict == .damaged, part != .directories, part != .original, Self.isDecoded(file) {
                missed.append("byte \(position) is decoded")
            }
            if Self.hasSoundCopy(file) { missed.append("the copy with a changed byte \(position) is sound") }
        }
        #expect(missed.isEmpty, "\(kind), \(part): \(missed.count), \(missed.prefix(5))")
    }

    /// A changed offset that leads to an equal value is found, too.
    @Test func offsetsOfEqualValuesAreCovered() throws {
        let bytes = try CompleteFiles.file(.linear)
        var tested = 0
        for (offset, range) in FileRegions(bytes).values {
            for bit in 0..<24 {
                let other = range.lowerBound ^ (1 << bit)
                guard other + range.count <= bytes.count,
                    bytes[range].elementsEqual(bytes[other..<other + range.count])
                else { continue }
                var changed = bytes
                changed[offset + 3 - bit / 8] ^= 1 << UInt8(bit % 8)
                #expect(try DNGFile(bytes: changed).verification().verdict == .edited)
                tested += 1
            }
        }
        #expect(tested > 0)
    }

    /// Files of other programs have at most a digest of their raw picture, so that neither they nor copies are ever
    /// proved as a whole.
    @Test(arguments: OtherFiles.Kind.allCases.filter { $0 != .original })
    func noFlippedBitOfAnotherFileIsSound(_ kind: OtherFiles.Kind) throws {
        let bytes = try OtherFiles.file(kind)
        var dice = Dice(seed: UInt64(bytes.count))
        var missed: [String] = []
        for _ in 0..<Self.flips {
            let position = Int.random(in: bytes.indices, using: &dice)
            var damaged = bytes
            damaged[position] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
            guard let file = try? DNGFile(bytes: damaged) else { continue }
            let verdict = file.verification().verdict
            if verdict == .sound || Self.hasSoundCopy(file) { missed.append("byte \(position): \(verdict)") }
        }
        #expect(missed.isEmpty, "\(kind): \(missed.count), \(missed.prefix(5))")
    }

    /// Whether decoding the raw picture does not refuse the file.
    private static func isDecoded(_ file: DNGFile) -> Bool {
        guard let main = file.main else { return false }
        return main.kind == .bayer ? (try? file.mosaic()) != nil : (try? file.linearImage()) != nil
    }

    /// Whether a copy of the file verifies as sound, also one whose damage was accepted.
    private static func hasSoundCopy(_ file: DNGFile) -> Bool {
        [false, true].contains { acceptsDamage in
            var file = file.reopened()
            file.acceptsDamage = acceptsDamage
            guard let copy = try? DNGTranscoder().encode(file).data, let read = try? DNGFile(copy) else { return false }
            return read.verification().verdict == .sound
        }
    }
}
