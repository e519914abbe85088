#pragma once
#include "Values.h"
#include "Logging.h"
#include "Memory.h"
#include "Subclassing.h"
