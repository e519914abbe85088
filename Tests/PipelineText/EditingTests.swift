import Foundation
import PipelineText
import Testing

@Suite struct EditingTests {
    /// Texts that print and read back must mean the same: places aside, element by element and link by link.
    private func same(_ a: PipelineDocument, _ b: PipelineDocument) -> Bool {
        let (left, right) = (PipelineGraph(a), PipelineGraph(b))
        func words(_ graph: PipelineGraph) -> [[String]] {
            graph.elements.map { element in
                [element.name, element.node.factory] + element.node.properties.flatMap { [$0.name, $0.value] }
            }
        }
        return words(left) == words(right) && left.edges == right.edges
    }

    static let pipelines: [String] = {
        let folder = URL(fileURLWithPath: #filePath).appending(path: "../../../pipelines").standardized
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".txt") }.sorted().map { folder.appending(path: $0).path }
    }()

    @Test func allPipelinesAreThere() {
        let names = Self.pipelines.map { $0.split(separator: "/").last.map(String.init) ?? "" }
        #expect(
            names == [
                "bayer-raw.txt", "headless.txt", "libcamera.txt", "preview.txt", "proraw.txt", "rtsp-still.txt",
                "v4l2.txt",
            ])
    }

    @Test(arguments: pipelines)
    func pipelinesPrintAndReadBack(path: String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let document = try PipelineDocument(reading: text, file: path)
        #expect(same(document, try PipelineDocument(reading: document.launchText)))
        #expect(same(document, try PipelineDocument(reading: document.prettyText)))
        let warnings = document.lint().filter { $0.rule != .needsDisplay }
        #expect(warnings.isEmpty, "\(warnings)")
    }

    @Test func propertiesAreSetByNameOrFactory() throws {
        var document = try PipelineDocument(reading: "a name=x p=1 ! b ! b name=y")
        let found = [
            document.set("x", "p", to: "2"), document.set("b", "q", to: "hello world"),
            document.set("nobody", "p", to: "2"),
        ]
        #expect(found == [true, true, false])
        #expect(document.launchText == "a name=x p=2 ! b q=\"hello world\" ! b name=y q=\"hello world\"")
    }

    @Test func elementsAreReplacedInPlace() throws {
        var document = try PipelineDocument(reading: "a ! tee name=t t. ! queue ! filesink location=x.dng name=end")
        document.replace("end", by: "appsink", properties: [("sync", "false")])
        #expect(document.launchText == "a ! tee name=t t. ! queue ! appsink name=end sync=false")
    }

    @Test func shellWordsAreQuoted() throws {
        let document = try PipelineDocument(reading: "a ! video/x-raw,format=(string)I420 ! b p=\"it's\"")
        #expect(document.shellText == #"a '!' 'video/x-raw,format=(string)I420' '!' b 'p="it'\''s"'"#)
    }

    @Test(arguments: [
        ("s ! tee name=t t. ! fakesink t. ! queue ! fakesink", PipelineWarning.Rule.teeWithoutQueue),
        ("gscapsensorsrc ! queue ! fakesink", .smallQueue), ("s ! autovideosink", .needsDisplay),
        ("s ! rawshutter ! fakesink", .missingRole), ("s ! tee name=t t. ! queue ! autovideosink", .blockingPreview),
    ])
    func lintFinds(text: String, rule: PipelineWarning.Rule) throws {
        #expect(try PipelineDocument(reading: text).lint().map(\.rule).contains(rule))
    }

    @Test func lintKnowsTheSizeOfFrames() throws {
        let small = "gscapsensorsrc ! video/x-bayer,width=640,height=480 ! queue ! fakesink"
        #expect(try PipelineDocument(reading: small).lint().isEmpty)
    }
}
