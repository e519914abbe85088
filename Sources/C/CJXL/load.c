#include <CSharedLibrary.h>

#include "CJXL.h"

const char *gscap_load_jxl(const char *library, JXLFunctions *functions) {
#define NAME(name) "Jxl" #name,
    static const char *const names[] = {JXL_FUNCTIONS(NAME)};
#undef NAME
    return gscap_load(library, names, functions, sizeof *functions);
}
