package io.volume4j.csi.internal.rules;

import io.volume4j.csi.internal.proto.ValidateVolumeCapabilitiesRequest;
import io.volume4j.csi.internal.proto.ValidateVolumeCapabilitiesResponse;
import io.volume4j.csi.internal.proto.ValidateVolumeCapabilitiesResponse.Confirmed;
import java.util.HashSet;
import java.util.Optional;

/**
 * Whether a driver has confirmed the request. A driver of an older version ignores unknown fields and confirms the rest,
 * so only fields that the answer repeats count.
 */
public final class Confirmation {
    private Confirmation() {}

    /** Why the volume is not confirmed; empty if it is confirmed. */
    public static Optional<String> refusal(
            ValidateVolumeCapabilitiesRequest request, ValidateVolumeCapabilitiesResponse response) {
        if (!response.hasConfirmed()) {
            return Optional.of(response.getMessage().isEmpty() ? "the driver gave no reason" : response.getMessage());
        }
        Confirmed confirmed = response.getConfirmed();
        if (!new HashSet<>(confirmed.getVolumeCapabilitiesList()).containsAll(request.getVolumeCapabilitiesList())) {
            return Optional.of("the driver confirmed other volume capabilities");
        }
        if (!confirmed.getVolumeContextMap().equals(request.getVolumeContextMap())) {
            return Optional.of("the driver confirmed another volume context");
        }
        if (!confirmed.getParametersMap().equals(request.getParametersMap())) {
            return Optional.of("the driver confirmed other parameters");
        }
        if (request.getMutableParamsCount() > 0
                && !confirmed.getMutableParamsMap().equals(request.getMutableParamsMap())) {
            return Optional.of("the driver confirmed other mutable parameters, or does not know them");
        }
        return Optional.empty();
    }
}
