package io.volume4j.core.node.desired;

import io.volume4j.core.tables.DenseMap;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.CsiDriver;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The resolved volumes of a pod, as far as known. For a pod with many volumes, the {@link DesiredStateOfWorld}
 * replaces single volumes; otherwise the object is immutable. Loop thread only.
 */
public final class ResolvedPod {
    /** Pods with more volumes than this are updated volume by volume. */
    private static final int MANY = 16;

    private final Pod pod;
    /** The volume of a pod with one volume. Saves a table in the usual case. */
    private final @Nullable ResolvedVolume only;

    private final Map<String, ResolvedVolume> several;
    private final Map<String, Problem> problems;
    /** Null for a pod with few volumes, which is always resolved as a whole. */
    private final @Nullable PodShape shape;

    private final boolean oneIdTwice;
    private int hopeless;
    private boolean reordered;

    public ResolvedPod(Pod pod, Collection<ResolvedVolume> volumes, Map<String, Problem> problems) {
        this(pod, volumes, problems, null);
    }

    /**
     * Creates the result for a pod.
     *
     * @param volumes the resolved volumes, in the pod's order
     * @param problems why the others are not resolved, by volume name and in the pod's order
     * @param shape what the pod's object defines about them
     */
    ResolvedPod(Pod pod, Collection<ResolvedVolume> volumes, Map<String, Problem> problems, @Nullable PodShape shape) {
        boolean many = volumes.size() + problems.size() > MANY;
        this.pod = pod;
        this.only = volumes.size() == 1 && !many ? volumes.iterator().next() : null;
        this.several = volumes.size() < 2 && !many ? Map.of() : byName(volumes);
        this.problems = problems.isEmpty() && !many ? Map.of() : new DenseMap<>(problems);
        this.shape = many ? shape : null;
        this.oneIdTwice =
                many && volumes.stream().map(ResolvedVolume::id).distinct().count() < volumes.size();
        this.hopeless =
                (int) problems.values().stream().filter(Problem::hopeless).count();
    }

    private static Map<String, ResolvedVolume> byName(Collection<ResolvedVolume> volumes) {
        DenseMap<String, ResolvedVolume> byName = new DenseMap<>(volumes.size());
        volumes.forEach(volume -> byName.put(volume.outerName(), volume));
        return byName;
    }

    /** The pod's shape, null if the volumes cannot be replaced one by one. */
    @Nullable
    PodShape shape() {
        return shape;
    }

    /** Whether two names of the pod mean one volume. */
    boolean oneIdTwice() {
        return oneIdTwice;
    }

    /** Replaces one resolved volume. Only the desired state of world calls this, and only for a pod with a shape. */
    void replace(String name, ResolvedVolume volume) {
        count(problems.remove(name), -1);
        reordered |= several.put(name, volume) == null;
    }

    /** Replaces one volume by a problem. Same conditions. */
    void replace(String name, Problem problem) {
        several.remove(name);
        count(problems.put(name, problem), -1);
        count(problem, 1);
    }

    private void count(@Nullable Problem problem, int by) {
        hopeless += problem != null && problem.hopeless() ? by : 0;
    }

    /** Whether a volume cannot be resolved before the pod, or an object that it names, changes. */
    public boolean hopeless() {
        return hopeless > 0;
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

    /** The resolved volumes, by volume name. */
    public Map<String, ResolvedVolume> volumes() {
        return only == null ? Collections.unmodifiableMap(several) : Map.of(only.outerName(), only);
    }

    /** The resolved volumes, in the pod's order. */
    public Collection<ResolvedVolume> inOrder() {
        if (!reordered) {
            return volumes().values();
        }
        return pod.spec().volumes().stream()
                .map(volume -> several.get(volume.name()))
                .filter(Objects::nonNull)
                .toList();
    }

    /** Why volumes are not resolved, by volume name. */
    public Map<String, Problem> problems() {
        return Collections.unmodifiableMap(problems);
    }

    /**
     * One volume of a pod, and its plugin.
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
        public Collection<ResolvedVolume> uses() {
            return List.of(this);
        }

        @Override
        public @Nullable ResolvedVolume use(String uid) {
            return podUid.equals(uid) ? this : null;
        }

        /** Merges two uses of one volume by one pod: the first name, and read-only if both are. */
        ResolvedVolume and(ResolvedVolume second) {
            return readOnly() ? new ResolvedVolume(id, second.spec, second.plugin, podUid, outerName) : this;
        }

        /** Whether this use is read-only. */
        public boolean readOnly() {
            return spec.readOnly();
        }

        /** Whether the node takes a step for the volume itself before it takes steps for its pods. */
        public boolean hasDeviceStep() {
            return block()
                    ? plugin.blockMapper(spec).isPresent()
                    : plugin.deviceMounter(spec).isPresent();
        }

        /** Whether the volume must be attached to a node before its use there. */
        public boolean attachable() {
            return spec.attachRequired() && plugin.attacher(spec).isPresent();
        }

        /** Whether the container runtime provides its files, so that the library does nothing with them. */
        public boolean byRuntime() {
            return plugin.mountedByRuntime(spec);
        }

        /** Whether the node sets it up again when its pod changes. */
        public boolean requiresRemount() {
            return republishes() || plugin.requiresRemount(spec);
        }

        /** Whether its driver requests regular remounts. */
        public boolean republishes() {
            CsiDriver.Spec driver = spec.driver();
            return driver != null && driver.requiresRepublish();
        }

        /** Whether it is mounted with an SELinux context on a machine with SELinux. A raw device is not. */
        boolean takesLabel() {
            CsiDriver.Spec driver = spec.driver();
            return !block() && (plugin.mountsWithSeLinuxLabel(spec) || (driver != null && driver.seLinuxMount()));
        }

        /** Whether pods get it as a raw device. */
        public boolean block() {
            return spec.volumeMode() == VolumeMode.BLOCK;
        }
    }

    /**
     * Why a volume is not resolved.
     *
     * @param hopeless whether only a change of the pod, or of an object that it names, can help; otherwise the problem
     *     may end by itself
     * @param unread the claim that the node must read from the store for this pod, null for none
     */
    public record Problem(
            String text, boolean hopeless, @Nullable ObjectKey unread) {
        Problem(String text, boolean hopeless) {
            this(text, hopeless, null);
        }
    }
}
