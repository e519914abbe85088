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

    private static let cases = CompleteFiles.Kind.allCases.flatMap { kind in
        FileRegions.Part.allCases.map { (kind, $0) }
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
        for part in FileRegions.Part.allCases { #expect(regions.count(of: part) > 60, "\(part)") }
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
            if verdict != .sound, part == .raw || part == .tables || part == .mattes || part == .depth {
                Self.checkReading(file, verdict, &missed, position)
            }
        }
        #expect(missed.isEmpty, "\(kind), \(part): \(missed.count), \(missed.prefix(5))")
    }

    /// Records damage that decoding the raw picture does not refuse.
    private static func checkReading(
        _ file: DNGFile, _ verdict: DNGVerification.Verdict, _ missed: inout [String], _ position: Int
    ) {
        guard verdict == .damaged, let main = file.main else { return }
        do {
            if main.kind == .bayer { _ = try file.mosaic() } else { _ = try file.linearImage() }
            missed.append("byte \(position) is decoded")
        } catch {}
    }
}
