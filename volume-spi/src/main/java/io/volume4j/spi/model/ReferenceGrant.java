package io.volume4j.spi.model;

import java.util.List;
import java.util.Objects;

/**
 * A permission by the owner of a namespace: objects in other namespaces may refer to objects in this namespace.
 *
 * @since 0.1.0
 */
public record ReferenceGrant(ObjectMeta metadata, Spec spec, Unmodeled unmodeled) implements ApiObject {
    public ReferenceGrant {
        Objects.requireNonNull(metadata, "metadata");
        spec = spec == null ? new Spec(List.of(), List.of()) : spec;
        unmodeled = unmodeled == null ? Unmodeled.none() : unmodeled;
    }

    @Override
    public Kind kind() {
        return Kind.REFERENCE_GRANT;
    }

    /** Each of {@code from} may refer to each of {@code to}. */
    public record Spec(List<From> from, List<To> to) {
        public Spec {
            from = Copies.list(from);
            to = Copies.list(to);
        }
    }

    /** Objects of a kind in another namespace. */
    public record From(String group, String kind, String namespace) {
        public From {
            group = Copies.text(group);
            kind = Copies.text(kind);
            namespace = Copies.text(namespace);
        }
    }

    /**
     * Objects in the grant's namespace.
     *
     * @param name {@code ""} for all of the kind
     */
    public record To(String group, String kind, String name) {
        public To {
            group = Copies.text(group);
            kind = Copies.text(kind);
            name = Copies.text(name);
        }
    }
}
