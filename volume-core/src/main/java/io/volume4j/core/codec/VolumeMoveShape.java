package io.volume4j.core.codec;

import io.volume4j.spi.model.NameRule;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.VolumeMove;
import io.volume4j.spi.model.VolumeMove.Method;
import io.volume4j.spi.model.VolumeMove.Phase;

/** {@code VolumeMove}. */
final class VolumeMoveShape {
    private static final String CLAIM_NAME = "claimName";
    private static final String CLASS = "storageClassName";

    private VolumeMoveShape() {}

    static VolumeMove.Spec readSpec(Fields spec) {
        return new VolumeMove.Spec(
                spec.requiredName(CLAIM_NAME, NameRule.SUBDOMAIN, "write the name of the claim that is to move"),
                spec.requiredName(CLASS, NameRule.SUBDOMAIN, "write the class of the new volume"),
                spec.word("method", Method.class, Method.AUTO),
                spec.name("nodeName", NameRule.SUBDOMAIN));
    }

    static VolumeMove.Status readStatus(Fields status) {
        return new VolumeMove.Status(
                status.word("phase", Phase.class, Phase.NONE),
                status.text("message"),
                status.name("claimUID", NameRule.UID),
                status.name("sourceVolume", NameRule.SUBDOMAIN),
                status.text("claim"),
                status.name("copyUID", NameRule.UID),
                status.name("targetVolume", NameRule.SUBDOMAIN),
                status.word("targetPolicy", ReclaimPolicy.class, ReclaimPolicy.UNKNOWN),
                status.word("sourcePolicy", ReclaimPolicy.class, ReclaimPolicy.UNKNOWN));
    }

    static Written write(VolumeMove move) {
        VolumeMove.Spec spec = move.spec();
        VolumeMove.Status status = move.status();
        return Written.part()
                .object(
                        "spec",
                        Written.part()
                                .text(CLAIM_NAME, spec.claimName())
                                .text(CLASS, spec.storageClassName())
                                .word("method", spec.method())
                                .text("nodeName", spec.nodeName()))
                .object(
                        "status",
                        Written.part()
                                .word("phase", status.phase())
                                .text("message", status.message())
                                .text("claimUID", status.claimUid())
                                .text("sourceVolume", status.sourceVolume())
                                .text("claim", status.claim())
                                .text("copyUID", status.copyUid())
                                .text("targetVolume", status.targetVolume())
                                .word("targetPolicy", status.targetPolicy())
                                .word("sourcePolicy", status.sourcePolicy()));
    }
}
