#include <stdlib.h>
#include <string.h>

#include "CPeers.h"
#include "library.h"

// The part of LMDB's interface that is used here (lmdb.h); its header need not be there.
typedef struct MDB_env MDB_env;
typedef struct MDB_txn MDB_txn;
typedef unsigned MDB_dbi;
typedef struct {
    size_t size;
    void *data;
} MDB_val;
typedef struct {
    unsigned page_size, depth;
    size_t branch_pages, leaf_pages, overflow_pages, entries;
} MDB_stat;
enum { mdb_nosubdir = 0x4000, mdb_nosync = 0x10000, mdb_rdonly = 0x20000 };
static int (*env_create)(MDB_env **);
static int (*env_set_mapsize)(MDB_env *, size_t);
static int (*env_open)(MDB_env *, const char *, unsigned, unsigned);
static int (*env_stat)(MDB_env *, MDB_stat *);
static void (*env_close)(MDB_env *);
static int (*txn_begin)(MDB_env *, MDB_txn *, unsigned, MDB_txn **);
static int (*txn_commit)(MDB_txn *);
static void (*txn_abort)(MDB_txn *);
static void (*txn_reset)(MDB_txn *);
static int (*txn_renew)(MDB_txn *);
static int (*dbi_open)(MDB_txn *, const char *, unsigned, MDB_dbi *);
static int (*put)(MDB_txn *, MDB_dbi, MDB_val *, MDB_val *, unsigned);
static int (*get)(MDB_txn *, MDB_dbi, MDB_val *, MDB_val *);
static const char *(*strerror_)(int);
static char *(*version)(int *, int *, int *);

struct lmdb_peer {
    MDB_env *environment;
    MDB_dbi database;
    MDB_txn *view;
};

const char *lmdb_peer_load(void) {
    static void *library;
    if (library) return NULL;
    const char *const names[] = {"liblmdb.so.0", "liblmdb.so", "liblmdb.dylib", NULL};
    void *found = library_open(names);
    if (!found) return "LMDB (liblmdb.so.0) is not installed";
    LOAD(found, env_create, "mdb_");
    LOAD(found, env_set_mapsize, "mdb_");
    LOAD(found, env_open, "mdb_");
    LOAD(found, env_stat, "mdb_");
    LOAD(found, env_close, "mdb_");
    LOAD(found, txn_begin, "mdb_");
    LOAD(found, txn_commit, "mdb_");
    LOAD(found, txn_abort, "mdb_");
    LOAD(found, txn_reset, "mdb_");
    LOAD(found, txn_renew, "mdb_");
    LOAD(found, dbi_open, "mdb_");
    LOAD(found, put, "mdb_");
    LOAD(found, get, "mdb_");
    LOAD(found, version, "mdb_");
    *(void **)&strerror_ = dlsym(found, "mdb_strerror");
    if (!strerror_) return "mdb_strerror is missing from the library";
    library = found;
    return NULL;
}

const char *lmdb_peer_version(void) { return version(NULL, NULL, NULL); }

static const char *failure(int code) { return code == 0 ? NULL : strerror_(code); }

const char *lmdb_peer_open(const char *path, bool synced, lmdb_peer **out) {
    lmdb_peer *peer = calloc(1, sizeof *peer);
    MDB_txn *transaction;
    int code = env_create(&peer->environment);
    if (code == 0) code = env_set_mapsize(peer->environment, (size_t)8 << 30);
    if (code == 0)
        code = env_open(peer->environment, path, mdb_nosubdir | (synced ? 0 : mdb_nosync), 0600);
    if (code == 0) code = txn_begin(peer->environment, NULL, 0, &transaction);
    if (code != 0) return failure(code);
    code = dbi_open(transaction, NULL, 0, &peer->database);
    if (code == 0) code = txn_commit(transaction);
    *out = peer;
    return failure(code);
}

const char *lmdb_peer_append_all(lmdb_peer *peer, const sample *records, size_t count) {
    MDB_txn *transaction;
    int code = txn_begin(peer->environment, NULL, 0, &transaction);
    if (code != 0) return failure(code);
    for (size_t index = 0; index < count && code == 0; index++) {
        const sample *record = &records[index];
        MDB_val key = {sizeof record->id, (void *)record->id};
        MDB_val value = {sizeof *record - sizeof record->id, (void *)record->url};
        code = put(transaction, peer->database, &key, &value, 0);
    }
    if (code == 0) return failure(txn_commit(transaction));
    txn_abort(transaction);
    return failure(code);
}

const char *lmdb_peer_begin_reading(lmdb_peer *peer) {
    return failure(txn_begin(peer->environment, NULL, mdb_rdonly, &peer->view));
}

const char *lmdb_peer_get(lmdb_peer *peer, const uint8_t id[16], bool renewing, sample *out) {
    MDB_val key = {16, (void *)id}, value;
    if (renewing) {
        txn_reset(peer->view);
        int code = txn_renew(peer->view);
        if (code != 0) return failure(code);
    }
    int code = get(peer->view, peer->database, &key, &value);
    if (code != 0) return failure(code);
    memcpy(out->id, id, sizeof out->id);
    memcpy(out->url, value.data, sizeof *out - sizeof out->id);
    return NULL;
}

const char *lmdb_peer_count(lmdb_peer *peer, uint64_t *out) {
    MDB_stat status;
    int code = env_stat(peer->environment, &status);
    *out = status.entries;
    return failure(code);
}

void lmdb_peer_close(lmdb_peer *peer) {
    if (peer->view) txn_abort(peer->view);
    env_close(peer->environment);
    free(peer);
}
