package io.volume4j.examples.csilifecycle;

/** A step did not go as it should; the message says what, the advice what to look at, empty for nothing. */
final class Failed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String advice;

    Failed(String message, String advice) {
        super(message);
        this.advice = advice;
    }

    String advice() {
        return advice;
    }

    /** What went wrong; never null. */
    String reason() {
        return String.valueOf(getMessage());
    }
}
