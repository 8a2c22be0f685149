package io.volume4j.inmemory.scale;

/** The counted work of a world. */
public enum Measure {
    CONTROLLER_VISITS("controller visits"),
    CONTROLLER_STEPS("controller steps"),
    NODE_VISITS("node visits"),
    NODE_STEPS("node steps"),
    /** Successful writes of nodes and controllers. */
    WRITES("writes"),
    /** Objects in the answers to lists of nodes and controllers. */
    LISTED("listed objects"),
    CONTROLLER_EVENTS("controller events"),
    /** Events of the watches of all nodes together. */
    NODE_EVENTS("node events"),
    /** Bytes that the thread of the world allocated, including those of the simulator. */
    ALLOCATED("allocated bytes"),
    /** Processor time of that thread in microseconds. For information; never asserted. */
    PROCESSOR("processor µs");

    private final String word;

    Measure(String word) {
        this.word = word;
    }

    /** Whether each run of one world has the same value, or nearly so. */
    public boolean counted() {
        return this != PROCESSOR;
    }

    /** The name for readers. */
    public String word() {
        return word;
    }
}
