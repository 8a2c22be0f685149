package io.volume4j.core.control.attach.plan;

import io.volume4j.spi.VolumeId;

/** A subject of the attach/detach reconciler. It plans for one subject at a time. */
public sealed interface AttachKey {
    /** One volume on one node. */
    record Pair(VolumeId volume, String node) implements AttachKey {
        @Override
        public String toString() {
            return "volume " + volume + " on node " + node;
        }
    }

    /** One Node object: the volumes that it lists, and the known health of the node. */
    record OfNode(String node) implements AttachKey {
        @Override
        public String toString() {
            return "node " + node;
        }
    }

    /** The attachments that the backend of one driver reports. */
    record OfDriver(String driver) implements AttachKey {
        @Override
        public String toString() {
            return "driver " + driver;
        }
    }
}
