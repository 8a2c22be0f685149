package io.volume4j.csi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.Status;
import io.volume4j.csi.internal.proto.BlockMetadata;
import io.volume4j.csi.internal.proto.BlockMetadataType;
import io.volume4j.csi.internal.proto.ControllerGrpc;
import io.volume4j.csi.internal.proto.ControllerServiceCapability.RPC;
import io.volume4j.csi.internal.proto.CreateSnapshotRequest;
import io.volume4j.csi.internal.proto.CreateSnapshotResponse;
import io.volume4j.csi.internal.proto.CreateVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.CreateVolumeGroupSnapshotResponse;
import io.volume4j.csi.internal.proto.DeleteSnapshotRequest;
import io.volume4j.csi.internal.proto.DeleteSnapshotResponse;
import io.volume4j.csi.internal.proto.DeleteVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.DeleteVolumeGroupSnapshotResponse;
import io.volume4j.csi.internal.proto.GetMetadataDeltaRequest;
import io.volume4j.csi.internal.proto.GetMetadataDeltaResponse;
import io.volume4j.csi.internal.proto.GetSnapshotResponse;
import io.volume4j.csi.internal.proto.GetVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.GetVolumeGroupSnapshotResponse;
import io.volume4j.csi.internal.proto.GroupControllerGrpc;
import io.volume4j.csi.internal.proto.ListSnapshotsResponse;
import io.volume4j.csi.internal.proto.PluginCapability.Service;
import io.volume4j.csi.internal.proto.Snapshot;
import io.volume4j.csi.internal.proto.SnapshotMetadataGrpc;
import io.volume4j.csi.internal.proto.Topology;
import io.volume4j.csi.internal.proto.VolumeGroupSnapshot;
import io.volume4j.csi.testing.Capabilities;
import io.volume4j.csi.testing.Given;
import io.volume4j.csi.testing.PluginHarness;
import io.volume4j.csi.testing.TestContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.plugin.GroupSnapshotter.CreateGroupRequest;
import io.volume4j.spi.plugin.GroupSnapshotter.GroupRequest;
import io.volume4j.spi.plugin.GroupSnapshotter.GroupSnapshot;
import io.volume4j.spi.plugin.Places;
import io.volume4j.spi.plugin.SnapshotMetadata.Block;
import io.volume4j.spi.plugin.SnapshotMetadata.ChangedRequest;
import io.volume4j.spi.plugin.Snapshotter.CreateRequest;
import io.volume4j.spi.plugin.Snapshotter.SnapshotRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Snapshots of one and of several volumes, and which of their blocks differ. */
@Timeout(120)
class CsiSnapshotsTest {
    private static final Map<String, String> PARAMETERS = Map.of(
            "csi.storage.k8s.io/snapshotter-secret-name", "snap",
            "csi.storage.k8s.io/snapshotter-secret-namespace", "kube-system",
            "csi.storage.k8s.io/volumesnapshot/name", "before-upgrade",
            "tier", "cold");

    @AutoClose
    private final PluginHarness world = new PluginHarness();

    private final TestContext context = TestContext.patient();

    @Test
    void cutsUnderANameAndAsksAgainUntilTheSnapshotIsReady() {
        world.secret(new SecretRef("kube-system", "snap"), "tops3cret-snap");
        world.calls.on(
                ControllerGrpc.getCreateSnapshotMethod(),
                request -> CreateSnapshotResponse.newBuilder()
                        .setSnapshot(Snapshot.newBuilder()
                                .setSnapshotId("s-" + request.getName())
                                .setSourceVolumeId(request.getSourceVolumeId())
                                .setSizeBytes(5)
                                .setReadyToUse(world.driver.calls("CreateSnapshot") > 1))
                        .build());
        var snapshotter = world.plugin().snapshotter().orElseThrow();
        CreateRequest request = new CreateRequest("n1", Given.source(), PARAMETERS);
        assertThat(snapshotter.create(request, context).ready()).isFalse();
        assertThat(snapshotter.create(request, context))
                .returns(true, found -> found.ready())
                .returns("s-n1", found -> found.handle())
                .returns(5L, found -> found.sizeBytes());
        CreateSnapshotRequest sent = world.calls.last(CreateSnapshotRequest.class);
        assertThat(sent.getParametersMap())
                .containsOnly(
                        Map.entry("tier", "cold"),
                        Map.entry("csi.storage.k8s.io/volumesnapshot/name", "before-upgrade"));
        assertThat(sent.getSecretsMap()).containsExactly(Map.entry("password", "tops3cret-snap"));
    }

    @Test
    void aSnapshotKnowsFromWhereItCanBeUsed() {
        world.calls.on(
                ControllerGrpc.getCreateSnapshotMethod(),
                request -> CreateSnapshotResponse.newBuilder()
                        .setSnapshot(Snapshot.newBuilder()
                                .setSnapshotId("s-1")
                                .setSourceVolumeId(request.getSourceVolumeId())
                                .addAccessibleTopology(Topology.newBuilder().putSegments("zone", "a"))
                                .addAccessibleTopology(Topology.newBuilder().putSegments("zone", "b")))
                        .build());
        assertThat(world.plugin()
                        .snapshotter()
                        .orElseThrow()
                        .create(new CreateRequest("n1", Given.source(), Map.of()), context)
                        .places())
                .isEqualTo(new Places(List.of(Map.of("zone", "a"), Map.of("zone", "b"))));
        assertThat(world.calls.last(CreateSnapshotRequest.class).hasAccessibilityRequirements())
                .as("the driver chooses")
                .isFalse();
    }

    /** Each answer that holds a snapshot is the newest that is known of its places. */
    @ParameterizedTest
    @CsvSource({"create", "get", "list", "group create", "group get"})
    void eachAnswerSaysFromWhereTheSnapshotCanBeUsedNow(String answer) {
        AtomicReference<String> zone = new AtomicReference<>("a");
        Supplier<Snapshot.Builder> placed = () -> Snapshot.newBuilder()
                .setSnapshotId("s-1")
                .setSourceVolumeId("v1")
                .addAccessibleTopology(Topology.newBuilder().putSegments("zone", zone.get()));
        Supplier<VolumeGroupSnapshot.Builder> group =
                () -> VolumeGroupSnapshot.newBuilder().setGroupSnapshotId("g-1").addSnapshots(placed.get());
        world.calls.on(
                ControllerGrpc.getCreateSnapshotMethod(),
                request -> CreateSnapshotResponse.newBuilder()
                        .setSnapshot(placed.get().setSourceVolumeId(request.getSourceVolumeId()))
                        .build());
        world.calls.on(
                ControllerGrpc.getGetSnapshotMethod(),
                request -> GetSnapshotResponse.newBuilder()
                        .setSnapshot(placed.get())
                        .build());
        world.calls.on(
                ControllerGrpc.getListSnapshotsMethod(),
                request -> ListSnapshotsResponse.newBuilder()
                        .addEntries(ListSnapshotsResponse.Entry.newBuilder().setSnapshot(placed.get()))
                        .build());
        world.calls.on(
                GroupControllerGrpc.getCreateVolumeGroupSnapshotMethod(),
                request -> CreateVolumeGroupSnapshotResponse.newBuilder()
                        .setGroupSnapshot(group.get())
                        .build());
        world.calls.on(
                GroupControllerGrpc.getGetVolumeGroupSnapshotMethod(),
                request -> GetVolumeGroupSnapshotResponse.newBuilder()
                        .setGroupSnapshot(group.get())
                        .build());
        if (answer.equals("list")) {
            world.controller(RPC.Type.CREATE_DELETE_SNAPSHOT, RPC.Type.LIST_SNAPSHOTS);
        }
        var plugin = world.plugin();
        var snapshotter = plugin.snapshotter().orElseThrow();
        Supplier<Places> told = switch (answer) {
            case "create" ->
                () -> snapshotter
                        .create(new CreateRequest("n1", Given.source(), Map.of()), context)
                        .places();
            case "group create" ->
                () -> plugin.groupSnapshotter()
                        .orElseThrow()
                        .create(new CreateGroupRequest("g", List.of(source("v1")), Map.of()), context)
                        .members()
                        .get(0)
                        .snapshot()
                        .places();
            case "group get" ->
                () -> plugin.groupSnapshotter()
                        .orElseThrow()
                        .get(new GroupRequest("g-1", List.of("s-1"), Map.of()), context)
                        .orElseThrow()
                        .members()
                        .get(0)
                        .snapshot()
                        .places();
            default -> () -> snapshotter.get("s-1", context).orElseThrow().places();
        };

        assertThat(told.get()).isEqualTo(new Places(List.of(Map.of("zone", "a"))));
        zone.set("b");
        assertThat(told.get()).isEqualTo(new Places(List.of(Map.of("zone", "b"))));
    }

    private static final Map<String, String> PLACED =
            Map.of("tier", "cold", "volume4j.io/snapshot-topology", "zone=b,rack=1; zone=a");

    @Test
    void aClassSaysFromWhereItsSnapshotsMustBeUsableAndARepetitionAsksForTheSame() {
        world.services(Service.Type.CONTROLLER_SERVICE, Service.Type.SNAPSHOT_ACCESSIBILITY_CONSTRAINTS);
        world.calls.on(
                ControllerGrpc.getCreateSnapshotMethod(),
                request -> CreateSnapshotResponse.newBuilder()
                        .setSnapshot(Snapshot.newBuilder()
                                .setSnapshotId("s-1")
                                .setSourceVolumeId(request.getSourceVolumeId())
                                .addAccessibleTopology(
                                        request.getAccessibilityRequirements().getRequisite(1)))
                        .build());
        CreateRequest request = new CreateRequest("n1", Given.source(), PLACED);
        var snapshotter = world.plugin().snapshotter().orElseThrow();

        assertThat(snapshotter.create(request, context).places()).isEqualTo(new Places(List.of(Map.of("zone", "a"))));
        CreateSnapshotRequest sent = world.calls.last(CreateSnapshotRequest.class);
        assertThat(sent.getAccessibilityRequirements().getRequisiteList())
                .containsExactly(
                        Topology.newBuilder()
                                .putSegments("zone", "b")
                                .putSegments("rack", "1")
                                .build(),
                        Topology.newBuilder().putSegments("zone", "a").build());
        assertThat(sent.getAccessibilityRequirements().getPreferredList())
                .isEqualTo(sent.getAccessibilityRequirements().getRequisiteList());
        assertThat(sent.getParametersMap()).containsOnly(Map.entry("tier", "cold"));
        snapshotter.create(request, context);
        assertThat(world.calls.last(CreateSnapshotRequest.class)).isEqualTo(sent);
    }

    @Test
    void aDriverThatCannotBeToldFromWhereASnapshotMustBeUsableIsNotAsked() {
        world.services(Service.Type.CONTROLLER_SERVICE);
        VolumeException refused = refusal(new CreateRequest("n1", Given.source(), PLACED));

        assertThat(refused).hasMessageContaining("cannot be told from where");
        assertThat(refused.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(world.driver.calls("CreateSnapshot")).isZero();
    }

    /** Most drivers answer so when a secret is missing. To delete the group would delete its other snapshots, too. */
    @Test
    void aRefusalToDeleteASnapshotForItsArgumentsFirstAdvisesToCorrectThem() {
        world.driver.failing(ControllerGrpc.getDeleteSnapshotMethod(), Status.INVALID_ARGUMENT);
        var snapshotter = world.plugin().snapshotter().orElseThrow();

        VolumeException refused = catchThrowableOfType(VolumeException.class, () -> snapshotter.delete("s-1", context));

        assertThat(refused.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(refused.advice()).startsWith("correct the arguments or the secret");
    }

    @Test
    void aDriverThatPlacesSnapshotsSinceItWasUpdatedIsAskedTo() {
        world.services(Service.Type.CONTROLLER_SERVICE);
        var snapshotter = world.plugin().snapshotter().orElseThrow();
        world.driver.kill();
        world.services(Service.Type.CONTROLLER_SERVICE, Service.Type.SNAPSHOT_ACCESSIBILITY_CONSTRAINTS);
        world.calls.on(
                ControllerGrpc.getCreateSnapshotMethod(),
                request -> CreateSnapshotResponse.newBuilder()
                        .setSnapshot(Snapshot.newBuilder()
                                .setSnapshotId("s-1")
                                .setSourceVolumeId(request.getSourceVolumeId()))
                        .build());
        world.driver.start();

        snapshotter.create(new CreateRequest("n1", Given.source(), PLACED), context);

        assertThat(world.calls
                        .last(CreateSnapshotRequest.class)
                        .getAccessibilityRequirements()
                        .getRequisiteCount())
                .isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "zone", "zone=", "=a", "zone=a;", "zone=a,zone=b"})
    void aClassWithPlacesThatCannotBeReadIsRefused(String places) {
        VolumeException refused =
                refusal(new CreateRequest("n1", Given.source(), Map.of("volume4j.io/snapshot-topology", places)));

        assertThat(refused).hasMessageContaining("KEY=VALUE");
        assertThat(world.driver.calls("CreateSnapshot")).isZero();
    }

    @Test
    void aGroupThatIsToBeUsableFromSomewhereIsRefusedBecauseNoCallTells() {
        VolumeException refused = catchThrowableOfType(
                VolumeException.class,
                () -> world.plugin()
                        .groupSnapshotter()
                        .orElseThrow()
                        .create(new CreateGroupRequest("g1", List.of(Given.source()), PLACED), context));

        assertThat(refused).hasMessageContaining("group");
        assertThat(world.driver.calls("CreateVolumeGroupSnapshot")).isZero();
    }

    @Test
    void aSnapshotWithAnIdThatIsTooLongToBeKeptIsTakenBackAndProvedAbsent() {
        String id = "s".repeat(70_000);
        world.calls.on(
                ControllerGrpc.getCreateSnapshotMethod(),
                request -> CreateSnapshotResponse.newBuilder()
                        .setSnapshot(
                                Snapshot.newBuilder().setSnapshotId(id).setSourceVolumeId(request.getSourceVolumeId()))
                        .build());
        world.calls.on(
                ControllerGrpc.getDeleteSnapshotMethod(), request -> DeleteSnapshotResponse.getDefaultInstance());
        var snapshotter = world.plugin().snapshotter().orElseThrow();
        VolumeException failure = catchThrowableOfType(
                VolumeException.class,
                () -> snapshotter.create(new CreateRequest("n1", Given.source(), Map.of()), context));
        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(failure.provesAbsent()).isTrue();
        assertThat(world.calls.last(DeleteSnapshotRequest.class).getSnapshotId())
                .isEqualTo(id);
    }

    /** The driver would return it at each repetition, and neither the snapshot nor its content could ever be deleted. */
    @Test
    void aSnapshotThatCannotBeUsedFromWhereItMustBeIsTakenBackAndProvedAbsent() {
        misplacing();
        VolumeException failure = refusal(new CreateRequest("n1", Given.source(), PLACED));

        assertThat(failure).hasMessageContaining("lies outside every requisite topology");
        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(failure.provesAbsent()).isTrue();
        assertThat(world.calls.last(DeleteSnapshotRequest.class).getSnapshotId())
                .isEqualTo("s-1");
    }

    @Test
    void aSnapshotThatAnEarlierAnswerNamedStaysWhereverItCanBeUsedFrom() {
        misplacing();

        assertThat(world.plugin()
                        .snapshotter()
                        .orElseThrow()
                        .create(new CreateRequest("n1", Given.source(), PLACED, "s-1"), context)
                        .places())
                .isEqualTo(new Places(List.of(Map.of("zone", "elsewhere"))));
        assertThat(world.driver.calls("DeleteSnapshot")).isZero();
    }

    @Test
    void aSnapshotOfAnotherVolumeIsNotTakenBackBecauseItMayBeThatOfAnother() {
        world.services(Service.Type.CONTROLLER_SERVICE, Service.Type.SNAPSHOT_ACCESSIBILITY_CONSTRAINTS);
        world.calls.on(
                ControllerGrpc.getCreateSnapshotMethod(),
                request -> CreateSnapshotResponse.newBuilder()
                        .setSnapshot(Snapshot.newBuilder()
                                .setSnapshotId("s-1")
                                .setSourceVolumeId("another")
                                .addAccessibleTopology(Topology.newBuilder().putSegments("zone", "elsewhere")))
                        .build());
        VolumeException failure = refusal(new CreateRequest("n1", Given.source(), PLACED));

        assertThat(failure.kind()).isEqualTo(FailureKind.UNCERTAIN);
        assertThat(world.driver.calls("DeleteSnapshot")).isZero();
    }

    private VolumeException refusal(CreateRequest request) {
        var snapshotter = world.plugin().snapshotter().orElseThrow();
        return catchThrowableOfType(VolumeException.class, () -> snapshotter.create(request, context));
    }

    private void misplacing() {
        world.services(Service.Type.CONTROLLER_SERVICE, Service.Type.SNAPSHOT_ACCESSIBILITY_CONSTRAINTS);
        world.calls.on(
                ControllerGrpc.getCreateSnapshotMethod(),
                request -> CreateSnapshotResponse.newBuilder()
                        .setSnapshot(Snapshot.newBuilder()
                                .setSnapshotId("s-1")
                                .setSourceVolumeId(request.getSourceVolumeId())
                                .addAccessibleTopology(Topology.newBuilder().putSegments("zone", "elsewhere")))
                        .build());
        world.calls.on(
                ControllerGrpc.getDeleteSnapshotMethod(), request -> DeleteSnapshotResponse.getDefaultInstance());
    }

    @Test
    void aGroupWithAMemberOfWhichTheIdIsTooLongIsTakenBackWhole() {
        String id = "s".repeat(70_000);
        world.calls.on(
                GroupControllerGrpc.getCreateVolumeGroupSnapshotMethod(),
                request -> CreateVolumeGroupSnapshotResponse.newBuilder()
                        .setGroupSnapshot(VolumeGroupSnapshot.newBuilder()
                                .setGroupSnapshotId("g-1")
                                .addSnapshots(
                                        Snapshot.newBuilder().setSnapshotId(id).setSourceVolumeId("v1")))
                        .build());
        world.calls.on(
                GroupControllerGrpc.getDeleteVolumeGroupSnapshotMethod(),
                request -> DeleteVolumeGroupSnapshotResponse.getDefaultInstance());
        var groups = world.plugin().groupSnapshotter().orElseThrow();
        VolumeException failure = catchThrowableOfType(
                VolumeException.class,
                () -> groups.create(new CreateGroupRequest("g", List.of(source("v1")), Map.of()), context));
        assertThat(failure.provesAbsent()).isTrue();
        assertThat(world.calls.last(DeleteVolumeGroupSnapshotRequest.class).getSnapshotIdsList())
                .containsExactly(id);
    }

    @Test
    void looksForASnapshotInTheListWhereTheDriverCannotBeAskedForOne() {
        world.controller(RPC.Type.CREATE_DELETE_SNAPSHOT, RPC.Type.LIST_SNAPSHOTS);
        world.calls.on(
                ControllerGrpc.getListSnapshotsMethod(),
                request -> request.getSnapshotId().equals("s-1")
                        ? ListSnapshotsResponse.newBuilder()
                                .addEntries(ListSnapshotsResponse.Entry.newBuilder()
                                        .setSnapshot(Snapshot.newBuilder()
                                                .setSnapshotId("s-1")
                                                .setReadyToUse(true)))
                                .build()
                        : ListSnapshotsResponse.getDefaultInstance());
        var snapshotter = world.plugin().snapshotter().orElseThrow();
        assertThat(snapshotter.get("s-1", context)).isPresent();
        assertThat(snapshotter.get("s-2", context)).isEmpty();
    }

    @Test
    void aSnapshotThatIsMissingWhenItIsDeletedIsGoneOnlyIfTheDriverDeniesIt() {
        world.driver.failing(ControllerGrpc.getDeleteSnapshotMethod(), Status.NOT_FOUND);
        world.driver.failing(ControllerGrpc.getGetSnapshotMethod(), Status.NOT_FOUND);
        world.plugin().snapshotter().orElseThrow().delete("s-1", context);

        world.controller(RPC.Type.CREATE_DELETE_SNAPSHOT);
        Capabilities.named(world.driver, Given.DRIVER, "2.0");
        assertThat(catchThrowableOfType(
                                VolumeException.class,
                                () -> world.plugin().snapshotter().orElseThrow().delete("s-1", context))
                        .kind())
                .isEqualTo(FailureKind.FINAL);
    }

    /** Users delete a namespace with its secrets before the snapshots are deleted. */
    @Test
    void snapshotsWhoseSecretIsGoneAreDeletedWithoutIt() {
        world.calls.on(
                ControllerGrpc.getDeleteSnapshotMethod(), request -> DeleteSnapshotResponse.getDefaultInstance());
        world.calls.on(
                GroupControllerGrpc.getDeleteVolumeGroupSnapshotMethod(),
                request -> DeleteVolumeGroupSnapshotResponse.getDefaultInstance());
        var plugin = world.plugin();

        plugin.snapshotter().orElseThrow().delete(new SnapshotRequest("s-1", PARAMETERS), context);
        assertThat(world.calls.last(DeleteSnapshotRequest.class).getSecretsMap())
                .isEmpty();

        plugin.groupSnapshotter().orElseThrow().delete(new GroupRequest("g-1", List.of("s-1"), PARAMETERS), context);
        assertThat(world.calls.last(DeleteVolumeGroupSnapshotRequest.class).getSecretsMap())
                .isEmpty();
    }

    @Test
    void aGroupIsCutTogetherAndKnownByItsMembersAfterwards() {
        world.calls.on(
                GroupControllerGrpc.getCreateVolumeGroupSnapshotMethod(),
                request -> CreateVolumeGroupSnapshotResponse.newBuilder()
                        .setGroupSnapshot(group(request.getSourceVolumeIdsList(), false))
                        .build());
        world.calls.on(
                GroupControllerGrpc.getGetVolumeGroupSnapshotMethod(),
                request -> GetVolumeGroupSnapshotResponse.newBuilder()
                        .setGroupSnapshot(group(List.of("v1", "v2"), true))
                        .build());
        world.calls.on(
                GroupControllerGrpc.getDeleteVolumeGroupSnapshotMethod(),
                request -> DeleteVolumeGroupSnapshotResponse.getDefaultInstance());
        var groups = world.plugin().groupSnapshotter().orElseThrow();
        GroupSnapshot cut =
                groups.create(new CreateGroupRequest("g", List.of(source("v2"), source("v1")), Map.of()), context);
        assertThat(cut.ready()).isFalse();
        assertThat(cut.memberHandles()).containsExactly("s-v1", "s-v2");
        assertThat(world.calls.last(CreateVolumeGroupSnapshotRequest.class).getSourceVolumeIdsList())
                .containsExactly("v1", "v2");
        GroupRequest request = new GroupRequest(cut.handle(), cut.memberHandles(), Map.of());
        assertThat(groups.get(request, context).orElseThrow().ready()).isTrue();
        groups.delete(request, context);
        assertThat(world.calls.last(DeleteVolumeGroupSnapshotRequest.class).getSnapshotIdsList())
                .containsExactly("s-v1", "s-v2");
    }

    @Test
    void aGroupIsReadWithTheSecretForReading() {
        world.secret(new SecretRef("kube-system", "snap"), "tops3cret-snap");
        world.secret(new SecretRef("kube-system", "read"), "tops3cret-read");
        world.calls.on(
                GroupControllerGrpc.getGetVolumeGroupSnapshotMethod(),
                request -> GetVolumeGroupSnapshotResponse.newBuilder()
                        .setGroupSnapshot(group(List.of("v1"), true))
                        .build());
        Map<String, String> parameters = new TreeMap<>(PARAMETERS);
        var groups = world.plugin().groupSnapshotter().orElseThrow();

        groups.get(new GroupRequest("g-1", List.of("s-v1"), parameters), context);
        assertThat(world.calls.last(GetVolumeGroupSnapshotRequest.class).getSecretsMap())
                .containsExactly(Map.entry("password", "tops3cret-snap"));

        parameters.put("csi.storage.k8s.io/snapshotter-list-secret-name", "read");
        parameters.put("csi.storage.k8s.io/snapshotter-list-secret-namespace", "kube-system");
        groups.get(new GroupRequest("g-1", List.of("s-v1"), parameters), context);
        assertThat(world.calls.last(GetVolumeGroupSnapshotRequest.class).getSecretsMap())
                .containsExactly(Map.entry("password", "tops3cret-read"));
    }

    @Test
    void changedBlocksGoOnBehindTheLastOneWhenTheStreamBreaks() {
        List<Long> offsets = new ArrayList<>();
        world.driver.<GetMetadataDeltaRequest, GetMetadataDeltaResponse>onStream(
                SnapshotMetadataGrpc.getGetMetadataDeltaMethod(), (request, out) -> {
                    offsets.add(request.getStartingOffset());
                    out.onNext(GetMetadataDeltaResponse.newBuilder()
                            .setBlockMetadataType(BlockMetadataType.VARIABLE_LENGTH)
                            .setVolumeCapacityBytes(100)
                            .addBlockMetadata(BlockMetadata.newBuilder()
                                    .setByteOffset(request.getStartingOffset())
                                    .setSizeBytes(10))
                            .build());
                    if (request.getStartingOffset() == 0) {
                        out.onError(Status.UNAVAILABLE.asRuntimeException());
                    } else {
                        out.onCompleted();
                    }
                });
        List<Block> blocks = new ArrayList<>();
        world.plugin()
                .snapshotMetadata()
                .orElseThrow()
                .changed(new ChangedRequest("a", "b", 0, Map.of()), (bytes, part) -> blocks.addAll(part), context);
        assertThat(blocks).containsExactly(new Block(0, 10), new Block(10, 10));
        assertThat(offsets).containsExactly(0L, 10L);
    }

    private static VolumeGroupSnapshot group(List<String> volumes, boolean ready) {
        VolumeGroupSnapshot.Builder group =
                VolumeGroupSnapshot.newBuilder().setGroupSnapshotId("g-1").setReadyToUse(ready);
        for (String volume : volumes) {
            group.addSnapshots(Snapshot.newBuilder()
                    .setSnapshotId("s-" + volume)
                    .setSourceVolumeId(volume)
                    .setReadyToUse(ready));
        }
        return group.build();
    }

    private static CsiSource source(String handle) {
        return CsiSource.of(Given.DRIVER, handle, "", Map.of());
    }
}
