// swift-tools-version: 6.2
import PackageDescription

/// A package that depends on gscap by address and version. `Tools/check dependency` replaces ADDRESS by that of a
/// clone.
let package = Package(
    name: "client",
    dependencies: [.package(url: "ADDRESS", from: "9.0.0")],
    targets: [
        .executableTarget(
            name: "client",
            dependencies: [
                .product(name: "GSCapture", package: "gscap"), .product(name: "RawDevelop", package: "gscap"),
            ])
    ])
