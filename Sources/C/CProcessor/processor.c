#include "CProcessor.h"
