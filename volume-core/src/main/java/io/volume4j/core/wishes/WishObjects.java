package io.volume4j.core.wishes;

import com.google.common.hash.Hashing;
import io.volume4j.core.worlds.PodVolumes;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.EmptyDirSource;
import io.volume4j.spi.model.HostPathSource;
import io.volume4j.spi.model.LocalSource;
import io.volume4j.spi.model.NfsSource;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.model.VolumeSource;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The objects of one wish, in the order of their creation: volumes, claims, the pod. UIDs depend only on the wish, so
 * that an equal wish is the same after a restart. Pure.
 */
final class WishObjects {
    /** No cluster has such a namespace, because a dot is not allowed. */
    static final String NAMESPACE = "direct.volume4j.io";

    /**
     * Between a job's UID and its name for a volume. Neither may contain it, so two volumes never have the same objects:
     * a dot would make volume {@code 1.data} of {@code job} the volume {@code data} of {@code job.1}.
     */
    private static final char OF = '~';

    /** Hexadecimal digits. */
    private static final int MARK = 12;

    private final String nodeName;
    private final String podUid;
    private final String revision;
    private final List<ApiObject> objects = new ArrayList<>();
    private final List<PodVolume> named = new ArrayList<>();
    private final List<Container.VolumeMount> mounts = new ArrayList<>();
    private final List<Container.VolumeDevice> devices = new ArrayList<>();

    private WishObjects(String nodeName, String podUid, String revision) {
        this.nodeName = nodeName;
        this.podUid = podUid;
        this.revision = revision;
    }

    static List<ApiObject> of(String nodeName, String podUid, PodVolumes wish, String revision) {
        WishObjects made = new WishObjects(nodeName, podUid, revision);
        wish.volumes().forEach(made::add);
        made.addPod(wish);
        return made.objects;
    }

    private void add(String name, PodVolumes.Volume volume) {
        VolumeSource source = inline(volume.source()) ? volume.source() : bound(name, volume);
        named.add(new PodVolume(name, source));
        if (volume.mode() == VolumeMode.BLOCK) {
            devices.add(new Container.VolumeDevice(name, "/dev/" + name));
        } else {
            mounts.add(new Container.VolumeMount(name, "/" + name, "", volume.readOnly(), "", ""));
        }
    }

    /** Whether pods contain the source themselves; all other sources are persistent storage. */
    private static boolean inline(VolumeSource source) {
        return source instanceof EmptyDirSource
                || source instanceof OtherSource
                || (source instanceof CsiSource csi && csi.volumeHandle().isEmpty());
    }

    private ClaimSource bound(String name, PodVolumes.Volume wanted) {
        String claimName = podUid + OF + name;
        String volumeName = NAMESPACE + "." + claimName + mark(wanted.source());
        List<AccessMode> modes = List.of(AccessMode.READ_WRITE_ONCE);
        PersistentVolumeClaim claim = new PersistentVolumeClaim(
                meta(NAMESPACE, claimName, claimName),
                new PersistentVolumeClaim.Spec(modes, null, "", wanted.mode(), volumeName, null, null, null, ""),
                new PersistentVolumeClaim.Status(ClaimPhase.BOUND, modes, null, Map.of(), Map.of(), ""),
                Unmodeled.none());
        objects.add(new PersistentVolume(
                meta("", volumeName, volumeName),
                new PersistentVolume.Spec(
                        null,
                        modes,
                        ReclaimPolicy.RETAIN,
                        "",
                        wanted.mode(),
                        ObjectReference.to(claim),
                        wanted.mountOptions(),
                        null,
                        "",
                        wanted.source()),
                new PersistentVolume.Status(VolumePhase.BOUND, "", ""),
                Unmodeled.none()));
        objects.add(claim);
        return new ClaimSource(claimName, wanted.readOnly());
    }

    /**
     * Tells apart the storage that a job wants under one name, now and later. Plugins identify such sources by the name of
     * the volume alone. With one name for both, the mount of the old storage would count as that of the new.
     */
    private static String mark(VolumeSource source) {
        String place = "";
        if (source instanceof HostPathSource hostPath) {
            place = hostPath.path();
        } else if (source instanceof LocalSource local) {
            place = local.path();
        } else if (source instanceof NfsSource nfs) {
            place = nfs.server() + ":" + nfs.path();
        }
        return place.isEmpty()
                ? ""
                : OF
                        + Hashing.sha256()
                                .hashString(place, StandardCharsets.UTF_8)
                                .toString()
                                .substring(0, MARK);
    }

    private void addPod(PodVolumes wish) {
        Pod.SecurityContext none = Pod.SecurityContext.none();
        Pod.SecurityContext context =
                wish.fsGroup() == null ? none : new Pod.SecurityContext(wish.fsGroup(), "Always", List.of(), null);
        objects.add(new Pod(
                meta(NAMESPACE, podUid, podUid),
                new Pod.Spec(
                        nodeName,
                        named,
                        List.of(),
                        List.of(new Container("main", mounts, devices, Map.of(), Map.of())),
                        context,
                        ""),
                new Pod.Status(PodPhase.RUNNING, List.of()),
                Unmodeled.none()));
    }

    private ObjectMeta meta(String namespace, String name, String uid) {
        return new ObjectMeta(
                name, namespace, uid, revision, 0, Map.of(), Map.of(), List.of(), List.of(), Instant.EPOCH, null);
    }
}
