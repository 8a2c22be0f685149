package io.volume4j.core.control.attach;

import io.volume4j.core.driver.DriverObjects;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the IDs of a pod's volumes and whether they need attaching. Reads the cache and changes nothing. */
final class PodVolumes {
    private final ObjectCache cache;
    private final DriverObjects drivers;
    private final PluginRegistry plugins;
    private final Set<String> externalAttachers;
    private boolean doubted;

    PodVolumes(ObjectCache cache, PluginRegistry plugins, Set<String> externalAttachers) {
        this.cache = cache;
        this.drivers = new DriverObjects(cache);
        this.plugins = plugins;
        this.externalAttachers = externalAttachers;
    }

    /** Whether a volume is known and needs attaching, needs none, or is not known now. */
    enum Status {
        ATTACHABLE,
        NOT_ATTACHED,
        UNKNOWN
    }

    /**
     * The result for a volume.
     *
     * @param id null unless it is attachable
     * @param spec null unless it is attachable
     */
    record Found(
            Status status, @Nullable VolumeId id, @Nullable VolumeSpec spec) {
        static final Found UNKNOWN = new Found(Status.UNKNOWN, null, null);
        static final Found NOT_ATTACHED = new Found(Status.NOT_ATTACHED, null, null);
    }

    /** Whether a volume was unknown for lack of its driver's object since the last call. */
    boolean takeDoubted() {
        boolean was = doubted;
        doubted = false;
        return was;
    }

    /** The claim of a pod's volume, null for an inline volume. */
    static @Nullable ObjectKey claimOf(Pod pod, PodVolume volume) {
        if (volume.source() instanceof ClaimSource claim && !claim.claimName().isEmpty()) {
            return ObjectKey.claim(pod.metadata().namespace(), claim.claimName());
        }
        if (volume.source() instanceof OtherSource other && other.type().equals("ephemeral")) {
            return ObjectKey.claim(pod.metadata().namespace(), pod.metadata().name() + "-" + volume.name());
        }
        return null;
    }

    /** Whether {@link #claimOf} returns that claim, without creating a key for each volume of a pod. */
    static boolean isOf(Pod pod, PodVolume volume, ObjectKey claim) {
        return volume.source() instanceof ClaimSource source
                ? source.claimName().equals(claim.name())
                        && pod.metadata().namespace().equals(claim.namespace())
                : claim.equals(claimOf(pod, volume));
    }

    /** The volume in the form that its plugin gets. */
    VolumeSpec spec(PersistentVolume volume) {
        return plugins.migration().specIfPossible(volume, false);
    }

    Found find(Pod pod, PodVolume volume) {
        ObjectKey claim = claimOf(pod, volume);
        if (claim == null) {
            return inline(pod, volume);
        }
        PersistentVolumeClaim found =
                cache.get(claim, PersistentVolumeClaim.class).orElse(null);
        if (found == null
                || found.spec().volumeName().isEmpty()
                || found.status().phase() != ClaimPhase.BOUND
                || !ownedIfEphemeral(pod, volume, found)) {
            return Found.UNKNOWN;
        }
        PersistentVolume persistent = cache.get(ObjectKey.volume(found.spec().volumeName()), PersistentVolume.class)
                .orElse(null);
        if (persistent == null) {
            return Found.UNKNOWN;
        }
        ObjectReference holder = persistent.spec().claimRef();
        if (holder == null || !holder.uid().equals(found.metadata().uid())) {
            return Found.UNKNOWN;
        }
        boolean readOnly = volume.source() instanceof ClaimSource source && source.readOnly();
        return wanted(
                plugins.migration().specIfPossible(persistent, readOnly),
                pod.metadata().uid());
    }

    private Found inline(Pod pod, PodVolume volume) {
        try {
            return wanted(
                    plugins.migration().spec(volume, pod.metadata().namespace()),
                    pod.metadata().uid());
        } catch (VolumeException untranslatable) {
            return Found.UNKNOWN;
        }
    }

    private static boolean ownedIfEphemeral(Pod pod, PodVolume volume, PersistentVolumeClaim claim) {
        return volume.source() instanceof ClaimSource
                || claim.metadata().ownerReferences().stream()
                        .anyMatch(owner -> owner.uid().equals(pod.metadata().uid()));
    }

    /** The result for a pod's volume, considering that its driver's object may say that it needs no attaching. */
    private Found wanted(VolumeSpec spec, String podUid) {
        DriverObjects.Described known = drivers.describe(spec, plugin(spec));
        if (!known.doubt().isEmpty()) {
            doubted = true;
            return Found.UNKNOWN;
        }
        return known.spec().attachRequired() ? identify(known.spec(), podUid) : Found.NOT_ATTACHED;
    }

    private @Nullable VolumePlugin plugin(VolumeSpec spec) {
        try {
            return plugins.find(spec);
        } catch (VolumeException noneOrSeveral) {
            return null;
        }
    }

    /**
     * The result from the volume's plugin, without the driver's object: an attached volume keeps its ID when that object changes.
     */
    Found identify(VolumeSpec spec, String podUid) {
        try {
            VolumePlugin plugin = plugins.find(spec);
            boolean external = externalAttachers.contains(plugin.name());
            if (!external && plugin.attacher(spec).isEmpty()) {
                return Found.NOT_ATTACHED;
            }
            String name = plugin.volumeName(spec);
            VolumeId id = plugin.shared(spec)
                    ? VolumeId.shared(plugin.name(), name)
                    : VolumeId.ofPod(plugin.name(), name, podUid);
            return new Found(Status.ATTACHABLE, id, spec);
        } catch (VolumeException noneOrSeveral) {
            return ofExternal(spec);
        }
    }

    /** A driver with an external attacher needs no plugin here. */
    private Found ofExternal(VolumeSpec spec) {
        if (spec.source() instanceof CsiSource csi
                && externalAttachers.contains(csi.driver())
                && !csi.volumeHandle().isEmpty()) {
            return new Found(Status.ATTACHABLE, VolumeId.shared(csi.driver(), csi.volumeHandle()), spec);
        }
        return Found.UNKNOWN;
    }
}
