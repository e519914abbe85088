/*
 * main.c: runs the tests of libgscap, or those named in the arguments, one after another.
 *
 * The test `handlers` needs the first gst_init() of the process and therefore runs first. GSCAP_CLIB_ROUNDS is the
 * number of openings and closings in the test `repeated`.
 */
#include "check.h"

static const struct {
    const char *name;
    void (*run)(void);
} tests[] = {
    {"handlers", test_handlers}, {"arguments", test_arguments}, {"photo", test_photo},
    {"requests", test_requests}, {"callbacks", test_callbacks}, {"threads", test_threads},
    {"closing", test_closing},   {"attach", test_attach},       {"failures", test_failures},
    {"repeated", test_repeated}, {"process", test_process},
};

static int is_named(const char *name, int count, char **names) {
    for (int i = 1; i < count; i++)
        if (strcmp(names[i], name) == 0) return 1;
    return count < 2;
}

int main(int count, char **names) {
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        if (!is_named(tests[i].name, count, names)) continue;
        gint64 start = g_get_monotonic_time();
        tests[i].run();
        printf("ok   %s %.1f s\n", tests[i].name, (double)(g_get_monotonic_time() - start) / 1e6);
        fflush(stdout);
    }
    if (gst_is_initialized()) gst_deinit(); /* for GStreamer's leaks tracer */
    return 0;
}
