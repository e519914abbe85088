#include "CVideo4Linux.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

// The graph may change between the calls that ask for its size and for its parts.
enum { MOST_ATTEMPTS = 8 };

static void *array(uint32_t count, size_t size) {
    return calloc(count ? count : 1, size);
}

// Copies the kernel's description. A device file belongs to an interface, which a link connects to its entity.
static void convert(const struct media_v2_topology *from, GscapMediaGraph *to) {
    const struct media_v2_entity *entities = (const void *)(uintptr_t)from->ptr_entities;
    const struct media_v2_interface *interfaces = (const void *)(uintptr_t)from->ptr_interfaces;
    const struct media_v2_pad *pads = (const void *)(uintptr_t)from->ptr_pads;
    const struct media_v2_link *links = (const void *)(uintptr_t)from->ptr_links;
    for (uint32_t i = 0; i < from->num_entities; i++) {
        GscapMediaEntity *entity = &to->entities[i];
        *entity = (GscapMediaEntity){ .id = entities[i].id, .function = entities[i].function,
                                      .flags = entities[i].flags };
        memcpy(entity->name, entities[i].name, sizeof entity->name);
        entity->name[sizeof entity->name - 1] = 0;
    }
    for (uint32_t i = 0; i < from->num_pads; i++)
        to->pads[i] = (GscapMediaPad){ pads[i].id, pads[i].entity_id, pads[i].flags, pads[i].index };
    uint32_t kept = 0;
    for (uint32_t i = 0; i < from->num_links; i++) {
        if ((links[i].flags & MEDIA_LNK_FL_LINK_TYPE) != MEDIA_LNK_FL_INTERFACE_LINK) {
            to->links[kept++] = (GscapMediaLink){ links[i].source_id, links[i].sink_id, links[i].flags };
            continue;
        }
        for (uint32_t j = 0; j < from->num_interfaces; j++) {
            if (interfaces[j].id != links[i].source_id)
                continue;
            for (uint32_t k = 0; k < from->num_entities; k++) {
                if (to->entities[k].id != links[i].sink_id)
                    continue;
                to->entities[k].major = interfaces[j].devnode.major;
                to->entities[k].minor = interfaces[j].devnode.minor;
            }
        }
    }
    to->entity_count = from->num_entities;
    to->pad_count = from->num_pads;
    to->link_count = kept;
}

int gscap_media_read(int device, GscapMediaGraph *graph) {
    memset(graph, 0, sizeof *graph);
    int error = ENOSPC;
    for (int attempt = 0; attempt < MOST_ATTEMPTS && error == ENOSPC; attempt++) {
        struct media_v2_topology topology = { 0 };
        if ((error = gscap_video_call(device, MEDIA_IOC_G_TOPOLOGY, &topology)) != 0)
            break;
        void *entities = array(topology.num_entities, sizeof(struct media_v2_entity));
        void *interfaces = array(topology.num_interfaces, sizeof(struct media_v2_interface));
        void *pads = array(topology.num_pads, sizeof(struct media_v2_pad));
        void *links = array(topology.num_links, sizeof(struct media_v2_link));
        graph->entities = array(topology.num_entities, sizeof(GscapMediaEntity));
        graph->pads = array(topology.num_pads, sizeof(GscapMediaPad));
        graph->links = array(topology.num_links, sizeof(GscapMediaLink));
        error = ENOMEM;
        if (entities && interfaces && pads && links && graph->entities && graph->pads && graph->links) {
            topology.ptr_entities = (uintptr_t)entities;
            topology.ptr_interfaces = (uintptr_t)interfaces;
            topology.ptr_pads = (uintptr_t)pads;
            topology.ptr_links = (uintptr_t)links;
            error = gscap_video_call(device, MEDIA_IOC_G_TOPOLOGY, &topology);
            if (error == 0)
                convert(&topology, graph);
        }
        free(entities);
        free(interfaces);
        free(pads);
        free(links);
        if (error != 0)
            gscap_media_free(graph);
    }
    return error;
}

void gscap_media_free(GscapMediaGraph *graph) {
    free(graph->entities);
    free(graph->pads);
    free(graph->links);
    memset(graph, 0, sizeof *graph);
}

int gscap_media_set_link(int device, uint32_t source_entity, uint16_t source_index, uint32_t sink_entity,
                         uint16_t sink_index, int is_enabled) {
    struct media_link_desc link = {
        .source = { .entity = source_entity, .index = source_index, .flags = MEDIA_PAD_FL_SOURCE },
        .sink = { .entity = sink_entity, .index = sink_index, .flags = MEDIA_PAD_FL_SINK },
        .flags = is_enabled ? MEDIA_LNK_FL_ENABLED : 0,
    };
    return gscap_video_call(device, MEDIA_IOC_SETUP_LINK, &link);
}
