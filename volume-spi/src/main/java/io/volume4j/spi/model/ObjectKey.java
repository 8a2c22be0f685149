package io.volume4j.spi.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The name of an object in a cluster: kind, namespace ({@code ""} for kinds without one) and name. After a deletion a
 * new object may have the same name; {@link ObjectMeta#uid()} distinguishes the two.
 *
 * @since 0.1.0
 */
public record ObjectKey(Kind kind, String namespace, String name) implements Comparable<ObjectKey> {
    public ObjectKey {
        Objects.requireNonNull(kind, "kind");
        if (!kind.namespaced()) {
            namespace = "";
        }
        if (name.isEmpty()) {
            throw new IllegalArgumentException(kind.apiName() + " without a name");
        }
    }

    public static ObjectKey pod(String namespace, String name) {
        return new ObjectKey(Kind.POD, namespace, name);
    }

    public static ObjectKey node(String name) {
        return new ObjectKey(Kind.NODE, "", name);
    }

    public static ObjectKey volume(String name) {
        return new ObjectKey(Kind.PERSISTENT_VOLUME, "", name);
    }

    public static ObjectKey claim(String namespace, String name) {
        return new ObjectKey(Kind.PERSISTENT_VOLUME_CLAIM, namespace, name);
    }

    public static ObjectKey storageClass(String name) {
        return new ObjectKey(Kind.STORAGE_CLASS, "", name);
    }

    public static ObjectKey lease(String namespace, String name) {
        return new ObjectKey(Kind.LEASE, namespace, name);
    }

    public static ObjectKey attachment(String name) {
        return new ObjectKey(Kind.VOLUME_ATTACHMENT, "", name);
    }

    @Override
    public int compareTo(ObjectKey other) {
        int byKind = kind.compareTo(other.kind);
        if (byKind != 0) {
            return byKind;
        }
        int byNamespace = namespace.compareTo(other.namespace);
        return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
    }

    // Written out, because every look into a world asks these: what a record gets by itself goes through method
    // handles.

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ObjectKey key
                && kind == key.kind
                && name.equals(key.name)
                && namespace.equals(key.namespace);
    }

    @Override
    public int hashCode() {
        return (kind.name().hashCode() * 31 + namespace.hashCode()) * 31 + name.hashCode();
    }

    /** {@code Kind/namespace/name}, as scenario files write it; a name that no object can have as {@link OneLine#name} shows it. */
    @Override
    public String toString() {
        return kind.apiName() + "/" + OneLine.name(namespace) + "/" + OneLine.name(name);
    }
}
