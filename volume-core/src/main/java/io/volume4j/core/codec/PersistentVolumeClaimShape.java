package io.volume4j.core.codec;

import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.NameRule;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.TypedReference;
import io.volume4j.spi.model.VolumeMode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code PersistentVolumeClaim}. */
final class PersistentVolumeClaimShape {
    private PersistentVolumeClaimShape() {}

    static PersistentVolumeClaim.Spec readSpec(Fields spec) {
        Fields selector = spec.optionalObject("selector");
        spec.name("storageClassName", NameRule.SUBDOMAIN);
        return new PersistentVolumeClaim.Spec(
                PersistentVolumeShape.readAccessModes(spec),
                spec.object("resources").object("requests").positiveAmount("storage"),
                spec.optionalText("storageClassName"),
                spec.word("volumeMode", VolumeMode.class, VolumeMode.FILESYSTEM),
                spec.name("volumeName", NameRule.SUBDOMAIN),
                selector == null ? null : SelectorShapes.readLabels(selector),
                readReference(spec, "dataSource"),
                readReference(spec, "dataSourceRef"),
                spec.name("volumeAttributesClassName", NameRule.SUBDOMAIN));
    }

    /** The same, with an earlier object: most changes affect only the claim's volume. */
    static PersistentVolumeClaim.Spec readSpec(Fields spec, PersistentVolumeClaim earlier) {
        if (!(earlier.unmodeled().document().get("spec") instanceof Map<?, ?> was)
                || !spec.sameBut("volumeName", was)) {
            return readSpec(spec);
        }
        PersistentVolumeClaim.Spec known = earlier.spec();
        return new PersistentVolumeClaim.Spec(
                known.accessModes(),
                known.request(),
                known.storageClassName(),
                known.volumeMode(),
                spec.name("volumeName", NameRule.SUBDOMAIN),
                known.selector(),
                known.dataSource(),
                known.dataSourceRef(),
                known.volumeAttributesClassName());
    }

    static PersistentVolumeClaim.Status readStatus(Fields status) {
        return new PersistentVolumeClaim.Status(
                status.word("phase", ClaimPhase.class, ClaimPhase.NONE),
                PersistentVolumeShape.readAccessModes(status),
                status.object("capacity").amount("storage"),
                status.amounts("allocatedResources"),
                status.textMap("allocatedResourceStatuses"),
                status.name("currentVolumeAttributesClassName", NameRule.SUBDOMAIN));
    }

    static Written write(PersistentVolumeClaim claim) {
        PersistentVolumeClaim.Spec spec = claim.spec();
        PersistentVolumeClaim.Status status = claim.status();
        return Written.part()
                .object(
                        "spec",
                        Written.part()
                                .words("accessModes", spec.accessModes())
                                .object(
                                        "resources",
                                        Written.part()
                                                .object(
                                                        "requests",
                                                        Written.part().amount("storage", spec.request())))
                                .meaningfulText("storageClassName", spec.storageClassName())
                                .word("volumeMode", spec.volumeMode())
                                .text("volumeName", spec.volumeName())
                                .object(
                                        "selector",
                                        spec.selector() == null ? null : SelectorShapes.writeLabels(spec.selector()))
                                .object("dataSource", writeReference(spec.dataSource()))
                                .object("dataSourceRef", writeReference(spec.dataSourceRef()))
                                .text("volumeAttributesClassName", spec.volumeAttributesClassName()))
                .object(
                        "status",
                        Written.part()
                                .word("phase", status.phase())
                                .words("accessModes", status.accessModes())
                                .object("capacity", Written.part().amount("storage", status.capacity()))
                                .amounts("allocatedResources", status.allocatedResources())
                                .map("allocatedResourceStatuses", status.allocatedResourceStatuses())
                                .text("currentVolumeAttributesClassName", status.currentVolumeAttributesClassName()));
    }

    private static @Nullable TypedReference readReference(Fields spec, String key) {
        Fields reference = spec.optionalObject(key);
        return reference == null
                ? null
                : new TypedReference(
                        reference.text("apiGroup"),
                        reference.requiredText("kind", "write the kind of the object to fill the volume from"),
                        reference.name("namespace", NameRule.LABEL),
                        reference.requiredName(
                                "name", NameRule.SUBDOMAIN, "write the name of the object to fill the volume from"));
    }

    private static @Nullable Written writeReference(@Nullable TypedReference reference) {
        return reference == null
                ? null
                : Written.whole()
                        .text("apiGroup", reference.apiGroup())
                        .text("kind", reference.kind())
                        .text("namespace", reference.namespace())
                        .text("name", reference.name());
    }
}
