package io.volume4j.inmemory.local;

import io.volume4j.core.plugins.FlexVolumes;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.host.InMemorySecrets;
import io.volume4j.inmemory.host.ManualCallContext;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.FlexVolumeSource;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.mount.DeviceIdentity;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.Attacher.AttachRequest;
import io.volume4j.spi.plugin.Attacher.AttachResult;
import io.volume4j.spi.plugin.Detacher.DetachRequest;
import io.volume4j.spi.plugin.DeviceMounter.DeviceMountRequest;
import io.volume4j.spi.plugin.DeviceUnmounter.DeviceUnmountRequest;
import io.volume4j.spi.plugin.Expander.ExpandRequest;
import io.volume4j.spi.plugin.Expander.ExpandResult;
import io.volume4j.spi.plugin.FormatLedger;
import io.volume4j.spi.plugin.Mounter.MountRequest;
import io.volume4j.spi.plugin.NodeExpander.NodeExpandRequest;
import io.volume4j.spi.plugin.Observer.Observation;
import io.volume4j.spi.plugin.Observer.Query;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.Unmounter.UnmountRequest;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A node with one flexvolume driver that is played by the test, and the steps of one volume's life. */
abstract class FlexBench {
    static final Path ROOT = Path.of("/var/lib/volume4j");
    static final RootedPath DEVICE = RootedPath.of(ROOT, "plugins/p/devices/h/mount");
    static final RootedPath TARGET = RootedPath.of(ROOT, "pods/uid-1/volumes/p/data");

    final InMemoryMountBackend machine = InMemoryMountBackend.create();
    final ScriptedFlexDriver driver = new ScriptedFlexDriver(machine);
    final InMemorySecrets secrets = new InMemorySecrets();
    FlexVolumes.Options options = FlexVolumes.Options.defaults();

    @Nullable
    SecretRef secretRef;

    Map<String, String> volumeOptions = Map.of("volumeID", "v1");

    @Nullable
    VolumePlugin loaded;

    PluginState deviceState = PluginState.none();
    String attachedPath = "/dev/flex";

    ExpandResult expandVolume() {
        return plugin().expander(spec())
                .orElseThrow()
                .expand(new ExpandRequest(spec(), 2L << 30, 1L << 30), new ManualCallContext());
    }

    long expandOnNode(@Nullable RootedPath mount) {
        return plugin().nodeExpander(spec())
                .orElseThrow()
                .expand(
                        new NodeExpandRequest(spec(), id(), attachedPath, mount, 2L << 30, 1L << 30, deviceState, null),
                        new ManualCallContext())
                .capacityBytes();
    }

    void supports(String... commands) {
        for (String command : commands) {
            driver.says(command, "{\"status\":\"Success\"}");
        }
    }

    VolumePlugin plugin() {
        VolumePlugin there = loaded;
        if (there == null) {
            machine.files().createRoot(ROOT);
            there = FlexVolumes.plugin(ScriptedFlexDriver.NAME, ScriptedFlexDriver.PROGRAM, options);
            there.init(InMemoryPluginHost.named("node-1")
                    .root(ROOT)
                    .mounts(machine)
                    .secrets(secrets)
                    .build());
            loaded = there;
        }
        return there;
    }

    /** Of the PersistentVolume; empty for a volume of the pod itself. */
    List<AccessMode> accessModes = List.of();

    /** Whether the pod's use of the PersistentVolume is read-only. */
    boolean podReads;

    VolumeSpec spec() {
        FlexVolumeSource source = new FlexVolumeSource(ScriptedFlexDriver.NAME, "xfs", false, volumeOptions, secretRef);
        return accessModes.isEmpty()
                ? VolumeSpec.inline(new PodVolume("data", source))
                : VolumeSpec.of(
                        new PersistentVolume(
                                ObjectMeta.named("", "data"),
                                new PersistentVolume.Spec(
                                        Quantity.parse("1Gi"),
                                        accessModes,
                                        ReclaimPolicy.RETAIN,
                                        "",
                                        VolumeMode.FILESYSTEM,
                                        null,
                                        List.of(),
                                        null,
                                        "",
                                        source),
                                new PersistentVolume.Status(VolumePhase.BOUND, "", ""),
                                Unmodeled.none()),
                        podReads);
    }

    VolumeId id() {
        return VolumeId.shared(ScriptedFlexDriver.NAME, plugin().volumeName(spec()));
    }

    AttachResult attach() {
        return plugin().attacher(spec())
                .orElseThrow()
                .attach(
                        new AttachRequest(spec(), id(), "node-1", podReads, PluginState.none()),
                        new ManualCallContext());
    }

    void detach(PluginState state) {
        plugin().detacher(id())
                .orElseThrow()
                .detach(new DetachRequest(id(), "node-1", "", state), new ManualCallContext());
    }

    List<Observation> observe() {
        return plugin().observer()
                .orElseThrow()
                .attachments(List.of(new Query(id(), "node-1")), new ManualCallContext());
    }

    void mountDevice(AttachResult attached) {
        attachedPath = attached.devicePath();
        deviceState = plugin().deviceMounter(spec())
                .orElseThrow()
                .mountDevice(
                        new DeviceMountRequest(
                                spec(),
                                id(),
                                attached.devicePath(),
                                Map.of(),
                                DEVICE,
                                null,
                                new NoFormats(),
                                deviceState),
                        new ManualCallContext())
                .state();
    }

    void unmountDevice() {
        plugin().deviceUnmounter(id())
                .orElseThrow()
                .unmountDevice(new DeviceUnmountRequest(id(), "", DEVICE, PluginState.none()), new ManualCallContext());
    }

    void mount() {
        Pod pod = new Pod(
                ObjectMeta.named("default", "web").withUid("uid-1"),
                new Pod.Spec(
                        "node-1",
                        List.of(),
                        List.of(),
                        List.of(),
                        new Pod.SecurityContext(2000L, "", List.of(), null),
                        "robot"),
                new Pod.Status(PodPhase.PENDING, List.of()),
                Unmodeled.none());
        RootedPath device = plugin().deviceMounter(spec()).isPresent() ? DEVICE : null;
        var unused = plugin().mounter(spec())
                .orElseThrow()
                .mount(
                        new MountRequest(
                                spec(), id(), pod, "data", device, "", Map.of(), TARGET, false, 0, PluginState.none()),
                        new ManualCallContext());
    }

    void unmount() {
        plugin().unmounter(id())
                .orElseThrow()
                .unmount(
                        new UnmountRequest(id(), "uid-1", "data", TARGET, PluginState.none()), new ManualCallContext());
    }

    private static final class NoFormats implements FormatLedger {
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
