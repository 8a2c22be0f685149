package io.volume4j.spi.model;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of an object.
 *
 * @param uid unique identifier, never reused; {@code ""} before the object is stored
 * @param resourceVersion revision of the stored object; only the source that returned it can compare it
 * @param deletionTimestamp when deletion was requested, null if it was not; the object exists until it has no
 *     finalizers
 * @since 0.1.0
 */
public record ObjectMeta(
        String name,
        String namespace,
        String uid,
        String resourceVersion,
        long generation,
        Map<String, String> labels,
        Map<String, String> annotations,
        List<String> finalizers,
        List<OwnerReference> ownerReferences,
        @Nullable Instant creationTimestamp,
        @Nullable Instant deletionTimestamp) {

    public ObjectMeta {
        name = Copies.text(name);
        namespace = Copies.text(namespace);
        uid = Copies.text(uid);
        resourceVersion = Copies.text(resourceVersion);
        labels = Copies.map(labels);
        annotations = Copies.map(annotations);
        finalizers = Copies.list(finalizers);
        ownerReferences = Copies.list(ownerReferences);
    }

    /** Metadata of a new object that is not stored yet. */
    public static ObjectMeta named(String namespace, String name) {
        return builder(namespace, name).build();
    }

    public boolean deleting() {
        return deletionTimestamp != null;
    }

    /** The value of the annotation, {@code ""} if there is none. */
    public String annotation(String key) {
        return annotations.getOrDefault(key, "");
    }

    public ObjectMeta withUid(String value) {
        return toBuilder().uid(value).build();
    }

    public ObjectMeta withLabels(Map<String, String> values) {
        return toBuilder().labels(values).build();
    }

    public ObjectMeta withAnnotation(String key, String value) {
        Map<String, String> more = new LinkedHashMap<>(annotations);
        more.put(key, value);
        return toBuilder().annotations(more).build();
    }

    public ObjectMeta withFinalizers(List<String> values) {
        return toBuilder().finalizers(values).build();
    }

    /** A builder for the metadata of a new object. The namespace is {@code ""} for kinds without namespaces. */
    public static Builder builder(String namespace, String name) {
        return new Builder(namespace, name);
    }

    /** A builder that starts with the values of this object. */
    public Builder toBuilder() {
        Builder builder = new Builder(namespace, name);
        builder.uid = uid;
        builder.resourceVersion = resourceVersion;
        builder.generation = generation;
        builder.labels = labels;
        builder.annotations = annotations;
        builder.finalizers = finalizers;
        builder.ownerReferences = ownerReferences;
        builder.creationTimestamp = creationTimestamp;
        builder.deletionTimestamp = deletionTimestamp;
        return builder;
    }

    /** Builds a {@link ObjectMeta}. Fields that later versions add have defaults here. Not thread-safe. */
    public static final class Builder {
        private String name;
        private String namespace;
        private String uid = "";
        private String resourceVersion = "";
        private long generation;
        private Map<String, String> labels = Map.of();
        private Map<String, String> annotations = Map.of();
        private List<String> finalizers = List.of();
        private List<OwnerReference> ownerReferences = List.of();
        private @Nullable Instant creationTimestamp;
        private @Nullable Instant deletionTimestamp;

        private Builder(String namespace, String name) {
            this.name = name;
            this.namespace = namespace;
        }

        public Builder name(String value) {
            name = value;
            return this;
        }

        public Builder namespace(String value) {
            namespace = value;
            return this;
        }

        public Builder uid(String value) {
            uid = value;
            return this;
        }

        public Builder resourceVersion(String value) {
            resourceVersion = value;
            return this;
        }

        public Builder generation(long value) {
            generation = value;
            return this;
        }

        public Builder labels(Map<String, String> value) {
            labels = value;
            return this;
        }

        public Builder annotations(Map<String, String> value) {
            annotations = value;
            return this;
        }

        public Builder finalizers(List<String> value) {
            finalizers = value;
            return this;
        }

        public Builder ownerReferences(List<OwnerReference> value) {
            ownerReferences = value;
            return this;
        }

        public Builder creationTimestamp(@Nullable Instant value) {
            creationTimestamp = value;
            return this;
        }

        public Builder deletionTimestamp(@Nullable Instant value) {
            deletionTimestamp = value;
            return this;
        }

        public ObjectMeta build() {
            return new ObjectMeta(
                    name,
                    namespace,
                    uid,
                    resourceVersion,
                    generation,
                    labels,
                    annotations,
                    finalizers,
                    ownerReferences,
                    creationTimestamp,
                    deletionTimestamp);
        }
    }
}
