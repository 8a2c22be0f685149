package io.volume4j.spi.model;

/**
 * Names a secret; its values are resolved where and when a call needs them, and never kept.
 *
 * @since 0.1.0
 */
public record SecretRef(String namespace, String name) {
    public SecretRef {
        namespace = Copies.text(namespace);
        name = Copies.text(name);
    }
}
