import PipelineText
import Testing

@Suite struct EditingTests {
    @Test(arguments: [
        ("s.iso=800", "src name=s iso=800 ! queue ! queue"),
        ("src.iso=800", "src name=s iso=800 ! queue ! queue"),
        ("queue.max-size-bytes=0", "src name=s iso=100 ! queue max-size-bytes=0 ! queue max-size-bytes=0"),
        ("s.scene=a=b c", "src name=s iso=100 scene=\"a=b c\" ! queue ! queue"),
        ("s.scene=", "src name=s iso=100 scene=\"\" ! queue ! queue"),
    ]) func settings(assignment: String, result: String) throws {
        var description = try Description(parsing: "src name=s iso=100 ! queue ! queue")
        try description.set(assignment)
        #expect(try description == Description(parsing: result))
    }

    @Test(arguments: ["iso=800", "s.iso", ".iso=1", "s.=1", "", "="]) func malformedSettings(assignment: String) throws
    {
        var description = try Description(parsing: "src name=s")
        #expect {
            try description.set(assignment)
        } throws: { ($0 as? PipelineTextError)?.code == .badValue }
    }

    @Test func settingWithoutElement() throws {
        var description = try Description(parsing: "src name=camera")
        #expect {
            try description.set("camra.iso=1")
        } throws: {
            ($0 as? PipelineTextError)?.message == "no element named \"camra\" in this pipeline; did you mean camera?"
        }
    }

    @Test func replacingKeepsLinksAndName() throws {
        var description = try Description(parsing: "a ! ( b ! c name=x p=1 ) x. ! d")
        let index = try #require(description.graph.index(named: "x"))
        description.replace(index, with: .init("appsink", [.init("sync", "false")]))
        #expect(try description == Description(parsing: "a ! ( b ! appsink sync=false name=x ) x. ! d"))
    }

    /// Removing a preview removes its whole branch, whether its tee is referenced by name or part of the chain.
    @Test(arguments: [
        "s ! tee name=raw ! queue ! view raw. ! queue ! tee name=burst burst. ! f",
        "s ! tee name=raw raw. ! queue ! view raw. ! queue ! tee name=burst burst. ! f",
        "s ! tee name=raw raw. ! queue name=q q. ! ( view ) raw. ! queue ! tee name=burst burst. ! f",
    ]) func removingABranch(text: String) throws {
        var description = try Description(parsing: text)
        let graph = description.graph
        let raw = try #require(graph.index(named: "raw"))
        let preview = try #require(
            graph.branches(of: raw).first { $0.elements.contains { graph.elements[$0].factory == "view" } })
        description.remove(preview)
        #expect(try description == Description(parsing: "s ! tee name=raw raw. ! queue ! tee name=burst burst. ! f"))
    }

    /// Removing a branch keeps the elements that another branch also feeds.
    @Test func removingABranchThatJoinsAnother() throws {
        var description = try Description(parsing: "s ! tee name=t t. ! a ! m. t. ! m. mixer name=m ! end")
        let graph = description.graph
        let branches = graph.branches(of: try #require(graph.index(named: "t")))
        description.remove(branches[0])
        #expect(try description == Description(parsing: "s ! tee name=t t. ! m. mixer name=m ! end"))
        let direct = try #require(description.graph.branches(of: 1).first)
        description.remove(direct)
        #expect(try description == Description(parsing: "s ! tee name=t"))
    }

    @Test func removingElementsTakesReferencesAway() throws {
        var description = try Description(parsing: "a ! tee name=t t. ! b t. ! c ! d")
        description.remove([1, 3])
        #expect(try description == Description(parsing: "a b d"))
    }

    @Test func removingAllEmptiesBins() throws {
        var description = try Description(parsing: "a ! ( ( b ! c ) )")
        description.remove([3, 4])
        #expect(try description == Description(parsing: "a"))
    }

    @Test func naming() throws {
        var description = try Description(parsing: "a ! ( q ! q name=q1 ) ! q")
        description.nameElements()
        #expect(
            try description == Description(parsing: "a name=a0 ! ( name=bin0 q name=q0 ! q name=q1 ) ! q name=q2"))
    }

    @Test func factoriesAreRenamed() throws {
        var description = try Description(parsing: "a name=x size=3 ! tee name=a ! ( a ! b ) a. ! c")
        description.renameFactories(["a": "ours", "c": "mine"])
        #expect(
            try description == Description(parsing: "ours name=x size=3 ! tee name=a ! ( ours ! b ) a. ! mine"))
    }

    @Test func appending() throws {
        var description = try Description(parsing: "a ! tee name=t")
        description.append(Description(chains: [.init(.reference(.init("t")), [.init(.init(), .element(.init("b")))])]))
        #expect(description.launchText == "a ! tee name=t t. ! b")
    }
}

@Suite struct GraphTests {
    @Test func streams() throws {
        let graph = try Description(
            parsing: "s ! tee name=raw raw. ! q1 ! view raw. ! q2 ! shutter ! tee name=burst burst. ! q3 ! f burst. ! g"
        ).graph
        func factories(_ indices: [Int]) -> [String] { indices.map { graph.elements[$0].factory } }
        #expect(factories(graph.ends) == ["view", "f", "g"])
        #expect(factories(graph.sourceElements) == ["s"])
        let shutter = try #require(graph.indices(factory: "shutter").first)
        #expect(factories(graph.downstream(of: shutter)) == ["tee", "q3", "g", "f"])
        #expect(factories(graph.upstream(of: shutter)) == ["q2", "tee", "s"])
        let raw = try #require(graph.index(named: "raw"))
        #expect(
            graph.branches(of: raw).map { factories($0.elements) } == [
                ["q1", "view"], ["q2", "shutter", "tee", "q3", "g", "f"],
            ])
    }

    @Test func linksOfBinsAreResolved() throws {
        let graph = try Description(parsing: "a ! ( name=b c ! ( d ) ! e ) ! f b. ! g").graph
        func name(_ index: Int) -> String { graph.elements[index].factory }
        let pairs = graph.links.map { name($0.source) + name($0.sink) }
        #expect(pairs == ["ac", "cd", "de", "ef", "bing"])
        #expect(graph.elements.map(\.parent) == [nil, nil, 1, 1, 3, 1, nil, nil])
    }

    @Test func traversalEndsInACycle() throws {
        let graph = try Description(parsing: "a name=a ! b ! a.").graph
        #expect(graph.downstream(of: 0) == [1, 0])
        #expect(graph.ends == [])
    }
}
