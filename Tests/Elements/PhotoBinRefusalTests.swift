import Foundation
import GStreamer
import GscapElements
import TemporaryFolders
import Testing

/// Properties of the bin with which no photo can be made: they are refused when they are set or at the start, not at
/// the first press.
@Suite(.timeLimit(.minutes(10))) struct PhotoBinRefusalTests {
    init() throws { try GscapPlugin.register() }

    /// Returns the error that a bin with these properties posts when it is started.
    private func error(of properties: KeyValuePairs<String, Value>) async throws -> GStreamerError? {
        let pipeline = try Pipeline(parsing: "gscapphotobin name=photos")
        let bin = try #require(pipeline.element(named: "photos"))
        for (name, value) in properties { try bin.set(name, value) }
        let messages = pipeline.bus.messages()
        #expect(throws: GStreamerError.self) { try pipeline.setState(.ready) }
        try pipeline.setState(.null)
        pipeline.bus.removeHandler()
        for await message in messages {
            if case .error(let error) = message.kind { return error }
        }
        return nil
    }

    @Test(arguments: ["/nowhere/at/all/cam", "/nowhere/at/all/"])
    func aFolderThatDoesNotExistIsAnErrorOfTheStart(location: String) async throws {
        let error = try #require(try await error(of: ["location": .string(location)]))
        #expect(error.message.contains("location is \"\(location)\""))
        #expect(error.message.contains("/nowhere/at/all/: the folder does not exist; create it"))
        #expect(error.place == "photos")
    }

    @Test func aFileInPlaceOfTheFolderIsAnErrorOfTheStart() async throws {
        let folder = try TemporaryFolder()
        try "text".write(toFile: folder.path("file"), atomically: true, encoding: .utf8)
        let error = try #require(try await error(of: ["location": .string(folder.path("file") + "/cam")]))
        #expect(error.message.contains("a file is in the place of the folder"))
    }

    @Test func anUnknownFormatIsAnErrorOfTheStart() async throws {
        let error = try #require(try await error(of: ["formats": "jpg"]))
        #expect(error.message.contains("formats is \"jpg\""))
        #expect(error.place == "photos")
    }

    /// A bin that runs keeps the former value, and warns.
    @Test(arguments: [("location", "", "/nowhere/at/all/cam"), ("formats", "jpeg", "jpeg,jpg")])
    func aRunningBinRefusesAWrongValue(property: String, former: String, value: String) throws {
        let host = try PhotoBinHost("frames=1 fusion-mode=speed")
        try host.start()
        try host.bin.set(property, .string(value))
        #expect(try host.bin.get(property) == .string(former))
        #expect(host.allWarnings.contains { $0.message.contains("\(property) is \"\(value)\"") })
        let id = try host.press(["frames": 1])
        #expect(host.result(of: id) == "succeeded", "\(host.reason(of: id))")
    }

    /// The fusion mode is an enumeration, of which GObject takes no other value.
    @Test func anUnknownFusionModeIsRefusedWhenItIsSet() throws {
        let bin = try Element(factory: "gscapphotobin")
        #expect(throws: GStreamerError.self) { try bin.set("fusion-mode", "best") }
        #expect(try bin.get("fusion-mode") == .enumeration(1, nick: "balanced"))
        try bin.set("fusion-mode", "quality")
        #expect(try bin.get("fusion-mode") == .enumeration(2, nick: "quality"))
    }
}
