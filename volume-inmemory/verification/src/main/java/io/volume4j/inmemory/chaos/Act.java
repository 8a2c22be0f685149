package io.volume4j.inmemory.chaos;

/**
 * One thing that happens to a random world. What {@code a}, {@code b} and {@code c} choose depends on the kind; any number is
 * valid, so that leaving out other acts makes no act invalid. Each {@link Family} has a table of the kinds that it plays.
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
        /** Node {@code a} is switched off, and an authority or a person can prove it: an authority, or for odd {@code b} a person. */
        POWER_OFF,
        POWER_ON,
        /** Node {@code a} is cut off from the cluster and from its storage, and an authority or a person can prove it. */
        FENCE,
        FULL_DISK,
        BROKEN_DISK,

        /** Pod {@code a} comes with the claims of mask {@code c}: to node {@code b}, or without a node where pods are placed. */
        ADD_POD,
        REMOVE_POD,
        /** Pod {@code a} ends by itself. */
        FINISH_POD,

        /** Claim {@code a} comes; where there are classes, of class {@code b} with the size and attributes of {@code c}. */
        ADD_CLAIM,
        REMOVE_CLAIM,
        /** A user takes claim {@code a} away, finalizers and all. */
        FORCE_CLAIM,
        /** Claim {@code a} comes as a copy of claim {@code b}, by {@code c} of snapshot {@code b}, or of one of group {@code b}. */
        COPY,
        /** Claim {@code a} comes, and a populator must fill it. */
        FILL,
        /** Claim {@code a} asks for the size of {@code b}; never for less than it has. */
        RESIZE,
        /** Claim {@code a} asks for the attributes of {@code b}, or for none. */
        CHANGE,
        /** The attributes class {@code a} is deleted, and comes again. */
        CLASS_GOES,
        CLASS_COMES,

        ADD_VOLUME,
        /** A user asks for the deletion of a volume: free volume {@code a}, or the one of claim {@code a}. */
        REMOVE_VOLUME,
        /** Claim {@code a}'s volume has become larger, and the node must follow. */
        GROW,
        /** The content of claim {@code a}'s volume must be set up again on node {@code b}. */
        CONTENT,
        /** A user has written to the disk of claim {@code a}'s volume before it was used, where volumes are disks. */
        FOREIGN_DATA,
        /** Reads of the disk of claim {@code a}'s volume fail, or for odd {@code b} work again. */
        UNREADABLE,

        /** Snapshot {@code a} of claim {@code b} is created. */
        SNAPSHOT,
        REMOVE_SNAPSHOT,
        /** Group {@code a} of class {@code b} is created of the claims that {@code c} chooses. */
        GROUP,
        /** Group {@code a} comes for what the backend has already, by the policy {@code b}. */
        TAKE_GROUP,
        REMOVE_GROUP,
        /** A user asks for the deletion of snapshot {@code b} of group {@code a}. */
        REMOVE_MEMBER,
        /** A user asks for the deletion of a content. */
        REMOVE_CONTENT,

        /** The backend refuses calls in the way {@code b}. */
        REFUSE,
        /** Node {@code a} can have {@code b} volumes from now on. */
        LIMIT,
        /** Node {@code a} goes, where no pod is on it, or comes again. */
        NODE,
        /** The other scheduler is elected; the one before learns of it some time later. */
        SCHEDULER
    }

    @Override
    public String toString() {
        return kind + "(" + a + ", " + b + ", " + c + ")";
    }
}
