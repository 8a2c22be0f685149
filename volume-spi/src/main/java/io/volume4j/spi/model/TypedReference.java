package io.volume4j.spi.model;

/**
 * Names an object of any kind that a volume is filled from.
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
