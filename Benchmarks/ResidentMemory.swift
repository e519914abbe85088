internal import Glibc

/// The memory of this process.
enum ResidentMemory {
    /// The resident memory in mebibytes; 0 if it cannot be read.
    static var mebibytes: Double {
        guard let file = unsafe fopen("/proc/self/statm", "r") else { return 0 }
        defer { unsafe fclose(file) }
        var text = [UInt8](repeating: 0, count: 256)
        let count = unsafe fread(&text, 1, text.count, file)
        // The second number is that of the resident pages.
        let fields = String(decoding: text.prefix(count), as: UTF8.self).split(separator: " ")
        guard fields.count > 1, let pages = Double(fields[1]) else { return 0 }
        return pages * Double(sysconf(Int32(_SC_PAGESIZE))) / 1_048_576
    }
}

extension ResidentMemory {
    /// The number of this process's open file descriptors; 0 if it cannot be read.
    static var descriptors: Int {
        guard let folder = unsafe opendir("/proc/self/fd") else { return 0 }
        defer { unsafe closedir(folder) }
        var count = 0
        while unsafe readdir(folder) != nil { count += 1 }
        // Without ".", ".." and the descriptor of the folder itself.
        return count - 3
    }
}
