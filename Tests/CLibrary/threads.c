/* threads.c: callbacks, presses from eight threads, and closing while captures are under way. */
#include "check.h"

#include <sys/resource.h>

/* The events of captures, as a callback has received them. */
typedef struct {
    GMutex lock;
    GCond changed;
    int begun, photos, done, destroyed, wrong;
    GscapPhoto *photo;
} Record;

static void receive(GscapCamera *camera, const GscapEvent *event, void *data) {
    Record *record = data;
    GscapResult *result = NULL;
    GscapPhoto *photo = NULL;
    int is_done = strcmp(event->event, GSCAP_EVENT_DONE) == 0, is_photo = strcmp(event->event, GSCAP_EVENT_PHOTO) == 0;
    /* What would wait is refused in a callback. */
    int wrong = gscap_close(camera) != GSCAP_ERROR_IN_CALLBACK
                || gscap_wait(camera, event->ticket, 0, &result) != GSCAP_ERROR_IN_CALLBACK
                || gscap_take_photo(camera, NULL, 0, &photo) != GSCAP_ERROR_IN_CALLBACK
                || (event->photo != NULL) != is_photo || (event->result != NULL) != is_done || !event->fields
                || event->ticket == 0 || event->struct_size != sizeof *event;
    g_mutex_lock(&record->lock);
    record->wrong += wrong;
    record->begun += strcmp(event->event, GSCAP_EVENT_BEGUN) == 0;
    record->photos += is_photo;
    record->done += is_done;
    if (is_photo && !record->photo) record->photo = gscap_photo_ref(event->photo);
    g_cond_broadcast(&record->changed);
    g_mutex_unlock(&record->lock);
}

static void destroyed(void *data) {
    Record *record = data;
    g_mutex_lock(&record->lock);
    record->destroyed++;
    g_cond_broadcast(&record->changed);
    g_mutex_unlock(&record->lock);
}

/* Waits until one of the counts of a record is reached. */
static void await_count(Record *record, const int *counter, int count) {
    gint64 limit = g_get_monotonic_time() + (gint64)(LIMIT * 1e6);
    g_mutex_lock(&record->lock);
    while (*counter < count) CHECK(g_cond_wait_until(&record->changed, &record->lock, limit));
    g_mutex_unlock(&record->lock);
}

void test_callbacks(void) {
    GscapCamera *camera = NULL;
    GscapOptions options = GSCAP_OPTIONS_INIT;
    Record record = {0}, other = {0};
    uint64_t ticket = 0;
    size_t size = 0;
    options.kept_results = 0;
    EXPECT(GSCAP_OK, gscap_open(CAMERA, &options, &camera));
    EXPECT(GSCAP_OK, gscap_set_callback(camera, receive, &record, destroyed));
    for (int i = 0; i < 3; i++) EXPECT(GSCAP_OK, gscap_capture_text(camera, "capture, frames=(int)1", &ticket));
    await_count(&record, &record.done, 3);
    GscapResult *result = NULL;
    EXPECT(GSCAP_ERROR_TICKET, gscap_wait(camera, ticket, 0, &result));
    EXPECT(GSCAP_ERROR_REFUSED, gscap_capture_text(camera, "capture, iso=(double)-5", &ticket));
    await_count(&record, &record.done, 4);
    EXPECT(GSCAP_OK, gscap_set_callback(camera, receive, &other, destroyed));
    await_count(&record, &record.destroyed, 1);
    CHECK(record.begun == 3 && record.photos == 3 && record.done == 4 && record.wrong == 0 && record.destroyed == 1);
    EXPECT(GSCAP_OK, gscap_close(camera));
    CHECK(other.destroyed == 1 && other.done == 0);
    CHECK(gscap_photo_get_bytes(record.photo, &size) && size > 100);
    gscap_photo_unref(record.photo);
}

#define THREADS 8
#define PRESSES 5

static gpointer press(gpointer data) {
    GscapCamera *camera = data;
    int photos = 0;
    for (int i = 0; i < PRESSES; i++) {
        GscapRequest request = GSCAP_REQUEST_INIT;
        GscapPhoto *photo = NULL;
        request.frames = 1;
        GscapStatus status = gscap_take_photo(camera, &request, LIMIT, &photo);
        size_t size = 0;
        photos += !status && gscap_photo_get_bytes(photo, &size) && size > 100;
        if (status) fprintf(stderr, "press: %s\n", gscap_last_error());
        gscap_photo_unref(photo);
    }
    return GINT_TO_POINTER(photos);
}

/* Returns the number of threads that compute photos: they have the nice value 10. */
static int photo_threads(void) {
    GDir *tasks = g_dir_open("/proc/self/task", 0, NULL);
    const char *task;
    int count = 0;
    CHECK(tasks);
    while ((task = g_dir_read_name(tasks))) count += getpriority(PRIO_PROCESS, (id_t)atoi(task)) == 10;
    g_dir_close(tasks);
    return count;
}

void test_threads(void) {
    GscapCamera *camera = NULL;
    GThread *threads[THREADS];
    int photos = 0;
    EXPECT(GSCAP_OK, gscap_open(CAMERA, NULL, &camera));
    for (int i = 0; i < THREADS; i++) threads[i] = g_thread_new("press", press, camera);
    for (int i = 0; i < THREADS; i++) photos += GPOINTER_TO_INT(g_thread_join(threads[i]));
    CHECK(photos == THREADS * PRESSES);
    EXPECT(GSCAP_OK, gscap_close(camera));
    if (getpriority(PRIO_PROCESS, 0) < 10) CHECK(photo_threads() == 0);
    else printf("skip the count of threads after close: all have a nice value of 10 or more\n");
}

/* A thread that waits for a capture, and how the wait ended. */
typedef struct {
    GscapCamera *camera;
    uint64_t ticket;
    GscapStatus status;
    GscapOutcome outcome;
} Waiter;

static gpointer wait_for(gpointer data) {
    Waiter *waiter = data;
    GscapResult *result = NULL;
    waiter->status = gscap_wait(waiter->camera, waiter->ticket, LIMIT, &result);
    waiter->outcome = gscap_result_get_outcome(result);
    gscap_result_unref(result);
    return NULL;
}

/* A capture that waits for an exposure that the camera reaches late, so that it is under way when it is ended. */
#define LONG_CAPTURE "capture, frames=(int)64, zero-shutter-lag=(boolean)false"

static void check_cancelling(void) {
    GscapCamera *camera = NULL;
    GscapResult *result = NULL;
    uint64_t ticket = 0;
    EXPECT(GSCAP_OK, gscap_open(CAMERA, NULL, &camera));
    EXPECT(GSCAP_OK, gscap_capture_text(camera, LONG_CAPTURE, &ticket));
    EXPECT(GSCAP_ERROR_TIME, gscap_wait(camera, ticket, 0, &result));
    EXPECT(GSCAP_OK, gscap_cancel(camera, ticket));
    EXPECT(GSCAP_OK, gscap_wait(camera, ticket, LIMIT, &result));
    CHECK(gscap_result_get_outcome(result) == GSCAP_CANCELLED && *gscap_result_get_reason(result));
    gscap_result_unref(result);
    EXPECT(GSCAP_ERROR_TICKET, gscap_cancel(camera, ticket));
    EXPECT(GSCAP_OK, gscap_close(camera));
}

void test_closing(void) {
    check_cancelling();
    Record record = {0};
    Waiter waiter = {0};
    EXPECT(GSCAP_OK, gscap_open(CAMERA, NULL, &waiter.camera));
    EXPECT(GSCAP_OK, gscap_set_callback(waiter.camera, receive, &record, destroyed));
    EXPECT(GSCAP_OK, gscap_capture_text(waiter.camera, LONG_CAPTURE, &waiter.ticket));
    GThread *thread = g_thread_new("wait", wait_for, &waiter);
    uint64_t other = 0;
    for (int i = 0; i < 3; i++) EXPECT(GSCAP_OK, gscap_capture_text(waiter.camera, LONG_CAPTURE, &other));
    EXPECT(GSCAP_OK, gscap_close(waiter.camera));
    g_thread_join(thread);
    /* The waiting thread may begin to wait after the end, when the handle is invalid. */
    CHECK(waiter.status == GSCAP_ERROR_ARGUMENT || (!waiter.status && waiter.outcome == GSCAP_CANCELLED));
    CHECK(record.done == 4 && record.destroyed == 1 && record.wrong == 0);
    gscap_photo_unref(record.photo);
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_capture(waiter.camera, NULL, &other));
}
