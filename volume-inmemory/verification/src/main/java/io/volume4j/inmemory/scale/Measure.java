package io.volume4j.inmemory.scale;

/** What is counted of the work of a world. */
public enum Measure {
    CONTROLLER_VISITS("controller visits"),
    CONTROLLER_STEPS("controller steps"),
    NODE_VISITS("node visits"),
    NODE_STEPS("node steps"),
    /** Writes that the cluster took, of nodes and controllers. */
    WRITES("writes"),
    /** Objects in the answers to listings, of nodes and controllers. */
    LISTED("listed objects"),
    CONTROLLER_EVENTS("controller events"),
    /** Events that watches showed to all nodes together. */
    NODE_EVENTS("node events"),
    /** Bytes that the thread of the world allocated, the simulator's own included. */
    ALLOCATED("allocated bytes"),
    /** Microseconds of processor of that thread. To be looked at, and never asserted. */
    PROCESSOR("processor µs");

    private final String word;

    Measure(String word) {
        this.word = word;
    }

    /** Whether it is the same in each run of one world, or nearly so. */
    public boolean counted() {
        return this != PROCESSOR;
    }

    /** As a person reads it. */
    public String word() {
        return word;
    }
}
