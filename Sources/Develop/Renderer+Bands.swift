internal import RawImage

extension Renderer {
    /// Renders all rows, on all cores, into a store.
    func render(_ output: Output, _ store: PixelStore, cores: Int?) throws(DevelopError) {
        let plan = try RenderPlan(self, output)
        let feed = try RowFeed(self, plan, cores: cores)
        // The store stays in place until the last band is done, and each band writes rows of its own.
        nonisolated(unsafe) let target = unsafe store
        concurrentBands(rows: plan.frame.height, of: Self.bandHeight(plan, cores: cores), cores: cores) { rows in
            unsafe Self.render(rows, plan, feed, RenderBand(plan, target, feed.memory))
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

    /// Rows of the finished picture rendered together: so many that all cores have equally much to do, and that the few
    /// computed twice where bands meet do not count.
    static func bandHeight(_ plan: RenderPlan, cores: Int?) -> Int {
        let height = plan.frame.height
        let usual = plan.noise == nil ? max(8, bandHeight / plan.frame.rowScale) : noisyBandHeight
        let cores = cores ?? Processors.count
        let rounds = max(1, (Double(height) / (usual * Double(cores))).rounded())
        return max(8, Int((Double(height) / (rounds * Double(cores))).rounded(.up)))
    }

    /// The usual rows of the raw picture.
    private static let bandHeight = 256.0
    /// The usual rows of the finished picture where noise is taken away, for which many rows around are needed.
    private static let noisyBandHeight = 768.0
}
