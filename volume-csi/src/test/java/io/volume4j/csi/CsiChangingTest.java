package io.volume4j.csi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.Status;
import io.volume4j.csi.internal.proto.ControllerExpandVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerExpandVolumeResponse;
import io.volume4j.csi.internal.proto.ControllerGrpc;
import io.volume4j.csi.internal.proto.ControllerModifyVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerModifyVolumeResponse;
import io.volume4j.csi.internal.proto.ControllerServiceCapability;
import io.volume4j.csi.internal.proto.DeleteVolumeResponse;
import io.volume4j.csi.internal.proto.NodeExpandVolumeRequest;
import io.volume4j.csi.internal.proto.NodeExpandVolumeResponse;
import io.volume4j.csi.internal.proto.NodeGetVolumeStatsRequest;
import io.volume4j.csi.internal.proto.NodeGetVolumeStatsResponse;
import io.volume4j.csi.internal.proto.NodeGrpc;
import io.volume4j.csi.internal.proto.NodePublishVolumeResponse;
import io.volume4j.csi.internal.proto.NodeServiceCapability;
import io.volume4j.csi.internal.proto.NodeUnpublishVolumeResponse;
import io.volume4j.csi.internal.proto.PluginCapability;
import io.volume4j.csi.internal.proto.VolumeUsage;
import io.volume4j.csi.testing.Given;
import io.volume4j.csi.testing.PluginHarness;
import io.volume4j.csi.testing.TestContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.BlockUnmapper.UnmapPodRequest;
import io.volume4j.spi.plugin.Deleter.DeleteRequest;
import io.volume4j.spi.plugin.Expander.ExpandRequest;
import io.volume4j.spi.plugin.Expander.ExpandResult;
import io.volume4j.spi.plugin.Modifier.ModifyRequest;
import io.volume4j.spi.plugin.Mounter.MountRequest;
import io.volume4j.spi.plugin.NodeExpander;
import io.volume4j.spi.plugin.NodeExpander.NodeExpandRequest;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.StatsReporter.Stats;
import io.volume4j.spi.plugin.StatsReporter.StatsRequest;
import io.volume4j.spi.plugin.Unmounter.UnmountRequest;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Growing and modifying volumes, and what is told about them. */
@Timeout(120)
class CsiChangingTest {
    private static final VolumeSpec SPEC = Given.spec(AccessMode.READ_WRITE_ONCE);

    @AutoClose
    private final PluginHarness world = new PluginHarness();

    private final TestContext context = TestContext.patient();

    @Test
    void growsAtTheBackendAndTellsWhetherTheNodeMustFollow() {
        world.calls.on(
                ControllerGrpc.getControllerExpandVolumeMethod(),
                request -> ControllerExpandVolumeResponse.newBuilder()
                        .setCapacityBytes(request.getCapacityRange().getRequiredBytes())
                        .setNodeExpansionRequired(true)
                        .build());
        assertThat(expand(world.plugin())).isEqualTo(new ExpandResult(2 * Given.GIB, true));
        assertThat(world.calls.last(ControllerExpandVolumeRequest.class).getVolumeId())
                .isEqualTo("vol-1");
    }

    @Test
    void aDriverWhoseNodeDoesItAllHasNothingToDoAtTheBackend() {
        world.controller(ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME);
        assertThat(expand(world.plugin())).isEqualTo(new ExpandResult(2 * Given.GIB, true));
        assertThat(world.driver.calls("ControllerExpandVolume")).isZero();
    }

    @Test
    void aDriverThatGrowsVolumesAtTheBackendSinceItWasUpdatedIsAskedTo() {
        world.calls.on(
                ControllerGrpc.getControllerExpandVolumeMethod(),
                request -> ControllerExpandVolumeResponse.newBuilder()
                        .setCapacityBytes(2 * Given.GIB)
                        .build());
        world.controller(ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME);
        CsiPlugin plugin = world.plugin();
        world.driver.kill();
        world.controller(ControllerServiceCapability.RPC.Type.EXPAND_VOLUME);
        world.driver.start();

        expand(plugin);

        assertThat(world.driver.calls("ControllerExpandVolume")).isEqualTo(1);
    }

    @Test
    void neitherSideCanGrowVolumesOfADriverThatSaysSo() {
        world.controller().node();
        CsiPlugin plugin = world.plugin();
        assertThat(plugin.expander(SPEC)).isEmpty();
        assertThat(plugin.nodeExpander(SPEC)).isEmpty();
    }

    @Test
    void nodesMayHaveAPartWhereTheDriverServesThemFromAnotherSocket() {
        world.driver.failing(NodeGrpc.getNodeGetCapabilitiesMethod(), Status.UNIMPLEMENTED);
        assertThat(world.plugin().nodeExpander(SPEC)).isPresent();
    }

    @Test
    void nodesOfAnotherSocketHaveNoPartInWhatTheBackendNeverDoes() {
        world.controller(ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME);
        world.driver.failing(NodeGrpc.getNodeGetCapabilitiesMethod(), Status.UNIMPLEMENTED);
        CsiPlugin plugin = world.plugin();
        assertThat(plugin.expander(SPEC)).isEmpty();
        assertThat(plugin.nodeExpander(SPEC)).isEmpty();
    }

    @Test
    void aDriverThatRefusesInUseIsOfflineOnlyFromThenOn() {
        world.services(PluginCapability.Service.Type.CONTROLLER_SERVICE);
        world.driver.failing(ControllerGrpc.getControllerExpandVolumeMethod(), Status.FAILED_PRECONDITION);
        CsiPlugin plugin = world.plugin();
        assertThat(plugin.expander(SPEC).orElseThrow().online()).isTrue();
        VolumeException failure = catchThrowableOfType(VolumeException.class, () -> expand(plugin));
        assertThat(failure.kind()).isEqualTo(FailureKind.IN_USE);
        assertThat(plugin.expander(SPEC).orElseThrow().online()).isFalse();
    }

    /** A refusal for one volume, such as one with replicas, must not make the pods of all others end. */
    @Test
    void aRefusalForOneVolumeSaysNothingAboutOthersAndEndsWithASuccess() {
        world.services(PluginCapability.Service.Type.CONTROLLER_SERVICE);
        world.driver.failing(ControllerGrpc.getControllerExpandVolumeMethod(), Status.FAILED_PRECONDITION);
        CsiPlugin plugin = world.plugin();
        assertThat(catchThrowableOfType(VolumeException.class, () -> expand(plugin)))
                .isNotNull();
        VolumeSpec other = Given.spec(
                CsiSource.of(Given.DRIVER, "vol-2", "ext4", Map.of()),
                VolumeMode.FILESYSTEM,
                List.of(),
                AccessMode.READ_WRITE_ONCE);
        assertThat(plugin.expander(other).orElseThrow().online()).isTrue();

        world.calls.on(
                ControllerGrpc.getControllerExpandVolumeMethod(),
                request -> ControllerExpandVolumeResponse.newBuilder()
                        .setCapacityBytes(request.getCapacityRange().getRequiredBytes())
                        .build());
        expand(plugin);
        assertThat(plugin.expander(SPEC).orElseThrow().online()).isTrue();
    }

    @Test
    void theNodeGrowsWhatAPodHasAndElseWhatIsStaged() {
        world.calls.on(NodeGrpc.getNodeExpandVolumeMethod(), request -> NodeExpandVolumeResponse.getDefaultInstance());
        CsiPlugin plugin = world.plugin();
        NodeExpandRequest staged =
                new NodeExpandRequest(SPEC, Given.VOLUME, "", Given.STAGING, 7, 5, PluginState.none());
        assertThat(plugin.nodeExpander(SPEC)
                        .orElseThrow()
                        .expand(staged, context)
                        .capacityBytes())
                .isEqualTo(7);
        assertThat(world.calls.last(NodeExpandVolumeRequest.class))
                .returns(Given.STAGING.toString(), NodeExpandVolumeRequest::getVolumePath)
                .returns(Given.STAGING.toString(), NodeExpandVolumeRequest::getStagingTargetPath);
        NodeExpandRequest published =
                new NodeExpandRequest(SPEC, Given.VOLUME, "", Given.STAGING, 7, 5, PluginState.none(), Given.TARGET);
        plugin.nodeExpander(SPEC).orElseThrow().expand(published, context);
        assertThat(world.calls.last(NodeExpandVolumeRequest.class))
                .returns(Given.TARGET.toString(), NodeExpandVolumeRequest::getVolumePath)
                .returns(Given.STAGING.toString(), NodeExpandVolumeRequest::getStagingTargetPath);
        NodeExpandRequest nowhere = new NodeExpandRequest(SPEC, Given.VOLUME, "", null, 7, 5, PluginState.none());
        assertThat(catchThrowableOfType(
                                VolumeException.class,
                                () -> plugin.nodeExpander(SPEC).orElseThrow().expand(nowhere, context))
                        .kind())
                .isEqualTo(FailureKind.TRANSIENT);
    }

    /** The driver does not know the staging path as the device's, and its refusal would stay on the claim. */
    @Test
    void aRawDeviceGrowsOnlyWhereItIsKnownToBePublished() {
        world.calls.on(NodeGrpc.getNodeExpandVolumeMethod(), request -> NodeExpandVolumeResponse.getDefaultInstance());
        VolumeSpec raw = Given.spec(Given.source(), VolumeMode.BLOCK, List.of(), AccessMode.READ_WRITE_ONCE);
        NodeExpander expander = world.plugin().nodeExpander(raw).orElseThrow();
        NodeExpandRequest mapped =
                new NodeExpandRequest(raw, Given.VOLUME, "", Given.STAGING, 7, 5, PluginState.none());

        assertThat(catchThrowableOfType(VolumeException.class, () -> expander.expand(mapped, context))
                        .kind())
                .isEqualTo(FailureKind.TRANSIENT);

        assertThat(world.calls.of(NodeExpandVolumeRequest.class)).isEmpty();
    }

    /** CSI forbids to repeat the call. The driver knows such a volume only where it is published. */
    @ParameterizedTest
    @EnumSource(names = {"FILESYSTEM", "BLOCK"})
    void aNodeThatRefusesToGrowAVolumeInUseIsAskedAgainForTheNextPod(VolumeMode mode) {
        world.node(NodeServiceCapability.RPC.Type.EXPAND_VOLUME);
        world.driver.failing(NodeGrpc.getNodeExpandVolumeMethod(), Status.FAILED_PRECONDITION);
        world.calls.on(
                NodeGrpc.getNodePublishVolumeMethod(), request -> NodePublishVolumeResponse.getDefaultInstance());
        VolumeSpec spec = Given.spec(Given.source(), mode, List.of(), AccessMode.READ_WRITE_ONCE);
        CsiPlugin plugin = world.plugin();
        NodeExpander expander = plugin.nodeExpander(spec).orElseThrow();
        assertThat(expander.online()).isTrue();

        NodeExpandRequest request =
                new NodeExpandRequest(spec, Given.VOLUME, "", null, 7, 5, PluginState.none(), Given.TARGET);
        assertThat(catchThrowableOfType(VolumeException.class, () -> expander.expand(request, context))
                        .kind())
                .isEqualTo(FailureKind.IN_USE);
        assertThat(expander.online()).isFalse();

        publish(plugin, spec);
        assertThat(expander.online()).as("published again for the same pod").isFalse();

        unpublish(plugin, mode);
        assertThat(expander.online()).isTrue();
    }

    private void unpublish(CsiPlugin plugin, VolumeMode mode) {
        world.calls.on(
                NodeGrpc.getNodeUnpublishVolumeMethod(), request -> NodeUnpublishVolumeResponse.getDefaultInstance());
        if (mode == VolumeMode.BLOCK) {
            plugin.blockUnmapper(Given.VOLUME)
                    .orElseThrow()
                    .unmapPod(new UnmapPodRequest(Given.VOLUME, "p1", Given.TARGET, PluginState.none()), context);
        } else {
            plugin.unmounter(Given.VOLUME)
                    .orElseThrow()
                    .unmount(new UnmountRequest(Given.VOLUME, "p1", "data", Given.TARGET, PluginState.none()), context);
        }
    }

    @Test
    void aNodeThatRefusesToGrowAStagedFilesystemInUseIsAskedAgainWhenNoPodHasIt() {
        world.driver.failing(NodeGrpc.getNodeExpandVolumeMethod(), Status.FAILED_PRECONDITION);
        world.calls.on(
                NodeGrpc.getNodePublishVolumeMethod(), request -> NodePublishVolumeResponse.getDefaultInstance());
        CsiPlugin plugin = world.plugin();
        NodeExpander expander = plugin.nodeExpander(SPEC).orElseThrow();
        NodeExpandRequest request =
                new NodeExpandRequest(SPEC, Given.VOLUME, "", Given.STAGING, 7, 5, PluginState.none(), Given.TARGET);

        assertThat(catchThrowableOfType(VolumeException.class, () -> expander.expand(request, context)))
                .isNotNull();
        publish(plugin, SPEC);

        assertThat(expander.online()).isFalse();
    }

    private void publish(CsiPlugin plugin, VolumeSpec spec) {
        Pod pod = Given.pod((Long) null);
        if (spec.volumeMode() == VolumeMode.BLOCK) {
            plugin.blockMapper(spec).orElseThrow().mapPod(Given.mapPod(spec), context);
        } else {
            plugin.mounter(spec)
                    .orElseThrow()
                    .mount(
                            new MountRequest(
                                    spec,
                                    Given.VOLUME,
                                    pod,
                                    "data",
                                    Given.STAGING,
                                    "",
                                    Map.of("lun", "3"),
                                    Given.TARGET,
                                    false,
                                    0,
                                    PluginState.none(),
                                    ""),
                            context);
        }
    }

    @Test
    void aModificationInDoubtIsSettledBeforeAnotherOneBegins() {
        world.calls.on(ControllerGrpc.getControllerModifyVolumeMethod(), request -> {
            throw Status.DEADLINE_EXCEEDED.asRuntimeException();
        });
        CsiPlugin plugin = world.plugin();
        assertThat(modify(plugin, "100", Map.of()).kind()).isEqualTo(FailureKind.UNCERTAIN);
        assertThat(modify(plugin, "200", Map.of()).kind()).isEqualTo(FailureKind.UNCERTAIN);
        assertThat(iops()).containsExactly("100", "100");

        world.calls.on(
                ControllerGrpc.getControllerModifyVolumeMethod(),
                request -> ControllerModifyVolumeResponse.getDefaultInstance());
        modifyWell(plugin, "200", Map.of());
        assertThat(iops()).containsExactly("100", "100", "100", "200");
        modifyWell(plugin, "300", Map.of());
        assertThat(iops()).endsWith("200", "300");
    }

    @Test
    void aRestartedProcessSettlesWhatItIsToldWasInDoubt() {
        world.calls.on(ControllerGrpc.getControllerModifyVolumeMethod(), request -> {
            if (request.getMutableParamsOrThrow("iops").equals("100")) {
                throw Status.INVALID_ARGUMENT.asRuntimeException();
            }
            return ControllerModifyVolumeResponse.getDefaultInstance();
        });
        modifyWell(world.plugin(), "200", Map.of("iops", "100"));
        assertThat(iops()).containsExactly("100", "200");
    }

    /** The caller need not have kept anything: what was sent is on disk before. */
    @Test
    void aProcessThatDiedWhileItModifiedSettlesThatFirstWhenItIsBack() {
        world.calls.on(ControllerGrpc.getControllerModifyVolumeMethod(), request -> {
            throw Status.UNAVAILABLE.asRuntimeException();
        });
        assertThat(modify(world.plugin(), "100", Map.of()).kind()).isEqualTo(FailureKind.UNCERTAIN);
        assertThat(notes()).hasSize(1);

        CsiPlugin restarted = world.plugin();
        assertThat(modify(restarted, "200", Map.of()).kind()).isEqualTo(FailureKind.UNCERTAIN);
        world.calls.on(
                ControllerGrpc.getControllerModifyVolumeMethod(),
                request -> ControllerModifyVolumeResponse.getDefaultInstance());
        CsiPlugin restartedAgain = world.plugin();
        modifyWell(restartedAgain, "200", Map.of());
        assertThat(iops()).containsExactly("100", "100", "100", "200");
        assertThat(notes()).isEmpty();
        modifyWell(world.plugin(), "300", Map.of());
        assertThat(iops()).endsWith("200", "300");
    }

    @Test
    void aRestartThatAsksForTheSameAgainAndCannotSendItStillDoubts() {
        world.calls.on(ControllerGrpc.getControllerModifyVolumeMethod(), request -> {
            throw Status.UNAVAILABLE.asRuntimeException();
        });
        assertThat(modify(world.plugin(), "100", Map.of()).kind()).isEqualTo(FailureKind.UNCERTAIN);
        CsiPlugin restarted = world.plugin();
        world.driver.kill();
        assertThat(modify(restarted, "100", Map.of()).kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(notes()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "INVALID_ARGUMENT, INFEASIBLE",
        "OUT_OF_RANGE, INFEASIBLE",
        "NOT_FOUND, FINAL",
        "PERMISSION_DENIED, FINAL",
        "UNIMPLEMENTED, FINAL",
    })
    void aRefusedModificationLeavesNothingToSettle(Status.Code code, FailureKind kind) {
        world.driver.failing(ControllerGrpc.getControllerModifyVolumeMethod(), code.toStatus());
        CsiPlugin plugin = world.plugin();
        assertThat(modify(plugin, "100", Map.of()).kind()).isEqualTo(kind);
        assertThat(notes()).isEmpty();
        world.calls.on(
                ControllerGrpc.getControllerModifyVolumeMethod(),
                request -> ControllerModifyVolumeResponse.getDefaultInstance());
        modifyWell(plugin, "200", Map.of());
        assertThat(iops()).containsExactly("200");
    }

    /** That it was not sent says nothing about the one that was sent before. */
    @Test
    void aModificationThatWasNotSentNeitherBeginsNorEndsADoubt() {
        CsiPlugin plugin = world.plugin();
        world.driver.kill();
        assertThat(modify(plugin, "100", Map.of()).kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(notes()).isEmpty();

        world.driver.start();
        world.calls.on(ControllerGrpc.getControllerModifyVolumeMethod(), request -> {
            throw Status.UNAVAILABLE.asRuntimeException();
        });
        assertThat(modify(plugin, "200", Map.of()).kind()).isEqualTo(FailureKind.UNCERTAIN);
        world.driver.kill();
        assertThat(modify(plugin, "300", Map.of()).kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(notes()).hasSize(1);
        world.driver.start();
        world.calls.on(
                ControllerGrpc.getControllerModifyVolumeMethod(),
                request -> ControllerModifyVolumeResponse.getDefaultInstance());
        modifyWell(plugin, "300", Map.of());
        assertThat(iops()).containsExactly("200", "200", "300");
    }

    @Test
    void nothingIsRememberedOfAVolumeThatIsDeleted() {
        world.calls.on(ControllerGrpc.getControllerModifyVolumeMethod(), request -> {
            throw Status.UNAVAILABLE.asRuntimeException();
        });
        world.calls.on(ControllerGrpc.getDeleteVolumeMethod(), request -> DeleteVolumeResponse.getDefaultInstance());
        CsiPlugin plugin = world.plugin();
        assertThat(modify(plugin, "100", Map.of()).kind()).isEqualTo(FailureKind.UNCERTAIN);
        plugin.deleter(SPEC).orElseThrow().delete(new DeleteRequest("pv-1", Given.source()), context);
        assertThat(notes()).isEmpty();

        world.calls.on(
                ControllerGrpc.getControllerModifyVolumeMethod(),
                request -> ControllerModifyVolumeResponse.getDefaultInstance());
        modifyWell(plugin, "200", Map.of());
        assertThat(iops()).as("a new volume with the handle of the deleted one").containsExactly("100", "200");
    }

    private List<String> notes() {
        RootedPath directory = new RootedPath(
                Given.ROOT,
                Path.of("plugins").resolve(Given.DRIVER).resolve("data").resolve("modifications"));
        return world.machine.files().status(directory).isEmpty()
                ? List.of()
                : world.machine.files().list(directory);
    }

    private List<String> iops() {
        return world.calls.of(ControllerModifyVolumeRequest.class).stream()
                .map(request -> request.getMutableParamsOrThrow("iops"))
                .toList();
    }

    private VolumeException modify(CsiPlugin plugin, String iops, Map<String, String> unsettled) {
        return catchThrowableOfType(VolumeException.class, () -> modifyWell(plugin, iops, unsettled));
    }

    private void modifyWell(CsiPlugin plugin, String iops, Map<String, String> unsettled) {
        plugin.modifier(SPEC).orElseThrow().modify(new ModifyRequest(SPEC, Map.of("iops", iops), unsettled), context);
    }

    @Test
    void tellsHowFullAVolumeIsAndWhatItDoesNotKnow() {
        world.calls.on(
                NodeGrpc.getNodeGetVolumeStatsMethod(),
                request -> NodeGetVolumeStatsResponse.newBuilder()
                        .addUsage(VolumeUsage.newBuilder()
                                .setUnit(VolumeUsage.Unit.BYTES)
                                .setTotal(10)
                                .setUsed(4)
                                .setAvailable(6))
                        .build());
        Stats stats = world.plugin()
                .stats(SPEC)
                .orElseThrow()
                .stats(new StatsRequest(Given.VOLUME, Given.TARGET.absolute(), Given.STAGING.absolute()), context);
        assertThat(stats).isEqualTo(new Stats(10, 6, 4, -1, -1, -1));
        assertThat(world.calls.last(NodeGetVolumeStatsRequest.class).getStagingTargetPath())
                .isEqualTo(Given.STAGING.toString());
    }

    /** CephFS counts its files and says -1 for those that are free. A driver that repeats it still knows the bytes. */
    @Test
    void aNegativeFigureIsUnknownAndHidesNoOther() {
        world.calls.on(
                NodeGrpc.getNodeGetVolumeStatsMethod(),
                request -> NodeGetVolumeStatsResponse.newBuilder()
                        .addUsage(VolumeUsage.newBuilder()
                                .setUnit(VolumeUsage.Unit.BYTES)
                                .setTotal(10)
                                .setUsed(4)
                                .setAvailable(6))
                        .addUsage(VolumeUsage.newBuilder()
                                .setUnit(VolumeUsage.Unit.INODES)
                                .setTotal(7)
                                .setUsed(8)
                                .setAvailable(-1))
                        .build());

        Stats stats = world.plugin()
                .stats(SPEC)
                .orElseThrow()
                .stats(new StatsRequest(Given.VOLUME, Given.TARGET.absolute(), Given.STAGING.absolute()), context);

        assertThat(stats).isEqualTo(new Stats(10, 6, 4, -1, -1, -1));
    }

    /** A driver knows a raw device by where it published it, not by where the pod has it. */
    @Test
    void asksForARawDeviceWhereTheDriverPublishedIt() {
        world.calls.on(
                NodeGrpc.getNodeGetVolumeStatsMethod(),
                request -> NodeGetVolumeStatsResponse.newBuilder()
                        .addUsage(VolumeUsage.newBuilder()
                                .setUnit(VolumeUsage.Unit.BYTES)
                                .setTotal(10))
                        .build());

        Stats stats = world.plugin()
                .stats(SPEC)
                .orElseThrow()
                .stats(
                        new StatsRequest(
                                Given.VOLUME,
                                Given.TARGET.absolute(),
                                Given.STAGING.absolute(),
                                Path.of("/root/publish/uid-1")),
                        context);

        assertThat(stats.totalBytes()).isEqualTo(10);
        assertThat(world.calls.last(NodeGetVolumeStatsRequest.class).getVolumePath())
                .isEqualTo("/root/publish/uid-1");
    }

    @Test
    void aDriverWithoutNodeStatisticsTellsNone() {
        world.node(NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME);
        assertThat(world.plugin().stats(SPEC)).isEmpty();
    }

    private ExpandResult expand(CsiPlugin plugin) {
        return plugin.expander(SPEC).orElseThrow().expand(new ExpandRequest(SPEC, 2 * Given.GIB, Given.GIB), context);
    }
}
