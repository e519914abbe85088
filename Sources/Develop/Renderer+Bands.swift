internal import RawImage

extension Renderer {
    /// Renders all rows, on all cores, into a store.
    func render(_ output: Output, _ store: PixelStore, cores: Int?) throws(DevelopError) {
        let plan = try RenderPlan(self, output)
        let feed = try RowFeed(self, plan, cores: cores)
        // The store stays in place until the last band is done, and each band writes rows of its own.
        nonisolated(unsafe) let target = unsafe store
        concurrentBands(rows: plan.frame.height, of: Self.bandHeight(plan), cores: cores) { rows in
            unsafe Self.render(rows, plan, feed, RenderBand(plan, target))
        }
    }

    /// Renders some rows.
    static func render(_ rows: Range<Int>, _ plan: RenderPlan, _ feed: RowFeed, _ band: borrowing RenderBand) {
        let sources = RenderBand.sources(of: rows, plan)
        guard let noise = plan.noise else {
            unsafe feed.forEach(
                in: sources, into: { unsafe band.row($0) }, { band.finish($0, of: sources, band: rows) })
            return
        }
        let filter = NoiseFilter(noise, plan.frame, rows: sources)
        unsafe feed.forEach(
            in: NoiseFilter.sources(of: sources, height: plan.frame.height), into: { unsafe filter.row($0) },
            { row in
                unsafe filter.add(row, into: { unsafe band.row($0) }, { band.finish($0, of: sources, band: rows) })
            })
    }

    /// Rows of the finished picture rendered together: enough that the few computed twice where bands meet do not count.
    static func bandHeight(_ plan: RenderPlan) -> Int {
        let height = Int(Double(bandHeight) / plan.frame.rowScale)
        return plan.noise == nil ? max(8, height) : max(bandHeight, 2 * height)
    }

    /// The same of the raw picture.
    private static let bandHeight = 256
}
