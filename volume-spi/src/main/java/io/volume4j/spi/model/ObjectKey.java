package io.volume4j.spi.model;

import java.util.Comparator;
import java.util.Objects;

/**
 * The name of an object in a cluster: kind, namespace ({@code ""} for kinds without one) and name. A name may be given
 * to another object after a deletion; {@link ObjectMeta#uid()} tells the two apart.
 */
public record ObjectKey(Kind kind, String namespace, String name) implements Comparable<ObjectKey> {
    private static final Comparator<ObjectKey> ORDER = Comparator.comparing(ObjectKey::kind)
            .thenComparing(ObjectKey::namespace)
            .thenComparing(ObjectKey::name);

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

    public static ObjectKey attachment(String name) {
        return new ObjectKey(Kind.VOLUME_ATTACHMENT, "", name);
    }

    @Override
    public int compareTo(ObjectKey other) {
        return ORDER.compare(this, other);
    }

    /** {@code Kind/namespace/name}, as scenario files write it. */
    @Override
    public String toString() {
        return kind.apiName() + "/" + namespace + "/" + name;
    }
}
