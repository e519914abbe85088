internal import RawImage

extension Renderer {
    /// Renders all rows into `destination` on all cores, or on one if `cores` is 1.
    func render(_ output: Output, _ destination: PixelDestination, cores: Int?) throws(GscapError) {
        let plan = try RenderPlan(self, output)
        let source = try CroppedRows(self, plan, cores: cores)
        // No two bands write the same row. Rows near band boundaries are computed twice, so bands are large; the last
        // ones are smaller, so that no core waits long for another one.
        let bands = shrinkingBands(rows: plan.frame.height, unit: 64, cores: cores)
        concurrently(bands.count, cores: cores) { band in
            Self.render(bands[band], plan, source, BandRenderer(plan, destination, source.memory))
        }
    }

    /// Renders `rows`, reducing noise first if the plan has a noise filter.
    static func render(_ rows: Range<Int>, _ plan: RenderPlan, _ source: CroppedRows, _ band: borrowing BandRenderer) {
        let sources = BandRenderer.sources(of: rows, plan)
        guard let noise = plan.noise else {
            source.forEach(
                in: sources, into: { band.row($0) }, { band.finish($0, of: sources, band: rows) })
            return
        }
        let filter = NoiseFilter(noise, plan.frame, rows: sources, source.memory)
        source.forEach(
            in: NoiseFilter.sources(noise, of: sources, height: plan.frame.height), into: { filter.row($0) },
            { row in
                filter.add(row, into: { band.row($0) }, { band.finish($0, of: sources, band: rows) })
            })
    }
}
