package io.volume4j.inmemory.chaos;

/**
 * One thing that happens in a world of claims and their lives. What {@code a}, {@code b} and {@code c} choose depends on the
 * kind; any number is valid, so that leaving other acts out makes no act invalid.
 */
record LifeAct(Kind kind, int a, int b, int c) {
    enum Kind {
        /** Lets up to {@code a} tasks run. */
        RUN,
        /** Lets {@code a} milliseconds pass. */
        PASS,
        /** Claim {@code a} comes, of class {@code b}, with the size and attributes of {@code c}. */
        ADD_CLAIM,
        REMOVE_CLAIM,
        /** Claim {@code a} comes as a copy of claim {@code b}, by {@code c} of snapshot {@code b}, or of one of group {@code b}. */
        COPY,
        /** Claim {@code a} comes, to be filled by a populator. */
        FILL,
        /** Snapshot {@code a} is cut of claim {@code b}. */
        SNAPSHOT,
        REMOVE_SNAPSHOT,
        /** Group {@code a} of class {@code b} is cut of the claims that {@code c} chooses. */
        GROUP,
        /** Group {@code a} comes for what the backend has already, by the policy {@code b}. */
        TAKE_GROUP,
        REMOVE_GROUP,
        /** A user asks for the deletion of snapshot {@code b} of group {@code a}. */
        REMOVE_MEMBER,
        /** A user asks for the deletion of a content. */
        REMOVE_CONTENT,
        /** A user takes claim {@code a} away, finalizers and all. */
        FORCE_CLAIM,
        /** Claim {@code a} asks for the size of {@code b}; never for less than it has. */
        RESIZE,
        /** Claim {@code a} asks for the attributes of {@code b}, or for none. */
        CHANGE,
        /** The attributes class {@code a} is deleted, and comes again. */
        CLASS_GOES,
        CLASS_COMES,
        /** Pod {@code a} comes to node {@code b} with the claims of mask {@code c}, and one of its own for odd {@code b}. */
        ADD_POD,
        REMOVE_POD,
        FINISH_POD,
        /** A user asks for the deletion of the volume of claim {@code a}. */
        REMOVE_VOLUME,
        /** The backend refuses the next calls of kind {@code a} in the way {@code b}. */
        REFUSE,
        CRASH,
        LEADER,
        PARTITION,
        JOIN,
        REBOOT,
        BREAK_WATCHES,
        STEP_CLOCK,
        /** Objects of kind {@code a} become unlistable for a while. */
        INCOMPLETE,
        COMPLETE,
        PLUGIN_GOES,
        PLUGIN_COMES
    }

    @Override
    public String toString() {
        return kind + "(" + a + ", " + b + ", " + c + ")";
    }
}
