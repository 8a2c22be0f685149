package io.volume4j.core.codec;

import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.NameRule;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumePhase;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code PersistentVolume}. */
final class PersistentVolumeShape {
    private PersistentVolumeShape() {}

    static PersistentVolume.Spec readSpec(Fields spec) {
        return new PersistentVolume.Spec(
                spec.object("capacity").positiveAmount("storage"),
                readAccessModes(spec),
                spec.anyWord("persistentVolumeReclaimPolicy", ReclaimPolicy.class, ReclaimPolicy.RETAIN),
                spec.name("storageClassName", NameRule.SUBDOMAIN),
                spec.word("volumeMode", VolumeMode.class, VolumeMode.FILESYSTEM),
                readClaimRef(spec),
                spec.texts("mountOptions"),
                readAffinity(spec.optionalObject("nodeAffinity")),
                spec.name("volumeAttributesClassName", NameRule.SUBDOMAIN),
                SourceShapes.readOfVolume(spec));
    }

    /** The same, with an earlier object: most changes affect only the volume's claim. */
    static PersistentVolume.Spec readSpec(Fields spec, PersistentVolume earlier) {
        if (!(earlier.unmodeled().document().get("spec") instanceof Map<?, ?> was) || !spec.sameBut("claimRef", was)) {
            return readSpec(spec);
        }
        PersistentVolume.Spec known = earlier.spec();
        return new PersistentVolume.Spec(
                known.capacity(),
                known.accessModes(),
                known.reclaimPolicy(),
                known.storageClassName(),
                known.volumeMode(),
                readClaimRef(spec),
                known.mountOptions(),
                known.nodeAffinity(),
                known.volumeAttributesClassName(),
                known.source());
    }

    static List<AccessMode> readAccessModes(Fields fields) {
        List<AccessMode> modes = fields.words("accessModes", AccessMode.class);
        if (modes.size() > 1 && modes.contains(AccessMode.READ_WRITE_ONCE_POD) && !fields.stored()) {
            throw fields.wrong(
                    "accessModes", "has other modes in addition to ReadWriteOncePod, which must be the only mode");
        }
        return modes;
    }

    static PersistentVolume.Status readStatus(Fields status) {
        return new PersistentVolume.Status(
                status.word("phase", VolumePhase.class, VolumePhase.NONE),
                status.text("reason"),
                status.text("message"),
                status.instant("lastPhaseTransitionTime"));
    }

    static Written write(PersistentVolume volume) {
        PersistentVolume.Status status = volume.status();
        return Written.part()
                .object("spec", writeSpec(volume.spec()))
                .object(
                        "status",
                        Written.part()
                                .word("phase", status.phase())
                                .text("reason", status.reason())
                                .text("message", status.message())
                                .instant("lastPhaseTransitionTime", status.lastPhaseTransitionTime()));
    }

    static Written writeSpec(PersistentVolume.Spec spec) {
        NodeSelector affinity = spec.nodeAffinity();
        Written fields = Written.part()
                .object("capacity", Written.part().amount("storage", spec.capacity()))
                .words("accessModes", spec.accessModes())
                .word("persistentVolumeReclaimPolicy", spec.reclaimPolicy())
                .text("storageClassName", spec.storageClassName())
                .word("volumeMode", spec.volumeMode())
                .object("claimRef", writeClaimRef(spec.claimRef()))
                .scalars("mountOptions", spec.mountOptions())
                .object(
                        "nodeAffinity",
                        affinity == null
                                ? null
                                : Written.whole().object("required", SelectorShapes.writeNodes(affinity)))
                .text("volumeAttributesClassName", spec.volumeAttributesClassName());
        return SourceShapes.write(fields, spec.source());
    }

    private static @Nullable NodeSelector readAffinity(@Nullable Fields affinity) {
        Fields required = affinity == null ? null : affinity.optionalObject("required");
        return required == null ? null : SelectorShapes.readNodes(required);
    }

    private static @Nullable ObjectReference readClaimRef(Fields spec) {
        Fields claim = spec.optionalObject("claimRef");
        return claim == null
                ? null
                : new ObjectReference(
                        claim.text("apiVersion"),
                        claim.text("kind"),
                        claim.requiredName("namespace", NameRule.LABEL, "write the claim's namespace"),
                        claim.requiredName("name", NameRule.SUBDOMAIN, "write the claim's name"),
                        claim.uidOfReference(),
                        claim.text("resourceVersion"));
    }

    private static @Nullable Written writeClaimRef(@Nullable ObjectReference claim) {
        return claim == null
                ? null
                : Written.whole()
                        .text("apiVersion", claim.apiVersion())
                        .text("kind", claim.kind())
                        .text("namespace", claim.namespace())
                        .text("name", claim.name())
                        .text("uid", claim.uid())
                        .text("resourceVersion", claim.resourceVersion());
    }
}
