#pragma once

/// The version of gscap, defined here only. Swift imports the macro as a String, C includes it, and Tools/build/version
/// reads it from this file.
#define GSCAP_VERSION "0.3.0"
