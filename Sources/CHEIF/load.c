#include <CSharedLibrary.h>

#include "CHEIF.h"

const char *gscap_load_heif(const char *library, HEIFFunctions *functions) {
#define NAME(name) "heif_" #name,
    static const char *const names[] = {HEIF_FUNCTIONS(NAME)};
#undef NAME
    return gscap_load(library, names, functions, sizeof *functions);
}
