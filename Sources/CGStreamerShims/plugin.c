#include "CGStreamerShims.h"
#define PACKAGE "gscap"
extern gboolean gstgscap_init(GstPlugin *plugin);
