package io.volume4j.core.node.desired;

import io.volume4j.core.tables.DenseMap;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a pod's volumes are, as far as that is known. Never changes. */
public final class ResolvedPod {
    private final Pod pod;
    /** A pod with one volume, of which a node may have many, keeps it without a table. */
    private final @Nullable ResolvedVolume only;

    private final Map<String, ResolvedVolume> several;
    private final Map<String, Problem> problems;

    /**
     * What was found out about a pod.
     *
     * @param volumes those that are known, in the pod's order
     * @param problems what keeps the others from being known, by the pod's name for them, likewise
     */
    public ResolvedPod(Pod pod, Collection<ResolvedVolume> volumes, Map<String, Problem> problems) {
        this.pod = pod;
        this.only = volumes.size() == 1 ? volumes.iterator().next() : null;
        this.several = volumes.size() < 2 ? Map.of() : byName(volumes);
        this.problems = problems.isEmpty() ? Map.of() : Collections.unmodifiableMap(new DenseMap<>(problems));
    }

    private static Map<String, ResolvedVolume> byName(Collection<ResolvedVolume> volumes) {
        DenseMap<String, ResolvedVolume> byName = new DenseMap<>(volumes.size());
        volumes.forEach(volume -> byName.put(volume.outerName(), volume));
        return Collections.unmodifiableMap(byName);
    }

    public Pod pod() {
        return pod;
    }

    public String uid() {
        return pod.metadata().uid();
    }

    public String name() {
        return pod.metadata().namespace() + "/" + pod.metadata().name();
    }

    /** By the pod's name for them, in the pod's order. */
    public Map<String, ResolvedVolume> volumes() {
        return only == null ? several : Map.of(only.outerName(), only);
    }

    /** What keeps volumes from being known, likewise. */
    public Map<String, Problem> problems() {
        return problems;
    }

    /**
     * One volume of a pod, and the plugin that it belongs to.
     *
     * @param outerName the pod's name for it
     */
    public record ResolvedVolume(VolumeId id, VolumeSpec spec, VolumePlugin plugin, String podUid, String outerName)
            implements DesiredVolume {
        @Override
        public ResolvedVolume volume() {
            return this;
        }

        @Override
        public Map<String, ResolvedVolume> uses() {
            return Map.of(podUid, this);
        }

        @Override
        public @Nullable ResolvedVolume use(String uid) {
            return podUid.equals(uid) ? this : null;
        }

        /** The two names of one pod for one volume as one: the first, and read-only if both are. */
        ResolvedVolume and(ResolvedVolume second) {
            return readOnly() ? new ResolvedVolume(id, second.spec, second.plugin, podUid, outerName) : this;
        }

        /** Whether this use of it is read-only. */
        public boolean readOnly() {
            return spec.readOnly();
        }

        /** Whether something is done for the volume itself before anything is done for its pods. */
        public boolean hasDeviceStep() {
            return block()
                    ? plugin.blockMapper(spec).isPresent()
                    : plugin.deviceMounter(spec).isPresent();
        }

        /** Whether it is mounted with an SELinux context, which a raw device is not. */
        public boolean labelled() {
            return !block() && plugin.mountsWithSeLinuxLabel(spec);
        }

        /** Whether pods get it as a raw device. */
        public boolean block() {
            return spec.volumeMode() == VolumeMode.BLOCK;
        }
    }

    /**
     * Why a volume is not known.
     *
     * @param hopeless whether only a change of the pod, or of what it names, can help; otherwise it may come by itself
     * @param unread the claim that has to be read from the store for this pod, null if there is none
     */
    public record Problem(
            String text, boolean hopeless, @Nullable ObjectKey unread) {
        Problem(String text, boolean hopeless) {
            this(text, hopeless, null);
        }
    }
}
