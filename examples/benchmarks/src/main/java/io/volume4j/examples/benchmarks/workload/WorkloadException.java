package io.volume4j.examples.benchmarks.workload;

/** A workload or a command line is not as it must be; the message says where and why. */
public final class WorkloadException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    WorkloadException(String message) {
        super(message);
    }

    WorkloadException(String message, Throwable cause) {
        super(message, cause);
    }
}
