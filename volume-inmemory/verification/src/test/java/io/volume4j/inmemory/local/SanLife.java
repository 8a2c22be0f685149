package io.volume4j.inmemory.local;

import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.host.InMemorySecrets;
import io.volume4j.inmemory.host.ManualCallContext;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.mount.DeviceIdentity;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.BlockMapper.MapDeviceRequest;
import io.volume4j.spi.plugin.BlockUnmapper.UnmapDeviceRequest;
import io.volume4j.spi.plugin.DeviceMounter.DeviceMountRequest;
import io.volume4j.spi.plugin.DeviceUnmounter.DeviceUnmountRequest;
import io.volume4j.spi.plugin.FormatLedger;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Volumes of a storage network on one node, mounted and mapped step by step. */
final class SanLife {
    static final Path ROOT = Path.of("/var/lib/volume4j");

    final InMemoryMountBackend machine;
    final InMemorySecrets secrets = new InMemorySecrets();
    final ManualCallContext context = new ManualCallContext();
    List<AccessMode> accessModes = List.of(AccessMode.READ_WRITE_ONCE);
    private final Supplier<VolumePlugin> kind;
    private @Nullable VolumePlugin plugin;

    SanLife(InMemoryMountBackend machine, Supplier<VolumePlugin> kind) {
        this.machine = machine;
        this.kind = kind;
        machine.files().createRoot(ROOT);
    }

    VolumePlugin plugin() {
        VolumePlugin known = plugin;
        if (known == null) {
            known = kind.get();
            known.init(InMemoryPluginHost.named("node-1")
                    .root(ROOT)
                    .mounts(machine)
                    .secrets(secrets)
                    .build());
            plugin = known;
        }
        return known;
    }

    /** The process ends and another one begins. */
    void restart() {
        plugin = null;
    }

    VolumeSpec spec(VolumeSource source) {
        return VolumeSpec.of(
                new PersistentVolume(
                        ObjectMeta.named("", "pv-1"),
                        new PersistentVolume.Spec(
                                Quantity.parse("64Mi"),
                                accessModes,
                                ReclaimPolicy.RETAIN,
                                "san",
                                VolumeMode.FILESYSTEM,
                                new ObjectReference("v1", "PersistentVolumeClaim", "team", "claim", "uid-c", ""),
                                List.of(),
                                null,
                                "",
                                source),
                        new PersistentVolume.Status(VolumePhase.BOUND, "", ""),
                        Unmodeled.none()),
                false);
    }

    private VolumeId id(VolumeSource source) {
        return VolumeId.shared(plugin().name(), plugin().volumeName(spec(source)));
    }

    void mount(VolumeSource source, String place) {
        mount(source, place, "");
    }

    /** @param label the SELinux context of the pod */
    void mount(VolumeSource source, String place, String label) {
        mount(source, place, label, context);
    }

    void mount(VolumeSource source, String place, String label, ManualCallContext call) {
        plugin().deviceMounter(spec(source))
                .orElseThrow()
                .mountDevice(
                        new DeviceMountRequest(
                                spec(source),
                                id(source),
                                "",
                                Map.of(),
                                target(place),
                                null,
                                new Formats(),
                                PluginState.none(),
                                label),
                        call);
    }

    void unmount(VolumeSource source, String place) {
        plugin().deviceUnmounter(id(source))
                .orElseThrow()
                .unmountDevice(new DeviceUnmountRequest(id(source), "", target(place), PluginState.none()), context);
    }

    String map(VolumeSource source) {
        return plugin().blockMapper(spec(source))
                .orElseThrow()
                .mapDevice(
                        new MapDeviceRequest(spec(source), id(source), "", Map.of(), target("map"), PluginState.none()),
                        context)
                .devicePath();
    }

    void unmap(VolumeSource source) {
        plugin().blockUnmapper(id(source))
                .orElseThrow()
                .unmapDevice(new UnmapDeviceRequest(id(source), "", target("map"), PluginState.none()), context);
    }

    Optional<MountEntry> mounted(String place) {
        return machine.table().at(target(place).absolute());
    }

    static RootedPath target(String place) {
        return RootedPath.of(ROOT, "plugins/p/devices/" + place + "/mount");
    }

    private static final class Formats implements FormatLedger {
        private @Nullable OpenFormat open;

        @Override
        public @Nullable OpenFormat open() {
            return open;
        }

        @Override
        public void begin(DeviceIdentity device, String fsType, String proof) {
            open = new OpenFormat(device, fsType, proof);
        }

        @Override
        public void finish() {
            open = null;
        }
    }
}
