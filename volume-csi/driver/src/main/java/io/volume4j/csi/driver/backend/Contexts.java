package io.volume4j.csi.driver.backend;

import io.grpc.Status.Code;
import io.volume4j.csi.driver.backend.State.KnownVolume;
import io.volume4j.csi.driver.oracle.Rule;
import java.util.Map;
import java.util.TreeMap;

/** Whether what the driver gave out with a volume came back with it. */
final class Contexts {
    /** What node agents add to a volume's context for the driver's information. */
    static final String ADDED = "csi.storage.k8s.io/";

    private Contexts() {}

    /**
     * The field is optional, so a caller that leaves it out is served; it is noted, because a caller that was given a context
     * and lost it serves most drivers badly.
     *
     * @throws Refused INVALID_ARGUMENT if it is another one
     */
    static void demandVolumeContext(Backend backend, KnownVolume volume, Map<String, String> context, String rpc) {
        Map<String, String> own = new TreeMap<>(context);
        own.keySet().removeIf(key -> key.startsWith(ADDED));
        if (own.equals(volume.context)) {
            return;
        }
        if (own.isEmpty()) {
            backend.note(Rule.VOLUME_CONTEXT, rpc, "volume_context of " + volume.id + " was left out");
            return;
        }
        throw backend.wrong(
                Rule.VOLUME_CONTEXT,
                rpc,
                Code.INVALID_ARGUMENT,
                "volume_context is not what CreateVolume returned for " + volume.id);
    }
}
