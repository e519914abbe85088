internal import Glibc

/// A date and time of day in the camera's time zone, with the offset from UTC, as Exif stores it.
package struct CivilTime: Equatable {
    package var year: Int
    package var month: Int
    package var day: Int
    package var hour: Int
    package var minute: Int
    package var second: Int
    package var microsecond: Int
    /// Seconds east of UTC; nil if the time zone is unknown.
    package var utcOffset: Int?

    /// Creates the local time of the moment `microseconds` after 1970-01-01 00:00 UTC, in a time zone `utcOffset`
    /// seconds east of UTC; nil unless the year is 1…9999. With `utcOffset` nil `microseconds` is civil time in a zone
    /// that is unknown.
    package init?(microseconds: Int64, utcOffset: Int?) {
        // Limits of about 10,000 years before and after 1970 cover all four-digit years and exclude integer overflow in
        // the conversion.
        guard (-86_399...86_399).contains(utcOffset ?? 0),
            (-316_000_000_000_000_000...316_000_000_000_000_000).contains(microseconds)
        else { return nil }
        let (days, inDay) = Self.floorDivide(Int(microseconds) + (utcOffset ?? 0) * 1_000_000, 86_400_000_000)
        let secondOfDay = inDay / 1_000_000
        (year, month, day) = Self.date(daysSinceEpoch: days)
        (hour, minute, second) = (secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60)
        microsecond = inDay % 1_000_000
        self.utcOffset = utcOffset
        guard (1...9999).contains(year) else { return nil }
    }

    /// Parses Exif's DateTime, SubSecTime and OffsetTime; nil when DateTime is malformed or out of range.
    package init?(exif text: String, subSeconds: String?, offset: String?) {
        let numbers = text.utf8.split { $0 == 0x3A || $0 == 0x20 }.map { Int(String(decoding: $0, as: UTF8.self)) }
        let parts = numbers.compactMap(\.self)
        guard numbers.count == 6, parts.count == 6 else { return nil }
        let ranges = [1...9999, 1...12, 1...31, 0...23, 0...59, 0...60]
        guard zip(ranges, parts).allSatisfy({ $0.contains($1) }) else { return nil }
        (year, month, day, hour, minute, second) = (parts[0], parts[1], parts[2], parts[3], parts[4], parts[5])
        let digits =
            (subSeconds ?? "").utf8.prefix { (0x30...0x39).contains($0) } + [0x30, 0x30, 0x30, 0x30, 0x30, 0x30]
        microsecond = digits.prefix(6).reduce(0) { $0 * 10 + Int($1) - 0x30 }
        utcOffset = Self.seconds(offset: offset ?? "")
    }

    /// Returns the offset of this machine's time zone from UTC, in seconds east, `microseconds` after 1970-01-01 00:00
    /// UTC.
    package static func localOffset(microseconds: Int64) -> Int {
        var seconds = time_t(microseconds / 1_000_000)
        var parts = unsafe tm()
        return unsafe localtime_r(&seconds, &parts) == nil ? 0 : Int(unsafe parts.tm_gmtoff)
    }

    /// Microseconds since 1970-01-01 00:00 UTC; without a time zone since 1970-01-01 00:00 in the unknown one.
    package var microseconds: Int64 {
        let days = Self.days(year: year, month: month, day: day)
        let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second - (utcOffset ?? 0)
        return Int64(seconds) * 1_000_000 + Int64(microsecond)
    }

    /// Exif's DateTime: `2026:01:31 12:00:00`.
    package var exif: String { "\(digits(year, 4)):\(digits(month, 2)):\(digits(day, 2)) \(timeOfDay)" }

    /// ISO 8601 without fractional seconds: `2026-01-31T12:00:00+01:00`; without the offset if that is unknown.
    package var iso8601: String { "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))T\(timeOfDay)\(offset)" }

    /// Exif's OffsetTime: `+01:00`; empty if the time zone is unknown.
    package var offset: String {
        guard let utcOffset else { return "" }
        let minutes = abs(utcOffset) / 60
        return (utcOffset < 0 ? "-" : "+") + digits(minutes / 60, 2) + ":" + digits(minutes % 60, 2)
    }

    /// Exif's SubSecTime: the microseconds as six digits.
    package var subSeconds: String { digits(microsecond, 6) }

    private var timeOfDay: String { "\(digits(hour, 2)):\(digits(minute, 2)):\(digits(second, 2))" }

    private func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }

    private static func seconds(offset: String) -> Int? {
        guard let sign = offset.utf8.first, sign == 0x2B || sign == 0x2D else { return offset == "Z" ? 0 : nil }
        let parts = offset.utf8.dropFirst().split(separator: 0x3A).map { Int(String(decoding: $0, as: UTF8.self)) }
        guard parts.count == 2, let hours = parts[0], let minutes = parts[1] else { return nil }
        guard (0...23).contains(hours), (0...59).contains(minutes) else { return nil }
        let east = (hours * 60 + minutes) * 60
        return sign == 0x2D ? -east : east
    }

    // Calendar arithmetic on the Gregorian calendar's 400-year cycle of 146,097 days. Years start in March in it, so
    // that the leap day is the last day of the year.

    private static func date(daysSinceEpoch: Int) -> (Int, Int, Int) {
        let (era, dayOfEra) = floorDivide(daysSinceEpoch + 719_468, 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
    }

    private static func days(year: Int, month: Int, day: Int) -> Int {
        let (era, yearOfEra) = floorDivide(month <= 2 ? year - 1 : year, 400)
        let marchMonth = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func floorDivide(_ value: Int, _ divisor: Int) -> (quotient: Int, remainder: Int) {
        let remainder = ((value % divisor) + divisor) % divisor
        return ((value - remainder) / divisor, remainder)
    }
}
