#pragma once
#include <stddef.h>

/// Loads a library, which then stays, and fills `functions`, a struct of nothing but pointers, with its functions of these
/// names, in their order. Gives NULL, or what is wrong.
const char *gscap_load(const char *library, const char *const *names, void *functions, size_t size);
