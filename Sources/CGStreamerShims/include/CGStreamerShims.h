#pragma once
#include "Values.h"
