package io.volume4j.examples.benchmarks.workload;

/** A workload or a command line is invalid; the message has the place and the reason. */
public final class WorkloadException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    WorkloadException(String message) {
        super(message);
    }

    WorkloadException(String message, Throwable cause) {
        super(message, cause);
    }
}
