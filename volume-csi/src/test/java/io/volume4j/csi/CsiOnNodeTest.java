package io.volume4j.csi;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.volume4j.core.VolumeManager;
import io.volume4j.core.VolumeManagerBuilder;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.csi.internal.proto.ControllerGrpc;
import io.volume4j.csi.internal.proto.ControllerPublishVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerPublishVolumeResponse;
import io.volume4j.csi.internal.proto.ControllerUnpublishVolumeResponse;
import io.volume4j.csi.internal.proto.NodeExpandVolumeRequest;
import io.volume4j.csi.internal.proto.NodeExpandVolumeResponse;
import io.volume4j.csi.internal.proto.NodeGetVolumeHealthRequest;
import io.volume4j.csi.internal.proto.NodeGetVolumeHealthResponse;
import io.volume4j.csi.internal.proto.NodeGrpc;
import io.volume4j.csi.internal.proto.NodePublishVolumeRequest;
import io.volume4j.csi.internal.proto.NodePublishVolumeResponse;
import io.volume4j.csi.internal.proto.NodeServiceCapability;
import io.volume4j.csi.internal.proto.NodeStageVolumeRequest;
import io.volume4j.csi.internal.proto.NodeStageVolumeResponse;
import io.volume4j.csi.internal.proto.NodeUnpublishVolumeResponse;
import io.volume4j.csi.internal.proto.NodeUnstageVolumeResponse;
import io.volume4j.csi.internal.proto.VolumeCapability;
import io.volume4j.csi.testing.Given;
import io.volume4j.csi.testing.PluginHarness;
import io.volume4j.csi.testing.TestContext;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.CsiDriver;
import io.volume4j.spi.model.CsiDriver.FsGroupPolicy;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import io.volume4j.spi.plugin.DeviceUnmounter.DeviceUnmountRequest;
import io.volume4j.spi.plugin.PluginState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What stands in a pod and in a volume's object, as it reaches the driver through the node's manager. */
@Timeout(240)
class CsiOnNodeTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Map<String, String> PUBLISH_CONTEXT = Map.of("lun", "3", "portal", "[fd00::1]:3260");
    private static final Pod.SeLinuxOptions LEVEL = new Pod.SeLinuxOptions("", "", "", "s0:c1,c2");
    private static final String CONTEXT_OPTION = "context=\"system_u:object_r:container_file_t:s0:c1,c2\"";

    private final PluginHarness world = new PluginHarness();
    private final InMemoryCluster cluster = InMemoryCluster.create();
    private final Set<String> mounted = ConcurrentHashMap.newKeySet();
    private @Nullable VolumeManager manager;
    private @Nullable CsiPlugin plugin;

    @BeforeEach
    void mountAsDriversDo() {
        world.calls.on(
                ControllerGrpc.getControllerPublishVolumeMethod(),
                request -> ControllerPublishVolumeResponse.newBuilder()
                        .putAllPublishContext(PUBLISH_CONTEXT)
                        .build());
        world.calls.on(
                ControllerGrpc.getControllerUnpublishVolumeMethod(),
                request -> ControllerUnpublishVolumeResponse.getDefaultInstance());
        world.calls.on(NodeGrpc.getNodeStageVolumeMethod(), request -> {
            mount(request.getStagingTargetPath());
            return NodeStageVolumeResponse.getDefaultInstance();
        });
        world.calls.on(NodeGrpc.getNodePublishVolumeMethod(), request -> {
            mount(request.getTargetPath());
            return NodePublishVolumeResponse.getDefaultInstance();
        });
        world.calls.on(NodeGrpc.getNodeUnpublishVolumeMethod(), request -> {
            unmount(request.getTargetPath());
            return NodeUnpublishVolumeResponse.getDefaultInstance();
        });
        world.calls.on(NodeGrpc.getNodeUnstageVolumeMethod(), request -> {
            unmount(request.getStagingTargetPath());
            return NodeUnstageVolumeResponse.getDefaultInstance();
        });
    }

    @AfterEach
    void close() {
        if (manager != null) {
            manager.close();
        }
        world.close();
    }

    /** As the driver is to mount it so, both calls say so: the one that mounts is the driver's choice. */
    @ParameterizedTest
    @CsvSource({"true, true", "false, true", "true, false"})
    void thePodsSeLinuxContextIsAMountOptionOfBothCallsIfTheDriverTakesIt(boolean staged, boolean driverTakesIt) {
        if (!staged) {
            world.node(NodeServiceCapability.RPC.Type.GET_VOLUME_STATS);
        }
        start(CsiDriverPolicy.builder().seLinuxMount(driverTakesIt).build());
        volume(false);
        pod("a", new Pod.SecurityContext(null, "", List.of(), LEVEL), false);
        manager().awaitMounted("a", SOON);

        List<String> expected = driverTakesIt ? List.of(CONTEXT_OPTION) : List.of();
        if (staged) {
            assertThat(flags(world.calls.last(NodeStageVolumeRequest.class).getVolumeCapability()))
                    .isEqualTo(expected);
        } else {
            assertThat(world.calls.of(NodeStageVolumeRequest.class)).isEmpty();
        }
        assertThat(flags(world.calls.last(NodePublishVolumeRequest.class).getVolumeCapability()))
                .isEqualTo(expected);
        goes("a");
    }

    /** The one mount of the volume has one context: a pod with another one waits for the pods that have the first. */
    @Test
    void aPodWithAnotherContextGetsTheVolumeStagedAnewWhenTheFirstIsGone() {
        start(CsiDriverPolicy.builder().seLinuxMount(true).build());
        volume(false);
        pod("a", new Pod.SecurityContext(null, "", List.of(), LEVEL), false);
        manager().awaitMounted("a", SOON);
        pod("b", new Pod.SecurityContext(null, "", List.of(), new Pod.SeLinuxOptions("", "", "", "s0:c7")), false);
        cluster.remove(ObjectKey.pod("default", "a"));
        manager().awaitMounted("b", SOON);
        assertThat(world.calls.of(NodeStageVolumeRequest.class).stream()
                        .map(request -> flags(request.getVolumeCapability())))
                .containsExactly(
                        List.of(CONTEXT_OPTION), List.of("context=\"system_u:object_r:container_file_t:s0:c7\""));
        goes("b");
    }

    @Test
    void whatTheAttachmentGaveIsBroughtToEachCallOfTheNode() {
        start(CsiDriverPolicy.defaults());
        volume(false);
        pod("a", Pod.SecurityContext.none(), false);
        manager().awaitMounted("a", SOON);
        assertThat(world.calls.last(NodeStageVolumeRequest.class).getPublishContextMap())
                .isEqualTo(PUBLISH_CONTEXT);
        assertThat(world.calls.last(NodePublishVolumeRequest.class).getPublishContextMap())
                .isEqualTo(PUBLISH_CONTEXT);
        assertThat(world.calls.last(NodePublishVolumeRequest.class).getStagingTargetPath())
                .isEqualTo(world.calls.last(NodeStageVolumeRequest.class).getStagingTargetPath());
        goes("a");
    }

    @ParameterizedTest(name = "volume read-only {0}, pod read-only {1}")
    @CsvSource({"false, false, false, false", "false, true, false, true", "true, false, true, true"})
    void readOnlyIsTheAttachmentsIfTheVolumeSaysSoAndThePodsIfEither(
            boolean volume, boolean pod, boolean attached, boolean published) {
        start(CsiDriverPolicy.defaults());
        volume(volume);
        pod("a", Pod.SecurityContext.none(), pod);
        manager().awaitMounted("a", SOON);
        assertThat(world.calls.last(ControllerPublishVolumeRequest.class).getReadonly())
                .isEqualTo(attached);
        assertThat(world.calls.last(NodePublishVolumeRequest.class).getReadonly())
                .isEqualTo(published);
        goes("a");
    }

    /** Nothing is published yet when it is mapped, so it must not wait for that; the driver knows it by its own path. */
    @Test
    void aRawDeviceThatIsToGrowComesToItsPodAndGrowsWhereItWasPublished() {
        publishRawDevices();
        world.calls.on(
                NodeGrpc.getNodeExpandVolumeMethod(),
                request -> NodeExpandVolumeResponse.newBuilder()
                        .setCapacityBytes(request.getCapacityRange().getRequiredBytes())
                        .build());
        start(CsiDriverPolicy.defaults());
        volume(false, VolumeMode.BLOCK, 2 * Given.GIB);
        pod("a", Pod.SecurityContext.none(), false, VolumeMode.BLOCK);

        manager().awaitMounted("a", SOON);

        Awaitility.await()
                .atMost(SOON)
                .until(() -> !world.calls.of(NodeExpandVolumeRequest.class).isEmpty());
        assertThat(world.calls.last(NodeExpandVolumeRequest.class))
                .returns(
                        world.calls.last(NodePublishVolumeRequest.class).getTargetPath(),
                        NodeExpandVolumeRequest::getVolumePath)
                .returns(
                        world.calls.last(NodeStageVolumeRequest.class).getStagingTargetPath(),
                        NodeExpandVolumeRequest::getStagingTargetPath)
                .returns(2 * Given.GIB, request -> request.getCapacityRange().getRequiredBytes());
        goes("a");
    }

    /** The driver sets groups in later mounts only, so that the library owes this mount its group. */
    @Test
    void aVolumeGetsItsGroupAlthoughItsDriverSetsGroupsItselfSinceItWasMounted() {
        world.node(NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME);
        world.calls.on(
                NodeGrpc.getNodePublishVolumeMethod(), request -> NodePublishVolumeResponse.getDefaultInstance());
        start(CsiDriverPolicy.builder().fsGroupPolicy(FsGroupPolicy.FILE).build());
        volume(false);
        pod("a", new Pod.SecurityContext(4711L, "", List.of(), null), false);
        Awaitility.await()
                .atMost(SOON)
                .until(() -> manager().explainPod("a").join().text().contains("to be given to a group"));
        world.driver.kill();
        world.node(
                NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME, NodeServiceCapability.RPC.Type.VOLUME_MOUNT_GROUP);
        world.driver.start();
        learnOfTheUpdate();
        assertThat(plugin().driver().toString()).contains("VOLUME_MOUNT_GROUP");

        String target = world.calls.last(NodePublishVolumeRequest.class).getTargetPath();
        mount(target);
        manager().awaitMounted("a", SOON);

        assertThat(world.machine.files().owner(at(target)).orElseThrow().group())
                .isEqualTo(4711);
        goes("a");
    }

    /** A call for any other volume. */
    private void learnOfTheUpdate() {
        VolumeId other = VolumeId.shared(Given.DRIVER, "vol-2");
        plugin().deviceUnmounter(other)
                .orElseThrow()
                .unmountDevice(
                        new DeviceUnmountRequest(
                                other, "", RootedPath.of(Given.ROOT, "plugins/other"), PluginState.none()),
                        TestContext.patient());
    }

    /** A driver without statistics is asked for the health alone. */
    @Test
    void theHealthOfARawDeviceIsAskedWhereItWasPublished() {
        world.node(
                NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME, NodeServiceCapability.RPC.Type.GET_VOLUME_HEALTH);
        publishRawDevices();
        world.calls.on(
                NodeGrpc.getNodeGetVolumeHealthMethod(), request -> NodeGetVolumeHealthResponse.getDefaultInstance());
        start(CsiDriverPolicy.defaults(), builder -> builder.watchVolumes(Duration.ofMillis(20)));
        volume(false, VolumeMode.BLOCK, Given.GIB);
        pod("a", Pod.SecurityContext.none(), false, VolumeMode.BLOCK);
        manager().awaitMounted("a", SOON);
        int before = world.calls.of(NodeGetVolumeHealthRequest.class).size();

        Awaitility.await()
                .atMost(SOON)
                .until(() -> world.calls.of(NodeGetVolumeHealthRequest.class).size() > before + 1);

        assertThat(world.calls.last(NodeGetVolumeHealthRequest.class))
                .returns(
                        world.calls.last(NodePublishVolumeRequest.class).getTargetPath(),
                        NodeGetVolumeHealthRequest::getVolumePublishPath)
                .returns(
                        world.calls.last(NodeStageVolumeRequest.class).getStagingTargetPath(),
                        NodeGetVolumeHealthRequest::getStagingTargetPath);
        goes("a");
    }

    private void publishRawDevices() {
        world.calls.on(NodeGrpc.getNodeStageVolumeMethod(), request -> NodeStageVolumeResponse.getDefaultInstance());
        world.calls.on(NodeGrpc.getNodePublishVolumeMethod(), request -> {
            world.machine.files().createSparseFile(at(request.getTargetPath()), 4096, 0600);
            return NodePublishVolumeResponse.getDefaultInstance();
        });
        world.calls.on(NodeGrpc.getNodeUnpublishVolumeMethod(), request -> {
            world.machine.files().removeFile(at(request.getTargetPath()));
            return NodeUnpublishVolumeResponse.getDefaultInstance();
        });
    }

    /** CSI: "Caller MUST NOT retry" while it is published. */
    @Test
    void aVolumeThatGrowsOnlyWhereNoPodHasItGrowsBeforeTheNextPodGetsIt() {
        world.calls.on(NodeGrpc.getNodeExpandVolumeMethod(), request -> {
            if (!request.getVolumePath().equals(request.getStagingTargetPath())) {
                throw Status.FAILED_PRECONDITION.asRuntimeException();
            }
            return NodeExpandVolumeResponse.newBuilder()
                    .setCapacityBytes(request.getCapacityRange().getRequiredBytes())
                    .build();
        });
        start(CsiDriverPolicy.defaults());
        volume(false);
        pod("a", Pod.SecurityContext.none(), false);
        manager().awaitMounted("a", SOON);
        volume(false, VolumeMode.FILESYSTEM, 2 * Given.GIB);
        Awaitility.await()
                .atMost(SOON)
                .until(() -> manager().explainPod("a").join().text().contains("when no pod has it mounted any more"));
        assertThat(world.calls.of(NodeExpandVolumeRequest.class)).hasSize(1);

        cluster.remove(ObjectKey.pod("default", "a"));
        manager().awaitUnmounted("a", SOON);
        pod("b", Pod.SecurityContext.none(), false);
        manager().awaitMounted("b", SOON);

        assertThat(world.calls.of(NodeExpandVolumeRequest.class)).hasSize(2);
        assertThat(manager().explainPod("b").join().settled()).isTrue();
        goes("b");
    }

    @Test
    void theDriversObjectIsObeyedAndExplainSaysWhereTheHostCountsBeforeIt() {
        cluster.apply(object(CsiDriver.Spec.defaults().toBuilder()
                .podInfoOnMount(true)
                .requiresRepublish(true)
                .build()));
        start(CsiDriverPolicy.builder().requiresRepublish(false).build());
        volume(false);
        pod("a", Pod.SecurityContext.none(), false);
        manager().awaitMounted("a", SOON);
        assertThat(world.calls.last(NodePublishVolumeRequest.class).getVolumeContextMap())
                .containsEntry("csi.storage.k8s.io/pod.uid", "a");
        assertThat(manager().explainPod("a").join().text())
                .contains("the host sets requiresRepublish to false, which overrides true of the CSIDriver object");
        goes("a");

        cluster.apply(object(CsiDriver.Spec.defaults()));
        Awaitility.await().atMost(SOON).untilAsserted(() -> {
            pod("b", Pod.SecurityContext.none(), false);
            manager().awaitMounted("b", SOON);
            cluster.remove(ObjectKey.pod("default", "b"));
            manager().awaitUnmounted("b", SOON);
            assertThat(world.calls.last(NodePublishVolumeRequest.class).getVolumeContextMap())
                    .isEmpty();
        });
    }

    private static CsiDriver object(CsiDriver.Spec spec) {
        return new CsiDriver(ObjectMeta.named("", Given.DRIVER).withUid("uid-driver"), spec, Unmodeled.none());
    }

    private static List<String> flags(VolumeCapability capability) {
        return capability.getMount().getMountFlagsList();
    }

    private void start(CsiDriverPolicy policy) {
        start(policy, builder -> builder);
    }

    private void start(CsiDriverPolicy policy, UnaryOperator<VolumeManagerBuilder> change) {
        CsiPlugin connected = world.with(builder -> builder.policy(policy)).plugin();
        plugin = connected;
        PluginRegistry registry = PluginRegistry.builder(InMemoryPluginHost.named(Given.NODE)
                        .root(Given.ROOT)
                        .mounts(world.machine)
                        .secrets(world.secrets)
                        .build())
                .plugin(connected)
                .build();
        VolumeManager started = change.apply(VolumeManager.builder()
                        .cluster(cluster)
                        .plugins(registry)
                        .attachMode(AttachMode.SELF)
                        .journalInMemory())
                .build();
        started.start();
        manager = started;
    }

    private CsiPlugin plugin() {
        return java.util.Objects.requireNonNull(plugin, "plugin");
    }

    private VolumeManager manager() {
        return java.util.Objects.requireNonNull(manager, "manager");
    }

    private void goes(String pod) {
        cluster.remove(ObjectKey.pod("default", pod));
        Awaitility.await().atMost(SOON).untilAsserted(() -> {
            assertThat(new TreeSet<>(mounted)).isEmpty();
            assertThat(world.driver.calls("ControllerUnpublishVolume")).isPositive();
        });
    }

    private void mount(String path) {
        RootedPath place = at(path);
        if (mounted.add(path)) {
            if (world.machine.files().status(place).isEmpty()) {
                world.machine.files().createDirectory(place, 0750);
            }
            world.machine.mount(new FilesystemMount("tmpfs", path, false, List.of()), place);
        }
    }

    private void unmount(String path) {
        if (mounted.remove(path)) {
            world.machine.unmount(at(path), UnmountMode.NORMAL);
        }
    }

    private static RootedPath at(String path) {
        return new RootedPath(Given.ROOT, Given.ROOT.relativize(Path.of(path)));
    }

    private void volume(boolean readOnly) {
        volume(readOnly, VolumeMode.FILESYSTEM, Given.GIB);
    }

    private void volume(boolean readOnly, VolumeMode mode, long bytes) {
        PersistentVolumeClaim claim = new PersistentVolumeClaim(
                ObjectMeta.named("default", "data").withUid("uid-data"),
                new PersistentVolumeClaim.Spec(
                        List.of(AccessMode.READ_WRITE_MANY),
                        Quantity.ofBytes(Given.GIB),
                        "",
                        mode,
                        "pv-1",
                        null,
                        null,
                        null,
                        ""),
                new PersistentVolumeClaim.Status(
                        ClaimPhase.BOUND,
                        List.of(AccessMode.READ_WRITE_MANY),
                        Quantity.ofBytes(Given.GIB),
                        Map.of(),
                        Map.of(),
                        ""),
                Unmodeled.none());
        cluster.apply(claim);
        cluster.apply(new PersistentVolume(
                ObjectMeta.named("", "pv-1"),
                new PersistentVolume.Spec(
                        Quantity.ofBytes(bytes),
                        List.of(AccessMode.READ_WRITE_MANY),
                        ReclaimPolicy.RETAIN,
                        "",
                        mode,
                        ObjectReference.to(claim),
                        List.of(),
                        null,
                        "",
                        new CsiSource(Given.DRIVER, "vol-1", readOnly, "ext4", Map.of(), null, null, null, null, null)),
                new PersistentVolume.Status(VolumePhase.BOUND, "", ""),
                Unmodeled.none()));
    }

    private void pod(String name, Pod.SecurityContext security, boolean readOnly) {
        pod(name, security, readOnly, VolumeMode.FILESYSTEM);
    }

    private void pod(String name, Pod.SecurityContext security, boolean readOnly, VolumeMode mode) {
        boolean block = mode == VolumeMode.BLOCK;
        cluster.apply(new Pod(
                ObjectMeta.named("default", name).withUid(name),
                new Pod.Spec(
                        Given.NODE,
                        List.of(new PodVolume("data", new ClaimSource("data", readOnly))),
                        List.of(),
                        List.of(new Container(
                                "app",
                                block
                                        ? List.of()
                                        : List.of(new Container.VolumeMount("data", "/data", "", false, "", "")),
                                block ? List.of(new Container.VolumeDevice("data", "/dev/data")) : List.of(),
                                Map.of(),
                                Map.of())),
                        security,
                        ""),
                new Pod.Status(PodPhase.PENDING, List.of()),
                Unmodeled.none()));
    }
}
