package io.volume4j.core.node.desired;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.FlexVolumeSource;
import io.volume4j.spi.model.IscsiSource;
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An inline volume of a pod names its secret without a namespace, because only the pod's namespace is possible. Adds
 * that namespace for plugins, and refuses another one: a user who may create pods in one namespace could otherwise use the
 * secrets of all. API servers drop the field; other sources of pods do not. Pure.
 */
final class InlineSecrets {
    private InlineSecrets() {}

    /** @throws VolumeException if the volume names a secret of another namespace */
    static VolumeSpec in(String namespace, VolumeSpec spec) {
        secrets(spec.source())
                .filter(secret -> secret != null && !secret.namespace().isEmpty())
                .filter(secret -> !secret.namespace().equals(namespace))
                .findFirst()
                .ifPresent(secret -> {
                    throw VolumeException.finalFailure("inline volume " + OneLine.name(spec.name()) + " names secret "
                                    + OneLine.name(secret.name()) + " of namespace " + OneLine.name(secret.namespace())
                                    + ", and the pod is in namespace " + namespace)
                            .withAdvice("use a secret of the pod's namespace, or a PersistentVolume");
                });
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

    private static Stream<@Nullable SecretRef> secrets(VolumeSource source) {
        if (source instanceof CsiSource csi) {
            return Stream.of(
                    csi.controllerPublishSecretRef(),
                    csi.nodeStageSecretRef(),
                    csi.nodePublishSecretRef(),
                    csi.controllerExpandSecretRef(),
                    csi.nodeExpandSecretRef());
        }
        if (source instanceof IscsiSource iscsi) {
            return Stream.of(iscsi.secretRef());
        }
        return source instanceof FlexVolumeSource flex ? Stream.of(flex.secretRef()) : Stream.empty();
    }

    private static boolean unqualified(@Nullable SecretRef secret) {
        return secret != null && secret.namespace().isEmpty();
    }

    private static @Nullable SecretRef qualified(String namespace, @Nullable SecretRef secret) {
        return secret == null ? null : new SecretRef(namespace, secret.name());
    }
}
