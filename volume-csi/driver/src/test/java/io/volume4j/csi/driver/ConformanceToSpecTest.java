package io.volume4j.csi.driver;

import static io.volume4j.csi.driver.DriverClient.code;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import io.grpc.Status.Code;
import io.grpc.stub.ClientCalls;
import io.volume4j.csi.internal.proto.ControllerGrpc;
import io.volume4j.csi.internal.proto.GroupControllerGrpc;
import io.volume4j.csi.internal.proto.IdentityGrpc;
import io.volume4j.csi.internal.proto.NodeGrpc;
import io.volume4j.csi.internal.proto.SnapshotMetadataGrpc;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The rest of what the specification demands of a driver's answers: calls that are not there, and that no row of the tables of
 * {@link ConformanceTableTest} and {@link ConformanceWithOptionsTest} is missing.
 */
@Timeout(120)
class ConformanceToSpecTest {
    /** What stands in the error tables of the specification: the call, and each code that it gives a meaning for it. */
    private static final String SPECIFIED = """
            CreateVolume                INVALID_ARGUMENT NOT_FOUND ALREADY_EXISTS RESOURCE_EXHAUSTED OUT_OF_RANGE
            DeleteVolume                FAILED_PRECONDITION
            ControllerPublishVolume     NOT_FOUND ALREADY_EXISTS FAILED_PRECONDITION RESOURCE_EXHAUSTED
            ControllerUnpublishVolume   NOT_FOUND
            ValidateVolumeCapabilities  NOT_FOUND
            ListVolumes                 ABORTED
            ControllerGetVolume         NOT_FOUND
            ControllerListVolumeHealth  ABORTED
            ControllerGetVolumeHealth   NOT_FOUND
            NodeGetVolumeHealth         NOT_FOUND
            ControllerModifyVolume      INVALID_ARGUMENT NOT_FOUND
            CreateSnapshot              ALREADY_EXISTS RESOURCE_EXHAUSTED
            DeleteSnapshot              INVALID_ARGUMENT
            ListSnapshots               ABORTED
            GetSnapshot                 NOT_FOUND
            ControllerExpandVolume      INVALID_ARGUMENT NOT_FOUND FAILED_PRECONDITION OUT_OF_RANGE
            NodeStageVolume             NOT_FOUND ALREADY_EXISTS FAILED_PRECONDITION
            NodeUnstageVolume           NOT_FOUND
            NodePublishVolume           NOT_FOUND ALREADY_EXISTS FAILED_PRECONDITION
            NodeUnpublishVolume         NOT_FOUND
            NodeGetVolumeStats          NOT_FOUND
            NodeExpandVolume            INVALID_ARGUMENT NOT_FOUND OUT_OF_RANGE
            CreateVolumeGroupSnapshot   NOT_FOUND ALREADY_EXISTS RESOURCE_EXHAUSTED
            DeleteVolumeGroupSnapshot   INVALID_ARGUMENT
            GetVolumeGroupSnapshot      INVALID_ARGUMENT NOT_FOUND
            GetMetadataAllocated        INVALID_ARGUMENT NOT_FOUND OUT_OF_RANGE
            GetMetadataDelta            INVALID_ARGUMENT NOT_FOUND OUT_OF_RANGE
            """;

    /** "Call not implemented: … any RPC … that is not supported, the plugin MUST return 12 UNIMPLEMENTED". */
    @ParameterizedTest
    @CsvSource({
        "controller.CREATE_DELETE_VOLUME, CreateVolume DeleteVolume",
        "controller.PUBLISH_UNPUBLISH_VOLUME, ControllerPublishVolume ControllerUnpublishVolume",
        "plugin.CONTROLLER_SERVICE, ValidateVolumeCapabilities ControllerGetCapabilities",
        "controller.LIST_VOLUMES, ListVolumes",
        "controller.GET_CAPACITY, GetCapacity",
        "controller.CREATE_DELETE_SNAPSHOT, CreateSnapshot DeleteSnapshot",
        "controller.LIST_SNAPSHOTS, ListSnapshots",
        "controller.GET_SNAPSHOT, GetSnapshot",
        "controller.EXPAND_VOLUME, ControllerExpandVolume",
        "controller.GET_VOLUME, ControllerGetVolume",
        "controller.LIST_VOLUME_HEALTH, ControllerListVolumeHealth",
        "controller.GET_VOLUME_HEALTH controller.LIST_VOLUME_HEALTH, ControllerGetVolumeHealth",
        "node.GET_VOLUME_HEALTH, NodeGetVolumeHealth",
        "node.GET_STORAGE_HEALTH, NodeGetStorageHealth",
        "controller.MODIFY_VOLUME, ControllerModifyVolume",
        "plugin.GROUP_CONTROLLER_SERVICE, GroupControllerGetCapabilities",
        "group.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT,"
                + " CreateVolumeGroupSnapshot DeleteVolumeGroupSnapshot GetVolumeGroupSnapshot",
        "plugin.SNAPSHOT_METADATA_SERVICE, GetMetadataAllocated GetMetadataDelta",
        "node.STAGE_UNSTAGE_VOLUME, NodeStageVolume NodeUnstageVolume",
        "node.GET_VOLUME_STATS, NodeGetVolumeStats",
        "node.EXPAND_VOLUME, NodeExpandVolume",
    })
    void aCallThatTheDriverDoesNotHaveIsUnimplemented(String capabilities, String rpcs) {
        try (Fixture fixture = new Fixture(options -> {
            List.of(capabilities.split(" ")).forEach(options::without);
            return options;
        })) {
            for (String rpc : rpcs.split(" ")) {
                assertThat(code(() -> empty(fixture, method(rpc)))).as(rpc).isEqualTo(Code.UNIMPLEMENTED);
            }
        }
    }

    /** What every driver serves answers with nothing asked for; what has required fields misses them. */
    @Test
    void everyCallOfTheSchemaIsServed() {
        try (Fixture fixture = new Fixture()) {
            for (MethodDescriptor<?, ?> method : methods()) {
                assertThat(code(() -> empty(fixture, method)))
                        .as(method.getBareMethodName())
                        .isIn(Code.OK, Code.INVALID_ARGUMENT);
            }
        }
    }

    @Test
    void eachRowOfTheSpecificationIsHeldAgainstTheDriverAndEachCallSucceedsOnce() {
        List<Arguments> rows = new ArrayList<>();
        Stream.of(
                        ConformanceWithOptionsTest.errors(),
                        ConformanceWithOptionsTest.successes(),
                        ConformanceTableTest.rows())
                .forEach(part -> part.forEach(rows::add));
        Set<String> held = new TreeSet<>();
        rows.forEach(row -> held.add(row.get()[0] + " " + row.get()[2]));
        SPECIFIED.lines().map(line -> line.split("\\s+")).forEach(words -> {
            for (int i = 1; i < words.length; i++) {
                assertThat(held).contains(words[0] + " " + words[i]);
            }
        });
        // these three groups answer with nothing but what they are: every test begins with them
        Set<String> plain = Set.of(
                "GetPluginInfo",
                "GetPluginCapabilities",
                "Probe",
                "ControllerGetCapabilities",
                "GroupControllerGetCapabilities",
                "NodeGetCapabilities",
                "NodeGetInfo");
        for (MethodDescriptor<?, ?> method : methods()) {
            String name = Objects.requireNonNull(method.getBareMethodName());
            if (!plain.contains(name)) {
                assertThat(held).as(name).contains(name + " OK");
            }
        }
    }

    private static List<MethodDescriptor<?, ?>> methods() {
        List<MethodDescriptor<?, ?>> all = new ArrayList<>();
        for (ServiceDescriptor service : List.of(
                IdentityGrpc.getServiceDescriptor(),
                ControllerGrpc.getServiceDescriptor(),
                GroupControllerGrpc.getServiceDescriptor(),
                SnapshotMetadataGrpc.getServiceDescriptor(),
                NodeGrpc.getServiceDescriptor())) {
            all.addAll(service.getMethods());
        }
        assertThat(all).hasSize(36);
        return all;
    }

    private static MethodDescriptor<?, ?> method(String rpc) {
        return methods().stream()
                .filter(method -> rpc.equals(method.getBareMethodName()))
                .findFirst()
                .orElseThrow();
    }

    /** The call with a request that says nothing. */
    private static <Q, R> Object empty(Fixture fixture, MethodDescriptor<Q, R> method) {
        Q request = method.parseRequest(new java.io.ByteArrayInputStream(new byte[0]));
        CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(30, TimeUnit.SECONDS);
        return method.getType() == MethodDescriptor.MethodType.UNARY
                ? ClientCalls.blockingUnaryCall(fixture.client().channel(), method, options, request)
                : ClientCalls.blockingServerStreamingCall(fixture.client().channel(), method, options, request)
                        .hasNext();
    }
}
