package io.volume4j.csi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.Status;
import io.volume4j.csi.internal.proto.ControllerExpandVolumeResponse;
import io.volume4j.csi.internal.proto.ControllerGetVolumeResponse;
import io.volume4j.csi.internal.proto.ControllerGrpc;
import io.volume4j.csi.internal.proto.ControllerServiceCapability.RPC;
import io.volume4j.csi.internal.proto.DeleteVolumeResponse;
import io.volume4j.csi.internal.proto.IdentityGrpc;
import io.volume4j.csi.internal.proto.ListSnapshotsRequest;
import io.volume4j.csi.internal.proto.ListSnapshotsResponse;
import io.volume4j.csi.internal.proto.ListVolumesResponse;
import io.volume4j.csi.internal.proto.NodeGetInfoResponse;
import io.volume4j.csi.internal.proto.NodeGetVolumeStatsResponse;
import io.volume4j.csi.internal.proto.NodeGrpc;
import io.volume4j.csi.internal.proto.NodeStageVolumeRequest;
import io.volume4j.csi.internal.proto.NodeStageVolumeResponse;
import io.volume4j.csi.internal.proto.PluginCapability;
import io.volume4j.csi.internal.proto.Snapshot;
import io.volume4j.csi.internal.proto.Volume;
import io.volume4j.csi.internal.proto.VolumeCondition;
import io.volume4j.csi.testing.Given;
import io.volume4j.csi.testing.PluginHarness;
import io.volume4j.csi.testing.TestContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.CsiDriver;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import io.volume4j.spi.plugin.Attacher.AttachRequest;
import io.volume4j.spi.plugin.BlockMapper.MapDeviceRequest;
import io.volume4j.spi.plugin.Deleter.DeleteRequest;
import io.volume4j.spi.plugin.Detacher.DetachRequest;
import io.volume4j.spi.plugin.DeviceUnmounter.DeviceUnmountRequest;
import io.volume4j.spi.plugin.Expander.ExpandRequest;
import io.volume4j.spi.plugin.HealthReporter.HealthRequest;
import io.volume4j.spi.plugin.Inventory.Holdings;
import io.volume4j.spi.plugin.Modifier.ModifyRequest;
import io.volume4j.spi.plugin.Observer.Observation;
import io.volume4j.spi.plugin.Observer.Query;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.Snapshotter.CreateRequest;
import io.volume4j.spi.plugin.Unmounter.UnmountRequest;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What real drivers do otherwise than the specification says, each survived without harm. */
@Timeout(120)
class CsiDeviationsTest {
    private static final VolumeSpec SPEC = Given.spec(AccessMode.READ_WRITE_ONCE);

    @AutoClose
    private final PluginHarness world = new PluginHarness();

    private final TestContext context = TestContext.patient();

    @Test
    void aListThatIsCutAtThePageSizeWithoutATokenIsReadWhole() {
        int stored = 501;
        world.calls.on(ControllerGrpc.getListVolumesMethod(), request -> {
            int most = request.getMaxEntries() == 0 ? stored : Math.min(stored, request.getMaxEntries());
            ListVolumesResponse.Builder page = ListVolumesResponse.newBuilder();
            for (int i = 0; i < most; i++) {
                page.addEntries(ListVolumesResponse.Entry.newBuilder()
                        .setVolume(Volume.newBuilder().setVolumeId("v" + i)));
            }
            return page.build();
        });
        Holdings holdings = world.plugin().inventory().orElseThrow().list(context);
        assertThat(holdings.volumes()).hasSize(stored);
    }

    @Test
    void aNodeWithoutANameHoldsNothing() {
        world.calls.on(
                ControllerGrpc.getListVolumesMethod(),
                request -> ListVolumesResponse.newBuilder()
                        .addEntries(ListVolumesResponse.Entry.newBuilder()
                                .setVolume(Volume.newBuilder().setVolumeId("vol-1"))
                                .setStatus(ListVolumesResponse.VolumeStatus.newBuilder()
                                        .addPublishedNodeIds("")))
                        .build());
        assertThat(world.plugin()
                        .observer()
                        .orElseThrow()
                        .attachments(List.of(new Query(Given.VOLUME, Given.NODE)), context))
                .containsExactly(Observation.ABSENT);
    }

    /** An attachment that is missing would be made again, each time that it is looked for. */
    @Test
    void aNodeWithoutANameSaysNothingIfTheDriverDoesNotClaimToReportNodes() {
        world.controller(RPC.Type.GET_VOLUME, RPC.Type.PUBLISH_UNPUBLISH_VOLUME);
        world.calls.on(
                ControllerGrpc.getControllerGetVolumeMethod(),
                request -> ControllerGetVolumeResponse.newBuilder()
                        .setVolume(Volume.newBuilder().setVolumeId(request.getVolumeId()))
                        .setStatus(ControllerGetVolumeResponse.VolumeStatus.newBuilder()
                                .addPublishedNodeIds(""))
                        .build());
        assertThat(world.plugin()
                        .observer()
                        .orElseThrow()
                        .attachments(List.of(new Query(Given.VOLUME, Given.NODE)), context))
                .containsExactly(Observation.UNKNOWN);
    }

    @Test
    void aVolumeThatDoesNotExistIsReportedAbnormalAndNothingIsDoneAboutIt() {
        world.of112();
        world.calls.on(
                ControllerGrpc.getControllerGetVolumeMethod(),
                request -> ControllerGetVolumeResponse.newBuilder()
                        .setVolume(Volume.newBuilder().setVolumeId(request.getVolumeId()))
                        .setStatus(ControllerGetVolumeResponse.VolumeStatus.newBuilder()
                                .setVolumeCondition(condition("volume not found")))
                        .build());
        CsiPlugin plugin = world.plugin();
        assertThat(plugin.health().orElseThrow().health(Given.VOLUME, context).message())
                .isEqualTo("controller: volume not found");
        assertThat(world.driver.calls()).doesNotContain("DeleteVolume", "ControllerUnpublishVolume");
    }

    @Test
    void aVolumeThatIsAbnormalBecauseItIsNotWhereKubernetesPutsItIsUsable() {
        world.of112();
        world.calls.on(
                NodeGrpc.getNodeGetVolumeStatsMethod(),
                request -> NodeGetVolumeStatsResponse.newBuilder()
                        .setVolumeCondition(condition("not mounted below /var/lib/kubelet/pods"))
                        .build());
        world.driver.failing(ControllerGrpc.getControllerGetVolumeMethod(), Status.INTERNAL);
        CsiPlugin plugin = world.plugin();
        assertThat(plugin.health()
                        .orElseThrow()
                        .health(new HealthRequest(Given.VOLUME, Given.TARGET.absolute(), null), context)
                        .abnormal())
                .isTrue();
        assertThat(plugin.mounter(SPEC)).isPresent();
    }

    @Test
    void aDriverThatCanExpandAndDoesNotSayWhenIsTriedWhileInUse() {
        world.services(PluginCapability.Service.Type.CONTROLLER_SERVICE);
        world.calls.on(
                ControllerGrpc.getControllerExpandVolumeMethod(),
                request -> ControllerExpandVolumeResponse.newBuilder()
                        .setCapacityBytes(request.getCapacityRange().getRequiredBytes())
                        .build());
        var expander = world.plugin().expander(SPEC).orElseThrow();
        assertThat(expander.online()).isTrue();
        assertThat(expander.expand(new ExpandRequest(SPEC, 9, 8), context).capacityBytes())
                .isEqualTo(9);
    }

    @Test
    void callsThatAreSwitchedOffAndAnswerInvalidArgumentAreFinalAndNotRepeated() {
        world.driver.failing(ControllerGrpc.getCreateVolumeMethod(), Status.INVALID_ARGUMENT);
        world.driver.failing(ControllerGrpc.getCreateSnapshotMethod(), Status.INVALID_ARGUMENT);
        world.driver.failing(ControllerGrpc.getControllerModifyVolumeMethod(), Status.INVALID_ARGUMENT);
        CsiPlugin plugin = world.plugin();
        assertKind(
                FailureKind.FINAL,
                () -> plugin.provisioner(Given.storageClass(Map.of()))
                        .orElseThrow()
                        .provision(Given.provision(Map.of()), context));
        assertKind(
                FailureKind.FINAL,
                () -> plugin.snapshotter()
                        .orElseThrow()
                        .create(new CreateRequest("n", Given.source(), Map.of()), context));
        assertKind(
                FailureKind.INFEASIBLE,
                () -> plugin.modifier(SPEC)
                        .orElseThrow()
                        .modify(new ModifyRequest(SPEC, Map.of("iops", "1")), context));
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void aVolumeThatTheNodeDoesNotKnowIsOffIfTheKernelHasItNowhere(boolean mounted) {
        world.driver.failing(NodeGrpc.getNodeUnpublishVolumeMethod(), Status.NOT_FOUND);
        world.driver.failing(NodeGrpc.getNodeUnstageVolumeMethod(), Status.NOT_FOUND);
        for (RootedPath place : List.of(Given.TARGET, Given.STAGING)) {
            world.machine.files().createDirectory(place, 0750);
            if (mounted) {
                world.machine.mount(new FilesystemMount("tmpfs", place.toString(), false, List.of()), place);
            }
        }
        CsiPlugin plugin = world.plugin();
        Runnable unpublish = () -> plugin.unmounter(Given.VOLUME)
                .orElseThrow()
                .unmount(new UnmountRequest(Given.VOLUME, "p1", "data", Given.TARGET, PluginState.none()), context);
        Runnable unstage = () -> plugin.deviceUnmounter(Given.VOLUME)
                .orElseThrow()
                .unmountDevice(new DeviceUnmountRequest(Given.VOLUME, "", Given.STAGING, PluginState.none()), context);
        if (mounted) {
            assertKind(FailureKind.FINAL, unpublish);
            assertKind(FailureKind.FINAL, unstage);
            world.machine.unmount(Given.TARGET, UnmountMode.NORMAL);
            world.machine.unmount(Given.STAGING, UnmountMode.NORMAL);
        }
        unpublish.run();
        unstage.run();
        assertThat(world.machine.files().status(Given.TARGET)).isEmpty();
        assertThat(world.machine.files().status(Given.STAGING)).isEmpty();
    }

    @Test
    void anInternalErrorForWhatIsNotAttachedYetIsInDoubtAndRepeated() {
        AtomicBoolean attached = new AtomicBoolean();
        world.calls.on(NodeGrpc.getNodeStageVolumeMethod(), request -> {
            if (!attached.get()) {
                throw Status.INTERNAL.withDescription("not attached").asRuntimeException();
            }
            return NodeStageVolumeResponse.getDefaultInstance();
        });
        var mapper = world.plugin().blockMapper(SPEC).orElseThrow();
        MapDeviceRequest request =
                new MapDeviceRequest(SPEC, Given.VOLUME, "", Map.of(), Given.STAGING, PluginState.none());
        assertKind(FailureKind.UNCERTAIN, () -> mapper.mapDevice(request, context));
        attached.set(true);
        mapper.mapDevice(request, context);
    }

    /** Its controller attaches: a node that did not wait would have the volume mounted while the controller detaches it. */
    @Test
    void aNodesSocketThatLeavesOutTheControllerServiceDoesNotEndTheWaitForTheAttachment() {
        world.services();
        world.driver.failing(ControllerGrpc.getControllerGetCapabilitiesMethod(), Status.UNIMPLEMENTED);
        world.calls.on(NodeGrpc.getNodeStageVolumeMethod(), request -> NodeStageVolumeResponse.getDefaultInstance());
        VolumeSpec attached = SPEC.withDriver(
                CsiDriver.Spec.defaults().toBuilder().attachRequired(true).build());
        CsiPlugin node = world.plugin();
        assertThat(node.attacher(attached)).as("the node waits").isPresent();
        node.blockMapper(attached)
                .orElseThrow()
                .mapDevice(
                        new MapDeviceRequest(
                                attached, Given.VOLUME, "", Map.of("lun", "3"), Given.STAGING, PluginState.none()),
                        context);
        assertThat(world.calls.last(NodeStageVolumeRequest.class).getPublishContextMap())
                .containsExactly(Map.entry("lun", "3"));
    }

    @Test
    void aDetachFromANodeThatTheDriverDoesNotKnowIsDoneWhenTheVolumeIsOnNone() {
        world.driver.failing(ControllerGrpc.getControllerUnpublishVolumeMethod(), Status.NOT_FOUND);
        world.calls.on(
                ControllerGrpc.getControllerGetVolumeMethod(),
                request -> ControllerGetVolumeResponse.newBuilder()
                        .setVolume(Volume.newBuilder().setVolumeId(request.getVolumeId()))
                        .build());
        world.plugin()
                .detacher(Given.VOLUME)
                .orElseThrow()
                .detach(
                        new DetachRequest(Given.VOLUME, "gone", "", new PluginState(1, Map.of("nodeId", "gone"))),
                        context);
    }

    @Test
    void aListOfSnapshotsThatIgnoresTheFilterDoesNotYieldAnotherSnapshot() {
        world.controller(RPC.Type.CREATE_DELETE_SNAPSHOT, RPC.Type.LIST_SNAPSHOTS);
        world.calls.on(
                ControllerGrpc.getListSnapshotsMethod(),
                request -> ListSnapshotsResponse.newBuilder()
                        .addEntries(ListSnapshotsResponse.Entry.newBuilder()
                                .setSnapshot(Snapshot.newBuilder().setSnapshotId("another")))
                        .build());
        assertThat(world.plugin().snapshotter().orElseThrow().get("s-1", context))
                .isEmpty();
    }

    @Test
    void aListOfSnapshotsThatDoesNotEndDoesNotSayThatASnapshotIsGone() {
        world.controller(RPC.Type.CREATE_DELETE_SNAPSHOT, RPC.Type.LIST_SNAPSHOTS);
        world.calls.on(
                ControllerGrpc.getListSnapshotsMethod(),
                request -> ListSnapshotsResponse.newBuilder()
                        .addEntries(ListSnapshotsResponse.Entry.newBuilder()
                                .setSnapshot(Snapshot.newBuilder().setSnapshotId("another")))
                        .setNextToken("again")
                        .build());
        var snapshotter = world.plugin().snapshotter().orElseThrow();
        assertKind(FailureKind.TRANSIENT, () -> snapshotter.get("s-1", context));
    }

    /** Some drivers answer the question for a volume's snapshots with one of them. */
    @Test
    void snapshotsAreLookedForByTheirOwnIdBecauseListsByVolumeMayHoldOnlyOne() {
        world.controller(RPC.Type.CREATE_DELETE_SNAPSHOT, RPC.Type.LIST_SNAPSHOTS);
        world.calls.on(
                ControllerGrpc.getListSnapshotsMethod(),
                request -> ListSnapshotsResponse.newBuilder()
                        .addEntries(ListSnapshotsResponse.Entry.newBuilder()
                                .setSnapshot(Snapshot.newBuilder()
                                        .setSnapshotId(
                                                request.getSourceVolumeId().isEmpty() ? "s-2" : "s-1")
                                        .setSourceVolumeId("vol-1")))
                        .build());
        assertThat(world.plugin().snapshotter().orElseThrow().get("s-2", context))
                .isPresent();
        assertThat(world.calls.last(ListSnapshotsRequest.class).getSourceVolumeId())
                .isEmpty();
    }

    /** Drivers that check the order of calls do it with INTERNAL; what is in the wrong order is repeated, not given up. */
    @Test
    void anInternalErrorForWhatComesTooEarlyIsInDoubtAndRepeated() {
        AtomicBoolean free = new AtomicBoolean();
        world.calls.on(ControllerGrpc.getDeleteVolumeMethod(), request -> {
            if (!free.get()) {
                throw Status.INTERNAL.withDescription("still published").asRuntimeException();
            }
            return DeleteVolumeResponse.getDefaultInstance();
        });
        var deleter = world.plugin().deleter(SPEC).orElseThrow();
        DeleteRequest request = new DeleteRequest("pv-1", Given.source());
        assertKind(FailureKind.UNCERTAIN, () -> deleter.delete(request, context));
        free.set(true);
        deleter.delete(request, context);
    }

    /** It is never kept: a node that turns out to be full has another limit than it said. */
    @Test
    void aLimitThatChangesIsAskedForWheneverItIsNeeded() {
        AtomicInteger asked = new AtomicInteger();
        world.calls.on(
                NodeGrpc.getNodeGetInfoMethod(),
                request -> NodeGetInfoResponse.newBuilder()
                        .setNodeId(PluginHarness.NODE_ID)
                        .setMaxVolumesPerNode(10 - asked.incrementAndGet())
                        .build());
        world.driver.failing(ControllerGrpc.getControllerPublishVolumeMethod(), Status.RESOURCE_EXHAUSTED);
        CsiPlugin plugin = world.plugin();
        var limits = plugin.limits().orElseThrow();
        long before = limits.maxVolumes(context);
        assertKind(
                FailureKind.EXHAUSTED,
                () -> plugin.attacher(SPEC)
                        .orElseThrow()
                        .attach(new AttachRequest(SPEC, Given.VOLUME, Given.NODE, false, PluginState.none()), context));
        assertThat(limits.maxVolumes(context)).isLessThan(before);
    }

    @Test
    void aPlainErrorOfTheDriversLanguageLeavesDoubt() {
        world.driver.failing(ControllerGrpc.getCreateVolumeMethod(), Status.UNKNOWN.withDescription("exit status 1"));
        assertKind(
                FailureKind.UNCERTAIN,
                () -> world.plugin()
                        .provisioner(Given.storageClass(Map.of()))
                        .orElseThrow()
                        .provision(Given.provision(Map.of()), context));
    }

    @Test
    void aDriverThatWasBuiltWithoutAVersionIsUsed() {
        io.volume4j.csi.testing.Capabilities.named(world.driver, Given.DRIVER, "");
        CsiPlugin plugin = world.plugin();
        assertThat(plugin.driver().vendorVersion()).isEmpty();
        assertThat(plugin.snapshotter()).isPresent();
    }

    @Test
    void aDriverThatReturnsWithOtherOptionsUnderTheSameVersionIsAskedAnew() {
        VolumeSpec attached = SPEC.withDriver(
                CsiDriver.Spec.defaults().toBuilder().attachRequired(true).build());
        world.calls.on(ControllerGrpc.getListVolumesMethod(), request -> ListVolumesResponse.getDefaultInstance());
        CsiPlugin plugin = world.controller(RPC.Type.LIST_VOLUMES).plugin();
        assertThat(plugin.attacher(attached)).isEmpty();
        world.driver.kill();
        world.controller(RPC.Type.LIST_VOLUMES, RPC.Type.PUBLISH_UNPUBLISH_VOLUME)
                .driver
                .start();
        plugin.inventory().orElseThrow().list(context);
        assertThat(plugin.attacher(attached)).as("it can attach now").isPresent();
    }

    @Test
    void aDriverThatWillNotSayItsNameIsNotUsed() {
        world.driver.failing(IdentityGrpc.getGetPluginInfoMethod(), Status.UNAVAILABLE);
        assertKind(FailureKind.TRANSIENT, world::plugin);
    }

    private static VolumeCondition condition(String message) {
        return VolumeCondition.newBuilder()
                .setAbnormal(true)
                .setMessage(message)
                .build();
    }

    private static void assertKind(FailureKind expected, Runnable call) {
        VolumeException failure = catchThrowableOfType(VolumeException.class, call::run);
        assertThat(failure).as("expected " + expected).isNotNull();
        assertThat(failure.kind()).as(failure.getMessage()).isEqualTo(expected);
    }
}
