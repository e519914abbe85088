// Compares gscap's elements with GStreamer's own, on the same frames in the same run, and prints ratios: below 1 is cheaper.

import GStreamer
import Glibc
import GscapElements

if CommandLine.arguments.dropFirst().first == "lossless-jpeg" {
    try LosslessJPEGBenchmark.run(Array(CommandLine.arguments.dropFirst(2)))
    exit(0)
}

try GscapPlugin.register()

let width = 4032
let height = 3024
let comparisons = [
    try StreamBenchmark.shutterIdle(width: width, height: height),
    try FrameBenchmark.preview(width: width, height: height),
    try FrameBenchmark.full(width: width, height: height),
]

print("\(width)×\(height); ratios ours : peer, medians")
for comparison in comparisons {
    let ratio = try comparison.run()
    func two(_ number: Double) -> String { String((number * 100).rounded() / 100) }
    print("\(comparison.name) : \(comparison.peerName)   wall \(two(ratio.wall))   processor \(two(ratio.processor))")
}
