// Loading a library that may not be there.
#ifndef LIBRARY_H
#define LIBRARY_H

#include <dlfcn.h>
#include <stddef.h>

static inline void *library_open(const char *const names[]) {
    for (size_t index = 0; names[index]; index++) {
        void *library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
        if (library) return library;
    }
    return NULL;
}

// Looks up the function that a pointer is named after; leaves with a sentence where it is missing.
#define LOAD(library, name, prefix)                                       \
    do {                                                                  \
        *(void **)&name = dlsym(library, prefix #name);                   \
        if (!name) return prefix #name " is missing from the library";    \
    } while (0)

#endif
