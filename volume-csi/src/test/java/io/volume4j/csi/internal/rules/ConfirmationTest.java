package io.volume4j.csi.internal.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.csi.internal.proto.ValidateVolumeCapabilitiesRequest;
import io.volume4j.csi.internal.proto.ValidateVolumeCapabilitiesResponse;
import io.volume4j.csi.internal.proto.ValidateVolumeCapabilitiesResponse.Confirmed;
import io.volume4j.csi.internal.proto.VolumeCapability.AccessMode.Mode;
import io.volume4j.csi.testing.Requests;
import org.junit.jupiter.api.Test;

class ConfirmationTest {
    private static final ValidateVolumeCapabilitiesRequest REQUEST = Requests.validate().toBuilder()
            .putVolumeContext("c", "1")
            .putParameters("p", "1")
            .putMutableParams("m", "1")
            .build();

    private static final Confirmed ALL = Confirmed.newBuilder()
            .addVolumeCapabilities(Requests.mounted())
            .putVolumeContext("c", "1")
            .putParameters("p", "1")
            .putMutableParams("m", "1")
            .build();

    @Test
    void whatIsRepeatedInFullIsConfirmed() {
        assertThat(Confirmation.refusal(REQUEST, confirming(ALL))).isEmpty();
    }

    @Test
    void silenceIsARefusal() {
        assertThat(Confirmation.refusal(REQUEST, ValidateVolumeCapabilitiesResponse.getDefaultInstance()))
                .contains("the driver gave no reason");
        assertThat(Confirmation.refusal(
                        REQUEST,
                        ValidateVolumeCapabilitiesResponse.newBuilder()
                                .setMessage("no block volumes")
                                .build()))
                .contains("no block volumes");
    }

    @Test
    void whatAnOlderDriverDoesNotKnowIsNotConfirmed() {
        assertThat(Confirmation.refusal(
                        REQUEST, confirming(ALL.toBuilder().clearMutableParams().build())))
                .contains("the driver confirmed other mutable parameters, or does not know them");
    }

    @Test
    void whatDiffersIsNotConfirmed() {
        assertThat(Confirmation.refusal(
                        REQUEST,
                        confirming(ALL.toBuilder()
                                .setVolumeCapabilities(0, Requests.mounted(Mode.MULTI_NODE_MULTI_WRITER))
                                .build())))
                .contains("the driver confirmed other volume capabilities");
        assertThat(Confirmation.refusal(
                        REQUEST,
                        confirming(ALL.toBuilder().putVolumeContext("c", "2").build())))
                .contains("the driver confirmed another volume context");
        assertThat(Confirmation.refusal(
                        REQUEST, confirming(ALL.toBuilder().clearParameters().build())))
                .contains("the driver confirmed other parameters");
    }

    private static ValidateVolumeCapabilitiesResponse confirming(Confirmed confirmed) {
        return ValidateVolumeCapabilitiesResponse.newBuilder()
                .setConfirmed(confirmed)
                .build();
    }
}
