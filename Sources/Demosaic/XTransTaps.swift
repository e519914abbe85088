internal import PixelMemory

/// Lists of neighbours as offsets in a plane, one list after another in memory.
struct XTransTaps: Sendable {
    private var starts: [Int] = [0]
    private var offsets: [Int] = []
    private var weights: [Float] = []

    /// Creates the lists for planes in which rows are `stride` values apart.
    init(_ lists: [[XTransGrid.Neighbor]], stride: Int) {
        for list in lists {
            offsets += list.map { $0.row * stride + $0.column }
            weights += list.map(\.weight)
            starts.append(offsets.count)
        }
    }

    /// Calls `body` with the lists as views.
    func withViews(_ body: (Views) -> Void) {
        starts.withView { starts in
            offsets.withView { offsets in
                weights.withView { weights in body(Views(starts: starts, offsets: offsets, weights: weights)) }
            }
        }
    }

    /// The lists in memory.
    struct Views {
        let starts: MemoryView<Int>
        let offsets: MemoryView<Int>
        let weights: MemoryView<Float>

        /// The number of neighbours in a list.
        func count(_ list: Int) -> Int { starts[list + 1] - starts[list] }

        /// Calls `body` with the offset and the weight of each neighbour in a list.
        @inline(__always)
        func forEach(_ list: Int, _ body: (Int, Float) -> Void) {
            for index in starts[list]..<starts[list + 1] { body(offsets[index], weights[index]) }
        }
    }
}
