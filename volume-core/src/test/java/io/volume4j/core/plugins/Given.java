package io.volume4j.core.plugins;

import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Node;
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
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.Mounter.MountRequest;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.Provisioner.ProvisionRequest;
import io.volume4j.spi.plugin.Unmounter.UnmountRequest;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Objects and requests that tests of plugins begin with. */
public final class Given {
    public static final Path ROOT = Path.of("/var/lib/volume4j");
    public static final RootedPath POD_TARGET = RootedPath.of(ROOT, "pods/uid-1/volumes/p/data");
    static final RootedPath DEVICE_TARGET = RootedPath.of(ROOT, "plugins/p/devices/h/mount");

    private Given() {}

    static PluginHost host(FakeMachine machine) {
        machine.createRoot(ROOT);
        return DefaultPluginHost.builder(ROOT)
                .nodeName("node-1")
                .mounts(machine)
                .build();
    }

    static <P extends VolumePlugin> P ready(P plugin, FakeMachine machine) {
        plugin.init(host(machine));
        return plugin;
    }

    static Pod pod(Container... containers) {
        return new Pod(
                ObjectMeta.named("default", "web").withUid("uid-1"),
                new Pod.Spec("node-1", List.of(), List.of(), List.of(containers), Pod.SecurityContext.none(), ""),
                new Pod.Status(PodPhase.RUNNING, List.of()),
                Unmodeled.none());
    }

    static Container requesting(String resource, String amount) {
        return new Container("c", List.of(), List.of(), Map.of(resource, Quantity.parse(amount)), Map.of());
    }

    static VolumeSpec inline(VolumeSource source) {
        return new VolumeSpec("data", source, null, false);
    }

    static VolumeSpec volume(VolumeSource source, VolumeMode mode, String... mountOptions) {
        return VolumeSpec.of(
                new PersistentVolume(
                        ObjectMeta.named("", "pv-1"),
                        new PersistentVolume.Spec(
                                Quantity.parse("64Mi"),
                                List.of(AccessMode.READ_WRITE_ONCE),
                                ReclaimPolicy.DELETE,
                                "loop",
                                mode,
                                null,
                                List.of(mountOptions),
                                null,
                                "",
                                source),
                        new PersistentVolume.Status(VolumePhase.BOUND, "", ""),
                        Unmodeled.none()),
                false);
    }

    static CsiSource loop(String name) {
        return CsiSource.of(LoopPlugin.NAME, name, "ext4", Map.of());
    }

    static StorageClass storageClass(Map<String, String> parameters) {
        return new StorageClass(
                ObjectMeta.named("", "loop"),
                LoopPlugin.NAME,
                parameters,
                ReclaimPolicy.DELETE,
                List.of(),
                true,
                VolumeBindingMode.IMMEDIATE,
                null,
                Unmodeled.none());
    }

    static PersistentVolumeClaim claim(VolumeMode mode, AccessMode... modes) {
        return new PersistentVolumeClaim(
                ObjectMeta.named("default", "data").withUid("uid-c"),
                new PersistentVolumeClaim.Spec(
                        List.of(modes), Quantity.parse("64Mi"), "loop", mode, "", null, null, null, ""),
                new PersistentVolumeClaim.Status(ClaimPhase.PENDING, List.of(), null, Map.of(), Map.of(), ""),
                Unmodeled.none());
    }

    static ProvisionRequest provision(Map<String, String> parameters, long bytes, long limit) {
        return provision(claim(VolumeMode.FILESYSTEM, AccessMode.READ_WRITE_ONCE), parameters, bytes, limit, null);
    }

    static ProvisionRequest provision(
            PersistentVolumeClaim claim, Map<String, String> parameters, long bytes, long limit, @Nullable Node node) {
        return new ProvisionRequest("pvc-1", claim, storageClass(parameters), bytes, limit, node);
    }

    static Node node(String name) {
        return new Node(
                ObjectMeta.named("", name),
                new Node.Spec(List.of()),
                new Node.Status(true, List.of(), List.of(), Map.of()),
                Unmodeled.none());
    }

    static VolumeId id(VolumePlugin plugin, VolumeSpec spec) {
        return plugin.shared(spec)
                ? VolumeId.shared(plugin.name(), plugin.volumeName(spec))
                : VolumeId.ofPod(plugin.name(), plugin.volumeName(spec), "uid-1");
    }

    static MountRequest mount(VolumePlugin plugin, VolumeSpec spec, boolean readOnly) {
        return mount(plugin, spec, pod(), null, readOnly, 0, PluginState.none());
    }

    static MountRequest mount(
            VolumePlugin plugin,
            VolumeSpec spec,
            Pod pod,
            @Nullable RootedPath deviceMount,
            boolean readOnly,
            long limit,
            PluginState state) {
        return new MountRequest(
                spec, id(plugin, spec), pod, "data", deviceMount, "", Map.of(), POD_TARGET, readOnly, limit, state);
    }

    static UnmountRequest unmount(VolumePlugin plugin) {
        return new UnmountRequest(
                VolumeId.ofPod(plugin.name(), "data", "uid-1"), "uid-1", "data", POD_TARGET, PluginState.none());
    }
}
