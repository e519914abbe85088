#pragma once
#include "Values.h"
#include "Subclassing.h"
