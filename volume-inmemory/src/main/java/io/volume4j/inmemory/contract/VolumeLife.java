package io.volume4j.inmemory.contract;

import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.host.ManualCallContext;
import io.volume4j.spi.CallContext;
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
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.Attacher.AttachRequest;
import io.volume4j.spi.plugin.Attacher.AttachResult;
import io.volume4j.spi.plugin.BlockMapper.MapDeviceRequest;
import io.volume4j.spi.plugin.BlockMapper.MapPodRequest;
import io.volume4j.spi.plugin.BlockUnmapper.UnmapDeviceRequest;
import io.volume4j.spi.plugin.BlockUnmapper.UnmapPodRequest;
import io.volume4j.spi.plugin.Deleter.DeleteRequest;
import io.volume4j.spi.plugin.Detacher.DetachRequest;
import io.volume4j.spi.plugin.DeviceMounter.DeviceMountRequest;
import io.volume4j.spi.plugin.DeviceUnmounter.DeviceUnmountRequest;
import io.volume4j.spi.plugin.Expander.ExpandRequest;
import io.volume4j.spi.plugin.FormatLedger;
import io.volume4j.spi.plugin.Mounter.MountRequest;
import io.volume4j.spi.plugin.NodeExpander.NodeExpandRequest;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.Provisioner.ProvisionRequest;
import io.volume4j.spi.plugin.Provisioner.ProvisionResult;
import io.volume4j.spi.plugin.Unmounter.UnmountRequest;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes one volume through its life as the library does. It omits steps without a capability of the plugin, passes the
 * result of a step to the next, and tears down by names. Belongs to one test.
 */
final class VolumeLife {
    static final String NODE = "n1";
    static final String FIRST_POD = "pod-uid-1";

    private final PluginUnderTest subject;
    private final CallContext context = new ManualCallContext("contract");
    private final FormatLedger ledger = new OneVolumeLedger();
    private final String name;
    private MountBackend backend;
    private VolumePlugin plugin;
    private @Nullable VolumeSource source;
    private long bytes;
    private VolumeMode mode = VolumeMode.FILESYSTEM;
    private AttachResult attached = AttachResult.at("");
    private PluginState staged = PluginState.none();
    private PluginState published = PluginState.none();

    /** @param name of the PersistentVolume, also for provisioning */
    VolumeLife(PluginUnderTest subject, String name) {
        this(subject, name, subject.machine().backend());
    }

    /** @param backend the machine as the first process sees it */
    VolumeLife(PluginUnderTest subject, String name, MountBackend backend) {
        this.subject = subject;
        this.name = name;
        this.backend = backend;
        this.plugin = started();
        this.bytes = subject.bytes();
    }

    /** The process dies: a new plugin has only the actual state, and no state of earlier calls. */
    VolumeLife restart() {
        backend = subject.machine().backend();
        plugin = started();
        attached = AttachResult.at("");
        staged = PluginState.none();
        published = PluginState.none();
        return this;
    }

    VolumePlugin plugin() {
        return plugin;
    }

    boolean provisions() {
        return plugin.provisioner(storageClass()).isPresent();
    }

    ProvisionResult provision() {
        ProvisionResult made = plugin.provisioner(storageClass()).orElseThrow().provision(provisionRequest(), context);
        source = made.source();
        bytes = made.capacityBytes();
        return made;
    }

    /** Provisions the volume, or uses an existing one. */
    VolumeLife create() {
        if (provisions()) {
            provision();
        } else if (source == null) {
            source = subject.existing(name);
        }
        return this;
    }

    /** Uses a volume of which only the source is known. */
    VolumeLife with(VolumeSource known) {
        source = known;
        return this;
    }

    VolumeLife asBlock() {
        mode = VolumeMode.BLOCK;
        return this;
    }

    void delete() {
        VolumeSource there = source();
        plugin.deleter(spec()).ifPresent(deleter -> deleter.delete(new DeleteRequest(name, there), context));
    }

    String attach() {
        plugin.attacher(spec())
                .ifPresent(attacher -> attached =
                        attacher.attach(new AttachRequest(spec(), id(), NODE, false, attached.state()), context));
        return attached.devicePath();
    }

    void detach() {
        plugin.detacher(id())
                .ifPresent(detacher -> detacher.detach(
                        new DetachRequest(id(), NODE, attached.devicePath(), attached.state()), context));
    }

    boolean stages() {
        return plugin.deviceMounter(spec()).isPresent();
    }

    void stage() {
        plugin.deviceMounter(spec())
                .ifPresent(mounter -> staged = mounter.mountDevice(
                                new DeviceMountRequest(
                                        spec(),
                                        id(),
                                        attached.devicePath(),
                                        attached.metadata(),
                                        stagingPath(),
                                        null,
                                        ledger,
                                        staged),
                                context)
                        .state());
    }

    void unstage() {
        plugin.deviceUnmounter(id())
                .ifPresent(unmounter -> unmounter.unmountDevice(
                        new DeviceUnmountRequest(id(), attached.devicePath(), stagingPath(), staged), context));
    }

    void publish(String podUid, boolean readOnly) {
        published = plugin.mounter(spec())
                .orElseThrow()
                .mount(
                        new MountRequest(
                                spec(),
                                id(podUid),
                                pod(podUid),
                                "data",
                                stages() ? stagingPath() : null,
                                attached.devicePath(),
                                attached.metadata(),
                                publishPath(podUid),
                                readOnly,
                                0,
                                published),
                        context)
                .state();
    }

    void unpublish(String podUid) {
        plugin.unmounter(id(podUid))
                .orElseThrow()
                .unmount(new UnmountRequest(id(podUid), podUid, "data", publishPath(podUid), published), context);
        published = PluginState.none();
    }

    String mapDevice() {
        return plugin.blockMapper(spec())
                .orElseThrow()
                .mapDevice(
                        new MapDeviceRequest(
                                spec(),
                                id(),
                                attached.devicePath(),
                                attached.metadata(),
                                stagingPath(),
                                PluginState.none()),
                        context)
                .devicePath();
    }

    String mapPod(String podUid, String device) {
        return plugin.blockMapper(spec())
                .orElseThrow()
                .mapPod(
                        new MapPodRequest(
                                spec(), id(podUid), pod(podUid), device, publishPath(podUid), PluginState.none()),
                        context)
                .devicePath();
    }

    void unmap(String podUid) {
        var unmapper = plugin.blockUnmapper(id()).orElseThrow();
        unmapper.unmapPod(new UnmapPodRequest(id(podUid), podUid, publishPath(podUid), PluginState.none()), context);
        unmapper.unmapDevice(
                new UnmapDeviceRequest(id(), attached.devicePath(), stagingPath(), PluginState.none()), context);
    }

    long expand(long newBytes) {
        long old = bytes;
        bytes = plugin.expander(spec())
                .orElseThrow()
                .expand(new ExpandRequest(spec(), newBytes, old), context)
                .capacityBytes();
        return bytes;
    }

    long expandOnNode() {
        return plugin.nodeExpander(spec())
                .orElseThrow()
                .expand(
                        new NodeExpandRequest(
                                spec(),
                                id(),
                                attached.devicePath(),
                                stages() ? stagingPath() : null,
                                bytes,
                                subject.bytes(),
                                staged),
                        context)
                .capacityBytes();
    }

    /** From creation to a pod's mount. */
    VolumeLife setUp(String podUid) {
        create();
        attach();
        stage();
        publish(podUid, false);
        return this;
    }

    /** From a pod's mount to a detached volume. */
    void tearDown(String podUid) {
        unpublish(podUid);
        unstage();
        detach();
    }

    VolumeSpec spec() {
        PersistentVolume.Spec spec = new PersistentVolume.Spec(
                Quantity.ofBytes(bytes),
                List.of(AccessMode.READ_WRITE_ONCE),
                ReclaimPolicy.DELETE,
                "contract",
                mode,
                null,
                List.of(),
                null,
                "",
                source());
        return VolumeSpec.of(
                new PersistentVolume(
                        ObjectMeta.named("", name),
                        spec,
                        new PersistentVolume.Status(VolumePhase.BOUND, "", ""),
                        Unmodeled.none()),
                false);
    }

    /** The id. Outside of pods' calls, a volume that belongs to one pod is the first pod's. */
    VolumeId id() {
        return id(FIRST_POD);
    }

    private VolumeId id(String podUid) {
        String volume = plugin.volumeName(spec());
        return plugin.shared(spec())
                ? VolumeId.shared(plugin.name(), volume)
                : VolumeId.ofPod(plugin.name(), volume, podUid);
    }

    RootedPath stagingPath() {
        String digest = HexFormat.of().toHexDigits(plugin.volumeName(spec()).hashCode());
        return RootedPath.of(root(), "plugins/" + escapedPlugin() + "/devices/" + digest + "/mount");
    }

    RootedPath publishPath(String podUid) {
        return RootedPath.of(root(), "pods/" + podUid + "/volumes/" + escapedPlugin() + "/data");
    }

    CallContext context() {
        return context;
    }

    private VolumeSource source() {
        if (source == null) {
            throw new IllegalStateException("the volume was not created yet");
        }
        return source;
    }

    private Path root() {
        return subject.machine().root();
    }

    private String escapedPlugin() {
        return plugin.name().replace("/", "~");
    }

    private VolumePlugin started() {
        VolumePlugin made = subject.newPlugin();
        InMemoryPluginHost.Builder host = InMemoryPluginHost.named(NODE);
        subject.prepare(host);
        made.init(host.root(root()).mounts(backend).build());
        return made;
    }

    private StorageClass storageClass() {
        return new StorageClass(
                ObjectMeta.named("", "contract"),
                plugin.name(),
                subject.parameters(),
                ReclaimPolicy.DELETE,
                List.of(),
                true,
                VolumeBindingMode.IMMEDIATE,
                null,
                Unmodeled.none());
    }

    private ProvisionRequest provisionRequest() {
        PersistentVolumeClaim claim = new PersistentVolumeClaim(
                ObjectMeta.named("default", "claim").withUid(name.replace("pvc-", "")),
                new PersistentVolumeClaim.Spec(
                        List.of(AccessMode.READ_WRITE_ONCE),
                        Quantity.ofBytes(subject.bytes()),
                        "contract",
                        mode,
                        "",
                        null,
                        null,
                        null,
                        ""),
                new PersistentVolumeClaim.Status(ClaimPhase.PENDING, List.of(), null, Map.of(), Map.of(), ""),
                Unmodeled.none());
        return new ProvisionRequest(name, claim, storageClass(), subject.bytes(), 0, null);
    }

    private static Pod pod(String uid) {
        return new Pod(
                ObjectMeta.named("default", "pod-" + uid).withUid(uid),
                new Pod.Spec(NODE, List.of(), List.of(), List.of(), Pod.SecurityContext.none(), ""),
                new Pod.Status(PodPhase.PENDING, List.of()),
                Unmodeled.none());
    }

    static byte[] text(String content) {
        return content.getBytes(StandardCharsets.UTF_8);
    }
}
