package io.volume4j.core.node.agent;

import io.volume4j.core.node.AttachState;
import io.volume4j.core.node.MountState;
import io.volume4j.core.node.actual.ActualStateOfWorld;
import io.volume4j.core.node.actual.ActualVolume;
import io.volume4j.core.node.state.VolumeRow;
import io.volume4j.spi.VolumeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What an agent takes for the state of one volume on its node; a simulator holds it against what is there.
 *
 * @param mounts by pod UID
 */
public record Belief(VolumeId volume, AttachState attach, MountState device, Map<String, MountState> mounts) {
    public Belief {
        mounts = Collections.unmodifiableMap(new TreeMap<>(mounts));
    }

    /** Of every volume that is or may be here. */
    static List<Belief> of(ActualStateOfWorld actual) {
        List<Belief> beliefs = new ArrayList<>();
        actual.all().forEach(volume -> beliefs.add(of(volume)));
        return beliefs;
    }

    /** Whether {@link #of(ActualStateOfWorld)} would say the same again; makes nothing. */
    static boolean hold(List<Belief> beliefs, ActualStateOfWorld actual) {
        Iterator<Belief> then = beliefs.iterator();
        for (ActualVolume volume : actual.all()) {
            if (!then.hasNext() || !then.next().holdsOf(volume)) {
                return false;
            }
        }
        return !then.hasNext();
    }

    static Belief of(ActualVolume volume) {
        Map<String, MountState> mounts = new TreeMap<>();
        volume.mounts().forEach((uid, row) -> mounts.put(uid, row.state()));
        VolumeRow row = volume.row();
        return new Belief(row.id(), row.attach(), row.device(), mounts);
    }

    /** Whether {@link #of(ActualVolume)} would say the same again; makes nothing. */
    boolean holdsOf(ActualVolume actual) {
        VolumeRow row = actual.row();
        return row.attach() == attach && row.device() == device && row.id().equals(volume) && actual.mountsAre(mounts);
    }
}
