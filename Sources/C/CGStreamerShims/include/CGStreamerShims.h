#pragma once
#include "Values.h"
#include "Logging.h"
#include "Subclassing.h"
