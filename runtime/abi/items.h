/* Strings and elements of sequences as the runtime and its callers exchange them. */
#ifndef IMX_ITEMS_H
#define IMX_ITEMS_H

#include <stdint.h>

/* UTF-8, not ended by 0. */
typedef struct ImxString {
  const char *data;
  int64_t size;
} ImxString;

/* A dense row-major tensor. */
typedef struct ImxItem {
  const void *data;
  const int64_t *shape;
  int32_t rank;
  uint32_t dtype;
} ImxItem;

#endif
