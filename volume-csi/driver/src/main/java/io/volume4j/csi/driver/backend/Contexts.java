package io.volume4j.csi.driver.backend;

import io.grpc.Status.Code;
import io.volume4j.csi.driver.backend.State.KnownVolume;
import io.volume4j.csi.driver.oracle.Rule;
import java.util.Map;
import java.util.TreeMap;

/** Checks that the caller passes back the contexts that the driver returned with a volume. */
final class Contexts {
    /** Prefix of the entries that node agents add to a volume's context. */
    static final String ADDED = "csi.storage.k8s.io/";

    /** The entry that external-provisioner adds to the context in the PersistentVolume, so that every later call has it. */
    private static final String PROVISIONER = "storage.kubernetes.io/csiProvisionerIdentity";

    private Contexts() {}

    /**
     * The field is optional, so the driver serves a caller that omits it. It records a violation, because most drivers need
     * the context that they returned.
     *
     * @throws Refused INVALID_ARGUMENT if the context differs
     */
    static void demandVolumeContext(Backend backend, KnownVolume volume, Map<String, String> context, String rpc) {
        Map<String, String> own = own(context);
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

    /** The context without the entries of others. */
    static Map<String, String> own(Map<String, String> context) {
        Map<String, String> own = new TreeMap<>(context);
        own.keySet().removeIf(key -> key.startsWith(ADDED) || key.equals(PROVISIONER));
        return own;
    }
}
