package io.volume4j.inmemory.sim;

/** The load of a process on the cluster so far: its writes, the objects in its lists, and its events. */
final class ClusterLoad {
    private long writes;
    private long listed;
    private long events;

    void wrote() {
        writes++;
    }

    void listed(int objects) {
        listed += objects;
    }

    void heard() {
        events++;
    }

    /** Successful writes. */
    long writes() {
        return writes;
    }

    /** Objects in the answers to lists. */
    long listed() {
        return listed;
    }

    /** Events of watches. */
    long events() {
        return events;
    }
}
