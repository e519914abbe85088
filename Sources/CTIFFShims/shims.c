#include "CTIFFShims.h"
