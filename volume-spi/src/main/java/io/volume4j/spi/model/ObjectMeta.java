package io.volume4j.spi.model;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What every object has.
 *
 * @param uid unique over time, unlike the name; {@code ""} before the object is stored
 * @param resourceVersion revision of the stored object, comparable only by the source that gave it
 * @param deletionTimestamp when deletion was asked for, null if it was not; the object stays while finalizers do
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

    /** Of a new object that no store has seen. */
    public static ObjectMeta named(String namespace, String name) {
        return new ObjectMeta(name, namespace, "", "", 0, Map.of(), Map.of(), List.of(), List.of(), null, null);
    }

    public boolean deleting() {
        return deletionTimestamp != null;
    }

    /** The annotation's value, {@code ""} where there is none. */
    public String annotation(String key) {
        return annotations.getOrDefault(key, "");
    }

    public ObjectMeta withUid(String value) {
        return new ObjectMeta(
                name,
                namespace,
                value,
                resourceVersion,
                generation,
                labels,
                annotations,
                finalizers,
                ownerReferences,
                creationTimestamp,
                deletionTimestamp);
    }

    public ObjectMeta withLabels(Map<String, String> values) {
        return new ObjectMeta(
                name,
                namespace,
                uid,
                resourceVersion,
                generation,
                values,
                annotations,
                finalizers,
                ownerReferences,
                creationTimestamp,
                deletionTimestamp);
    }

    public ObjectMeta withAnnotation(String key, String value) {
        Map<String, String> more = new LinkedHashMap<>(annotations);
        more.put(key, value);
        return new ObjectMeta(
                name,
                namespace,
                uid,
                resourceVersion,
                generation,
                labels,
                more,
                finalizers,
                ownerReferences,
                creationTimestamp,
                deletionTimestamp);
    }

    public ObjectMeta withFinalizers(List<String> values) {
        return new ObjectMeta(
                name,
                namespace,
                uid,
                resourceVersion,
                generation,
                labels,
                annotations,
                values,
                ownerReferences,
                creationTimestamp,
                deletionTimestamp);
    }
}
