// SwiftPM requires a source file in every C target; the version itself is in the header.
#include "CGscapVersion.h"
