import TemporaryFolders
import Testing

/// The end of a preview by time.
@Suite struct PreviewRealTimeTests {
    @Test func previewRunsUntilItsTime() throws {
        let folder = try TemporaryFolder()
        let result = try BuiltCommand.run(
            "--pipeline", "pipelines/preview.txt", "--json", "--timeout", "2", "--output", folder.path("out"), "--var",
            "WIDTH=1280", "--var", "HEIGHT=960", "--var", "RATE=30")
        #expect(result.code == 0)
        #expect(try result.events().last?["framesSeen"] as? Int ?? 0 > 0)
        #expect(folder.names.isEmpty)
    }
}
