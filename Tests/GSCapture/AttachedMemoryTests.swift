import GStreamer
import Synchronization
import TestClocks
import Testing

@testable import GSCapture

/// Outputs that are attached and detached leave nothing behind.
@Suite(.timeLimit(.minutes(10))) struct AttachedMemoryTests {
    private final class Token: Sendable {}

    private struct Weak: Sendable {
        weak let token: Token?
    }

    /// The elements of each cycle are freed, as their closures are, once the host has read its messages: a message
    /// refers to the element that posted it.
    @Test func eachCycleFreesItsElements() async throws {
        let host = try HostPipeline()
        host.pipeline.bus.setHandler { _ in }
        try host.play()
        let output = PhotoOutput()
        var tokens: [Weak] = []
        for cycle in 0..<6 {
            try await output.attach(toTee: host.tee)
            let branch = try #require(output.attachment.branch)
            for element in branch.elements.bin.allElements + [branch.elements.bin, branch.elements.queue] {
                let token = Token()
                tokens.append(Weak(token: token))
                try element.connect("notify") { _ in withExtendedLifetime(token) {} }
            }
            if cycle.isMultiple(of: 2), await output.becomesReady() {
                _ = try output.capturePhoto(with: PhotoOutput.longSettings())
            }
            await output.detach()
        }
        #expect(tokens.count > 6 * 6)
        #expect(await reached { tokens.allSatisfy { $0.token == nil } })
        host.stop()
    }
}
