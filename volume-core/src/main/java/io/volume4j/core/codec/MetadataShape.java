package io.volume4j.core.codec;

import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.NameRule;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.OwnerReference;

/** {@code metadata}. */
final class MetadataShape {
    /** Where a namespaced object lives whose manifest does not say. */
    static final String DEFAULT_NAMESPACE = "default";

    private MetadataShape() {}

    static ObjectMeta read(Fields fields, Kind kind) {
        Long generation = fields.number("generation");
        return new ObjectMeta(
                fields.requiredName("name", NameRule.SUBDOMAIN, "every object needs a name"),
                namespace(fields, kind),
                fields.name("uid", NameRule.UID),
                fields.text("resourceVersion"),
                generation == null ? 0 : generation,
                fields.textMap("labels"),
                fields.textMap("annotations"),
                fields.texts("finalizers"),
                fields.objects("ownerReferences").stream()
                        .map(MetadataShape::readOwner)
                        .toList(),
                fields.instant("creationTimestamp"),
                fields.instant("deletionTimestamp"));
    }

    private static String namespace(Fields fields, Kind kind) {
        String namespace = fields.name("namespace", NameRule.LABEL);
        if (!kind.namespaced()) {
            if (!namespace.isEmpty()) {
                throw fields.wrong("namespace", "must be left out: a " + kind.apiName() + " belongs to no namespace");
            }
            return "";
        }
        return namespace.isEmpty() ? DEFAULT_NAMESPACE : namespace;
    }

    static Written write(ObjectMeta meta) {
        return Written.part()
                .text("name", meta.name())
                .text("namespace", meta.namespace())
                .text("uid", meta.uid())
                .text("resourceVersion", meta.resourceVersion())
                .number("generation", meta.generation() == 0 ? null : meta.generation())
                .instant("creationTimestamp", meta.creationTimestamp())
                .instant("deletionTimestamp", meta.deletionTimestamp())
                .map("labels", meta.labels())
                .map("annotations", meta.annotations())
                .scalars("finalizers", meta.finalizers())
                .objects("ownerReferences", meta.ownerReferences(), MetadataShape::writeOwner);
    }

    private static OwnerReference readOwner(Fields fields) {
        return new OwnerReference(
                fields.text("apiVersion"),
                fields.text("kind"),
                fields.text("name"),
                fields.text("uid"),
                fields.flag("controller"));
    }

    private static Written writeOwner(OwnerReference owner) {
        return Written.whole()
                .text("apiVersion", owner.apiVersion())
                .text("kind", owner.kind())
                .text("name", owner.name())
                .text("uid", owner.uid())
                .flag("controller", owner.controller());
    }
}
