#include "CGStreamerShims.h"
