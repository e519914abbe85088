// What glibc tells of its heap, which the Glibc module leaves out.
#pragma once
#include <malloc.h>
