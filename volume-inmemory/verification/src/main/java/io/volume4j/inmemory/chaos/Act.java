package io.volume4j.inmemory.chaos;

/**
 * One thing that happens to a world. What {@code a}, {@code b} and {@code c} choose depends on the kind; any number is
 * valid, so that leaving other acts out makes no act invalid.
 */
record Act(Kind kind, int a, int b, int c) {
    enum Kind {
        /** Lets up to {@code a} tasks run. */
        RUN,
        /** Lets {@code a} milliseconds pass. */
        PASS,
        /** Pod {@code a} comes to node {@code b} with the claims of mask {@code c}. */
        ADD_POD,
        REMOVE_POD,
        /** Pod {@code a} ends by itself. */
        FINISH_POD,
        CRASH,
        REBOOT,
        /** Node {@code a} is switched off, and an authority or a person can prove it: an authority, or for odd {@code b} a person. */
        POWER_OFF,
        POWER_ON,
        PARTITION,
        JOIN,
        BREAK_WATCHES,
        STEP_CLOCK,
        LEADER,
        /** All kinds of {@code a} become unlistable for a while. */
        INCOMPLETE,
        COMPLETE,
        ADD_CLAIM,
        REMOVE_CLAIM,
        ADD_VOLUME,
        REMOVE_VOLUME,
        /** Claim {@code a}'s volume has become larger, and the node is to follow. */
        GROW,
        /** The content of claim {@code a}'s volume is to be set up again on node {@code b}. */
        CONTENT,
        /** Node {@code a} is cut off from the cluster and from its storage, and an authority or a person can prove it. */
        FENCE,
        PLUGIN_GOES,
        PLUGIN_COMES,
        FULL_DISK,
        /** A user has written to the disk of claim {@code a}'s volume before it was used, where volumes are disks. */
        FOREIGN_DATA,
        /** Reads of the disk of claim {@code a}'s volume fail, or for odd {@code b} work again. */
        UNREADABLE,
        BROKEN_DISK
    }

    @Override
    public String toString() {
        return kind + "(" + a + ", " + b + ", " + c + ")";
    }
}
