#include <CSharedLibrary.h>

#include "CLensfun.h"

const char *gscap_load_lensfun(const char *library, LensfunFunctions *functions) {
#define NAME(name) "lf_" #name,
    static const char *const names[] = {LENSFUN_FUNCTIONS(NAME)};
#undef NAME
    return gscap_load(library, names, functions, sizeof *functions);
}
