package io.volume4j.inmemory.chaos;

/** One thing that happens in a world in which pods are placed; any numbers are valid. */
record PlacingAct(Kind kind, int a, int b, int c) {
    enum Kind {
        /** Lets up to {@code a} tasks run. */
        RUN,
        /** Lets {@code a} milliseconds pass. */
        PASS,
        /** Claim {@code a} comes, of class {@code b}, {@code c} large. */
        ADD_CLAIM,
        REMOVE_CLAIM,
        /** Pod {@code a} comes, without a node, with the claims of mask {@code c}. */
        ADD_POD,
        REMOVE_POD,
        FINISH_POD,
        /** Node {@code a} can have {@code b} volumes from now on. */
        LIMIT,
        /** Node {@code a} goes, where no pod is on it, or comes again. */
        NODE,
        /** The other scheduler is to schedule; the one that did hears of it some time later. */
        SCHEDULER,
        /** The backend refuses to make the next volumes in the way {@code b}. */
        REFUSE,
        CRASH,
        LEADER,
        PARTITION,
        JOIN,
        BREAK_WATCHES
    }

    @Override
    public String toString() {
        return kind + "(" + a + ", " + b + ", " + c + ")";
    }
}
