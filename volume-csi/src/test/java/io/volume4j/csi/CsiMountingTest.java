package io.volume4j.csi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.Status;
import io.volume4j.csi.CsiDriverPolicy.PathPrefix;
import io.volume4j.csi.CsiDriverPolicy.TokenAudience;
import io.volume4j.csi.internal.proto.NodeGrpc;
import io.volume4j.csi.internal.proto.NodePublishVolumeRequest;
import io.volume4j.csi.internal.proto.NodePublishVolumeResponse;
import io.volume4j.csi.internal.proto.NodeServiceCapability.RPC;
import io.volume4j.csi.internal.proto.NodeStageVolumeRequest;
import io.volume4j.csi.internal.proto.NodeStageVolumeResponse;
import io.volume4j.csi.internal.proto.NodeUnpublishVolumeRequest;
import io.volume4j.csi.internal.proto.NodeUnpublishVolumeResponse;
import io.volume4j.csi.internal.proto.NodeUnstageVolumeRequest;
import io.volume4j.csi.internal.proto.NodeUnstageVolumeResponse;
import io.volume4j.csi.internal.proto.VolumeCapability;
import io.volume4j.csi.testing.Given;
import io.volume4j.csi.testing.PluginHarness;
import io.volume4j.csi.testing.TestContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.CsiDriver;
import io.volume4j.spi.model.CsiDriver.FsGroupPolicy;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import io.volume4j.spi.plugin.BlockMapper.MapDeviceRequest;
import io.volume4j.spi.plugin.BlockUnmapper.UnmapDeviceRequest;
import io.volume4j.spi.plugin.BlockUnmapper.UnmapPodRequest;
import io.volume4j.spi.plugin.DeviceMounter.DeviceMountRequest;
import io.volume4j.spi.plugin.DeviceUnmounter.DeviceUnmountRequest;
import io.volume4j.spi.plugin.FormatLedger;
import io.volume4j.spi.plugin.Mounter.MountRequest;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.Unmounter.UnmountRequest;
import io.volume4j.spi.plugin.VolumeSpec;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the node's calls are sent, and what is left on the machine around them. */
@Timeout(120)
class CsiMountingTest {
    private static final VolumeSpec SPEC = Given.spec(AccessMode.READ_WRITE_ONCE);
    private static final VolumeSpec RAW =
            Given.spec(Given.source(), VolumeMode.BLOCK, List.of(), AccessMode.READ_WRITE_ONCE);

    @AutoClose
    private final PluginHarness world = new PluginHarness();

    private final TestContext context = TestContext.patient();

    @BeforeEach
    void theDriverDoesItsPart() {
        world.calls.on(NodeGrpc.getNodeStageVolumeMethod(), request -> NodeStageVolumeResponse.getDefaultInstance());
        world.calls.on(
                NodeGrpc.getNodeUnstageVolumeMethod(), request -> NodeUnstageVolumeResponse.getDefaultInstance());
        world.calls.on(
                NodeGrpc.getNodePublishVolumeMethod(), request -> NodePublishVolumeResponse.getDefaultInstance());
        world.calls.on(
                NodeGrpc.getNodeUnpublishVolumeMethod(), request -> NodeUnpublishVolumeResponse.getDefaultInstance());
    }

    @Test
    void stagesAtADirectoryThatIsMadeForItWithContextSecretAndMountOptions() {
        world.secret(Given.STAGE_SECRET, "tops3cret-stage");
        CsiSource source = new CsiSource(
                Given.DRIVER,
                "vol-1",
                false,
                "xfs",
                Map.of("tier", "gold"),
                null,
                Given.STAGE_SECRET,
                null,
                null,
                null);
        VolumeSpec spec = Given.spec(source, VolumeMode.FILESYSTEM, List.of("noatime"), AccessMode.READ_WRITE_ONCE);
        stage(world.plugin(), spec, 2000L, "");
        NodeStageVolumeRequest sent = world.calls.last(NodeStageVolumeRequest.class);
        assertThat(sent.getPublishContextMap()).containsExactly(Map.entry("lun", "3"));
        assertThat(sent.getVolumeContextMap()).containsExactly(Map.entry("tier", "gold"));
        assertThat(sent.getSecretsMap()).containsExactly(Map.entry("password", "tops3cret-stage"));
        assertThat(sent.getStagingTargetPath()).isEqualTo(Given.STAGING.toString());
        assertThat(sent.getVolumeCapability().getMount().getFsType()).isEqualTo("xfs");
        assertThat(sent.getVolumeCapability().getMount().getMountFlagsList()).containsExactly("noatime");
        assertThat(sent.getVolumeCapability().getMount().getVolumeMountGroup()).isEqualTo("2000");
        assertThat(world.machine.files().status(Given.STAGING)).isPresent();
    }

    @ParameterizedTest
    @CsvSource({
        "INVALID_ARGUMENT, false",
        "UNAVAILABLE, true",
        "INTERNAL, true",
        "FAILED_PRECONDITION, false",
        "ALREADY_EXISTS, true"
    })
    void aStagingDirectoryStaysWhileItMayBeMounted(Status.Code code, boolean stays) {
        world.driver.failing(NodeGrpc.getNodeStageVolumeMethod(), code.toStatus());
        CsiPlugin plugin = world.plugin();
        assertThatThrownBy(() -> stage(plugin, SPEC, null, "")).isInstanceOf(VolumeException.class);
        assertThat(world.machine.files().status(Given.STAGING).isPresent()).isEqualTo(stays);
    }

    @Test
    void theDriversOwnMountGroupTakesTheOwnershipChangeFromTheLibrary() {
        CsiPlugin plugin = world.plugin();
        publish(plugin, SPEC, Given.VOLUME, Given.pod(4711L), Given.STAGING, false);
        assertThat(world.calls
                        .last(NodePublishVolumeRequest.class)
                        .getVolumeCapability()
                        .getMount()
                        .getVolumeMountGroup())
                .isEqualTo("4711");
        assertThat(plugin.mounter(SPEC).orElseThrow().managesContent()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "READ_WRITE_ONCE_WITH_FS_TYPE, READ_WRITE_ONCE, ext4, true",
        "READ_WRITE_ONCE_WITH_FS_TYPE, READ_WRITE_ONCE, '',   false",
        "READ_WRITE_ONCE_WITH_FS_TYPE, READ_WRITE_MANY, ext4, false",
        "READ_WRITE_ONCE_WITH_FS_TYPE, READ_ONLY_MANY,  ext4, false",
        "READ_WRITE_ONCE_WITH_FS_TYPE, READ_WRITE_ONCE_POD, ext4, true",
        "READ_WRITE_ONCE_WITH_FS_TYPE, READ_WRITE_ONCE READ_ONLY_MANY, ext4, true",
        "READ_WRITE_ONCE_WITH_FS_TYPE, inline,          ext4, true",
        "READ_WRITE_ONCE_WITH_FS_TYPE, inline,          '',   false",
        "FILE,                         READ_WRITE_MANY, '',   true",
        "NONE,                         READ_WRITE_ONCE, ext4, false",
    })
    void whoChangesOwnersIsForThePolicyWhereTheDriverDoesNotDoIt(
            FsGroupPolicy policy, String modes, String fsType, boolean expected) {
        world.node(RPC.Type.STAGE_UNSTAGE_VOLUME);
        world.with(builder ->
                builder.policy(CsiDriverPolicy.builder().fsGroupPolicy(policy).build()));
        CsiSource source = CsiSource.of(Given.DRIVER, "vol-1", fsType, Map.of());
        VolumeSpec spec = modes.equals("inline")
                ? VolumeSpec.builder("data", source).build()
                : Given.spec(
                        source,
                        VolumeMode.FILESYSTEM,
                        List.of(),
                        Arrays.stream(modes.split(" ")).map(AccessMode::valueOf).toArray(AccessMode[]::new));
        assertThat(world.plugin().mounter(spec).orElseThrow().managesContent()).isEqualTo(expected);
    }

    @Test
    void publishesBelowAParentThatIsMadeForItAndLeavesTheTargetToTheDriver() {
        publish(world.plugin(), SPEC, Given.VOLUME, Given.pod((Long) null), Given.STAGING, true);
        NodePublishVolumeRequest sent = world.calls.last(NodePublishVolumeRequest.class);
        assertThat(sent.getReadonly()).isTrue();
        assertThat(sent.getStagingTargetPath()).isEqualTo(Given.STAGING.toString());
        assertThat(sent.getTargetPath()).isEqualTo(Given.TARGET.toString());
        assertThat(sent.getPublishContextMap()).containsExactly(Map.entry("lun", "3"));
        assertThat(sent.getVolumeContextMap()).containsExactly(Map.entry("tier", "gold"));
        RootedPath parent = RootedPath.of(Given.ROOT, "pods/p1/volumes/" + Given.DRIVER);
        assertThat(world.machine.files().status(parent)).isPresent();
        assertThat(world.machine.files().status(Given.TARGET)).isEmpty();
    }

    @Test
    void aDriverThatWantsToKnowIsToldThePod() {
        world.with(builder ->
                builder.policy(CsiDriverPolicy.builder().podInfoOnMount(true).build()));
        publish(world.plugin(), SPEC, Given.VOLUME, Given.pod((Long) null), Given.STAGING, false);
        assertThat(world.calls.last(NodePublishVolumeRequest.class).getVolumeContextMap())
                .containsEntry("csi.storage.k8s.io/pod.name", "web-0")
                .containsEntry("csi.storage.k8s.io/pod.namespace", "shop")
                .containsEntry("csi.storage.k8s.io/pod.uid", "p1")
                .containsEntry("csi.storage.k8s.io/serviceAccount.name", "web")
                .containsEntry("csi.storage.k8s.io/ephemeral", "false");
    }

    @Test
    void whatTheDriversObjectSaysCountsAsFarAsTheHostSaysNothing() {
        world.with(builder -> builder.policy(
                CsiDriverPolicy.builder().requiresRepublish(false).build()));
        CsiPlugin plugin = world.plugin();
        CsiDriver.Spec object = CsiDriver.Spec.defaults().toBuilder()
                .podInfoOnMount(true)
                .requiresRepublish(true)
                .seLinuxMount(true)
                .build();
        CsiDriver.Spec settings = plugin.driverSettings(Optional.of(object)).orElseThrow();
        assertThat(settings)
                .isEqualTo(object.toBuilder().requiresRepublish(false).build());
        VolumeSpec spec = SPEC.withDriver(settings);
        assertThat(plugin.requiresRemount(spec)).isFalse();
        assertThat(plugin.mountsWithSeLinuxLabel(spec)).isTrue();
        publish(plugin, spec, Given.VOLUME, Given.pod((Long) null), Given.STAGING, false);
        assertThat(world.calls.last(NodePublishVolumeRequest.class).getVolumeContextMap())
                .containsEntry("csi.storage.k8s.io/pod.name", "web-0");
    }

    @ParameterizedTest
    @CsvSource({
        // the driver's socket has a controller service, object, host, attached
        "true,  '',    '',    true",
        "true,  false, '',    false",
        "true,  true,  '',    true",
        "true,  false, true,  true",
        "true,  true,  false, false",
        "false, '',    '',    false",
        "false, false, '',    false",
        "false, true,  '',    true",
        "false, '',    true,  true",
        "false, true,  false, false",
    })
    void whetherVolumesAreAttachedSaysTheHostElseTheObjectElseTheDriver(
            boolean controller, String object, String host, boolean attached) {
        if (!controller) {
            world.services();
        }
        if (!host.isEmpty()) {
            world.with(builder -> builder.policy(CsiDriverPolicy.builder()
                    .attachRequired(Boolean.parseBoolean(host))
                    .build()));
        }
        CsiPlugin plugin = world.plugin();
        Optional<CsiDriver.Spec> told = object.isEmpty()
                ? Optional.empty()
                : Optional.of(CsiDriver.Spec.defaults().toBuilder()
                        .attachRequired(Boolean.parseBoolean(object))
                        .build());
        VolumeSpec spec = SPEC.withDriver(plugin.driverSettings(told).orElseThrow());
        assertThat(spec.attachRequired() && plugin.attacher(spec).isPresent()).isEqualTo(attached);
    }

    @ParameterizedTest
    @CsvSource({"false", "true"})
    void tokensGoWhereTheDriverLooksForThem(boolean inSecrets) {
        world.with(builder -> builder.policy(CsiDriverPolicy.builder()
                .tokenRequests(List.of(new TokenAudience("vault", Duration.ofHours(1))))
                .tokensInSecrets(inSecrets)
                .build()));
        publish(world.plugin(), SPEC, Given.VOLUME, Given.pod((Long) null), Given.STAGING, false);
        NodePublishVolumeRequest sent = world.calls.last(NodePublishVolumeRequest.class);
        String tokens = inSecrets
                ? sent.getSecretsOrThrow("csi.storage.k8s.io/serviceAccount.tokens")
                : sent.getVolumeContextOrThrow("csi.storage.k8s.io/serviceAccount.tokens");
        assertThat(tokens).startsWith("{\"vault\":{\"token\":\"token-1-web\",\"expirationTimestamp\":\"");
    }

    @Test
    void aTokenThatTheDriverRepeatsInItsErrorIsTakenOutOfIt() {
        world.with(builder -> builder.policy(CsiDriverPolicy.builder()
                .tokenRequests(List.of(new TokenAudience("", Duration.ofHours(1))))
                .build()));
        world.driver.failing(
                NodeGrpc.getNodePublishVolumeMethod(),
                Status.PERMISSION_DENIED.withDescription("vault refused token-1-web"));
        CsiPlugin plugin = world.plugin();
        VolumeException failure = catchThrowableOfType(
                VolumeException.class,
                () -> publish(plugin, SPEC, Given.VOLUME, Given.pod((Long) null), Given.STAGING, false));
        assertThat(failure.getMessage()).contains("vault refused ***").doesNotContain("token-1-web");
    }

    @Test
    void anInlineVolumeGetsNoSecretOfAnotherNamespaceThanItsPods() {
        SecretRef foreign = new SecretRef("other", "inline");
        world.secret(foreign, "tops3cret-inline");
        VolumeSpec spec =
                Given.inline(new CsiSource(Given.DRIVER, "", false, "", Map.of(), null, null, foreign, null, null));
        CsiPlugin plugin = world.plugin();
        VolumeId id = VolumeId.ofPod(Given.DRIVER, plugin.volumeName(spec), "p1");
        VolumeException failure = catchThrowableOfType(
                VolumeException.class, () -> publish(plugin, spec, id, Given.pod((Long) null), null, false));
        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(failure.getMessage()).contains("secret inline of namespace other", "pod is in namespace shop");
        assertThat(world.driver.calls("NodePublishVolume")).isZero();
    }

    @Test
    void anInlineVolumeIsPublishedOnlyUnderANameThatEveryTryMakesUpAlike() {
        CsiSource source = new CsiSource(
                Given.DRIVER,
                "",
                false,
                "",
                Map.of("size", "1Gi"),
                null,
                null,
                new SecretRef("", "inline"),
                null,
                null);
        world.secret(new SecretRef("shop", "inline"), "tops3cret-inline");
        CsiPlugin plugin = world.plugin();
        VolumeSpec spec = Given.inline(source);
        assertThat(plugin.shared(spec)).isFalse();
        assertThat(plugin.attacher(spec)).isEmpty();
        assertThat(plugin.deviceMounter(spec)).isEmpty();
        VolumeId id = VolumeId.ofPod(Given.DRIVER, plugin.volumeName(spec), "p1");
        publish(plugin, spec, id, Given.pod((Long) null), null, false);
        publish(world.plugin(), spec, id, Given.pod((Long) null), null, false);

        List<NodePublishVolumeRequest> sent = world.calls.of(NodePublishVolumeRequest.class);
        assertThat(sent).hasSize(2).allSatisfy(request -> {
            assertThat(request.getVolumeId())
                    .startsWith("csi-")
                    .isEqualTo(sent.get(0).getVolumeId());
            assertThat(request.getStagingTargetPath()).isEmpty();
            assertThat(request.getSecretsMap()).containsExactly(Map.entry("password", "tops3cret-inline"));
            assertThat(request.getVolumeContextMap()).containsEntry("csi.storage.k8s.io/ephemeral", "true");
        });
        unpublish(plugin, id);
        assertThat(world.calls.last(NodeUnpublishVolumeRequest.class).getVolumeId())
                .isEqualTo(sent.get(0).getVolumeId());
    }

    @Test
    void aPodsSeLinuxLabelIsAMountOptionWhereTheDriverAllowsIt() {
        world.with(builder ->
                builder.policy(CsiDriverPolicy.builder().seLinuxMount(true).build()));
        CsiPlugin plugin = world.plugin();
        stage(plugin, SPEC, null, "system_u:object_r:container_file_t:s0:c1,c2");
        assertThat(world.calls
                        .last(NodeStageVolumeRequest.class)
                        .getVolumeCapability()
                        .getMount()
                        .getMountFlagsList())
                .containsExactly("context=\"system_u:object_r:container_file_t:s0:c1,c2\"");
        world.node();
        CsiPlugin withoutStaging = world.with(builder -> builder.policy(
                        CsiDriverPolicy.builder().seLinuxMount(true).build()))
                .plugin();
        publish(
                withoutStaging,
                SPEC,
                Given.VOLUME,
                Given.pod((Long) null),
                null,
                false,
                "system_u:object_r:container_file_t:s0:c3");
        assertThat(world.calls
                        .last(NodePublishVolumeRequest.class)
                        .getVolumeCapability()
                        .getMount()
                        .getMountFlagsList())
                .containsExactly("context=\"system_u:object_r:container_file_t:s0:c3\"");
    }

    @Test
    void aDriverInAContainerIsToldPathsAsItSeesThem() {
        world.with(builder -> builder.policy(CsiDriverPolicy.builder()
                .pathPrefixes(List.of(new PathPrefix("/var/lib", "/host/lib")))
                .build()));
        stage(world.plugin(), SPEC, null, "");
        assertThat(world.calls.last(NodeStageVolumeRequest.class).getStagingTargetPath())
                .startsWith("/host/lib/volume4j/plugins/");
    }

    @Test
    void aRawDeviceIsStagedAndPublishedAsOne() {
        VolumeSpec spec = Given.spec(Given.source(), VolumeMode.BLOCK, List.of(), AccessMode.READ_WRITE_ONCE);
        CsiPlugin plugin = world.plugin();
        var mapper = plugin.blockMapper(spec).orElseThrow();
        mapper.mapDevice(
                new MapDeviceRequest(spec, Given.VOLUME, "", Map.of("lun", "3"), Given.STAGING, PluginState.none()),
                context);
        assertThat(world.calls
                        .last(NodeStageVolumeRequest.class)
                        .getVolumeCapability()
                        .hasBlock())
                .isTrue();
        String device = mapper.mapPod(Given.mapPod(spec), context).devicePath();
        assertThat(device).isEqualTo(Given.TARGET.toString());
        NodePublishVolumeRequest sent = world.calls.last(NodePublishVolumeRequest.class);
        assertThat(sent.getVolumeCapability().hasBlock()).isTrue();
        assertThat(sent.getStagingTargetPath()).isEqualTo(Given.STAGING.toString());
        var unmapper = plugin.blockUnmapper(Given.VOLUME).orElseThrow();
        unmapper.unmapPod(new UnmapPodRequest(Given.VOLUME, "p1", Given.TARGET, PluginState.none()), context);
        unmapper.unmapDevice(new UnmapDeviceRequest(Given.VOLUME, "", Given.STAGING, PluginState.none()), context);
        assertThat(world.calls.last(NodeUnpublishVolumeRequest.class).getTargetPath())
                .isEqualTo(Given.TARGET.toString());
        assertThat(world.calls.of(NodeUnstageVolumeRequest.class)).hasSize(1);
        assertThat(world.machine.files().status(Given.STAGING)).isEmpty();
    }

    @Test
    void aStagedVolumeThatTheKernelStillShowsAtAPodIsNotUnstagedWhateverTheJournalSays() {
        CsiPlugin plugin = world.plugin();
        stage(plugin, SPEC, null, "");
        world.machine.mount(new FilesystemMount("tmpfs", "vol-1", false, List.of()), Given.STAGING);
        world.machine.files().createDirectory(Given.TARGET, 0750);
        world.machine.bind(Given.STAGING.absolute(), Given.TARGET, BindOptions.readWrite());

        VolumeException failure = catchThrowableOfType(VolumeException.class, () -> unstage(plugin));
        assertThat(failure.kind()).isEqualTo(FailureKind.IN_USE);
        assertThat(failure.getMessage()).contains(Given.TARGET.toString());
        assertThat(world.driver.calls("NodeUnstageVolume")).isZero();

        world.machine.unmount(Given.TARGET, UnmountMode.NORMAL);
        unstage(plugin);
        assertThat(world.driver.calls("NodeUnstageVolume")).isEqualTo(1);
    }

    /** Staged volumes are below plugins of a root; a volume of a pod may have that name. */
    @Test
    void aVolumeThatPodsCallPluginsIsNotUnstagedEither() {
        CsiPlugin plugin = world.plugin();
        stage(plugin, SPEC, null, "");
        world.machine.mount(new FilesystemMount("tmpfs", "vol-1", false, List.of()), Given.STAGING);
        for (String pod : List.of("p1", "p2")) {
            RootedPath target = RootedPath.of(Given.ROOT, "pods/" + pod + "/volume-subpaths/plugins/app/0");
            world.machine.files().createDirectory(target, 0750);
            world.machine.bind(Given.STAGING.absolute(), target, BindOptions.readWrite());
        }

        VolumeException failure = catchThrowableOfType(VolumeException.class, () -> unstage(plugin));

        assertThat(failure).isNotNull();
        assertThat(failure.kind()).isEqualTo(FailureKind.IN_USE);
        assertThat(world.driver.calls("NodeUnstageVolume")).isZero();
    }

    /** The library changes no owners of such a driver's volumes, so a request without the group would leave it out. */
    @Test
    void aDriverThatWasUpdatedGetsTheGroupInItsFirstCall() {
        world.node(RPC.Type.STAGE_UNSTAGE_VOLUME);
        CsiPlugin plugin = world.plugin();
        updatedTo(RPC.Type.STAGE_UNSTAGE_VOLUME, RPC.Type.VOLUME_MOUNT_GROUP);
        stage(plugin, SPEC, 4711L, "");
        assertThat(world.calls
                        .last(NodeStageVolumeRequest.class)
                        .getVolumeCapability()
                        .getMount()
                        .getVolumeMountGroup())
                .isEqualTo("4711");

        updatedTo(RPC.Type.STAGE_UNSTAGE_VOLUME);
        stage(plugin, SPEC, 4711L, "");
        updatedTo(RPC.Type.STAGE_UNSTAGE_VOLUME, RPC.Type.VOLUME_MOUNT_GROUP);
        publish(plugin, SPEC, Given.VOLUME, Given.pod(4711L), Given.STAGING, false);
        assertThat(world.calls
                        .last(NodePublishVolumeRequest.class)
                        .getVolumeCapability()
                        .getMount()
                        .getVolumeMountGroup())
                .isEqualTo("4711");
        assertThat(plugin.mounter(SPEC).orElseThrow().managesContent()).isFalse();
    }

    @Test
    void aRawDeviceIsStagedByADriverThatCanSinceItsUpdate() {
        world.node(RPC.Type.GET_VOLUME_STATS);
        CsiPlugin plugin = world.plugin();
        updatedTo(RPC.Type.STAGE_UNSTAGE_VOLUME);
        mapDevice(plugin);
        assertThat(world.driver.calls("NodeStageVolume")).isEqualTo(1);
    }

    /** The device is mapped, so no later step stages it: the pod would wait for ever. */
    @Test
    void aRawDeviceThatWasMappedBeforeTheUpdateIsStagedForItsPod() {
        world.node(RPC.Type.GET_VOLUME_STATS);
        CsiPlugin plugin = world.plugin();
        mapDevice(plugin);
        updatedTo(RPC.Type.STAGE_UNSTAGE_VOLUME);

        mapPod(plugin);

        assertThat(world.calls.last(NodeStageVolumeRequest.class))
                .returns(Given.STAGING.toString(), NodeStageVolumeRequest::getStagingTargetPath)
                .returns(Map.of("lun", "3"), NodeStageVolumeRequest::getPublishContextMap)
                .returns(true, request -> request.getVolumeCapability().hasBlock());
        assertThat(world.calls.last(NodePublishVolumeRequest.class).getStagingTargetPath())
                .isEqualTo(Given.STAGING.toString());
        mapPod(plugin);
        assertThat(world.driver.calls("NodeStageVolume")).isEqualTo(1);
    }

    /** The directory is there since the first try, and shows nothing. */
    @Test
    void aRawDeviceWhoseStagingHadNoAnswerIsStagedAgainWhenTheDriverMissesIt() {
        world.node(RPC.Type.GET_VOLUME_STATS);
        CsiPlugin plugin = world.plugin();
        mapDevice(plugin);
        updatedTo(RPC.Type.STAGE_UNSTAGE_VOLUME);
        world.driver.failing(NodeGrpc.getNodeStageVolumeMethod(), Status.Code.UNAVAILABLE.toStatus());
        assertThat(catchThrowableOfType(VolumeException.class, () -> mapPod(plugin))
                        .kind())
                .isEqualTo(FailureKind.UNCERTAIN);
        AtomicBoolean staged = new AtomicBoolean();
        world.calls.on(NodeGrpc.getNodeStageVolumeMethod(), request -> {
            staged.set(true);
            return NodeStageVolumeResponse.getDefaultInstance();
        });
        world.calls.on(NodeGrpc.getNodePublishVolumeMethod(), request -> {
            if (!staged.get()) {
                throw Status.FAILED_PRECONDITION.asRuntimeException();
            }
            return NodePublishVolumeResponse.getDefaultInstance();
        });

        mapPod(plugin);

        assertThat(staged).isTrue();
    }

    private void mapDevice(CsiPlugin plugin) {
        plugin.blockMapper(RAW)
                .orElseThrow()
                .mapDevice(
                        new MapDeviceRequest(
                                RAW, Given.VOLUME, "", Map.of("lun", "3"), Given.STAGING, PluginState.none()),
                        context);
    }

    private void mapPod(CsiPlugin plugin) {
        plugin.blockMapper(RAW).orElseThrow().mapPod(Given.mapPod(RAW), context);
    }

    /** The next plan stages the volume, so a pod must not fail for good. */
    @Test
    void aVolumeWaitsForItsStagingByADriverThatCanSinceItsUpdate() {
        world.node(RPC.Type.GET_VOLUME_STATS);
        CsiPlugin plugin = world.plugin();
        assertThat(plugin.deviceMounter(SPEC)).isEmpty();
        updatedTo(RPC.Type.STAGE_UNSTAGE_VOLUME);

        VolumeException failure = catchThrowableOfType(
                VolumeException.class, () -> publish(plugin, SPEC, Given.VOLUME, Given.pod((Long) null), null, false));

        assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(world.driver.calls("NodePublishVolume")).isZero();
        assertThat(plugin.deviceMounter(SPEC)).isPresent();
    }

    @Test
    void anUpdatedDriverThatLostAModeGetsTheModeThatItKnows() {
        CsiPlugin plugin = world.plugin();
        updatedTo(RPC.Type.STAGE_UNSTAGE_VOLUME);
        stage(plugin, SPEC, null, "");
        publish(plugin, SPEC, Given.VOLUME, Given.pod((Long) null), Given.STAGING, false);
        assertThat(world.calls
                        .last(NodePublishVolumeRequest.class)
                        .getVolumeCapability()
                        .getAccessMode()
                        .getMode())
                .isEqualTo(VolumeCapability.AccessMode.Mode.SINGLE_NODE_WRITER);
    }

    /** A rollback to a version that cannot stage, and back. */
    @Test
    void aDriverThatCanUnstageAgainIsAskedTo() {
        CsiPlugin plugin = world.plugin();
        stage(plugin, SPEC, null, "");
        updatedTo(RPC.Type.GET_VOLUME_STATS);
        publish(plugin, SPEC, VolumeId.shared(Given.DRIVER, "vol-2"), Given.pod((Long) null), null, false);
        updatedTo(RPC.Type.STAGE_UNSTAGE_VOLUME);
        unstage(plugin);
        assertThat(world.driver.calls("NodeUnstageVolume")).isEqualTo(1);
    }

    /** Another process serves the socket, with these capabilities. */
    private void updatedTo(RPC.Type... capabilities) {
        world.driver.kill();
        world.node(capabilities);
        world.driver.start();
    }

    @Test
    void whatADriverLeftMountedIsNotForgottenWhenItCannotUnstageAnyMore() {
        world.node();
        world.machine.files().createDirectory(Given.STAGING, 0750);
        world.machine.mount(new FilesystemMount("tmpfs", "vol-1", false, List.of()), Given.STAGING);
        CsiPlugin plugin = world.plugin();
        assertThat(catchThrowableOfType(VolumeException.class, () -> unstage(plugin))
                        .kind())
                .isEqualTo(FailureKind.FINAL);
        world.machine.unmount(Given.STAGING, UnmountMode.NORMAL);
        unstage(plugin);
    }

    @Test
    void aSecretThatWasRotatedWhileTheCallWaitedIsTriedOnceMore() {
        CsiSource source =
                new CsiSource(Given.DRIVER, "vol-1", false, "", Map.of(), null, Given.STAGE_SECRET, null, null, null);
        VolumeSpec spec = Given.spec(source, VolumeMode.FILESYSTEM, List.of(), AccessMode.READ_WRITE_ONCE);
        world.secret(Given.STAGE_SECRET, "old-s3cret");
        world.calls.on(NodeGrpc.getNodeStageVolumeMethod(), request -> {
            if (request.getSecretsOrThrow("password").equals("old-s3cret")) {
                world.secret(Given.STAGE_SECRET, "new-s3cret");
                throw Status.UNAUTHENTICATED.asRuntimeException();
            }
            return NodeStageVolumeResponse.getDefaultInstance();
        });
        stage(world.plugin(), spec, null, "");
        assertThat(world.driver.calls("NodeStageVolume")).isEqualTo(2);

        world.driver.failing(NodeGrpc.getNodeStageVolumeMethod(), Status.UNAUTHENTICATED);
        CsiPlugin plugin = world.plugin();
        VolumeException failure = catchThrowableOfType(VolumeException.class, () -> stage(plugin, spec, null, ""));
        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(world.driver.calls("NodeStageVolume")).isEqualTo(3);
    }

    private void stage(CsiPlugin plugin, VolumeSpec spec, @Nullable Long group, String label) {
        plugin.deviceMounter(spec)
                .orElseThrow()
                .mountDevice(
                        new DeviceMountRequest(
                                spec,
                                Given.VOLUME,
                                "",
                                Map.of("lun", "3"),
                                Given.STAGING,
                                group,
                                new NoFormats(),
                                PluginState.none(),
                                label),
                        context);
    }

    private void unstage(CsiPlugin plugin) {
        plugin.deviceUnmounter(Given.VOLUME)
                .orElseThrow()
                .unmountDevice(new DeviceUnmountRequest(Given.VOLUME, "", Given.STAGING, PluginState.none()), context);
    }

    private void publish(
            CsiPlugin plugin, VolumeSpec spec, VolumeId id, Pod pod, @Nullable RootedPath staging, boolean readOnly) {
        publish(plugin, spec, id, pod, staging, readOnly, "");
    }

    private void publish(
            CsiPlugin plugin,
            VolumeSpec spec,
            VolumeId id,
            Pod pod,
            @Nullable RootedPath staging,
            boolean readOnly,
            String label) {
        plugin.mounter(spec)
                .orElseThrow()
                .mount(
                        new MountRequest(
                                spec,
                                id,
                                pod,
                                "data",
                                staging,
                                "",
                                id.privateToPod() ? Map.of() : Map.of("lun", "3"),
                                Given.TARGET,
                                readOnly,
                                0,
                                PluginState.none(),
                                label),
                        context);
    }

    private void unpublish(CsiPlugin plugin, VolumeId id) {
        plugin.unmounter(id)
                .orElseThrow()
                .unmount(new UnmountRequest(id, "p1", "data", Given.TARGET, PluginState.none()), context);
    }

    private static final class NoFormats implements FormatLedger {
        @Override
        public void begin(io.volume4j.spi.mount.DeviceIdentity device, String fsType, String proof) {
            throw new AssertionError("a CSI driver formats by itself");
        }

        @Override
        public @Nullable OpenFormat open() {
            return null;
        }

        @Override
        public void finish() {}
    }
}
