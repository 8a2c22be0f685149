package io.volume4j.examples.etcd;

import java.util.concurrent.CompletableFuture;

/** One life of a node's agent, from its start to its close. Called by one thread. */
public interface NodeLife {
    /** Begins to mount the volumes that pods want. */
    void start();

    /**
     * Stops the users of the volumes that controllers attached, and unmounts these volumes. Completes with true when none of them is, or
     * may be, mounted. The caller calls this again after a failure or false, until one call succeeds, but never while a call is in
     * progress. Must not need etcd.
     */
    CompletableFuture<Boolean> fence();

    /** Stops reconciling; mounts stay as they are. Idempotent. */
    void close();
}
