package io.volume4j.inmemory.plugin;

import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.mount.DeviceIdentity;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.Attacher.AttachRequest;
import io.volume4j.spi.plugin.Detacher.DetachRequest;
import io.volume4j.spi.plugin.DeviceMounter.DeviceMountRequest;
import io.volume4j.spi.plugin.DeviceUnmounter.DeviceUnmountRequest;
import io.volume4j.spi.plugin.FormatLedger;
import io.volume4j.spi.plugin.Mounter.MountRequest;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.Provisioner.ProvisionRequest;
import io.volume4j.spi.plugin.Unmounter.UnmountRequest;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Requests as the library would make them. */
final class Volumes {
    static final Path ROOT = Path.of("/var/lib/volume4j");
    static final StorageClass CLASS = new StorageClass(
            ObjectMeta.named("", "fast"),
            "mem",
            Map.of("fsType", "xfs"),
            ReclaimPolicy.DELETE,
            List.of(),
            true,
            VolumeBindingMode.IMMEDIATE,
            null,
            Unmodeled.none());

    private Volumes() {}

    static VolumeSpec volume(String handle, AccessMode... modes) {
        return volume(handle, CsiSource.of("mem", handle, "", Map.of()), modes);
    }

    static VolumeSpec volume(String name, VolumeSource source, AccessMode... modes) {
        PersistentVolume.Spec spec = new PersistentVolume.Spec(
                Quantity.parse("1Gi"),
                List.of(modes),
                ReclaimPolicy.DELETE,
                "fast",
                VolumeMode.FILESYSTEM,
                null,
                List.of(),
                null,
                "",
                source);
        return VolumeSpec.of(
                new PersistentVolume(
                        ObjectMeta.named("", name),
                        spec,
                        new PersistentVolume.Status(VolumePhase.BOUND, "", ""),
                        Unmodeled.none()),
                false);
    }

    static VolumeId id(String handle) {
        return VolumeId.shared("mem", handle);
    }

    static ProvisionRequest provision(String name, long bytes, long limit) {
        PersistentVolumeClaim claim = new PersistentVolumeClaim(
                ObjectMeta.named("default", "c"),
                new PersistentVolumeClaim.Spec(
                        List.of(), null, "fast", VolumeMode.FILESYSTEM, "", null, null, null, ""),
                new PersistentVolumeClaim.Status(ClaimPhase.PENDING, List.of(), null, Map.of(), Map.of(), ""),
                Unmodeled.none());
        return new ProvisionRequest(name, claim, CLASS, bytes, limit, null);
    }

    static AttachRequest attach(VolumeSpec spec, String node) {
        return new AttachRequest(spec, id(spec.name()), node, false, PluginState.none());
    }

    static DetachRequest detach(String handle, String node) {
        return new DetachRequest(id(handle), node, "", PluginState.none());
    }

    static RootedPath devicePath(String handle) {
        return RootedPath.of(ROOT, "plugins/mem/devices/" + handle + "/mount");
    }

    static RootedPath podPath(String podUid) {
        return RootedPath.of(ROOT, "pods/" + podUid + "/volumes/mem/data");
    }

    static DeviceMountRequest stage(VolumeSpec spec) {
        return new DeviceMountRequest(
                spec,
                id(spec.name()),
                "/dev/mem/" + spec.name(),
                Map.of(),
                devicePath(spec.name()),
                null,
                new NoLedger(),
                PluginState.none());
    }

    static DeviceUnmountRequest unstage(String handle) {
        return new DeviceUnmountRequest(id(handle), "", devicePath(handle), PluginState.none());
    }

    static MountRequest publish(VolumeSpec spec, String podUid, boolean readOnly) {
        return new MountRequest(
                spec,
                id(spec.name()),
                new Pod(
                        ObjectMeta.named("default", "p-" + podUid).withUid(podUid),
                        new Pod.Spec("n1", List.of(), List.of(), List.of(), Pod.SecurityContext.none(), ""),
                        new Pod.Status(PodPhase.PENDING, List.of()),
                        Unmodeled.none()),
                "data",
                devicePath(spec.name()),
                "",
                Map.of(),
                podPath(podUid),
                readOnly,
                0,
                PluginState.none());
    }

    static UnmountRequest unpublish(String handle, String podUid) {
        return new UnmountRequest(id(handle), podUid, "data", podPath(podUid), PluginState.none());
    }

    private static final class NoLedger implements FormatLedger {
        @Override
        public void begin(DeviceIdentity device, String fsType, String proof) {}

        @Override
        public @Nullable OpenFormat open() {
            return null;
        }

        @Override
        public void finish() {}
    }
}
