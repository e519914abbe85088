internal import RawImage

extension Renderer {
    /// Renders all rows, on all cores, into a store.
    func render(_ output: Output, _ store: PixelStore, cores: Int?) throws(DevelopError) {
        let plan = try RenderPlan(self, output)
        let feed = try RowFeed(self, plan, cores: cores)
        // The store stays in place until the last band is done, and each band writes rows of its own.
        nonisolated(unsafe) let target = unsafe store
        // Some rows are computed twice where bands meet, so these are large.
        let bands = shrinkingBands(rows: plan.frame.height, unit: 128, cores: cores)
        concurrently(bands.count, cores: cores) { band in
            unsafe Self.render(bands[band], plan, feed, RenderBand(plan, target, feed.memory))
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
        let filter = NoiseFilter(noise, plan.frame, rows: sources, feed.memory)
        unsafe feed.forEach(
            in: NoiseFilter.sources(of: sources, height: plan.frame.height), into: { unsafe filter.row($0) },
            { row in
                unsafe filter.add(row, into: { unsafe band.row($0) }, { band.finish($0, of: sources, band: rows) })
            })
    }
}
