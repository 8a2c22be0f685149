package io.volume4j.examples.csilifecycle;

/** A step has failed; the message has the reason, the advice says what to check, empty for none. */
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

    /** The reason; never null. */
    String reason() {
        return String.valueOf(getMessage());
    }
}
