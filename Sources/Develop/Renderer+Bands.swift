internal import RawImage

extension Renderer {
    /// Renders all rows, on all cores, into a store.
    func render(_ output: Output, _ store: PixelStore, cores: Int?) throws(DevelopError) {
        let plan = try RenderPlan(self, output)
        let feed = try RowFeed(self, plan, cores: cores)
        // The store stays in place until the last band is done, and each band writes rows of its own.
        nonisolated(unsafe) let target = unsafe store
        let height = max(8, Int(Double(Self.bandHeight) / plan.frame.rowScale))
        concurrentBands(rows: plan.frame.height, of: height, cores: cores) { rows in
            let band = unsafe RenderBand(plan, target)
            let sources = RenderBand.sources(of: rows, plan)
            unsafe feed.forEach(in: sources, into: { unsafe band.row($0) }) { row in
                band.finish(row, of: sources, band: rows)
            }
        }
    }

    /// Rows of the raw picture rendered together: enough that the few computed twice where bands meet do not count.
    private static let bandHeight = 256
}
