package io.volume4j.csi.internal.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import io.volume4j.csi.internal.proto.CapacityRange;
import io.volume4j.csi.internal.proto.CreateVolumeRequest;
import io.volume4j.csi.internal.proto.GetMetadataAllocatedRequest;
import io.volume4j.csi.internal.proto.ListVolumesRequest;
import io.volume4j.csi.internal.proto.Topology;
import io.volume4j.csi.internal.proto.TopologyRequirement;
import io.volume4j.csi.internal.proto.VolumeCapability;
import io.volume4j.csi.internal.proto.VolumeCapability.AccessMode;
import io.volume4j.csi.internal.proto.VolumeCapability.MountVolume;
import io.volume4j.csi.internal.proto.VolumeContentSource;
import io.volume4j.csi.internal.proto.VolumeContentSource.SnapshotSource;
import io.volume4j.csi.internal.rpc.Rpc;
import io.volume4j.csi.testing.Calls;
import io.volume4j.csi.testing.Requests;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class RequestRulesTest {
    private static final String LONG = "x".repeat(129);

    @ParameterizedTest
    @EnumSource(Rpc.class)
    void acceptsTheSmallestRightRequest(Rpc rpc) {
        assertThat(RequestRules.complaints(Calls.request(rpc))).isEmpty();
    }

    /** As the specification marks them; a list or map that is required needs an element. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    CREATE_VOLUME                | name volume_capabilities
                    DELETE_VOLUME                | volume_id
                    CONTROLLER_PUBLISH_VOLUME    | volume_id node_id volume_capability
                    CONTROLLER_UNPUBLISH_VOLUME  | volume_id
                    VALIDATE_VOLUME_CAPABILITIES | volume_id volume_capabilities
                    CREATE_SNAPSHOT              | source_volume_id name
                    DELETE_SNAPSHOT              | snapshot_id
                    GET_SNAPSHOT                 | snapshot_id
                    CONTROLLER_EXPAND_VOLUME     | volume_id capacity_range
                    CONTROLLER_GET_VOLUME        | volume_id
                    CONTROLLER_MODIFY_VOLUME     | volume_id mutable_params
                    CONTROLLER_GET_VOLUME_HEALTH | volume_id
                    NODE_GET_VOLUME_HEALTH       | volume_id
                    CREATE_VOLUME_GROUP_SNAPSHOT | name source_volume_ids
                    DELETE_VOLUME_GROUP_SNAPSHOT | group_snapshot_id snapshot_ids
                    GET_VOLUME_GROUP_SNAPSHOT    | group_snapshot_id snapshot_ids
                    GET_METADATA_ALLOCATED       | snapshot_id
                    GET_METADATA_DELTA           | base_snapshot_id target_snapshot_id
                    NODE_STAGE_VOLUME            | volume_id staging_target_path volume_capability
                    NODE_UNSTAGE_VOLUME          | volume_id staging_target_path
                    NODE_PUBLISH_VOLUME          | volume_id target_path volume_capability
                    NODE_UNPUBLISH_VOLUME        | volume_id target_path
                    NODE_GET_VOLUME_STATS        | volume_id volume_path
                    NODE_EXPAND_VOLUME           | volume_id volume_path
                    """)
    void missesEachRequiredField(Rpc rpc, String fields) {
        Message right = Calls.request(rpc);
        for (String name : fields.split(" ")) {
            Message without = right.toBuilder().clearField(field(right, name)).build();
            assertThat(RequestRules.complaints(without)).containsExactly(name + " is required");
        }
    }

    /** Which rule a field needs can be told from its kind and name; none may be forgotten. */
    @ParameterizedTest
    @EnumSource(Rpc.class)
    void looksAtEveryFieldThatNeedsIt(Rpc rpc) {
        Message right = Calls.request(rpc);
        for (FieldDescriptor field : right.getDescriptorForType().getFields()) {
            wrong(field)
                    .ifPresent(value -> assertThat(RequestRules.complaints(
                                    right.toBuilder().setField(field, value).build()))
                            .as("%s.%s", rpc, field.getName())
                            .isNotEmpty());
        }
    }

    private static Optional<Object> wrong(FieldDescriptor field) {
        String name = field.getName();
        if (field.isMapField()) {
            return Set.of("parameters", "mutable_params", "secrets").contains(name)
                    ? Optional.of(List.of(entry(field, "k", "v".repeat(4096))))
                    : Optional.empty();
        }
        Optional<Object> one = switch (field.getJavaType()) {
            case INT -> Optional.of(-1);
            case LONG -> Optional.of(-1L);
            case MESSAGE -> Optional.of(wrongWithin(field.getMessageType()));
            case STRING ->
                name.endsWith("_path")
                        ? Optional.of("not/absolute")
                        : name.equals("name")
                                ? Optional.of(LONG)
                                : name.endsWith("_ids") ? Optional.of("") : Optional.empty();
            default -> Optional.empty();
        };
        return field.isRepeated() ? one.map(List::of) : one;
    }

    /** Messages in requests are wrong when they are empty, but for the list of places. */
    private static Message wrongWithin(Descriptor type) {
        return type.equals(TopologyRequirement.getDescriptor())
                ? TopologyRequirement.newBuilder()
                        .addRequisite(Topology.getDefaultInstance())
                        .build()
                : DynamicMessage.getDefaultInstance(type);
    }

    private static Message entry(FieldDescriptor map, String key, String value) {
        Descriptor type = map.getMessageType();
        return DynamicMessage.newBuilder(type)
                .setField(type.findFieldByNumber(1), key)
                .setField(type.findFieldByNumber(2), value)
                .build();
    }

    private static FieldDescriptor field(Message message, String name) {
        return Objects.requireNonNull(message.getDescriptorForType().findFieldByName(name), name);
    }

    @ParameterizedTest
    @MethodSource
    void complains(Message request, String complaint) {
        assertThat(RequestRules.complaints(request)).containsExactly(complaint);
    }

    static Stream<Arguments> complains() {
        CreateVolumeRequest right = Requests.createVolume();
        return Stream.of(
                arguments(right.toBuilder().setName(LONG).build(), "name has 129 bytes, allowed are 128"),
                arguments(right.toBuilder().setName("é".repeat(65)).build(), "name has 130 bytes, allowed are 128"),
                arguments(right.toBuilder().setName("a\u0000b").build(), "name holds a control character"),
                arguments(right.toBuilder().setName("a\u001bb").build(), "name holds a control character"),
                arguments(right.toBuilder().setName("a\u007fb").build(), "name holds a control character"),
                arguments(right.toBuilder().setName("a\u0085b").build(), "name holds a control character"),
                arguments(
                        right.toBuilder().putParameters("k", "v".repeat(4096)).build(),
                        "parameters has 4097 bytes, allowed are 4096"),
                arguments(
                        right.toBuilder()
                                .putMutableParams("k", "v".repeat(4096))
                                .build(),
                        "mutable_params has 4097 bytes, allowed are 4096"),
                arguments(
                        right.toBuilder().putSecrets("k", "s".repeat(4096)).build(),
                        "secrets has 4097 bytes, allowed are 4096"),
                arguments(
                        right.toBuilder().putSecrets("a key", "hunter2").build(),
                        "secrets has a key with other characters than letters, digits, '-', '_' and '.'"),
                arguments(
                        right.toBuilder()
                                .setCapacityRange(CapacityRange.getDefaultInstance())
                                .build(),
                        "capacity_range.required_bytes or limit_bytes is required"),
                arguments(capacity(-1, 0), "capacity_range.required_bytes must not be negative, is -1"),
                arguments(capacity(2, 1), "capacity_range.limit_bytes is less than required_bytes"),
                arguments(
                        withCapability(
                                Requests.mounted().toBuilder().clearMount().build()),
                        "volume_capabilities[0].access_type is required"),
                arguments(
                        withCapability(
                                Requests.mounted().toBuilder().clearAccessMode().build()),
                        "volume_capabilities[0].access_mode is required"),
                arguments(
                        withCapability(Requests.mounted().toBuilder()
                                .setAccessMode(AccessMode.getDefaultInstance())
                                .build()),
                        "volume_capabilities[0].access_mode.mode is required"),
                arguments(
                        mounted(MountVolume.newBuilder().setFsType(LONG)),
                        "volume_capabilities[0].mount.fs_type has 129 bytes, allowed are 128"),
                arguments(
                        mounted(MountVolume.newBuilder()
                                .addMountFlags("a".repeat(4000))
                                .addMountFlags("b".repeat(97))),
                        "volume_capabilities[0].mount.mount_flags has 4097 bytes, allowed are 4096"),
                arguments(
                        right.toBuilder()
                                .setVolumeContentSource(VolumeContentSource.getDefaultInstance())
                                .build(),
                        "volume_content_source.type is required"),
                arguments(
                        right.toBuilder()
                                .setVolumeContentSource(VolumeContentSource.newBuilder()
                                        .setSnapshot(SnapshotSource.getDefaultInstance()))
                                .build(),
                        "volume_content_source.snapshot.snapshot_id is required"),
                arguments(
                        placed(TopologyRequirement.newBuilder()
                                .addRequisite(zone("zone", "a"))
                                .addPreferred(zone("zone", "b"))),
                        "accessibility_requirements.preferred names a place that is not in requisite"),
                arguments(
                        placed(TopologyRequirement.newBuilder().addRequisite(Topology.getDefaultInstance())),
                        "accessibility_requirements.requisite[0].segments is required"),
                arguments(
                        placed(TopologyRequirement.newBuilder()
                                .addRequisite(zone("zone", "a").toBuilder().putSegments("Zone", "b"))),
                        "accessibility_requirements.requisite[0].segments has keys that differ only in case"),
                arguments(
                        ListVolumesRequest.newBuilder().setMaxEntries(-1).build(),
                        "max_entries must not be negative, is -1"),
                arguments(
                        GetMetadataAllocatedRequest.newBuilder()
                                .setSnapshotId("s")
                                .setStartingOffset(-5)
                                .build(),
                        "starting_offset must not be negative, is -5"),
                arguments(
                        Requests.stage().toBuilder()
                                .setStagingTargetPath("stage")
                                .build(),
                        "staging_target_path must be an absolute path"),
                arguments(
                        Requests.publish().toBuilder().setTargetPath("/a\0b").build(),
                        "target_path must be an absolute path"),
                arguments(
                        Requests.createGroupSnapshot().toBuilder()
                                .addSourceVolumeIds("")
                                .build(),
                        "source_volume_ids[1] is empty"));
    }

    /** Azure's volume ids alone are longer than the specification allows. */
    @ParameterizedTest
    @MethodSource
    void handsBackWhatDriversGaveHoweverLong(Message request) {
        assertThat(RequestRules.complaints(request)).isEmpty();
    }

    static Stream<Message> handsBackWhatDriversGaveHoweverLong() {
        return Stream.of(
                Requests.deleteVolume().toBuilder().setVolumeId("v".repeat(300)).build(),
                Requests.controllerPublish().toBuilder()
                        .setNodeId("n".repeat(300))
                        .putVolumeContext("k", "v".repeat(5000))
                        .build(),
                ListVolumesRequest.newBuilder()
                        .setStartingToken("t".repeat(5000))
                        .build(),
                Requests.stage().toBuilder()
                        .putPublishContext("k", "v".repeat(5000))
                        .setStagingTargetPath("/" + "p".repeat(3000))
                        .build());
    }

    @ParameterizedTest
    @MethodSource
    void acceptsEveryOrdinaryCharacterInNames(String name) {
        assertThat(RequestRules.complaints(
                        Requests.createVolume().toBuilder().setName(name).build()))
                .isEmpty();
    }

    static List<String> acceptsEveryOrdinaryCharacterInNames() {
        return List.of("a b", "a\tb", "a\nb\r", "größe", "容量", "a/b", "…");
    }

    private static CreateVolumeRequest capacity(long required, long limit) {
        return Requests.createVolume().toBuilder()
                .setCapacityRange(
                        CapacityRange.newBuilder().setRequiredBytes(required).setLimitBytes(limit))
                .build();
    }

    private static CreateVolumeRequest withCapability(VolumeCapability capability) {
        return Requests.createVolume().toBuilder()
                .setVolumeCapabilities(0, capability)
                .build();
    }

    private static CreateVolumeRequest mounted(MountVolume.Builder mount) {
        return withCapability(Requests.mounted().toBuilder().setMount(mount).build());
    }

    /** Four audiences are enough for more than 4 KiB, in the volume context as well as here. */
    @Test
    void tokensOfAPodMayBeLongerThanItsSecrets() {
        var publish = Requests.publish().toBuilder()
                .putSecrets("csi.storage.k8s.io/serviceAccount.tokens", "t".repeat(5_000))
                .putSecrets("k", "s".repeat(4_000));
        assertThat(RequestRules.complaints(publish.build())).isEmpty();
        assertThat(RequestRules.complaints(
                        publish.putSecrets("l", "s".repeat(100)).build()))
                .containsExactly("secrets has 4102 bytes, allowed are 4096");
    }

    /** A driver with a topology per node gets each node of the cluster as a place, twice, with each volume. */
    @Test
    void asManyPlacesAsALargeClusterHasNodesTakeNoTime() {
        TopologyRequirement.Builder everyNode = TopologyRequirement.newBuilder();
        for (int node = 0; node < 20_000; node++) {
            Topology place = zone("node", "n" + node);
            everyNode.addRequisite(place).addPreferred(place);
        }
        Message request = placed(everyNode);
        assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> assertThat(RequestRules.complaints(request)).isEmpty());
    }

    private static CreateVolumeRequest placed(TopologyRequirement.Builder requirement) {
        return Requests.createVolume().toBuilder()
                .setAccessibilityRequirements(requirement)
                .build();
    }

    private static Topology zone(String key, String value) {
        return Topology.newBuilder().putSegments(key, value).build();
    }
}
