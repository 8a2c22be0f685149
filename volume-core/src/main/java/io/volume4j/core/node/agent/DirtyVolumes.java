package io.volume4j.core.node.agent;

import io.volume4j.core.node.actual.ActualStateOfWorld;
import io.volume4j.core.node.attach.VolumeMarks;
import io.volume4j.spi.VolumeId;

/** Which volumes the engine is to look at: none before there is one, and none where nothing is to be done. Loop thread only. */
final class DirtyVolumes implements VolumeMarks {
    private final CurrentRun current;
    private final ActualStateOfWorld actual;
    private final boolean dryRun;

    DirtyVolumes(CurrentRun current, ActualStateOfWorld actual, boolean dryRun) {
        this.current = current;
        this.actual = actual;
        this.dryRun = dryRun;
    }

    @Override
    public void add(VolumeId id) {
        NodeRun run = current.now();
        if (run != null && !dryRun) {
            run.engine().dirty(id);
        }
    }

    /** The node's status may hold names of other programs. */
    @Override
    public void addNamed(String volume) {
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

    @Override
    public void addPresent() {
        actual.ids().forEach(this::add);
    }
}
