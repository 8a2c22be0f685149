package io.volume4j.spi.model;

/**
 * A constant with a fixed spelling in manifests, such as {@code ReadWriteOnce}.
 *
 * @since 0.1.0
 */
public interface ApiWord {
    /** The spelling in manifests. */
    String apiName();

    /**
     * Whether this version knows the word. Newer versions of Kubernetes may add words, so each such type has one
     * constant for all unknown words. The library keeps an object with an unknown word, and delays every operation
     * that depends on the word.
     */
    default boolean known() {
        return true;
    }
}
