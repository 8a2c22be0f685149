package io.volume4j.core.control.attach.plan;

import io.volume4j.spi.VolumeId;

/** What the attach/detach reconciler decides about, one at a time. */
public sealed interface AttachKey {
    /** One volume on one node. */
    record Pair(VolumeId volume, String node) implements AttachKey {
        @Override
        public String toString() {
            return "volume " + volume + " on node " + node;
        }
    }

    /** What one Node object says about its volumes, and what is known of its health. */
    record OfNode(String node) implements AttachKey {
        @Override
        public String toString() {
            return "node " + node;
        }
    }

    /** What one driver's backend holds. */
    record OfDriver(String driver) implements AttachKey {
        @Override
        public String toString() {
            return "driver " + driver;
        }
    }
}
