package io.volume4j.ui.rows;

/** How a row is, the worst first. */
public enum RowState {
    /** A step failed and waits for its next try, or could not be taken. */
    FAILING,
    /** A call may have taken effect: what is there is not certain. */
    UNCERTAIN,
    /** Something is waited for. */
    WAITING,
    /** A step is under way or next. */
    WORKING,
    /** As it should be. */
    OK;

    /** As it is written in queries and on the page. */
    public String word() {
        return switch (this) {
            case FAILING -> "failing";
            case UNCERTAIN -> "uncertain";
            case WAITING -> "waiting";
            case WORKING -> "working";
            case OK -> "ok";
        };
    }
}
