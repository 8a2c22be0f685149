package io.volume4j.ui.rows;

/** The state of a row, the worst first. */
public enum RowState {
    /** A step failed and waits for its next attempt, or cannot start. */
    FAILING,
    /** A call may have taken effect, so the actual state is uncertain. */
    UNCERTAIN,
    /** The volume or object waits for something else. */
    WAITING,
    /** A step runs or is next. */
    WORKING,
    /** The actual state is the desired state. */
    OK;

    /** The word in queries and on the page. */
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
