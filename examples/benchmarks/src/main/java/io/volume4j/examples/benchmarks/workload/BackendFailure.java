package io.volume4j.examples.benchmarks.workload;

/** A scripted failure of the backend. */
final class BackendFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean mayHaveHappened;

    BackendFailure(String message, boolean mayHaveHappened) {
        super(message);
        this.mayHaveHappened = mayHaveHappened;
    }

    boolean mayHaveHappened() {
        return mayHaveHappened;
    }
}
