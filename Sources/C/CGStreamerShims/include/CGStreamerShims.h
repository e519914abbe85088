#pragma once
#include "Devices.h"
#include "Values.h"
#include "Memory.h"
#include "Metadata.h"
#include "Subclassing.h"
