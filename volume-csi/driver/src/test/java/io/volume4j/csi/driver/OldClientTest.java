package io.volume4j.csi.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.volume4j.csi.internal.proto.ControllerGetCapabilitiesRequest;
import io.volume4j.csi.internal.proto.ControllerGetVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerGrpc;
import io.volume4j.csi.internal.proto.CreateSnapshotRequest;
import io.volume4j.csi.internal.proto.CsiProto;
import io.volume4j.csi.internal.proto.GetPluginCapabilitiesRequest;
import io.volume4j.csi.internal.proto.IdentityGrpc;
import io.volume4j.csi.internal.proto.ListSnapshotsRequest;
import io.volume4j.csi.internal.proto.ListVolumesRequest;
import io.volume4j.csi.internal.proto.NodeGetCapabilitiesRequest;
import io.volume4j.csi.internal.proto.NodeGetVolumeStatsRequest;
import io.volume4j.csi.internal.proto.NodeGrpc;
import io.volume4j.csi.internal.proto.VolumeCapability.AccessMode.Mode;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a client that was built from the schema of CSI 1.12 reads of a driver of 1.13. Its schema is ours without what 1.13 added to
 * messages and enums that 1.12 has.
 */
@Timeout(120)
class OldClientTest {
    private static final Set<String> VALUES_OF_113 = Set.of(
            "SNAPSHOT_ACCESSIBILITY_CONSTRAINTS", "LIST_VOLUME_HEALTH", "GET_VOLUME_HEALTH", "GET_STORAGE_HEALTH");

    private final FileDescriptor schema = schemaOf112();
    private final Fixture fixture = new Fixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @CsvSource({
        "plugin, 5", // SNAPSHOT_ACCESSIBILITY_CONSTRAINTS
        "controller, 16 17", // GET_VOLUME_HEALTH, LIST_VOLUME_HEALTH
        "node, 7 8" // GET_VOLUME_HEALTH, GET_STORAGE_HEALTH
    })
    void capabilitiesOf113AreNumbersToItAndTakeNothingFromTheOthers(String asked, String unknown) {
        List<EnumValueDescriptor> read = switch (asked) {
            case "plugin" ->
                capabilities(
                        call(
                                IdentityGrpc.getGetPluginCapabilitiesMethod(),
                                GetPluginCapabilitiesRequest.getDefaultInstance()),
                        "service");
            case "controller" ->
                capabilities(
                        call(
                                ControllerGrpc.getControllerGetCapabilitiesMethod(),
                                ControllerGetCapabilitiesRequest.getDefaultInstance()),
                        "rpc");
            default ->
                capabilities(
                        call(NodeGrpc.getNodeGetCapabilitiesMethod(), NodeGetCapabilitiesRequest.getDefaultInstance()),
                        "rpc");
        };

        Set<Integer> known = new TreeSet<>();
        Set<Integer> others = new TreeSet<>();
        for (EnumValueDescriptor value : read) {
            boolean its = value.getType().findValueByNumber(value.getNumber()) != null;
            (its ? known : others).add(value.getNumber());
        }
        assertThat(known).as("those that 1.12 has").isNotEmpty();
        assertThat(others.stream().map(String::valueOf)).containsExactly(unknown.split(" "));
    }

    @Test
    void thePlaceOfASnapshotIsAnUnknownFieldToItAndTheRestIsAsItWas() {
        String volume = fixture.volume("pvc-1").getVolumeId();
        DynamicMessage cut = call(
                ControllerGrpc.getCreateSnapshotMethod(),
                CreateSnapshotRequest.newBuilder()
                        .setSourceVolumeId(volume)
                        .setName("s")
                        .build());
        DynamicMessage listed =
                call(ControllerGrpc.getListSnapshotsMethod(), ListSnapshotsRequest.getDefaultInstance());

        DynamicMessage snapshot = message(cut, "snapshot");
        assertThat(get(snapshot, "source_volume_id")).isEqualTo(volume);
        assertThat(get(snapshot, "ready_to_use")).isEqualTo(true);
        assertThat(snapshot.getUnknownFields().asMap()).containsOnlyKeys(7);
        assertThat(message(messages(listed, "entries").get(0), "snapshot")).isEqualTo(snapshot);
    }

    /** A driver of 1.13 has no conditions, also when it knows that a volume is unwell. */
    @Test
    void noConditionIsSentToIt() {
        Fixture.Staged staged = fixture.staged("pvc-1", Mode.SINGLE_NODE_WRITER);
        String volume = staged.volume().getVolumeId();
        fixture.client().node().nodePublishVolume(staged.publish(fixture, "t").build());
        fixture.driver().setAbnormal(volume, true);

        DynamicMessage got = call(
                ControllerGrpc.getControllerGetVolumeMethod(),
                ControllerGetVolumeRequest.newBuilder().setVolumeId(volume).build());
        DynamicMessage listed = call(ControllerGrpc.getListVolumesMethod(), ListVolumesRequest.getDefaultInstance());
        DynamicMessage stats = call(
                NodeGrpc.getNodeGetVolumeStatsMethod(),
                NodeGetVolumeStatsRequest.newBuilder()
                        .setVolumeId(volume)
                        .setVolumePath(fixture.place().target("t"))
                        .build());

        for (DynamicMessage told : List.of(
                message(got, "status"), message(messages(listed, "entries").get(0), "status"), stats)) {
            FieldDescriptor condition = told.getDescriptorForType().findFieldByNumber(2);
            assertThat(condition.getName()).isEqualTo("volume_condition");
            assertThat(told.hasField(condition))
                    .as(told.getDescriptorForType().getFullName())
                    .isFalse();
        }
    }

    private static FileDescriptor schemaOf112() {
        FileDescriptorProto.Builder file = CsiProto.getDescriptor().toProto().toBuilder();
        for (var message : file.getMessageTypeBuilderList()) {
            if (message.getName().equals("Snapshot")) {
                message.removeField(fieldIndex(message.build(), 7));
            }
            if (message.getName().equals("CreateSnapshotRequest")) {
                message.removeField(fieldIndex(message.build(), 5));
            }
            for (var nested : message.getNestedTypeBuilderList()) {
                for (var type : nested.getEnumTypeBuilderList()) {
                    for (int i = type.getValueCount() - 1; i >= 0; i--) {
                        if (VALUES_OF_113.contains(type.getValue(i).getName())) {
                            type.removeValue(i);
                        }
                    }
                }
            }
        }
        try {
            return FileDescriptor.buildFrom(
                    file.build(), CsiProto.getDescriptor().getDependencies().toArray(new FileDescriptor[0]));
        } catch (DescriptorValidationException e) {
            throw new AssertionError(e);
        }
    }

    private static int fieldIndex(DescriptorProto message, int number) {
        for (int i = 0; i < message.getFieldCount(); i++) {
            if (message.getField(i).getNumber() == number) {
                return i;
            }
        }
        throw new AssertionError(message.getName() + " has no field " + number);
    }

    /** The reply as the old client reads it. */
    private <Q extends Message> DynamicMessage call(MethodDescriptor<Q, ? extends Message> method, Q request) {
        var today = (MethodDescriptor.PrototypeMarshaller<? extends Message>) method.getResponseMarshaller();
        Message reply = Objects.requireNonNull(today.getMessagePrototype());
        Descriptor type =
                schema.findMessageTypeByName(reply.getDescriptorForType().getName());
        MethodDescriptor<Q, DynamicMessage> old = method.toBuilder(
                        method.getRequestMarshaller(), ProtoUtils.marshaller(DynamicMessage.getDefaultInstance(type)))
                .build();
        return ClientCalls.blockingUnaryCall(
                fixture.client().channel(), old, CallOptions.DEFAULT.withDeadlineAfter(30, TimeUnit.SECONDS), request);
    }

    private static List<EnumValueDescriptor> capabilities(DynamicMessage reply, String kind) {
        return messages(reply, "capabilities").stream()
                .filter(each -> each.hasField(field(each, kind)))
                .map(each -> message(each, kind))
                .map(each -> (EnumValueDescriptor) get(each, "type"))
                .toList();
    }

    private static FieldDescriptor field(DynamicMessage message, String name) {
        return message.getDescriptorForType().findFieldByName(name);
    }

    private static Object get(DynamicMessage message, String name) {
        return message.getField(field(message, name));
    }

    private static DynamicMessage message(DynamicMessage message, String name) {
        return (DynamicMessage) get(message, name);
    }

    @SuppressWarnings("unchecked") // a repeated field of messages
    private static List<DynamicMessage> messages(DynamicMessage message, String name) {
        return (List<DynamicMessage>) get(message, name);
    }
}
