package io.volume4j.examples.etcd;

import java.util.concurrent.CompletableFuture;

/** One life of a node's agent, from its start until it is closed. Called by one thread. */
public interface NodeLife {
    /** Begins to mount what pods want. */
    void start();

    /**
     * Stops the users of the volumes that controllers attached, and unmounts these; completes when none of them is, or may be, mounted.
     * Called again after a try that failed, or that completed with false, until one succeeds; never while one is under way. Must not need
     * etcd.
     */
    CompletableFuture<Boolean> fence();

    /** Stops reconciling; mounts stay as they are. Idempotent. */
    void close();
}
