package io.volume4j.core.node.state;

import io.volume4j.spi.VolumeId;

/** Hears when a pod and a volume meet in a state of world, and when they part. */
public interface PairWatch {
    void added(VolumeId id, String podUid);

    void removed(VolumeId id, String podUid);

    /** Hears nothing. */
    static PairWatch none() {
        return new PairWatch() {
            @Override
            public void added(VolumeId id, String podUid) {}

            @Override
            public void removed(VolumeId id, String podUid) {}
        };
    }
}
