import FrameStream
import GStreamer
import GscapElements
import TemporaryFolders
import Testing

/// The names of the files that gscapphotobin stores.
@Suite(.timeLimit(.minutes(10))) struct PhotoBinNameTests {
    /// Two bins at one location: each photo's files have one number, and no two photos the same.
    @Test func twoBinsShareALocation() throws {
        try GscapPlugin.register()
        let folder = try TemporaryFolder()
        let text = "formats=proraw,jpeg frames=1 fusion-mode=speed location=\(folder.path("cam"))"
        let hosts = [try PhotoBinHost(text), try PhotoBinHost(text)]
        for host in hosts { try host.start() }
        var used: [String] = []
        for _ in 0..<2 {
            let presses = try hosts.map { try ($0, $0.press(["frames": 1])) }
            for (host, id) in presses {
                #expect(host.result(of: id) == "succeeded", "\(host.reason(of: id))")
                let paths = host.photos(of: id).compactMap(\.path)
                let stems = Set(paths.map { String($0.prefix { $0 != "." }) })
                #expect(paths.count == 2 && stems.count == 1, "\(paths)")
                used += stems
            }
        }
        #expect(Set(used).count == 4)
    }
}
