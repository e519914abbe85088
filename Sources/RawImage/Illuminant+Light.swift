extension Illuminant {
    /// The correlated colour temperature in kelvin; nil for an unknown light source.
    package var temperature: Double? {
        switch rawValue {
        case 1, 4, 9, 18, 20: 5503  // daylight, flash, fine weather, standard B, D55
        case 2, 14: 4150  // fluorescent, cool white fluorescent
        case 3, 17: 2856  // tungsten, standard A
        case 10, 19, 21: 6504  // cloudy, standard C, D65
        case 11, 22: 7504  // shade, D75
        case 12: 6400  // daylight fluorescent
        case 13: 5050  // day white fluorescent
        case 15: 3525  // white fluorescent
        case 16: 2925  // warm white fluorescent
        case 23: 5003  // D50
        case 24: 3200  // studio tungsten
        default: nil
        }
    }

    /// The CIE 1931 chromaticity; nil for an unknown light source.
    package var chromaticity: Chromaticity? {
        switch rawValue {
        case 1, 4, 9, 20: Chromaticity(x: 0.3324, y: 0.3474)  // daylight, flash, fine weather, D55
        case 2: Chromaticity(x: 0.37208, y: 0.37529)  // fluorescent: CIE's F2
        case 3, 17: Chromaticity(x: 0.4476, y: 0.4074)  // tungsten, standard A
        case 10, 21: .d65  // cloudy, D65
        case 11, 22: Chromaticity(x: 0.2990, y: 0.3149)  // shade, D75
        case 12: Chromaticity(x: 0.31310, y: 0.33727)  // daylight fluorescent: F1
        case 13: Chromaticity(x: 0.34588, y: 0.35875)  // day white fluorescent: F8
        case 14: Chromaticity(x: 0.37417, y: 0.37281)  // cool white fluorescent: F9
        case 15: Chromaticity(x: 0.40910, y: 0.39430)  // white fluorescent: F3
        case 16: Chromaticity(x: 0.44018, y: 0.40329)  // warm white fluorescent: F4
        case 18: Chromaticity(x: 0.348483, y: 0.351747)  // standard B
        case 19: Chromaticity(x: 0.310061, y: 0.316150)  // standard C
        case 23: .d50
        case 24: Chromaticity(temperature: 3200, tint: 0)  // studio tungsten
        default: nil
        }
    }
}
