#include "CSharedLibrary.h"

#include <dlfcn.h>
#include <string.h>

const char *gscap_load(const char *library, const char *const *names, void *functions, size_t size) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) return dlerror();
    for (size_t i = 0; i < size / sizeof handle; i++) {
        void *function = dlsym(handle, names[i]);
        if (function == NULL) return dlerror();
        memcpy((char *)functions + i * sizeof function, &function, sizeof function);
    }
    return NULL;
}
