// SwiftPM builds a C target only if it has a source file.
#include "CGStreamerShims.h"
