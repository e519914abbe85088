/* missing.c: prints the error of a system without the plugin, and checks that opening has failed. */
#include <gscap.h>
#include <stdio.h>

int main(void) {
    GscapCamera *camera = NULL;
    GscapStatus status = gscap_open("gscapsensorsrc", NULL, &camera);
    printf("%s: %s\n", gscap_status_name(status), gscap_last_error());
    return status == GSCAP_ERROR_PLUGIN && !camera ? 0 : 1;
}
