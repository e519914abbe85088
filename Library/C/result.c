/* result.c: the results of captures. */
#include "gscap-private.h"

struct GscapResult {
    GscapHandle handle;
    guint64 ticket;
    GscapOutcome outcome;
    char *reason;
    double retry_after;
    GPtrArray *photos;
};

GscapResult *gscap_result_new(guint64 ticket) {
    GscapResult *result = g_new0(GscapResult, 1);
    result->handle.references = 1;
    result->ticket = ticket;
    result->outcome = GSCAP_FAILED;
    result->reason = g_strdup("");
    result->retry_after = -1;
    result->photos = g_ptr_array_new_with_free_func((GDestroyNotify)gscap_photo_unref);
    gscap_handle_add(result, GSCAP_HANDLE_RESULT);
    return result;
}

void gscap_result_add(GscapResult *result, GscapPhoto *photo) {
    g_ptr_array_add(result->photos, gscap_photo_ref(photo));
}

void gscap_result_finish(GscapResult *result, GscapOutcome outcome, const char *reason, double retry_after) {
    g_free(result->reason);
    result->outcome = outcome;
    result->reason = g_strdup(reason ? reason : "");
    result->retry_after = retry_after;
}

double gscap_result_retry_after(const GscapResult *result) { return result->retry_after; }

GscapOutcome gscap_outcome_named(const char *name) {
    if (g_strcmp0(name, GSCAP_RESULT_SUCCEEDED) == 0) return GSCAP_SUCCEEDED;
    if (g_strcmp0(name, GSCAP_RESULT_PARTIAL) == 0) return GSCAP_PARTIAL;
    if (g_strcmp0(name, GSCAP_RESULT_CANCELLED) == 0) return GSCAP_CANCELLED;
    return GSCAP_FAILED;
}

GscapResult *gscap_result_ref(GscapResult *result) { return gscap_handle_ref(result, GSCAP_HANDLE_RESULT); }

void gscap_result_unref(GscapResult *result) {
    if (!gscap_handle_unref(result, GSCAP_HANDLE_RESULT)) return;
    g_ptr_array_unref(result->photos);
    g_free(result->reason);
    g_free(result);
}

/* Begins a function on a result: returns it with a reference, or NULL with the last error set. */
static GscapResult *enter(GscapResult *result) {
    GscapResult *valid = gscap_result_ref(result);
    if (valid) gscap_succeed();
    else gscap_fail(GSCAP_ERROR_ARGUMENT, "this is not a result: it is NULL or was released");
    return valid;
}

uint64_t gscap_result_get_ticket(GscapResult *result) {
    if (!enter(result)) return 0;
    uint64_t ticket = result->ticket;
    gscap_result_unref(result);
    return ticket;
}

GscapOutcome gscap_result_get_outcome(GscapResult *result) {
    if (!enter(result)) return GSCAP_FAILED;
    GscapOutcome outcome = result->outcome;
    gscap_result_unref(result);
    return outcome;
}

const char *gscap_result_get_reason(GscapResult *result) {
    if (!enter(result)) return NULL;
    const char *reason = result->reason;
    gscap_result_unref(result);
    return reason;
}

size_t gscap_result_get_photo_count(GscapResult *result) {
    if (!enter(result)) return 0;
    size_t count = result->photos->len;
    gscap_result_unref(result);
    return count;
}

GscapPhoto *gscap_result_get_photo(GscapResult *result, size_t index) {
    if (!enter(result)) return NULL;
    GscapPhoto *photo = index < result->photos->len ? g_ptr_array_index(result->photos, index) : NULL;
    gscap_result_unref(result);
    return photo;
}
