package io.volume4j.inmemory.sim;

/** What a process asked of the cluster so far: how often it wrote, how many objects listings gave it, and how many events it heard. */
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

    /** Writes that the cluster took. */
    long writes() {
        return writes;
    }

    /** Objects in the answers to listings. */
    long listed() {
        return listed;
    }

    /** Events of watches. */
    long events() {
        return events;
    }
}
