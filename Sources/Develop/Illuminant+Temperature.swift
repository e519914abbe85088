package import RawImage

extension Illuminant {
    /// The correlated colour temperature in kelvin; nil when the number names no known light.
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
}
