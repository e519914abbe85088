#include <CSharedLibrary.h>

#include "CLibRaw.h"

const char *gscap_load_libraw(const char *library, LibRawFunctions *functions) {
#define NAME(result, name, arguments) "libraw_" #name,
    static const char *const names[] = {LIBRAW_FUNCTIONS(NAME)};
#undef NAME
    return gscap_load(library, names, functions, sizeof *functions);
}
