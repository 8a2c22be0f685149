package io.volume4j.spi.model;

/**
 * A reference from an object to the object that owns it.
 *
 * @since 0.1.0
 */
public record OwnerReference(String apiVersion, String kind, String name, String uid, boolean controller) {
    public OwnerReference {
        apiVersion = Copies.text(apiVersion);
        kind = Copies.text(kind);
        name = Copies.text(name);
        uid = Copies.text(uid);
    }
}
