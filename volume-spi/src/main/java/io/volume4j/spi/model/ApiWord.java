package io.volume4j.spi.model;

/**
 * A word that manifests spell in a way of their own, such as {@code ReadWriteOnce}.
 *
 * @since 0.1.0
 */
public interface ApiWord {
    /** As manifests spell it. */
    String apiName();
}
