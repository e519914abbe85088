#include <CSharedLibrary.h>

#include "CAVIF.h"

const char *gscap_load_avif(const char *library, AVIFFunctions *functions) {
#define NAME(name) "avif" #name,
    static const char *const names[] = {AVIF_FUNCTIONS(NAME)};
#undef NAME
    return gscap_load(library, names, functions, sizeof *functions);
}
