package io.volume4j.ui.web;

/** A refused request, with the reason. */
public final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;

    /**
     * @param status of HTTP
     * @param message for the viewer
     */
    public Refusal(int status, String message) {
        super(message);
        this.status = status;
    }

    /** The status of HTTP. */
    public int status() {
        return status;
    }
}
