package io.volume4j.csi.testing;

import io.volume4j.csi.CsiNodes;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.TypedReference;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.BlockMapper.MapPodRequest;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.Provisioner.ProvisionRequest;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Objects that tests of the plugin are given. */
public final class Given {
    public static final String DRIVER = "d.example.com";
    public static final String NODE = "n1";
    public static final Path ROOT = Path.of("/var/lib/volume4j");
    public static final VolumeId VOLUME = VolumeId.shared(DRIVER, "vol-1");
    public static final RootedPath STAGING = RootedPath.of(ROOT, "plugins/" + DRIVER + "/devices/aa/mount");
    public static final RootedPath TARGET = RootedPath.of(ROOT, "pods/p1/volumes/" + DRIVER + "/data");
    public static final long GIB = 1L << 30;
    public static final SecretRef STAGE_SECRET = new SecretRef("kube-system", "stage");

    private Given() {}

    /** The request to publish a raw device for a pod. */
    public static MapPodRequest mapPod(VolumeSpec spec) {
        return new MapPodRequest(
                spec, VOLUME, pod((Long) null), "", TARGET, PluginState.none(), Map.of("lun", "3"), STAGING);
    }

    public static StorageClass storageClass(Map<String, String> parameters) {
        return storageClass(parameters, null);
    }

    public static StorageClass storageClass(Map<String, String> parameters, @Nullable NodeSelector allowed) {
        return new StorageClass(
                ObjectMeta.named("", "fast"),
                DRIVER,
                parameters,
                ReclaimPolicy.DELETE,
                List.of(),
                true,
                VolumeBindingMode.IMMEDIATE,
                allowed,
                Unmodeled.none());
    }

    public static PersistentVolumeClaim claim(AccessMode... modes) {
        return claim("db", modes);
    }

    public static PersistentVolumeClaim claim(String name, AccessMode... modes) {
        return claim(name, VolumeMode.FILESYSTEM, null, modes);
    }

    public static PersistentVolumeClaim claim(VolumeMode mode, @Nullable TypedReference source, AccessMode... modes) {
        return claim("db", mode, source, modes);
    }

    private static PersistentVolumeClaim claim(
            String name, VolumeMode mode, @Nullable TypedReference source, AccessMode... modes) {
        return new PersistentVolumeClaim(
                ObjectMeta.named("shop", name).withUid("u1"),
                new PersistentVolumeClaim.Spec(
                        List.of(modes), Quantity.ofBytes(GIB), "fast", mode, "", null, source, null, ""),
                new PersistentVolumeClaim.Status(ClaimPhase.PENDING, List.of(), null, Map.of(), Map.of(), ""),
                Unmodeled.none());
    }

    public static ProvisionRequest provision(Map<String, String> parameters) {
        return new ProvisionRequest(
                "pvc-u1", claim(AccessMode.READ_WRITE_ONCE), storageClass(parameters), GIB, 0, null);
    }

    public static CsiSource source() {
        return CsiSource.of(DRIVER, "vol-1", "ext4", Map.of("tier", "gold"));
    }

    public static VolumeSpec spec(AccessMode... modes) {
        return spec(source(), VolumeMode.FILESYSTEM, List.of(), modes);
    }

    public static VolumeSpec spec(CsiSource source, VolumeMode mode, List<String> mountOptions, AccessMode... modes) {
        return VolumeSpec.of(
                new PersistentVolume(
                        ObjectMeta.named("", "pv-1"),
                        new PersistentVolume.Spec(
                                Quantity.ofBytes(GIB),
                                List.of(modes),
                                ReclaimPolicy.DELETE,
                                "fast",
                                mode,
                                null,
                                mountOptions,
                                null,
                                "",
                                source),
                        new PersistentVolume.Status(VolumePhase.BOUND, "", ""),
                        Unmodeled.none()),
                false);
    }

    public static VolumeSpec inline(CsiSource source) {
        return VolumeSpec.inline(new PodVolume("scratch", source));
    }

    public static Pod pod(@Nullable Long fsGroup) {
        return pod(new Pod.SecurityContext(fsGroup, "", List.of(), null));
    }

    public static Pod pod(Pod.SecurityContext security) {
        return new Pod(
                ObjectMeta.named("shop", "web-0").withUid("p1"),
                new Pod.Spec(NODE, List.of(), List.of(), List.of(), security, "web"),
                new Pod.Status(PodPhase.PENDING, List.of()),
                Unmodeled.none());
    }

    /** A cluster in which the driver runs on this node alone. */
    public static CsiNodes onlyNode(CsiNodes.CsiNode node) {
        return nodes(node);
    }

    /** A cluster in which the driver runs on these nodes. */
    public static CsiNodes nodes(CsiNodes.CsiNode... nodes) {
        return new CsiNodes() {
            @Override
            public Optional<CsiNode> byName(String nodeName) {
                return all().stream()
                        .filter(known -> known.nodeName().equals(nodeName))
                        .findFirst();
            }

            @Override
            public List<CsiNode> all() {
                return List.of(nodes);
            }
        };
    }
}
