package io.volume4j.core.codec;

import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.NameRule;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.OwnerReference;
import java.util.Map;

/** {@code metadata}. */
final class MetadataShape {
    /** The namespace of a namespaced object whose manifest does not name one. */
    static final String DEFAULT_NAMESPACE = "default";

    private MetadataShape() {}

    static ObjectMeta read(Fields fields, Kind kind) {
        Long generation = fields.number("generation");
        return new ObjectMeta(
                fields.requiredOwnName("name", NameRule.SUBDOMAIN, "every object needs a name"),
                namespace(fields, kind),
                fields.ownName("uid", NameRule.UID),
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

    /**
     * The same, for a document that shares parts with that of an earlier object. Does not read the shared parts again.
     */
    static ObjectMeta read(Fields fields, Kind kind, ApiObject earlier) {
        ObjectMeta known = earlier.metadata();
        Map<?, ?> was =
                earlier.unmodeled().document().get("metadata") instanceof Map<?, ?> document ? document : Map.of();
        Same same = key -> fields.raw(key) == was.get(key);
        if (!same.in("name") || !same.in("namespace") || !same.in("uid") || !same.in("ownerReferences")) {
            return read(fields, kind);
        }
        Long generation = fields.number("generation");
        return new ObjectMeta(
                known.name(),
                known.namespace(),
                known.uid(),
                fields.text("resourceVersion"),
                generation == null ? 0 : generation,
                same.in("labels") ? known.labels() : fields.textMap("labels"),
                same.in("annotations") ? known.annotations() : fields.textMap("annotations"),
                same.in("finalizers") ? known.finalizers() : fields.texts("finalizers"),
                known.ownerReferences(),
                same.in("creationTimestamp") ? known.creationTimestamp() : fields.instant("creationTimestamp"),
                same.in("deletionTimestamp") ? known.deletionTimestamp() : fields.instant("deletionTimestamp"));
    }

    /** Whether a field has the same value object as before. */
    private interface Same {
        boolean in(String key);
    }

    private static String namespace(Fields fields, Kind kind) {
        String namespace = fields.ownName("namespace", NameRule.LABEL);
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
