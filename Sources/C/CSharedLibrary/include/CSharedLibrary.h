#pragma once
#include <stddef.h>

/// Loads a library and stores the addresses of the named functions, in order, in `functions`: a struct of `size` bytes
/// with function pointers only. The library stays loaded. Returns NULL, or the reason for the failure.
const char *gscap_load(const char *library, const char *const *names, void *functions, size_t size);
