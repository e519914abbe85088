#pragma once

/// The version of gscap, the only one in the sources: Swift imports it as a String, C includes it, Tools/version reads
/// it.
#define GSCAP_VERSION "0.1.0"
