internal import Files
internal import GSCapture
internal import GStreamer
internal import Glibc

/// The cameras of this machine, and what keeps others from being used: the list of `gscap devices` and `gscap doctor`.
package enum CameraFindings {
    /// Returns a finding for each camera that GStreamer has found, and for each obstacle.
    static func all(_ devices: [CaptureDevice]) -> [Finding] {
        let nodes = nodes(in: "/dev")
        let cameras = devices.filter { !$0.isVirtual && $0.uniqueID != CaptureDevice.simulated().uniqueID }
        var findings = cameras.map(finding)
        findings += refused(nodes.map { "/dev/" + $0 }) { unsafe access($0, R_OK | W_OK) == 0 }
        findings += missingElements(for: nodes) { ElementFactory(named: $0) != nil }
        if findings.isEmpty {
            findings = [
                Finding(.cameras, "none", "no camera is connected; the simulated camera takes photos", .missing)
            ]
        }
        return findings
    }

    private static func finding(_ camera: CaptureDevice) -> Finding {
        if let problem = camera.problem {
            return Finding(.cameras, camera.uniqueID, "\(camera.localizedName) cannot be used: \(problem)", .missing)
        }
        guard camera.supportsRAW else {
            return Finding(
                .cameras, camera.uniqueID, "\(camera.localizedName) delivers no Bayer frames, which photos need",
                .missing, advice: "use another camera or driver; the simulated camera needs none")
        }
        var sizes: [String] = []
        for format in camera.formats where !sizes.contains("\(format.width)×\(format.height)") {
            sizes.append("\(format.width)×\(format.height)")
        }
        let formats = sizes.joined(separator: ", ")
        let text = formats.isEmpty ? "its formats are unknown" : "Bayer frames of \(formats)"
        return Finding(.cameras, camera.uniqueID, "\(camera.localizedName): \(text)")
    }

    /// Returns a finding if the user may not open some of these device files. `opens` states whether one can be opened
    /// for reading and writing.
    package static func refused(_ paths: [String], opens: (String) -> Bool) -> [Finding] {
        let refused = paths.filter { !opens($0) }
        guard let first = refused.first else { return [] }
        let names = refused.joined(separator: ", ")
        let group = group(of: first)
        return [
            Finding(
                .cameras, first, "this user may not open \(names)", .missing,
                advice: group.map { "run sudo usermod -aG \($0) $USER, then log in again" }
                    ?? "let the user read and write the file")
        ]
    }

    /// Returns the group that may open a device file; nil if that is only the superuser's.
    private static func group(of path: String) -> String? {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & 0o060 == 0o060, status.st_gid != 0,
            let entry = unsafe getgrgid(status.st_gid), let name = unsafe entry.pointee.gr_name
        else { return nil }
        return unsafe String(cString: name)
    }

    /// Returns findings for elements that open these device files and are not installed.
    package static func missingElements(for nodes: [String], isInstalled: (String) -> Bool) -> [Finding] {
        [("video", "v4l2src", "cameras of V4L2"), ("media", "libcamerasrc", "cameras of libcamera")]
            .filter { name, factory, _ in nodes.contains { $0.hasPrefix(name) } && !isInstalled(factory) }
            .map { name, factory, use in ElementFindings.missing(factory, "\(use), such as those of /dev/\(name)*") }
    }

    /// Returns the names of the files of cameras in a folder of device files, sorted.
    package static func nodes(in folder: String) -> [String] {
        let names = (FolderListing.names(in: folder) ?? []).filter { name in
            ["video", "media"].contains { name.hasPrefix($0) && Int(name.dropFirst($0.count)) != nil }
        }
        return names.sorted { ($0.count, $0) < ($1.count, $1) }
    }
}
