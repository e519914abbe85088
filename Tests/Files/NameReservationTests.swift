import Files
import Foundation
import Testing

/// Names of shots in a folder, which one process or several share.
@Suite(.timeLimit(.minutes(10))) struct NameReservationTests {
    private func folder() throws -> String {
        let path = NSTemporaryDirectory() + "gscap-names-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    private func names(_ folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    @Test func aNameHasOneOwner() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var first = try NameReservation.claim("photo-0001", in: folder)
        #expect(first != nil)
        #expect(try NameReservation.claim("photo-0001", in: folder) == nil)
        NameReservation.removeRemnants(in: folder)
        #expect(names(folder) == [".photo-0001.gscap"])
        first = nil
        #expect(names(folder) == [])
        #expect(try NameReservation.claim("photo-0001", in: folder) != nil)
        #expect(throws: GscapError.self) { try NameReservation.claim("photo", in: folder + "/missing") }
    }

    /// The fault: a name that is no UTF-8 was claimed under other bytes.
    @Test func aNameThatIsNoTextIsClaimedByItsBytes() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let claim = try #require(try NameReservation.claim(String(pathBytes: [0x61, 0xFF]), in: folder))
        #expect(FolderListing.names(in: folder) == [String(pathBytes: [0x2E, 0x61, 0xFF]) + ".gscap"])
        withExtendedLifetime(claim) {}
    }

    @Test func remnantsAreDeleted() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let files = FileManager.default
        #expect(files.createFile(atPath: folder + "/.photo-0001.gscap", contents: nil))
        #expect(files.createFile(atPath: folder + "/.notes.gscap", contents: Data([1])))
        NameReservation.removeRemnants(in: folder)
        #expect(names(folder) == [".notes.gscap"])
    }

    @Test func numbersSkipFilesAndShots() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["a-1.dng", "a-2-jpeg.jpg", "a-33.dng", "x-4-raw.dng"] {
            #expect(FileManager.default.createFile(atPath: folder + "/" + name, contents: nil))
        }
        let shots = ShotNames(folder: folder)
        let first = try shots.reserve(after: 0) { "a-\($0)" }
        #expect(first.number == 3)
        let second = try shots.reserve(after: 0) { "a-\($0)" }
        #expect(second.number == 4)
        #expect(try shots.reserve(after: 0) { "{kind}-\($0)" }.number == 5)
        #expect(try shots.reserve(after: 0, replacing: true) { "a-\($0)" }.number == 1)
        withExtendedLifetime((first, second)) {}
    }

    /// Many threads reserve names and store files: no number is given twice.
    @Test func threadsGetDifferentNumbers() async throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let numbers = try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    try (0..<10).map { _ in
                        let found = try ShotNames(folder: folder).reserve(after: 0) { "b-\($0)" }
                        _ = FileManager.default.createFile(atPath: "\(folder)/b-\(found.number).dng", contents: nil)
                        return found.number
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(numbers.sorted() == Array(1...40))
        #expect(names(folder).count == 40)
    }
}
