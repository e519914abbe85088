internal import RawImage

/// The result of verifying a DNG file: what its digests prove, and all problems.
public struct DNGVerification: Sendable, Hashable {
    /// The conclusion from the digests of a file.
    public enum Verdict: String, Sendable, Hashable {
        /// Every picture, table and tag is as the file was written.
        case sound
        /// All pictures and tables that were captured are as they were written; another program has changed the
        /// metadata or replaced previews.
        case edited
        /// The digests match what they cover, which is not the whole file.
        case partlyProved
        /// The file is readable and has no digest, so that nothing is proved.
        case unproved
        /// The file is undamaged, but was made from a damaged one, whose damage was accepted.
        case damageAccepted
        /// A part is damaged, or the file violates the specification.
        case damaged
    }

    /// The conclusion from the digests.
    public let verdict: Verdict
    /// All problems; empty if there are none.
    public let problems: [DNGProblem]
    /// The parts whose digests match.
    public let covered: [String]
    /// The parts without a digest.
    public let uncovered: [String]
}

extension DNGFile {
    /// Verifies the file: decodes every picture, compares all parts with their digests, and checks the tags that
    /// readers rely on.
    public func verification() -> DNGVerification {
        var file = self
        file.checks = PartChecks()
        file.acceptsDamage = true
        var problems = file.tagAndPixelProblems()
        do throws(GscapError) {
            if checksDigests { try file.checkCompanions() }
        } catch {
            problems.append(DNGProblem(.error, error.message))
        }
        problems += file.checks.damage(isAccepted: true).map { DNGProblem(.error, $0.text) }
        let isEdited = file.isMetadataIntact == false || file.checks.hasReplacements || metadata.history.isEdited
        let isDamaged = problems.contains { $0.severity == .error }
        problems += metadata.history.acceptedDamage.map { damage in
            DNGProblem(.error, "the photo was made from a damaged file, whose damage was accepted: \(damage)")
        }
        let (covered, uncovered) = file.coverage
        let verdict: DNGVerification.Verdict
        if isDamaged {
            verdict = .damaged
        } else if !metadata.history.acceptedDamage.isEmpty {
            verdict = .damageAccepted
        } else if isEdited {
            verdict = .edited
            problems.append(DNGProblem(.warning, file.editRemark))
        } else if covered.isEmpty {
            verdict = .unproved
        } else {
            verdict = uncovered.isEmpty ? .sound : .partlyProved
        }
        return DNGVerification(verdict: verdict, problems: problems, covered: covered, uncovered: uncovered)
    }

    /// Verifies the file and returns all problems; empty if there are none.
    public func verify() -> [DNGProblem] { verification().problems }

    /// The changes that another program made, as a sentence.
    private var editRemark: String {
        let names = parts.filter { checks.result(of: $0) == .replaced }.map(Self.title)
        return names.isEmpty
            ? "the file was made from one that another program had edited since its capture"
            : "another program has changed \(names.joined(separator: ", ")) since the file was written"
    }

    /// The names of the file's parts: those of its pictures and tables, and of its receipt.
    private var parts: [String] {
        let digester = PartDigester(container: container, images: images)
        var parts = images.map(digester.part) + ((try? digester.tableDigests()) ?? []).map(\.part)
        parts += (receipt?.entries ?? []).map(\.part).filter { !parts.contains($0) }
        return parts.contains(PartDigests.metadata) ? parts : parts + [PartDigests.metadata]
    }

    /// The parts whose digests match, and those that have none.
    private var coverage: (covered: [String], uncovered: [String]) {
        let covered = parts.filter { checks.result(of: $0) == .intact }
        let uncovered = parts.filter { checks.result(of: $0) == nil }
        return (covered.map(Self.title), uncovered.map(Self.title))
    }
}
