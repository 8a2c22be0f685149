package io.volume4j.core.migration;

import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.model.StorageClass;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Portworx volumes. One secret, in the class or the volume, is for all kinds of calls. */
final class Portworx extends InTree {
    private static final String SECRET = "openstorage.io/auth-secret-name";
    private static final String NAMESPACE = "openstorage.io/auth-secret-namespace";
    private static final List<String> CALLS = List.of(
            "provisioner", "controller-publish", "node-stage", "node-publish", "controller-expand", "node-expand");

    Portworx() {
        super("kubernetes.io/portworx-volume", "portworxVolume", "pxd.portworx.com", "");
    }

    @Override
    CsiSource toCsi(OtherSource source, Around around) {
        String id = Fields.text(source, "volumeID");
        if (id.isEmpty()) {
            throw invalid("of volume " + around.meta().name(), "it names no volumeID");
        }
        String name = around.meta().annotation(SECRET);
        @Nullable
        SecretRef secret = name.isEmpty() ? null : new SecretRef(around.meta().annotation(NAMESPACE), name);
        return new CsiSource(
                driver(),
                id,
                Fields.flag(source, "readOnly"),
                Fields.text(source, "fsType"),
                Map.of(),
                secret,
                secret,
                secret,
                secret,
                secret);
    }

    @Override
    List<AccessMode> inlineModes(CsiSource source) {
        return readersOrOneWriter(source);
    }

    @Override
    OtherSource toInTree(CsiSource source, Around around) {
        return new Fields.Building(sourceType())
                .text("volumeID", source.volumeHandle())
                .text("fsType", source.fsType())
                .flag("readOnly", source.readOnly())
                .build();
    }

    @Override
    Map<String, String> inTreeAnnotations(CsiSource source) {
        @Nullable SecretRef secret = source.nodePublishSecretRef();
        return secret == null ? Map.of() : Map.of(SECRET, secret.name(), NAMESPACE, secret.namespace());
    }

    @Override
    void addParameters(StorageClass storageClass, Map<String, String> parameters) {
        String name = storageClass.parameters().getOrDefault(SECRET, "");
        if (!name.isEmpty()) {
            String namespace = storageClass.parameters().getOrDefault(NAMESPACE, "");
            for (String call : CALLS) {
                parameters.put("csi.storage.k8s.io/" + call + "-secret-name", name);
                parameters.put("csi.storage.k8s.io/" + call + "-secret-namespace", namespace);
            }
        }
    }
}
