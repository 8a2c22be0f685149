package io.volume4j.spi.host;

/**
 * The conditions under which the cluster does a write.
 *
 * @param uid the object's UID, {@code ""} for any
 * @param resourceVersion its revision, {@code ""} for any
 * @since 0.1.0
 */
public record Preconditions(String uid, String resourceVersion) {
    private static final Preconditions NONE = new Preconditions("", "");

    public static Preconditions none() {
        return NONE;
    }

    public static Preconditions of(io.volume4j.spi.model.ObjectMeta meta) {
        return new Preconditions(meta.uid(), meta.resourceVersion());
    }
}
