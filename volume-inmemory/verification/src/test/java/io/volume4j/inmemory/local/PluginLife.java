package io.volume4j.inmemory.local;

import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.inmemory.host.ManualCallContext;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ClaimPhase;
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
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.Attacher.AttachRequest;
import io.volume4j.spi.plugin.Deleter.DeleteRequest;
import io.volume4j.spi.plugin.Detacher.DetachRequest;
import io.volume4j.spi.plugin.DeviceMounter.DeviceMountRequest;
import io.volume4j.spi.plugin.DeviceUnmounter.DeviceUnmountRequest;
import io.volume4j.spi.plugin.FormatLedger;
import io.volume4j.spi.plugin.Mounter.MountRequest;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.Provisioner.ProvisionRequest;
import io.volume4j.spi.plugin.Unmounter.UnmountRequest;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A volume's life on a machine in memory, call by call as the library makes them: each step twice is one step, and teardown
 * goes by names alone. What the plugin made is gone at the end, or {@link #leftovers()} tells.
 */
final class PluginLife {
    static final Path ROOT = Path.of("/var/lib/volume4j");
    static final RootedPath DEVICE = RootedPath.of(ROOT, "plugins/p/devices/h/mount");
    static final RootedPath POD = RootedPath.of(ROOT, "pods/uid-1/volumes/p/data");

    final InMemoryMountBackend machine;
    /** What a restart of the machine does beside what happens in its memory. */
    Runnable whenRestarted = () -> {};

    private final VolumePlugin plugin;
    private final VolumeSpec spec;
    private final VolumeId id;
    private final boolean provisioned;
    private final Ledger ledger = new Ledger();

    PluginLife(InMemoryMountBackend machine, VolumePlugin plugin, VolumeSource source, boolean provisioned) {
        this.machine = machine;
        this.plugin = plugin;
        this.provisioned = provisioned;
        machine.files().createRoot(ROOT);
        plugin.init(DefaultPluginHost.builder(ROOT)
                .nodeName("node-1")
                .mounts(machine)
                .build());
        spec = VolumeSpec.of(
                new PersistentVolume(
                        ObjectMeta.named("", "pvc-1"),
                        new PersistentVolume.Spec(
                                Quantity.parse("64Mi"),
                                List.of(AccessMode.READ_WRITE_ONCE),
                                ReclaimPolicy.DELETE,
                                "local",
                                VolumeMode.FILESYSTEM,
                                null,
                                List.of(),
                                null,
                                "",
                                source),
                        new PersistentVolume.Status(VolumePhase.BOUND, "", ""),
                        Unmodeled.none()),
                false);
        id = plugin.shared(spec)
                ? VolumeId.shared(plugin.name(), plugin.volumeName(spec))
                : VolumeId.ofPod(plugin.name(), plugin.volumeName(spec), "uid-1");
    }

    /** From nothing to a pod that can use the volume. */
    List<Runnable> up() {
        List<Runnable> steps = new ArrayList<>();
        if (provisioned) {
            steps.add(this::provision);
        }
        plugin.attacher(spec)
                .ifPresent(attacher -> steps.add(() -> attacher.attach(
                        new AttachRequest(spec, id, "node-1", false, PluginState.none()), new ManualCallContext())));
        plugin.deviceMounter(spec)
                .ifPresent(mounter -> steps.add(() -> {
                    makeParent(DEVICE);
                    mounter.mountDevice(
                            new DeviceMountRequest(spec, id, "", Map.of(), DEVICE, null, ledger, PluginState.none()),
                            new ManualCallContext());
                }));
        steps.add(this::mount);
        return steps;
    }

    /** Back again, but for the storage itself. */
    List<Runnable> down() {
        List<Runnable> steps = new ArrayList<>();
        plugin.unmounter(id)
                .ifPresent(unmounter -> steps.add(() -> unmounter.unmount(
                        new UnmountRequest(id, "uid-1", "data", POD, PluginState.none()), new ManualCallContext())));
        plugin.deviceUnmounter(id)
                .ifPresent(unmounter -> steps.add(() -> unmounter.unmountDevice(
                        new DeviceUnmountRequest(id, "", DEVICE, PluginState.none()), new ManualCallContext())));
        plugin.detacher(id)
                .ifPresent(detacher -> steps.add(() -> detacher.detach(
                        new DetachRequest(id, "node-1", "", PluginState.none()), new ManualCallContext())));
        return steps;
    }

    void delete() {
        if (provisioned) {
            plugin.deleter(spec)
                    .orElseThrow()
                    .delete(new DeleteRequest("pvc-1", spec.source()), new ManualCallContext());
        }
    }

    /** Everything below the root that is no directory: mounts, devices, files. */
    List<String> leftovers() {
        return machine.leaks(ROOT).stream()
                .filter(line -> !line.startsWith("directory "))
                .toList();
    }

    /** Whether a place where something was mounted is still there. */
    boolean mountPointsLeft() {
        return isThere(DEVICE) || isThere(POD);
    }

    FormatLedger.@Nullable OpenFormat openFormat() {
        return ledger.open;
    }

    int formats() {
        return ledger.begun;
    }

    private boolean isThere(RootedPath place) {
        return machine.files().status(place).map(FileStatus::type).isPresent();
    }

    private void mount() {
        makeParent(POD);
        Pod pod = new Pod(
                ObjectMeta.named("default", "web").withUid("uid-1"),
                new Pod.Spec("node-1", List.of(), List.of(), List.of(), Pod.SecurityContext.none(), ""),
                new Pod.Status(PodPhase.RUNNING, List.of()),
                Unmodeled.none());
        RootedPath device = plugin.deviceMounter(spec).isPresent() ? DEVICE : null;
        plugin.mounter(spec)
                .orElseThrow()
                .mount(
                        new MountRequest(
                                spec, id, pod, "data", device, "", Map.of(), POD, false, 0, PluginState.none()),
                        new ManualCallContext());
    }

    private void provision() {
        StorageClass storageClass = new StorageClass(
                ObjectMeta.named("", "local"),
                plugin.name(),
                Map.of(),
                ReclaimPolicy.DELETE,
                List.of(),
                true,
                VolumeBindingMode.IMMEDIATE,
                null,
                Unmodeled.none());
        PersistentVolumeClaim claim = new PersistentVolumeClaim(
                ObjectMeta.named("default", "data").withUid("uid-c"),
                new PersistentVolumeClaim.Spec(
                        List.of(AccessMode.READ_WRITE_ONCE),
                        Quantity.parse("64Mi"),
                        "local",
                        VolumeMode.FILESYSTEM,
                        "",
                        null,
                        null,
                        null,
                        ""),
                new PersistentVolumeClaim.Status(ClaimPhase.PENDING, List.of(), null, Map.of(), Map.of(), ""),
                Unmodeled.none());
        plugin.provisioner(storageClass)
                .orElseThrow()
                .provision(
                        new ProvisionRequest("pvc-1", claim, storageClass, 64L << 20, 0, null),
                        new ManualCallContext());
    }

    private void makeParent(RootedPath place) {
        Path parent = place.relative().getParent();
        if (parent != null) {
            machine.files().createDirectory(new RootedPath(place.root(), parent), 0750);
        }
    }

    /** Durable as the journal is: whatever happens to the machine, it remembers. */
    private static final class Ledger implements FormatLedger {
        private @Nullable OpenFormat open;
        private int begun;

        @Override
        public void begin(DeviceIdentity device, String fsType, String proof) {
            open = new OpenFormat(device, fsType, proof);
            begun++;
        }

        @Override
        public @Nullable OpenFormat open() {
            return open;
        }

        @Override
        public void finish() {
            open = null;
        }
    }
}
