package io.volume4j.examples.csilifecycle;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.volume4j.csi.internal.proto.CapacityRange;
import io.volume4j.csi.internal.proto.CreateVolumeRequest;
import io.volume4j.csi.internal.proto.Topology;
import io.volume4j.csi.internal.proto.TopologyRequirement;
import io.volume4j.csi.internal.proto.VolumeCapability;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Requests from the command line, without secrets: those are added when a request is sent, and not stored. */
final class Requests {
    private final Arguments arguments;

    Requests(Arguments arguments) {
        this.arguments = arguments;
    }

    Map<String, String> secrets() {
        return arguments.setting("--secrets");
    }

    /** The same with the secrets, if the request has a field for them. */
    Message withSecrets(Message request) {
        FieldDescriptor field = request.getDescriptorForType().findFieldByName("secrets");
        if (field == null) {
            return request;
        }
        Message.Builder sent = request.toBuilder();
        secrets().forEach((key, value) -> {
            Message.Builder entry = sent.newBuilderForField(field);
            entry.setField(field.getMessageType().findFieldByName("key"), key);
            entry.setField(field.getMessageType().findFieldByName("value"), value);
            sent.addRepeatedField(field, entry.build());
        });
        return sent.build();
    }

    VolumeCapability capability() {
        VolumeCapability.Builder capability = VolumeCapability.newBuilder()
                .setAccessMode(VolumeCapability.AccessMode.newBuilder().setMode(arguments.mode()));
        if (arguments.block()) {
            return capability
                    .setBlock(VolumeCapability.BlockVolume.getDefaultInstance())
                    .build();
        }
        return capability
                .setMount(VolumeCapability.MountVolume.newBuilder().setFsType(arguments.fsType()))
                .build();
    }

    /** An inline volume is always mounted. */
    VolumeCapability inlineCapability() {
        return VolumeCapability.newBuilder()
                .setAccessMode(VolumeCapability.AccessMode.newBuilder()
                        .setMode(VolumeCapability.AccessMode.Mode.SINGLE_NODE_WRITER))
                .setMount(VolumeCapability.MountVolume.newBuilder().setFsType(arguments.fsType()))
                .build();
    }

    CreateVolumeRequest create(String name, long bytes, @Nullable Topology here) {
        CreateVolumeRequest.Builder request = CreateVolumeRequest.newBuilder()
                .setName(name)
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(bytes))
                .addVolumeCapabilities(capability())
                .putAllParameters(arguments.setting("--parameter"));
        if (here != null) {
            request.setAccessibilityRequirements(
                    TopologyRequirement.newBuilder().addRequisite(here).addPreferred(here));
        }
        return request.build();
    }
}
