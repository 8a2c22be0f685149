package io.volume4j.examples.benchmarks.workload;

import org.jspecify.annotations.Nullable;

/**
 * One line of a workload: from now on a pod needs a volume on a node, or no longer needs it.
 *
 * @param time nanoseconds after the start of the workload
 * @param fault the backend's fault for the first call, null for none
 */
record Operation(
        long time,
        Kind kind,
        String pod,
        String volume,
        String node,
        @Nullable Fault fault) {
    enum Kind {
        MOUNT("mount"),
        UNMOUNT("unmount");

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
            throw new WorkloadException("there is no operation '" + text + "'");
        }
    }

    /** Whether both lines are of the same pod and the same change. */
    boolean samePod(Operation other) {
        return time == other.time && kind == other.kind && pod.equals(other.pod) && node.equals(other.node);
    }
}
