package io.volume4j.csi.internal.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.google.protobuf.Message;
import io.volume4j.csi.internal.proto.ControllerServiceCapability;
import io.volume4j.csi.internal.proto.GetCapacityRequest;
import io.volume4j.csi.internal.proto.GroupControllerServiceCapability;
import io.volume4j.csi.internal.proto.NodeServiceCapability;
import io.volume4j.csi.internal.proto.PluginCapability;
import io.volume4j.csi.internal.proto.Topology;
import io.volume4j.csi.internal.proto.TopologyRequirement;
import io.volume4j.csi.internal.proto.VolumeCapability.AccessMode.Mode;
import io.volume4j.csi.internal.proto.VolumeCapability.MountVolume;
import io.volume4j.csi.internal.proto.VolumeContentSource;
import io.volume4j.csi.internal.proto.VolumeContentSource.SnapshotSource;
import io.volume4j.csi.internal.proto.VolumeContentSource.VolumeSource;
import io.volume4j.csi.internal.rpc.Rpc;
import io.volume4j.csi.testing.Calls;
import io.volume4j.csi.testing.Requests;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class GatesTest {
    /** It has answered for every service, and has nothing. */
    private static final DriverCapabilities NOTHING = new DriverCapabilities(
            "d", "1", Set.of(), Set.of(), Optional.of(Set.of()), Optional.of(Set.of()), Optional.of(Set.of()));

    private static final DriverCapabilities EVERYTHING = new DriverCapabilities(
            "d",
            "1",
            EnumSet.allOf(PluginCapability.Service.Type.class),
            Set.of(),
            Optional.of(EnumSet.allOf(ControllerServiceCapability.RPC.Type.class)),
            Optional.of(EnumSet.allOf(NodeServiceCapability.RPC.Type.class)),
            Optional.of(EnumSet.allOf(GroupControllerServiceCapability.RPC.Type.class)));

    @ParameterizedTest
    @CsvSource({
        "CREATE_VOLUME,                     CREATE_DELETE_VOLUME",
        "DELETE_VOLUME,                     CREATE_DELETE_VOLUME",
        "CONTROLLER_PUBLISH_VOLUME,         PUBLISH_UNPUBLISH_VOLUME",
        "CONTROLLER_UNPUBLISH_VOLUME,       PUBLISH_UNPUBLISH_VOLUME",
        "VALIDATE_VOLUME_CAPABILITIES,      CONTROLLER_SERVICE",
        "LIST_VOLUMES,                      LIST_VOLUMES",
        "GET_CAPACITY,                      GET_CAPACITY",
        "CONTROLLER_GET_CAPABILITIES,       CONTROLLER_SERVICE",
        "CREATE_SNAPSHOT,                   CREATE_DELETE_SNAPSHOT",
        "DELETE_SNAPSHOT,                   CREATE_DELETE_SNAPSHOT",
        "LIST_SNAPSHOTS,                    LIST_SNAPSHOTS",
        "GET_SNAPSHOT,                      GET_SNAPSHOT",
        "CONTROLLER_EXPAND_VOLUME,          EXPAND_VOLUME",
        "CONTROLLER_GET_VOLUME,             GET_VOLUME",
        "CONTROLLER_MODIFY_VOLUME,          MODIFY_VOLUME",
        "CONTROLLER_LIST_VOLUME_HEALTH,     LIST_VOLUME_HEALTH",
        "CONTROLLER_GET_VOLUME_HEALTH,      GET_VOLUME_HEALTH",
        "NODE_GET_VOLUME_HEALTH,            GET_VOLUME_HEALTH",
        "NODE_GET_STORAGE_HEALTH,           GET_STORAGE_HEALTH",
        "GROUP_CONTROLLER_GET_CAPABILITIES, GROUP_CONTROLLER_SERVICE",
        "GET_METADATA_ALLOCATED,            SNAPSHOT_METADATA_SERVICE",
        "GET_METADATA_DELTA,                SNAPSHOT_METADATA_SERVICE",
        "NODE_STAGE_VOLUME,                 STAGE_UNSTAGE_VOLUME",
        "NODE_UNSTAGE_VOLUME,               STAGE_UNSTAGE_VOLUME",
        "NODE_GET_VOLUME_STATS,             GET_VOLUME_STATS",
        "NODE_EXPAND_VOLUME,                EXPAND_VOLUME",
    })
    void theCallNeeds(Rpc rpc, String capability) {
        assertThat(Gates.missing(rpc, Calls.request(rpc), NOTHING))
                .containsExactly("%s needs %s, which the driver does not have".formatted(rpc.label(), capability));
    }

    @ParameterizedTest
    @EnumSource(
            value = Rpc.class,
            names = {"CREATE_VOLUME_GROUP_SNAPSHOT", "DELETE_VOLUME_GROUP_SNAPSHOT", "GET_VOLUME_GROUP_SNAPSHOT"})
    void groupCallsNeedTheServiceAndItsCapability(Rpc rpc) {
        assertThat(Gates.missing(rpc, Calls.request(rpc), NOTHING))
                .containsExactly(
                        rpc.label() + " needs GROUP_CONTROLLER_SERVICE, which the driver does not have",
                        rpc.label() + " needs CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT, which the driver does not have");
    }

    @ParameterizedTest
    @EnumSource(
            value = Rpc.class,
            names = {
                "GET_PLUGIN_INFO",
                "GET_PLUGIN_CAPABILITIES",
                "PROBE",
                "NODE_PUBLISH_VOLUME",
                "NODE_UNPUBLISH_VOLUME",
                "NODE_GET_CAPABILITIES",
                "NODE_GET_INFO"
            })
    void everyDriverServes(Rpc rpc) {
        assertThat(Gates.missing(rpc, Calls.request(rpc), NOTHING)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Rpc.class)
    void aDriverWithEverythingGetsEveryCall(Rpc rpc) {
        assertThat(Gates.missing(rpc, Calls.request(rpc), EVERYTHING)).isEmpty();
    }

    /** A node's socket seldom answers for the controller; that must not keep the node from staging. */
    @ParameterizedTest
    @EnumSource(
            value = Rpc.class,
            names = {"NODE_STAGE_VOLUME", "NODE_PUBLISH_VOLUME", "CREATE_VOLUME", "LIST_VOLUMES"})
    void whatIsNotKnownIsNotRefused(Rpc rpc) {
        DriverCapabilities unknown = new DriverCapabilities(
                "d",
                "1",
                Set.of(PluginCapability.Service.Type.CONTROLLER_SERVICE),
                Set.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        assertThat(Gates.missing(rpc, Calls.request(rpc), unknown)).isEmpty();
        Message published =
                Requests.stage().toBuilder().putPublishContext("k", "v").build();
        assertThat(Gates.missing(Rpc.NODE_STAGE_VOLUME, published, unknown)).isEmpty();
    }

    /** A node's socket without the controller service says nothing about the controller, whose context it is given. */
    @ParameterizedTest
    @CsvSource({"true, 1", "false, 0"})
    void aPublishContextNeedsTheAttachCallOfAControllerThatAnswersHere(boolean controller, int complaints) {
        DriverCapabilities driver = new DriverCapabilities(
                "d",
                "1",
                controller ? Set.of(PluginCapability.Service.Type.CONTROLLER_SERVICE) : Set.of(),
                Set.of(),
                Optional.of(Set.of()),
                Optional.of(EnumSet.allOf(NodeServiceCapability.RPC.Type.class)),
                Optional.of(Set.of()));
        Message stage = Requests.stage().toBuilder().putPublishContext("k", "v").build();
        Message publish =
                Requests.publish().toBuilder().putPublishContext("k", "v").build();
        String complaint = "publish_context needs PUBLISH_UNPUBLISH_VOLUME, which the driver does not have";
        assertThat(Gates.missing(Rpc.NODE_STAGE_VOLUME, stage, driver))
                .hasSize(complaints)
                .allMatch(complaint::equals);
        assertThat(Gates.missing(Rpc.NODE_PUBLISH_VOLUME, publish, driver))
                .hasSize(complaints)
                .allMatch(complaint::equals);
    }

    @ParameterizedTest
    @MethodSource
    void theFieldNeeds(Rpc rpc, Message request, String complaint) {
        assertThat(Gates.missing(rpc, request, NOTHING)).contains(complaint + ", which the driver does not have");
        assertThat(Gates.missing(rpc, request, EVERYTHING)).isEmpty();
    }

    static Stream<Arguments> theFieldNeeds() {
        Topology zone = Topology.newBuilder().putSegments("zone", "a").build();
        return Stream.of(
                arguments(
                        Rpc.CREATE_VOLUME,
                        Requests.createVolume().toBuilder()
                                .setVolumeContentSource(VolumeContentSource.newBuilder()
                                        .setVolume(VolumeSource.newBuilder().setVolumeId("v")))
                                .build(),
                        "volume_content_source.volume needs CLONE_VOLUME"),
                arguments(
                        Rpc.CREATE_VOLUME,
                        Requests.createVolume().toBuilder()
                                .setVolumeContentSource(VolumeContentSource.newBuilder()
                                        .setSnapshot(SnapshotSource.newBuilder().setSnapshotId("s")))
                                .build(),
                        "volume_content_source.snapshot needs CREATE_DELETE_SNAPSHOT"),
                arguments(
                        Rpc.CREATE_VOLUME,
                        Requests.createVolume().toBuilder()
                                .putMutableParams("k", "v")
                                .build(),
                        "mutable_parameters needs MODIFY_VOLUME"),
                arguments(
                        Rpc.CREATE_VOLUME,
                        Requests.createVolume().toBuilder()
                                .setAccessibilityRequirements(
                                        TopologyRequirement.newBuilder().addRequisite(zone))
                                .build(),
                        "accessibility_requirements needs VOLUME_ACCESSIBILITY_CONSTRAINTS"),
                arguments(
                        Rpc.CREATE_VOLUME,
                        Requests.createVolume().toBuilder()
                                .setVolumeCapabilities(0, Requests.mounted(Mode.SINGLE_NODE_SINGLE_WRITER))
                                .build(),
                        "SINGLE_NODE_SINGLE_WRITER needs SINGLE_NODE_MULTI_WRITER"),
                arguments(
                        Rpc.CONTROLLER_PUBLISH_VOLUME,
                        Requests.controllerPublish().toBuilder()
                                .setReadonly(true)
                                .build(),
                        "readonly needs PUBLISH_READONLY"),
                arguments(
                        Rpc.CONTROLLER_PUBLISH_VOLUME,
                        Requests.controllerPublish().toBuilder()
                                .setVolumeCapability(Requests.mounted(Mode.SINGLE_NODE_MULTI_WRITER))
                                .build(),
                        "SINGLE_NODE_MULTI_WRITER needs SINGLE_NODE_MULTI_WRITER"),
                arguments(
                        Rpc.GET_CAPACITY,
                        GetCapacityRequest.newBuilder()
                                .setAccessibleTopology(zone)
                                .build(),
                        "accessible_topology needs VOLUME_ACCESSIBILITY_CONSTRAINTS"),
                arguments(
                        Rpc.CREATE_SNAPSHOT,
                        Requests.createSnapshot().toBuilder()
                                .setAccessibilityRequirements(
                                        TopologyRequirement.newBuilder().addRequisite(zone))
                                .build(),
                        "accessibility_requirements needs SNAPSHOT_ACCESSIBILITY_CONSTRAINTS"),
                arguments(
                        Rpc.NODE_GET_VOLUME_HEALTH,
                        Requests.nodeHealth().toBuilder()
                                .setStagingTargetPath("/stage")
                                .build(),
                        "staging_target_path needs STAGE_UNSTAGE_VOLUME"),
                arguments(
                        Rpc.VALIDATE_VOLUME_CAPABILITIES,
                        Requests.validate().toBuilder()
                                .putMutableParams("k", "v")
                                .build(),
                        "mutable_parameters needs MODIFY_VOLUME"),
                arguments(
                        Rpc.NODE_PUBLISH_VOLUME,
                        Requests.publish().toBuilder()
                                .setVolumeCapability(Requests.mounted().toBuilder()
                                        .setMount(MountVolume.newBuilder().setVolumeMountGroup("1000")))
                                .build(),
                        "volume_mount_group needs VOLUME_MOUNT_GROUP"),
                arguments(
                        Rpc.NODE_PUBLISH_VOLUME,
                        Requests.publish().toBuilder()
                                .setVolumeCapability(Requests.mounted(Mode.SINGLE_NODE_SINGLE_WRITER))
                                .build(),
                        "SINGLE_NODE_SINGLE_WRITER needs SINGLE_NODE_MULTI_WRITER"));
    }

    @Test
    void aDriverThatStagesMustBeToldWhere() {
        Message unstaged =
                Requests.publish().toBuilder().clearStagingTargetPath().build();
        assertThat(Gates.missing(Rpc.NODE_PUBLISH_VOLUME, unstaged, NOTHING)).isEmpty();
        assertThat(Gates.missing(Rpc.NODE_PUBLISH_VOLUME, unstaged, EVERYTHING))
                .containsExactly("staging_target_path is required, because the driver has STAGE_UNSTAGE_VOLUME");
    }

    /** It breaks the rule that a driver that lists must answer for one; the driver itself decides whether it can. */
    @Test
    void aDriverThatListsHealthIsAskedForOneVolume() {
        DriverCapabilities lists = new DriverCapabilities(
                "d",
                "1",
                Set.of(),
                Set.of(),
                Optional.of(Set.of(ControllerServiceCapability.RPC.Type.LIST_VOLUME_HEALTH)),
                Optional.empty(),
                Optional.empty());
        assertThat(Gates.missing(Rpc.CONTROLLER_GET_VOLUME_HEALTH, Requests.controllerHealth(), lists))
                .isEmpty();
    }

    @Test
    void statsMayBeAskedForConditionAlone() {
        DriverCapabilities condition = new DriverCapabilities(
                "d",
                "1",
                Set.of(),
                Set.of(),
                Optional.empty(),
                Optional.of(Set.of(NodeServiceCapability.RPC.Type.VOLUME_CONDITION)),
                Optional.empty());
        assertThat(Gates.missing(Rpc.NODE_GET_VOLUME_STATS, Requests.stats(), condition))
                .isEmpty();
    }

    /** If this fails, a call that was let through without asking has got a gate. */
    @ParameterizedTest
    @EnumSource(Rpc.class)
    void whatIsNotGuardedHasNoGate(Rpc rpc) {
        if (!Gates.guards(rpc)) {
            assertThat(Gates.missing(rpc, Calls.request(rpc), NOTHING)).isEmpty();
        }
    }
}
