package io.volume4j.inmemory.chaos;

/**
 * One act in a random world. The kind determines the meaning of {@code a}, {@code b} and {@code c}. Any number is valid, so that acts
 * stay valid when others are left out. Each {@link Family} has a table of its kinds.
 */
record Act(Kind kind, int a, int b, int c) {
    enum Kind {
        /** Lets up to {@code a} tasks run. */
        RUN,
        /** Lets {@code a} milliseconds pass. */
        PASS,

        /** Process {@code a} dies and starts again. */
        CRASH,
        PARTITION,
        JOIN,
        BREAK_WATCHES,
        STEP_CLOCK,
        /** Another controller leads. */
        LEADER,
        /** Machine {@code a} starts again. */
        REBOOT,
        /** All objects of kind {@code a} become unlistable for a while. */
        INCOMPLETE,
        COMPLETE,
        PLUGIN_GOES,
        PLUGIN_COMES,
        /** Node {@code a} is switched off. An authority can prove it, and for odd {@code b} a person asserts it too. */
        POWER_OFF,
        POWER_ON,
        /** Node {@code a} is cut off from the cluster and from its storage, and an authority or a person can prove it. */
        FENCE,
        FULL_DISK,
        BROKEN_DISK,

        /**
         * Pod {@code a} is created with the claims of mask {@code c}: on node {@code b}, or without a node in worlds with schedulers.
         */
        ADD_POD,
        REMOVE_POD,
        /** Pod {@code a} ends. */
        FINISH_POD,

        /** Claim {@code a} is created; in worlds with classes, with class {@code b} and the size and attributes of {@code c}. */
        ADD_CLAIM,
        REMOVE_CLAIM,
        /** A user removes claim {@code a} by force, with its finalizers. */
        FORCE_CLAIM,
        /**
         * Claim {@code a} is created as a copy of claim {@code b}, or, depending on {@code c}, of snapshot {@code b}, or of one of
         * group {@code b}.
         */
        COPY,
        /** Claim {@code a} is created, and a populator must fill it. */
        FILL,
        /** Claim {@code a} requests the size of {@code b}; never less than its capacity. */
        RESIZE,
        /** Claim {@code a} requests the attributes of {@code b}, or none. */
        CHANGE,
        /** The attributes class {@code a} is deleted, and created again. */
        CLASS_GOES,
        CLASS_COMES,

        ADD_VOLUME,
        /** A user deletes a volume: free volume {@code a}, or that of claim {@code a}. */
        REMOVE_VOLUME,
        /** Claim {@code a}'s volume has become larger, and the node must expand it. */
        GROW,
        /** The content of claim {@code a}'s volume must be set up again on node {@code b}. */
        CONTENT,
        /** A user has written to the disk of claim {@code a}'s volume before its first use, in worlds with disks. */
        FOREIGN_DATA,
        /** Reads of the disk of claim {@code a}'s volume fail, or for odd {@code b} work again. */
        UNREADABLE,

        /** Snapshot {@code a} of claim {@code b} is created. */
        SNAPSHOT,
        REMOVE_SNAPSHOT,
        /** Group {@code a} of class {@code b} is created from the claims that {@code c} selects. */
        GROUP,
        /** Group {@code a} imports an existing group of the backend, with the policy {@code b}. */
        TAKE_GROUP,
        REMOVE_GROUP,
        /** A user deletes snapshot {@code b} of group {@code a}. */
        REMOVE_MEMBER,
        /** A user deletes a content. */
        REMOVE_CONTENT,

        /** The backend refuses calls in the way {@code b}. */
        REFUSE,
        /** Node {@code a} has the limit of {@code b} volumes from now on. */
        LIMIT,
        /** Node {@code a} is deleted if it has no pods, or is created again. */
        NODE,
        /** The other scheduler is elected; the one before learns of it some time later. */
        SCHEDULER
    }

    @Override
    public String toString() {
        return kind + "(" + a + ", " + b + ", " + c + ")";
    }
}
