package io.volume4j.csi.driver;

import static io.volume4j.csi.driver.DriverClient.code;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.volume4j.csi.driver.options.DriverOptions;
import io.volume4j.csi.driver.options.Pool;
import io.volume4j.csi.driver.options.Quirk;
import io.volume4j.csi.driver.options.Switches;
import io.volume4j.csi.internal.proto.BlockMetadata;
import io.volume4j.csi.internal.proto.BlockMetadataType;
import io.volume4j.csi.internal.proto.CapacityRange;
import io.volume4j.csi.internal.proto.ControllerExpandVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerGetCapabilitiesRequest;
import io.volume4j.csi.internal.proto.ControllerGetVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerModifyVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerServiceCapability;
import io.volume4j.csi.internal.proto.ControllerUnpublishVolumeRequest;
import io.volume4j.csi.internal.proto.CreateSnapshotRequest;
import io.volume4j.csi.internal.proto.DeleteVolumeRequest;
import io.volume4j.csi.internal.proto.GetCapacityRequest;
import io.volume4j.csi.internal.proto.GetMetadataAllocatedRequest;
import io.volume4j.csi.internal.proto.GetMetadataAllocatedResponse;
import io.volume4j.csi.internal.proto.GetPluginCapabilitiesRequest;
import io.volume4j.csi.internal.proto.GetPluginInfoRequest;
import io.volume4j.csi.internal.proto.ListVolumesRequest;
import io.volume4j.csi.internal.proto.ListVolumesResponse;
import io.volume4j.csi.internal.proto.NodeGetInfoRequest;
import io.volume4j.csi.internal.proto.NodePublishVolumeRequest;
import io.volume4j.csi.internal.proto.NodeUnpublishVolumeRequest;
import io.volume4j.csi.internal.proto.ProbeRequest;
import io.volume4j.csi.internal.proto.Snapshot;
import io.volume4j.csi.internal.proto.ValidateVolumeCapabilitiesRequest;
import io.volume4j.csi.internal.proto.Volume;
import io.volume4j.csi.internal.proto.VolumeCapability.AccessMode.Mode;
import io.volume4j.csi.internal.proto.VolumeContentSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a driver can have, lack and do otherwise than it should. */
@Timeout(60)
class DriverQuirkTest {
    @AutoClose
    private Fixture fixture = new Fixture();

    private void with(UnaryOperator<DriverOptions.Builder> change) {
        fixture.close();
        fixture = new Fixture(change);
    }

    // ---- capabilities

    @Test
    void reportsEveryCapabilityThatIsOnAndUnknownNumbers() {
        with(options -> options.without("clone").with("controller.4711"));

        List<Integer> told = new ArrayList<>();
        fixture.client()
                .controller()
                .controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance())
                .getCapabilitiesList()
                .forEach(each -> told.add(each.getRpc().getTypeValue()));

        assertThat(told).contains(4711).doesNotContain(ControllerServiceCapability.RPC.Type.CLONE_VOLUME_VALUE);
        // CLONE_VOLUME for 4711; and UNKNOWN, UNRECOGNIZED and VOLUME_CONDITION, which 1.13 does not have, are not told
        assertThat(told).hasSize(ControllerServiceCapability.RPC.Type.values().length - 3);
    }

    @Test
    void everySwitchIsACapabilityOfTheSchema() {
        assertThat(Switches.names()).hasSize(36);
        Switches.groups().values().forEach(names -> assertThat(Switches.names()).containsAll(names));
    }

    @Test
    void aNewVersionMayHaveOtherCapabilities() {
        fixture.volume("pvc-1");

        fixture.driver()
                .restart(fixture.driver().options().toBuilder()
                        .version("2.0")
                        .without("list")
                        .build());

        assertThat(fixture.client()
                        .identity()
                        .getPluginInfo(GetPluginInfoRequest.getDefaultInstance())
                        .getVendorVersion())
                .isEqualTo("2.0");
        assertThat(code(() -> list(0, ""))).isEqualTo(Code.UNIMPLEMENTED);
        assertThat(fixture.driver().inventory().volumes()).containsExactly("vol-1");
    }

    @Test
    void isReadyAfterSoManyProbes() {
        with(options -> options.probesUntilReady(2));
        List<Boolean> ready = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ready.add(fixture.client()
                    .identity()
                    .probe(ProbeRequest.getDefaultInstance())
                    .getReady()
                    .getValue());
        }
        assertThat(ready).containsExactly(false, false, true);
    }

    @Test
    void aVolumeOfAnOperatorIsThereFromTheBeginning() {
        with(options -> options.without("controller.CREATE_DELETE_VOLUME").presetVolume("by-hand", Fixture.MI));

        assertThat(fixture.driver().inventory().volumes()).containsExactly("by-hand");
        assertThat(fixture.client()
                        .controller()
                        .validateVolumeCapabilities(validate("by-hand"))
                        .hasConfirmed())
                .isTrue();
    }

    /** The caller chooses the id of an inline volume. */
    @ParameterizedTest
    @ValueSource(strings = {"/precious", "../../precious", "ünï/cödé", ".."})
    void anIdThatIsAPathDoesNotLeadOutOfTheDriversDirectory(String name) throws IOException {
        Place place = fixture.place();
        Path precious = Files.createDirectories(place.path().resolve("precious"));
        Files.writeString(precious.resolve("data"), "data");
        String id = name.equals("/precious") ? precious.toString() : name;
        String target = place.target("inline");

        fixture.client()
                .node()
                .nodePublishVolume(NodePublishVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .setTargetPath(target)
                        .setVolumeCapability(Fixture.mounted())
                        .putVolumeContext("csi.storage.k8s.io/ephemeral", "true")
                        .build());
        Files.writeString(Path.of(target, "data"), "other");
        fixture.client()
                .node()
                .nodeUnpublishVolume(NodeUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .setTargetPath(target)
                        .build());

        assertThat(precious.resolve("data")).hasContent("data");
        assertThat(fixture.driver().inventory().volumes()).isEmpty();
        assertThat(place.path().resolve("state/contents")).isEmptyDirectory();
    }

    // ---- stock

    @Test
    void volumesComeFromThePoolOfTheirPlaceUntilItIsEmpty() {
        with(options -> options.pools(List.of(Pool.parse("zone=a:10Mi"), Pool.parse("zone=b:20Mi"))));

        assertThat(place(fixture.volume("one"))).isEqualTo("a");
        assertThat(place(fixture.volume("two"))).isEqualTo("b");
        assertThat(available(Map.of("zone", "a"))).isEqualTo(2 * Fixture.MI);
        assertThat(available(Map.of("zone", "b"))).isEqualTo(12 * Fixture.MI);
        assertThat(place(fixture.volume("three"))).isEqualTo("b");
        assertThat(code(() -> fixture.volume("four"))).isEqualTo(Code.RESOURCE_EXHAUSTED);
        delete("vol-1");
        assertThat(place(fixture.volume("four"))).isEqualTo("a");
    }

    @Test
    void aFullNodeTakesNoMoreUntilSomethingIsDetached() {
        with(options -> options.attachLimit(1).reportedAttachLimit(5));
        assertThat(fixture.client()
                        .node()
                        .nodeGetInfo(NodeGetInfoRequest.getDefaultInstance())
                        .getMaxVolumesPerNode())
                .as("not the truth")
                .isEqualTo(5);
        Volume one = fixture.volume("one");
        Volume two = fixture.volume("two");
        fixture.attached(one);

        assertThat(code(() -> fixture.attached(two))).isEqualTo(Code.RESOURCE_EXHAUSTED);
        fixture.client()
                .controller()
                .controllerUnpublishVolume(ControllerUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(one.getVolumeId())
                        .setNodeId("node-1")
                        .build());
        assertThat(code(() -> fixture.attached(two))).isEqualTo(Code.OK);
    }

    // ---- lists

    @Test
    void aListIsReadPageByPageWhateverIsDeletedMeanwhile() {
        for (int i = 1; i <= 5; i++) {
            fixture.volume("pvc-" + i);
        }
        ListVolumesResponse first = list(2, "");
        delete("vol-1");
        delete("vol-3");
        ListVolumesResponse second = list(2, first.getNextToken());

        assertThat(ids(first)).containsExactly("vol-1", "vol-2");
        assertThat(ids(second)).containsExactly("vol-4", "vol-5");
        assertThat(second.getNextToken()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"LIST_WITHOUT_NEXT_TOKEN, 2", "LIST_DUPLICATES, 6", "LIST_STALE_TOKEN, -1"})
    void listsCanGoWrong(Quirk quirk, int told) {
        with(options -> options.quirk(quirk));
        for (int i = 1; i <= 4; i++) {
            fixture.volume("pvc-" + i);
        }
        List<String> all = new ArrayList<>();
        boolean refused = false;
        String token = "";
        do {
            try {
                ListVolumesResponse page = list(2, token);
                all.addAll(ids(page));
                token = page.getNextToken();
            } catch (StatusRuntimeException e) {
                refused = e.getStatus().getCode() == Code.ABORTED;
            }
        } while (!token.isEmpty() && !refused);

        assertThat(refused).isEqualTo(told < 0);
        assertThat(all).hasSize(told < 0 ? 2 : told);
        assertThat(new TreeSet<>(all)).hasSize(quirk == Quirk.LIST_DUPLICATES ? 4 : 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 5})
    void eachPageOfADriftingListBeginsWithTheNewestVolumeAndNoneIsMissing(int most) {
        with(options -> options.quirk(Quirk.LIST_DRIFT));
        for (int i = 1; i <= 4; i++) {
            fixture.volume("pvc-" + i);
        }
        List<String> others = new ArrayList<>();
        String token = "";
        do {
            ListVolumesResponse page = list(most, token);
            assertThat(ids(page)).startsWith("vol-4");
            others.addAll(ids(page).subList(1, page.getEntriesCount()));
            token = page.getNextToken();
        } while (!token.isEmpty());

        assertThat(others).containsExactly("vol-1", "vol-2", "vol-3");
    }

    @ParameterizedTest
    @CsvSource({"EMPTY_PUBLISHED_NODE, ''", "PHANTOM_PUBLISHED_NODE, phantom"})
    void nodesCanBeToldThatAreNone(Quirk quirk, String node) {
        with(options -> options.quirk(quirk));
        fixture.volume("pvc-1");

        assertThat(list(0, "").getEntries(0).getStatus().getPublishedNodeIdsList())
                .containsExactly(node);
    }

    // ---- idempotency and answers

    @Test
    void aFreshIdForTheSameName() {
        with(options -> options.quirk(Quirk.FRESH_ID_FOR_SAME_NAME));
        assertThat(fixture.volume("pvc-1").getVolumeId())
                .isNotEqualTo(fixture.volume("pvc-1").getVolumeId());
        assertThat(fixture.driver().inventory().born()).containsEntry("volume pvc-1", 2);
    }

    @ParameterizedTest
    @CsvSource({
        "NOT_FOUND_ON_REPEATED_DELETE, DELETE, NOT_FOUND",
        "NON_IDEMPOTENT_UNPUBLISH, DETACH, NOT_FOUND",
        "UNKNOWN_EXCEPTIONS, GET, UNKNOWN",
        "GET_OF_UNKNOWN_IS_ABNORMAL, GET, OK",
        "INVALID_ARGUMENT_WHEN_DISABLED, GET_DISABLED, INVALID_ARGUMENT"
    })
    void refusalsCanBeOthersThanTheTableSays(Quirk quirk, String call, Code expected) {
        with(options -> {
            options.quirk(quirk);
            return call.equals("GET_DISABLED") ? options.without("list") : options;
        });
        Volume volume = fixture.volume("pvc-1");

        assertThat(code(() -> switch (call) {
                    case "DELETE" -> delete("none");
                    case "DETACH" ->
                        fixture.client()
                                .controller()
                                .controllerUnpublishVolume(ControllerUnpublishVolumeRequest.newBuilder()
                                        .setVolumeId(volume.getVolumeId())
                                        .setNodeId("node-1")
                                        .build());
                    default ->
                        fixture.client()
                                .controller()
                                .controllerGetVolume(ControllerGetVolumeRequest.newBuilder()
                                        .setVolumeId("none")
                                        .build());
                }))
                .isEqualTo(expected);
    }

    @Test
    void answersCanBeIncredible() {
        with(options -> options.quirk(Quirk.SMALLER_THAN_REQUIRED)
                .quirk(Quirk.TOPOLOGY_ELSEWHERE)
                .quirk(Quirk.NO_CONTENT_SOURCE));
        Volume volume = fixture.volume("pvc-1");
        Volume clone = fixture.volume(Fixture.create("clone")
                .setVolumeContentSource(VolumeContentSource.newBuilder()
                        .setVolume(VolumeContentSource.VolumeSource.newBuilder().setVolumeId(volume.getVolumeId()))));

        assertThat(volume.getCapacityBytes()).isEqualTo(4 * Fixture.MI);
        assertThat(volume.getAccessibleTopology(0).getSegmentsMap()).containsValue("elsewhere");
        assertThat(clone.hasContentSource()).isFalse();
    }

    @Test
    void aConfirmationCanForgetWhatItWasAsked() {
        with(options -> options.quirk(Quirk.VALIDATE_FORGETS_MUTABLE_PARAMETERS).quirk(Quirk.NO_PLUGIN_EXPANSION));
        String id = fixture.volume("pvc-1").getVolumeId();

        assertThat(fixture.client()
                        .controller()
                        .validateVolumeCapabilities(validate(id).toBuilder()
                                .putMutableParams("iops", "1")
                                .build())
                        .getConfirmed()
                        .getMutableParamsMap())
                .isEmpty();
        assertThat(fixture.client()
                        .identity()
                        .getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance())
                        .getCapabilitiesList())
                .noneMatch(each -> each.hasVolumeExpansion());
    }

    // ---- growth

    @Test
    void growthCanStopHalfWayAndIsFinishedByTheRepeat() {
        with(options -> options.quirk(Quirk.PARTIAL_EXPANSION));
        String id = fixture.volume("pvc-1").getVolumeId();

        assertThat(code(() -> expand(id, 16))).isEqualTo(Code.INTERNAL);
        assertThat(list(0, "").getEntries(0).getVolume().getCapacityBytes()).isEqualTo(12 * Fixture.MI);
        assertThat(code(() -> expand(id, 16))).isEqualTo(Code.OK);
    }

    @Test
    void aModificationCanBeDoneAndStillFail() {
        with(options -> options.quirk(Quirk.MODIFY_DONE_BUT_INTERNAL).mutableKeys(Set.of("iops")));
        String id = fixture.volume("pvc-1").getVolumeId();

        assertThat(code(() -> modify(id, "colour"))).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(code(() -> modify(id, "iops"))).isEqualTo(Code.INTERNAL);
        assertThat(code(() -> modify(id, "iops"))).isEqualTo(Code.OK);
    }

    // ---- snapshots

    @Test
    void aSnapshotBecomesReadyAfterItWasAskedForOften() {
        with(options -> options.snapshotPolls(2).snapshotLimit(1));
        Volume volume = fixture.volume("pvc-1");

        assertThat(fixture.snapshot(volume, "cut").getReadyToUse()).isFalse();
        assertThat(fixture.snapshot(volume, "cut").getReadyToUse()).isFalse();
        assertThat(fixture.snapshot(volume, "cut").getReadyToUse()).isTrue();
        assertThat(code(() -> fixture.snapshot(volume, "another"))).isEqualTo(Code.RESOURCE_EXHAUSTED);
    }

    @Test
    void aSnapshotCanFailAfterItWasCut() {
        with(options -> options.snapshotPolls(2).quirk(Quirk.SNAPSHOT_FAILS_AFTER_CUT));
        Volume volume = fixture.volume("pvc-1");
        fixture.snapshot(volume, "cut");

        assertThat(code(() -> fixture.client()
                        .controller()
                        .createSnapshot(CreateSnapshotRequest.newBuilder()
                                .setName("cut")
                                .setSourceVolumeId(volume.getVolumeId())
                                .build())))
                .isEqualTo(Code.INTERNAL);
    }

    @Test
    void aMetadataStreamTellsTheBlocksThatHoldSomething() throws IOException {
        Snapshot snapshot = snapshotOfFourBlocks();

        List<Long> offsets = offsets(allocated(snapshot, 0, 2));

        assertThat(offsets).containsExactly(0L, 4096L, 8192L, 12288L);
        assertThat(offsets(allocated(snapshot, 8192, 0))).containsExactly(8192L, 12288L);
    }

    @Test
    void aMetadataStreamCanLeaveOutRepeatChangeStyleAndBreakOff() throws IOException {
        with(options -> options.quirk(Quirk.METADATA_GAPS));
        assertThat(offsets(allocated(snapshotOfFourBlocks(), 0, 0))).hasSizeLessThan(4);
        with(options -> options.quirk(Quirk.METADATA_DUPLICATES));
        assertThat(offsets(allocated(snapshotOfFourBlocks(), 0, 0))).hasSize(5);
        with(options -> options.quirk(Quirk.METADATA_STYLE_CHANGE));
        assertThat(allocated(snapshotOfFourBlocks(), 0, 2).stream()
                        .map(GetMetadataAllocatedResponse::getBlockMetadataType))
                .containsExactly(BlockMetadataType.FIXED_LENGTH, BlockMetadataType.VARIABLE_LENGTH);
        with(options -> options.quirk(Quirk.METADATA_BREAKS_OFF));
        Snapshot snapshot = snapshotOfFourBlocks();
        List<GetMetadataAllocatedResponse> parts = new ArrayList<>();
        assertThat(code(() -> stream(snapshot, 0, 2, parts))).isEqualTo(Code.UNAVAILABLE);
        assertThat(offsets(parts)).containsExactly(0L, 4096L);
        assertThat(offsets(allocated(snapshot, 8192, 2))).containsExactly(8192L, 12288L);
    }

    private Snapshot snapshotOfFourBlocks() throws IOException {
        Fixture.Staged staged = fixture.staged("pvc-1", Mode.SINGLE_NODE_WRITER);
        fixture.client().node().nodePublishVolume(staged.publish(fixture, "a").build());
        byte[] content = new byte[4 * 4096];
        Arrays.fill(content, (byte) 1);
        Files.write(Path.of(fixture.place().target("a"), "file"), content);
        return fixture.snapshot(staged.volume(), "cut");
    }

    private List<GetMetadataAllocatedResponse> allocated(Snapshot snapshot, long from, int most) {
        List<GetMetadataAllocatedResponse> parts = new ArrayList<>();
        stream(snapshot, from, most, parts);
        return parts;
    }

    private Object stream(Snapshot snapshot, long from, int most, List<GetMetadataAllocatedResponse> parts) {
        Iterator<GetMetadataAllocatedResponse> stream = fixture.client()
                .metadata()
                .getMetadataAllocated(GetMetadataAllocatedRequest.newBuilder()
                        .setSnapshotId(snapshot.getSnapshotId())
                        .setStartingOffset(from)
                        .setMaxResults(most)
                        .build());
        stream.forEachRemaining(parts::add);
        return parts;
    }

    private static List<Long> offsets(List<GetMetadataAllocatedResponse> parts) {
        return parts.stream()
                .flatMap(part -> part.getBlockMetadataList().stream())
                .map(BlockMetadata::getByteOffset)
                .toList();
    }

    private static String place(Volume volume) {
        return volume.getAccessibleTopology(0).getSegmentsOrThrow("zone");
    }

    private long available(Map<String, String> segments) {
        GetCapacityRequest.Builder request = GetCapacityRequest.newBuilder();
        request.getAccessibleTopologyBuilder().putAllSegments(segments);
        return fixture.client().controller().getCapacity(request.build()).getAvailableCapacity();
    }

    private ListVolumesResponse list(int most, String token) {
        return fixture.client()
                .controller()
                .listVolumes(ListVolumesRequest.newBuilder()
                        .setMaxEntries(most)
                        .setStartingToken(token)
                        .build());
    }

    private static List<String> ids(ListVolumesResponse page) {
        return page.getEntriesList().stream()
                .map(entry -> entry.getVolume().getVolumeId())
                .toList();
    }

    private static ValidateVolumeCapabilitiesRequest validate(String id) {
        return ValidateVolumeCapabilitiesRequest.newBuilder()
                .setVolumeId(id)
                .addVolumeCapabilities(Fixture.mounted())
                .build();
    }

    private Object delete(String id) {
        return fixture.client()
                .controller()
                .deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(id).build());
    }

    private Object expand(String id, long mebibytes) {
        return fixture.client()
                .controller()
                .controllerExpandVolume(ControllerExpandVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(mebibytes * Fixture.MI))
                        .build());
    }

    private Object modify(String id, String key) {
        return fixture.client()
                .controller()
                .controllerModifyVolume(ControllerModifyVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .putMutableParams(key, "1")
                        .build());
    }
}
