package io.volume4j.core.plugins.flex;

import io.volume4j.core.plugins.common.JsonFields;
import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.SecretResolver;
import io.volume4j.spi.model.FlexVolumeSource;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;

/** The options of a driver's call, as one JSON object. The volume's own options override the node's. */
final class FlexOptions {
    private static final String PREFIX = "kubernetes.io/";

    private final SecretResolver secrets;
    private final boolean secretsOnCommandLine;

    /** @param secretsOnCommandLine whether secrets may be passed on the command line, the only way in the protocol */
    FlexOptions(SecretResolver secrets, boolean secretsOnCommandLine) {
        this.secrets = secrets;
        this.secretsOnCommandLine = secretsOnCommandLine;
    }

    static FlexVolumeSource source(VolumeSpec spec) {
        if (spec.source() instanceof FlexVolumeSource source) {
            return source;
        }
        throw VolumeException.finalFailure("not a flexVolume: " + MessageText.text(spec.name()));
    }

    /** The options of calls for the volume. Its pods share the result, so their own access does not count. */
    String ofVolume(VolumeSpec spec, boolean readOnly) {
        return json(options(spec, readOnly), source(spec));
    }

    /** The options of calls for a pod's mount. */
    String ofPod(VolumeSpec spec, boolean readOnly, Pod pod) {
        Map<String, String> options = options(spec, readOnly);
        options.put(PREFIX + "pod.name", pod.metadata().name());
        options.put(PREFIX + "pod.namespace", pod.metadata().namespace());
        options.put(PREFIX + "pod.uid", pod.metadata().uid());
        options.put(PREFIX + "serviceAccount.name", pod.spec().serviceAccountName());
        Long fsGroup = pod.spec().securityContext().fsGroup();
        if (fsGroup != null) {
            options.put(PREFIX + "mounterArgs.FsGroup", fsGroup.toString());
        }
        if (spec.persistentVolume() == null) {
            addSecrets(options, spec, pod.metadata().namespace());
        }
        return json(options, source(spec));
    }

    private Map<String, String> options(VolumeSpec spec, boolean readOnly) {
        FlexVolumeSource source = source(spec);
        Map<String, String> options = new TreeMap<>();
        options.put(PREFIX + "fsType", source.fsType());
        options.put(PREFIX + "readwrite", readOnly || source.readOnly() ? "ro" : "rw");
        options.put(PREFIX + "pvOrVolumeName", spec.name());
        PersistentVolume volume = spec.persistentVolume();
        if (volume != null) {
            ObjectReference claim = volume.spec().claimRef();
            addSecrets(options, spec, claim == null ? "" : claim.namespace());
        }
        return options;
    }

    /** @param user the namespace of the user of the volume: that of a secret without a namespace */
    private void addSecrets(Map<String, String> options, VolumeSpec spec, String user) {
        SecretRef reference = source(spec).secretRef();
        if (reference == null) {
            return;
        }
        if (!secretsOnCommandLine) {
            throw VolumeException.finalFailure("flexVolume " + MessageText.text(spec.name())
                            + " names a secret, which a driver can be given only on its command line, where every user"
                            + " of the machine may read it")
                    .withAdvice("use a CSI driver, or allow it with FlexVolumes.Options.withSecretsOnCommandLine");
        }
        String namespace = reference.namespace().isEmpty() ? user : reference.namespace();
        Map<String, byte[]> values = secrets.content(new SecretRef(namespace, reference.name()))
                .orElseThrow(() -> VolumeException.transientFailure("secret " + OneLine.name(namespace) + "/"
                                + OneLine.name(reference.name()) + " does not exist, which flexVolume "
                                + MessageText.text(spec.name()) + " names")
                        .withAdvice("create it, or correct the volume's secretRef"));
        values.forEach((key, value) ->
                options.put(PREFIX + "secret/" + key, Base64.getEncoder().encodeToString(value)));
    }

    private static String json(Map<String, String> options, FlexVolumeSource source) {
        options.putAll(source.options());
        return JsonFields.write(options);
    }
}
