package io.volume4j.examples.csilifecycle;

/** The person in front of the program asked for something that it cannot do; the message is the one line to print. */
final class Usage extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Usage(String message) {
        super(message);
    }
}
