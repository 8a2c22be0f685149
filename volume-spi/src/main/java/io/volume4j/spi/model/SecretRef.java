package io.volume4j.spi.model;

/**
 * A reference to a secret. The library reads the values when a call needs them and never stores them.
 *
 * @since 0.1.0
 */
public record SecretRef(String namespace, String name) {
    public SecretRef {
        namespace = Copies.text(namespace);
        name = Copies.text(name);
    }
}
