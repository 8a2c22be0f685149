package io.volume4j.core.node;

import io.volume4j.spi.VolumeId;

/** Which volumes the engine is to look at: none before there is one, and none where nothing is to be done. Loop thread only. */
final class DirtyVolumes {
    private final CurrentRun current;
    private final ActualStateOfWorld actual;
    private final boolean dryRun;

    DirtyVolumes(CurrentRun current, ActualStateOfWorld actual, boolean dryRun) {
        this.current = current;
        this.actual = actual;
        this.dryRun = dryRun;
    }

    void add(VolumeId id) {
        NodeRun run = current.now();
        if (run != null && !dryRun) {
            run.engine().dirty(id);
        }
    }

    /** Foreign names in the node's status are nobody's volumes here. */
    void addNamed(String volume) {
        try {
            add(VolumeId.parse(volume));
        } catch (IllegalArgumentException foreign) {
            // says nothing about a volume that this agent could know
        }
    }

    /** Volumes that are or may be mounted for the pod. */
    void addOfPod(String podUid) {
        actual.ofPod(podUid).forEach(this::add);
    }

    /** Volumes that are or may be here. */
    void addPresent() {
        actual.ids().forEach(this::add);
    }
}
