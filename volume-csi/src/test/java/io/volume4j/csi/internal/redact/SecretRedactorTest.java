package io.volume4j.csi.internal.redact;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import io.volume4j.csi.internal.proto.CreateVolumeRequest;
import io.volume4j.csi.internal.proto.CsiProto;
import io.volume4j.csi.internal.proto.NodeStageVolumeRequest;
import io.volume4j.csi.internal.proto.Topology;
import io.volume4j.csi.internal.proto.VolumeCapability.MountVolume;
import io.volume4j.csi.testing.Requests;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SecretRedactorTest {
    private static final String CANARY = "hunter2-canary";

    /** Every message of the schema, with the canary wherever a secret could hide, however deep. */
    @ParameterizedTest
    @MethodSource("messages")
    void showsNoSecretOfAnyMessage(Descriptor type) {
        assertThat(SecretRedactor.describe(filled(type, 4))).doesNotContain(CANARY);
    }

    static Stream<Descriptor> messages() {
        return CsiProto.getDescriptor().getMessageTypes().stream();
    }

    @Test
    void theCanaryWouldBeSeenIfItWereNotRedacted() {
        assertThat(filled(CreateVolumeRequest.getDescriptor(), 4).toString()).contains(CANARY);
    }

    @Test
    void showsWhatHelpsAndKeysOnlyOfWhatMayHurt() {
        NodeStageVolumeRequest request = Requests.stage().toBuilder()
                .putSecrets("password", CANARY)
                .putVolumeContext("server", "10.0.0.1")
                .putVolumeContext("export", "/a")
                .setVolumeCapability(Requests.mounted().toBuilder()
                        .setMount(MountVolume.newBuilder().setFsType("ext4").addMountFlags("password=" + CANARY)))
                .build();
        assertThat(SecretRedactor.describe(request))
                .isEqualTo("NodeStageVolumeRequest{volume_id=vol-1 staging_target_path=/stage"
                        + " volume_capability={mount={fs_type=ext4 mount_flags=***} access_mode={mode=SINGLE_NODE_WRITER}}"
                        + " secrets=*** volume_context=[export=***, server=***]}");
    }

    @Test
    void showsPlacesInFull() {
        assertThat(SecretRedactor.describe(
                        Topology.newBuilder().putSegments("zone", "a").build()))
                .isEqualTo("Topology{segments=[zone=a]}");
    }

    /** A newer schema may call a field secret that ours does not know at all. */
    @Test
    void showsNothingOfFieldsThatItDoesNotKnow() {
        Message unknown = Requests.deleteVolume().toBuilder()
                .setUnknownFields(UnknownFieldSet.newBuilder()
                        .addField(
                                99,
                                UnknownFieldSet.Field.newBuilder()
                                        .addLengthDelimited(com.google.protobuf.ByteString.copyFromUtf8(CANARY))
                                        .build())
                        .build())
                .build();
        assertThat(SecretRedactor.describe(unknown)).isEqualTo("DeleteVolumeRequest{volume_id=vol-1}");
    }

    @Test
    void cannotForgeALogLine() {
        assertThat(SecretRedactor.describe(Requests.deleteVolume().toBuilder()
                        .setVolumeId("v\n2026-01-01 ERROR\u001b[31m\u2028x")
                        .build()))
                .isEqualTo("DeleteVolumeRequest{volume_id=v\\n2026-01-01 ERROR\\u001b[31m\\u2028x}");
    }

    @Test
    void keepsLinesShort() {
        CreateVolumeRequest.Builder request = Requests.createVolume().toBuilder();
        for (int i = 0; i < 1000; i++) {
            request.putParameters("parameter-" + i, "v");
        }
        assertThat(SecretRedactor.describe(request.build()))
                .hasSize(SecretRedactor.MAX_LENGTH)
                .endsWith("…");
    }

    /** The text becomes part of events and conditions, and no object can contain half of a character. */
    @Test
    void cutsNoLineWithinACharacter() {
        String begin = "x".repeat(SecretRedactor.MAX_LENGTH - 2);
        assertThat(SecretScrubber.of(Requests.stage()).scrub(begin + "\uD83D\uDD25".repeat(9)))
                .isEqualTo(begin + "…");
        CreateVolumeRequest named = Requests.createVolume().toBuilder()
                .setName("n".repeat(254) + "\uD83D\uDD25".repeat(9))
                .build();
        assertThat(SecretRedactor.subject(named)).isEqualTo("n".repeat(254) + "…");
    }

    @ParameterizedTest
    @MethodSource("messages")
    void namesTheSubjectOfEveryMessageThatHasOne(Descriptor type) {
        assertThat(SecretRedactor.subject(filled(type, 4))).doesNotContain(CANARY);
    }

    /** The message with every field filled; maps and flags hold the canary, except those known to be harmless. */
    private static Message filled(Descriptor type, int depth) {
        DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
        for (FieldDescriptor field : type.getFields()) {
            if (field.getContainingOneof() != null
                    && field.getNumber() == 1
                    && field.getName().equals("block")) {
                continue;
            }
            Object value = value(type, field, depth);
            if (value != null && field.isRepeated()) {
                message.addRepeatedField(field, value);
            } else if (value != null) {
                message.setField(field, value);
            }
        }
        return message.build();
    }

    private static @org.jspecify.annotations.Nullable Object value(Descriptor type, FieldDescriptor field, int depth) {
        boolean harmless = field.getName().equals("segments") || field.getName().equals("manifest");
        if (field.isMapField()) {
            Descriptor entry = field.getMessageType();
            return DynamicMessage.newBuilder(entry)
                    .setField(entry.findFieldByNumber(1), "key")
                    .setField(entry.findFieldByNumber(2), harmless ? "harmless" : CANARY)
                    .build();
        }
        return switch (field.getJavaType()) {
            case STRING -> field.getName().equals("mount_flags") ? "password=" + CANARY : type.getName();
            case INT -> 1;
            case LONG -> 1L;
            case BOOLEAN -> true;
            case ENUM -> Objects.requireNonNull(field.getEnumType().findValueByNumber(1));
            case MESSAGE -> depth == 0 ? null : filled(field.getMessageType(), depth - 1);
            default -> throw new AssertionError(field);
        };
    }
}
