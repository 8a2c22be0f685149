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
 * What a pod's volumes are, as far as that is known. Of a pod with many volumes the {@link DesiredStateOfWorld} replaces single
 * ones; otherwise it never changes. Loop thread only.
 */
public final class ResolvedPod {
    /** Pods with more volumes than these are changed volume by volume. */
    private static final int MANY = 16;

    private final Pod pod;
    /** A pod with one volume, of which a node may have many, keeps it without a table. */
    private final @Nullable ResolvedVolume only;

    private final Map<String, ResolvedVolume> several;
    private final Map<String, Problem> problems;
    /** Null for a pod with few volumes, which is resolved as a whole. */
    private final @Nullable PodShape shape;

    private final boolean oneIdTwice;
    private int hopeless;
    private boolean reordered;

    public ResolvedPod(Pod pod, Collection<ResolvedVolume> volumes, Map<String, Problem> problems) {
        this(pod, volumes, problems, null);
    }

    /**
     * What was found out about a pod.
     *
     * @param volumes those that are known, in the pod's order
     * @param problems what keeps the others from being known, by the pod's name for them, likewise
     * @param shape what the pod's object says of them
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

    /** What the pod's object says of its volumes, if they may be replaced one by one. */
    @Nullable
    PodShape shape() {
        return shape;
    }

    /** Whether two names of the pod lead to one volume. */
    boolean oneIdTwice() {
        return oneIdTwice;
    }

    /** One of its volumes was resolved anew. Only by the desired state of world, and only of a pod with a shape. */
    void replace(String name, ResolvedVolume volume) {
        count(problems.remove(name), -1);
        reordered |= several.put(name, volume) == null;
    }

    /** One of its volumes is not known any more, or for another reason. Likewise. */
    void replace(String name, Problem problem) {
        several.remove(name);
        count(problems.put(name, problem), -1);
        count(problem, 1);
    }

    private void count(@Nullable Problem problem, int by) {
        hopeless += problem != null && problem.hopeless() ? by : 0;
    }

    /** Whether a volume of it can only be known after a change of the pod, or of what it names. */
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

    /** By the pod's name for them. */
    public Map<String, ResolvedVolume> volumes() {
        return only == null ? Collections.unmodifiableMap(several) : Map.of(only.outerName(), only);
    }

    /** The same in the pod's order. */
    public Collection<ResolvedVolume> inOrder() {
        if (!reordered) {
            return volumes().values();
        }
        return pod.spec().volumes().stream()
                .map(volume -> several.get(volume.name()))
                .filter(Objects::nonNull)
                .toList();
    }

    /** What keeps volumes from being known, by the pod's name for them. */
    public Map<String, Problem> problems() {
        return Collections.unmodifiableMap(problems);
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
        public Collection<ResolvedVolume> uses() {
            return List.of(this);
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

        /** Whether it is attached to a node before it is used there. */
        public boolean attachable() {
            return spec.attachRequired() && plugin.attacher(spec).isPresent();
        }

        /** Whether the container runtime puts its files in place, so that the library does nothing with them. */
        public boolean byRuntime() {
            return plugin.mountedByRuntime(spec);
        }

        /** Whether it is set up again when its pod changes. */
        public boolean requiresRemount() {
            return republishes() || plugin.requiresRemount(spec);
        }

        /** Whether its driver wants it set up again now and then, though nothing changes. */
        public boolean republishes() {
            CsiDriver.Spec driver = spec.driver();
            return driver != null && driver.requiresRepublish();
        }

        /** Whether it is mounted with an SELinux context where the machine has SELinux; a raw device is not. */
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
