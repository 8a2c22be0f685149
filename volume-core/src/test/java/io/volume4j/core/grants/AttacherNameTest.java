package io.volume4j.core.grants;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeAttachment;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** API servers refuse a VolumeAttachment whose attacher is not a DNS subdomain. */
class AttacherNameTest {
    @ParameterizedTest(name = "of {0}: {1}")
    @CsvSource({
        "ebs.csi.aws.com,     ebs.csi.aws.com",
        "kubernetes.io/iscsi, iscsi.kubernetes.io",
        "flexvolume-v/d,      d.flexvolume-v",
    })
    void isADnsSubdomain(String plugin, String attacher) {
        assertThat(AttacherName.of(plugin)).isEqualTo(attacher);
        assertThat(AttacherName.plugin(attachment(attacher, plugin + "^v"))).isEqualTo(plugin);
    }

    @ParameterizedTest(name = "attacher {0}, annotation {1}: {2}")
    @CsvSource({
        "iscsi.kubernetes.io, '',                    iscsi.kubernetes.io",
        "iscsi.kubernetes.io, kubernetes.io/fc^v,    iscsi.kubernetes.io",
        "iscsi.kubernetes.io, not an id,             iscsi.kubernetes.io",
        "kubernetes.io/iscsi, kubernetes.io/iscsi^v, kubernetes.io/iscsi",
    })
    void namesThePluginUnlessTheAnnotationFitsIt(String attacher, String annotation, String plugin) {
        assertThat(AttacherName.plugin(attachment(attacher, annotation))).isEqualTo(plugin);
    }

    @ParameterizedTest(name = "of {0}: {1}")
    @CsvSource({
        "ebs.csi.aws.com,  external-attacher/ebs-csi-aws-com",
        "mem,              external-attacher/mem",
        "kubernetes.io/fc, external-attacher/kubernetes-io-fc",
        "a.b.,             external-attacher/a-b-X",
    })
    void itsFinalizerIsSpeltAsEveryAttacherSpellsIt(String plugin, String finalizer) {
        assertThat(AttacherName.finalizer(plugin)).isEqualTo(finalizer);
        assertThat(AttacherName.isFinalizer(plugin, finalizer)).isTrue();
        assertThat(AttacherName.isFinalizer("another", finalizer)).isFalse();
    }

    @Test
    void theFinalizerOfEarlierVersionsIsKnown() {
        assertThat(AttacherName.isFinalizer("ebs.csi.aws.com", "external-attacher/ebs.csi.aws.com"))
                .isTrue();
    }

    private static VolumeAttachment attachment(String attacher, String volume) {
        return new VolumeAttachment(
                ObjectMeta.named("", "va").withAnnotation(GrantKeys.VOLUME, volume),
                VolumeAttachment.Spec.ofVolume(attacher, "n1", "pv"),
                new VolumeAttachment.Status(false, Map.of(), null, null),
                Unmodeled.none());
    }
}
