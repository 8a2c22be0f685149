package io.volume4j.examples.commandline;

/** The user asked for something that the program cannot do; the message is the one line to print. The program ends with 2. */
public final class Usage extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Usage(String message) {
        super(message);
    }
}
