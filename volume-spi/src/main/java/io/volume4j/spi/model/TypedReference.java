package io.volume4j.spi.model;

/**
 * A reference to an object of any kind, the source of a volume's content.
 *
 * @since 0.1.0
 */
public record TypedReference(String apiGroup, String kind, String namespace, String name) {
    public TypedReference {
        apiGroup = Copies.text(apiGroup);
        kind = Copies.text(kind);
        namespace = Copies.text(namespace);
        name = Copies.text(name);
    }
}
