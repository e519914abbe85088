/* photo.c: takes a photo with the installed library, stores it in the named file, and prints its receipt. */
#include <gscap.h>
#include <signal.h>
#include <stdio.h>

int main(int count, char **arguments) {
    struct sigaction before[65], after;
    for (int i = 1; i < 32; i++) sigaction(i, NULL, &before[i]);
    GscapCamera *camera = NULL;
    GscapPhoto *photo = NULL;
    GscapStatus status = gscap_open("gscapsensorsrc is-live=true ! video/x-bayer,width=640,height=480", NULL, &camera);
    if (!status) status = gscap_take_photo(camera, NULL, 30, &photo);
    if (status) {
        fprintf(stderr, "%s\n", gscap_last_error());
        return 1;
    }
    size_t size = 0;
    const void *bytes = gscap_photo_get_bytes(photo, &size);
    FILE *file = fopen(count > 1 ? arguments[1] : "photo.jpg", "wb");
    int is_stored = file && fwrite(bytes, 1, size, file) == size;
    if (file && fclose(file)) is_stored = 0;
    printf("%s\n", gscap_photo_get_receipt_json(photo));
    gscap_photo_unref(photo);
    status = gscap_close(camera);
    /* The installed Swift runtime handles no signals either. */
    for (int i = 1; i < 32; i++)
        if (sigaction(i, NULL, &after) == 0 && after.sa_handler != before[i].sa_handler) {
            fprintf(stderr, "the handler of signal %d has changed\n", i);
            return 1;
        }
    return status || !is_stored;
}
