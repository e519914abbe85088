/* error.c: the last error of each thread, and whether the thread is in a callback. */
#include "gscap-private.h"

typedef struct {
    char *message;
    double retry_after;
    int callbacks;
} ThreadState;

static void free_state(gpointer data) {
    ThreadState *state = data;
    g_free(state->message);
    g_free(state);
}

static GPrivate states = G_PRIVATE_INIT(free_state);

static ThreadState *this_thread(void) {
    ThreadState *state = g_private_get(&states);
    if (!state) {
        state = g_new0(ThreadState, 1);
        state->retry_after = -1;
        g_private_set(&states, state);
    }
    return state;
}

static void set_error(char *message, double retry_after) {
    ThreadState *state = this_thread();
    g_free(state->message);
    state->message = message;
    state->retry_after = retry_after;
}

GscapStatus gscap_fail(GscapStatus status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    set_error(g_strdup_vprintf(format, arguments), -1);
    va_end(arguments);
    return status;
}

GscapStatus gscap_fail_refused(double retry_after, const char *reason) {
    set_error(g_strdup(reason), retry_after);
    return GSCAP_ERROR_REFUSED;
}

GscapStatus gscap_succeed(void) {
    set_error(NULL, -1);
    return GSCAP_OK;
}

void gscap_enter_callback(void) { this_thread()->callbacks++; }

void gscap_leave_callback(void) { this_thread()->callbacks--; }

gboolean gscap_is_in_callback(void) { return this_thread()->callbacks > 0; }

GscapStatus gscap_fail_in_callback(const char *function) {
    return gscap_fail(
        GSCAP_ERROR_IN_CALLBACK, "%s waits for threads, so a callback must not call it: call it on another thread",
        function);
}

const char *gscap_last_error(void) {
    const char *message = this_thread()->message;
    return message ? message : "";
}

double gscap_last_retry_after(void) { return this_thread()->retry_after; }

const char *gscap_status_name(GscapStatus status) {
    switch (status) {
    case GSCAP_OK: return "ok";
    case GSCAP_ERROR_ARGUMENT: return "argument";
    case GSCAP_ERROR_PLUGIN: return "plugin";
    case GSCAP_ERROR_PIPELINE: return "pipeline";
    case GSCAP_ERROR_CAMERA: return "camera";
    case GSCAP_ERROR_LINK: return "link";
    case GSCAP_ERROR_REFUSED: return "refused";
    case GSCAP_ERROR_TIME: return "time";
    case GSCAP_ERROR_TICKET: return "ticket";
    case GSCAP_ERROR_CLOSED: return "closed";
    case GSCAP_ERROR_IN_CALLBACK: return "in-callback";
    case GSCAP_ERROR_CAPTURE: return "capture";
    }
    return "unknown";
}

const char *gscap_version(void) { return GSCAP_VERSION; }
