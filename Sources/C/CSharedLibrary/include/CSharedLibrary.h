#pragma once
#include <stddef.h>

/// Loads a library, which then stays loaded, and fills `functions`, a struct of function pointers only, with its
/// functions of these names, in their order. Returns NULL, or the reason for the failure.
const char *gscap_load(const char *library, const char *const *names, void *functions, size_t size);
