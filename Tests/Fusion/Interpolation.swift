import Glibc

/// Returns a sine of period 1.
func wave(_ turns: Double) -> Double { sin(2 * .pi * turns) }

/// Returns the decimal logarithm; lets tests use it without importing Glibc.
func log10(_ value: Double) -> Double { Glibc.log10(value) }
