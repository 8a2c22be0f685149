package io.volume4j.examples.agent;

/** What the person asked for makes no sense; the message says why and what would. */
final class Usage extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Usage(String message) {
        super(message);
    }
}
