package io.volume4j.core.node.state;

import io.volume4j.spi.VolumeId;

/** Called when a state of world gets a pair of a pod and a volume, and when it loses one. */
public interface PairWatch {
    void added(VolumeId id, String podUid);

    void removed(VolumeId id, String podUid);

    /** A watch that does nothing. */
    static PairWatch none() {
        return new PairWatch() {
            @Override
            public void added(VolumeId id, String podUid) {}

            @Override
            public void removed(VolumeId id, String podUid) {}
        };
    }
}
