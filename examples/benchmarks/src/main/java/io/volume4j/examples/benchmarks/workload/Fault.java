package io.volume4j.examples.benchmarks.workload;

/**
 * A fault of the backend at the first call of an operation.
 *
 * @param nanos the additional duration of the call; 0 unless the kind is {@link Kind#DELAY}
 */
record Fault(Kind kind, long nanos) {
    enum Kind {
        /** Takes longer, and succeeds. */
        DELAY("delay"),
        /** Fails without an effect. */
        FAIL_BEFORE("fail-before"),
        /** Fails after its effect. */
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
