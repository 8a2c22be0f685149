package io.volume4j.core.node.agent;

import io.volume4j.core.node.Belief;
import io.volume4j.core.node.MountState;
import io.volume4j.core.node.actual.ActualStateOfWorld;
import io.volume4j.core.node.actual.ActualVolume;
import io.volume4j.core.node.state.VolumeRow;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The actual state of world as beliefs, for simulators. */
final class Beliefs {
    private Beliefs() {}

    /** The beliefs about every volume that is or may be on this node. */
    static List<Belief> of(ActualStateOfWorld actual) {
        List<Belief> beliefs = new ArrayList<>();
        actual.all().forEach(volume -> beliefs.add(of(volume)));
        return beliefs;
    }

    /** Whether {@link #of(ActualStateOfWorld)} would return an equal list. Allocates nothing. */
    static boolean hold(List<Belief> beliefs, ActualStateOfWorld actual) {
        Iterator<Belief> then = beliefs.iterator();
        for (ActualVolume volume : actual.all()) {
            if (!then.hasNext() || !holds(then.next(), volume)) {
                return false;
            }
        }
        return !then.hasNext();
    }

    private static Belief of(ActualVolume volume) {
        Map<String, MountState> mounts = new TreeMap<>();
        volume.mounts().forEach(mount -> mounts.put(mount.podUid(), mount.state()));
        VolumeRow row = volume.row();
        return new Belief(row.id(), row.attach(), row.device(), mounts);
    }

    private static boolean holds(Belief belief, ActualVolume actual) {
        VolumeRow row = actual.row();
        return row.attach() == belief.attach()
                && row.device() == belief.device()
                && row.id().equals(belief.volume())
                && actual.mountsAre(belief.mounts());
    }
}
