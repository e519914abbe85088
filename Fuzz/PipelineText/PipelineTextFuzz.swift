// Fuzz target for pipeline texts: Tools/checks/fuzz PipelineText SECONDS

internal import PipelineText

/// Entry point for libFuzzer: parses the bytes as a pipeline text, which must then print as texts of the same
/// pipeline.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    let description: PipelineDescription
    do {
        description = try PipelineDescription(parsing: text, file: "x") { $0.utf8.count > 3 ? nil : "1 \"! \\" }
    } catch {
        precondition(!error.description.isEmpty)
        return 0
    }
    _ = description.warnings.map(\.description)
    let graph = PipelineGraph(description)
    for index in graph.elements.indices { _ = (graph.downstream(of: index), graph.branches(of: index)) }
    precondition((try? PipelineDescription(parsing: description.launchText)) == description)
    precondition((try? PipelineDescription(parsing: description.fileText)) == description)
    return 0
}
