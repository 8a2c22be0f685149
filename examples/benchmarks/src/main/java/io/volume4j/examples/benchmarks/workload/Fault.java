package io.volume4j.examples.benchmarks.workload;

/**
 * What the backend does at the first call of an operation, apart from what it always does.
 *
 * @param nanos by how much longer the call takes; 0 unless the kind is {@link Kind#DELAY}
 */
record Fault(Kind kind, long nanos) {
    enum Kind {
        /** Takes longer, and works. */
        DELAY("delay"),
        /** Fails, and nothing has happened. */
        FAIL_BEFORE("fail-before"),
        /** Fails, though it was done. */
        FAIL_AFTER("fail-after");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }

        static Kind of(String text) {
            for (Kind kind : values()) {
                if (kind.text.equals(text)) {
                    return kind;
                }
            }
            throw new WorkloadException("there is no fault '" + text + "'");
        }
    }

    Fault {
        if (nanos < 0) {
            throw new WorkloadException("a fault of " + nanos + " ns");
        }
    }
}
