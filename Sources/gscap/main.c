// The command `gscap`. Its code is in the library of the GStreamer plugin, so that both share one copy on disk and in
// memory. The library is beside this program in a build folder, and where its run path leads when it is installed.
#include <dlfcn.h>
#include <stdio.h>

int main(void) {
    void *library = dlopen("libgstgscap.so", RTLD_NOW);
    int (*run)(void) = library == NULL ? NULL : (int (*)(void))dlsym(library, "gscap_run_command");
    if (run == NULL) {
        fprintf(stderr, "gscap: the command's library cannot be loaded (%s); install gscap again\n", dlerror());
        return 69; // EX_UNAVAILABLE
    }
    return run();
}
