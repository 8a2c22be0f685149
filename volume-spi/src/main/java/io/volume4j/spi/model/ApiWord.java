package io.volume4j.spi.model;

/**
 * A word that manifests spell in a way of their own, such as {@code ReadWriteOnce}.
 *
 * @since 0.1.0
 */
public interface ApiWord {
    /** As manifests spell it. */
    String apiName();

    /**
     * Whether this version knows the word. Each type of words that newer versions of Kubernetes may add to has one constant that
     * stands for all unknown words; an object with such a word is kept, and what depends on the word waits.
     */
    default boolean known() {
        return true;
    }
}
