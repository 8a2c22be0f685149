package io.volume4j.core.node.desired;

import io.volume4j.spi.model.FlexVolumeSource;
import io.volume4j.spi.model.IscsiSource;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.plugin.VolumeSpec;
import org.jspecify.annotations.Nullable;

/**
 * An inline volume of a pod names its secret without a namespace, because only the pod's namespace is possible. Adds
 * that namespace for plugins. Pure.
 */
final class InlineSecrets {
    private InlineSecrets() {}

    static VolumeSpec in(String namespace, VolumeSpec spec) {
        return spec.persistentVolume() == null
                ? new VolumeSpec(spec.name(), in(namespace, spec.source()), null, spec.readOnly())
                : spec;
    }

    private static VolumeSource in(String namespace, VolumeSource source) {
        if (source instanceof IscsiSource iscsi && unqualified(iscsi.secretRef())) {
            return new IscsiSource(
                    iscsi.targetPortal(),
                    iscsi.iqn(),
                    iscsi.lun(),
                    iscsi.iscsiInterface(),
                    iscsi.fsType(),
                    iscsi.readOnly(),
                    iscsi.portals(),
                    iscsi.chapAuthDiscovery(),
                    iscsi.chapAuthSession(),
                    qualified(namespace, iscsi.secretRef()),
                    iscsi.initiatorName());
        }
        if (source instanceof FlexVolumeSource flex && unqualified(flex.secretRef())) {
            return new FlexVolumeSource(
                    flex.driver(),
                    flex.fsType(),
                    flex.readOnly(),
                    flex.options(),
                    qualified(namespace, flex.secretRef()));
        }
        return source;
    }

    private static boolean unqualified(@Nullable SecretRef secret) {
        return secret != null && secret.namespace().isEmpty();
    }

    private static @Nullable SecretRef qualified(String namespace, @Nullable SecretRef secret) {
        return secret == null ? null : new SecretRef(namespace, secret.name());
    }
}
