package io.volume4j.examples.etcd;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.etcd.jetcd.ByteSequence;
import io.volume4j.core.codec.ManifestException;
import io.volume4j.core.codec.Manifests;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectMeta;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The rules of an API server for stored objects, as pure functions: which fields belong to the store, what a patch may
 * change, when the generation grows, and when a deleted object is removed. The values in etcd are JSON without the revision,
 * because etcd itself provides it.
 */
final class StoredObjects {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final TypeReference<LinkedHashMap<String, @Nullable Object>> TREE = new TypeReference<>() {};

    private StoredObjects() {}

    /** The stored value of a tree. */
    static ByteSequence write(Map<String, @Nullable Object> tree) {
        metadata(tree).remove("resourceVersion");
        try {
            return ByteSequence.from(JSON.writeValueAsBytes(tree));
        } catch (JsonProcessingException unwritable) {
            throw invalid("no JSON can be made of the object: " + unwritable.getOriginalMessage());
        }
    }

    /**
     * The object of a stored value.
     *
     * @param revision etcd's modification revision
     */
    static ApiObject read(ByteSequence key, ByteSequence value, long revision) {
        Map<String, @Nullable Object> tree = tree(key, value);
        metadata(tree).put("resourceVersion", Long.toString(revision));
        try {
            return Manifests.fromTree(tree);
        } catch (ManifestException unreadable) {
            throw new ClusterException(
                    Reason.UNAVAILABLE,
                    "what etcd has at " + EtcdKeys.text(key) + " is no object that can be read: "
                            + unreadable.getMessage());
        }
    }

    static Map<String, @Nullable Object> tree(ByteSequence key, ByteSequence value) {
        try {
            return JSON.readValue(value.toString(StandardCharsets.UTF_8), TREE);
        } catch (JsonProcessingException unreadable) {
            throw new ClusterException(
                    Reason.UNAVAILABLE,
                    "what etcd has at " + EtcdKeys.text(key) + " is no JSON: " + unreadable.getOriginalMessage());
        }
    }

    /**
     * The tree of a new object.
     *
     * @throws ClusterException invalid
     */
    static Map<String, @Nullable Object> created(ApiObject object, String uid, Instant now) {
        ObjectMeta meta = object.metadata();
        if (object.kind().namespaced() && meta.namespace().isEmpty()) {
            throw invalid("a " + object.kind().apiName() + " lives in a namespace");
        }
        if (meta.name().isEmpty()
                || meta.name().contains("/")
                || meta.namespace().contains("/")) {
            throw invalid("\"" + meta.name() + "\" is no name of an object");
        }
        if (!meta.resourceVersion().isEmpty()) {
            throw invalid("a new object has no revision");
        }
        Map<String, @Nullable Object> tree = copy(treeOf(object));
        tree.remove("status");
        if (List.of(Kind.POD, Kind.PERSISTENT_VOLUME, Kind.PERSISTENT_VOLUME_CLAIM)
                .contains(object.kind())) {
            tree.put("status", new LinkedHashMap<>(Map.of("phase", "Pending")));
        }
        Map<String, @Nullable Object> metadata = metadata(tree);
        metadata.put("uid", meta.uid().isEmpty() ? uid : meta.uid());
        metadata.put("generation", 1);
        metadata.put("creationTimestamp", text(now));
        metadata.remove("deletionTimestamp");
        requireReadable(tree);
        return tree;
    }

    /**
     * The tree after a patch; equal to the one before if the patch changes nothing.
     *
     * @throws ClusterException invalid, if the patch changes a field of the store, changes the status together with other fields, or
     *     results in an object that cannot be read
     */
    static Map<String, @Nullable Object> patched(Map<String, @Nullable Object> before, Patch patch) {
        patch.refusal().ifPresent(why -> {
            throw invalid(why);
        });
        Map<String, @Nullable Object> after = copy(patch.applyTo(before));
        if (after.equals(before)) {
            return before;
        }
        if (!withoutApart(after).equals(withoutApart(before))) {
            Object generation = metadata(before).get("generation");
            metadata(after).put("generation", (generation instanceof Number number ? number.longValue() : 0) + 1);
        }
        requireReadable(after);
        return after;
    }

    /** The tree with the deletion mark. */
    static Map<String, @Nullable Object> marked(Map<String, @Nullable Object> before, Instant now) {
        Map<String, @Nullable Object> after = copy(before);
        metadata(after).putIfAbsent("deletionTimestamp", text(now));
        return after;
    }

    static boolean deleting(Map<String, @Nullable Object> tree) {
        return metadata(tree).get("deletionTimestamp") != null;
    }

    static boolean hasFinalizers(Map<String, @Nullable Object> tree) {
        return metadata(tree).get("finalizers") instanceof List<?> finalizers && !finalizers.isEmpty();
    }

    /** @throws ClusterException conflict, if a precondition does not hold */
    static void requireHeld(Preconditions wanted, Map<String, @Nullable Object> actual, long revision) {
        String uid = String.valueOf(metadata(actual).get("uid"));
        if (!wanted.uid().isEmpty() && !wanted.uid().equals(uid)) {
            throw new ClusterException(Reason.CONFLICT, "the object has UID " + uid + ", expected was " + wanted.uid());
        }
        if (!wanted.resourceVersion().isEmpty() && !wanted.resourceVersion().equals(Long.toString(revision))) {
            throw new ClusterException(
                    Reason.CONFLICT,
                    "the object is at revision " + revision + ", expected was " + wanted.resourceVersion());
        }
    }

    private static Map<String, @Nullable Object> withoutApart(Map<String, @Nullable Object> tree) {
        Map<String, @Nullable Object> rest = new LinkedHashMap<>(tree);
        rest.remove("status");
        rest.remove("metadata");
        return rest;
    }

    private static void requireReadable(Map<String, @Nullable Object> tree) {
        try {
            Manifests.fromTree(tree);
        } catch (ManifestException unreadable) {
            throw invalid(String.valueOf(unreadable.getMessage()));
        }
    }

    private static Map<String, @Nullable Object> treeOf(ApiObject object) {
        try {
            return Manifests.toTree(object);
        } catch (ManifestException unwritable) {
            throw invalid(String.valueOf(unwritable.getMessage()));
        }
    }

    private static Map<String, @Nullable Object> metadata(Map<String, @Nullable Object> tree) {
        return map(Objects.requireNonNull(
                tree.computeIfAbsent("metadata", missing -> new LinkedHashMap<String, @Nullable Object>())));
    }

    /** A copy with the types that a read returns, so that unchanged trees are equal. */
    private static Map<String, @Nullable Object> copy(Map<String, @Nullable Object> tree) {
        return map(Objects.requireNonNull(plain(tree)));
    }

    private static Object plain(Object value) {
        try {
            return JSON.readValue(JSON.writeValueAsString(value), Object.class);
        } catch (JsonProcessingException unwritable) {
            throw invalid("no JSON can be made of " + value.getClass().getSimpleName() + ": "
                    + unwritable.getOriginalMessage());
        }
    }

    @SuppressWarnings("unchecked") // all keys in JSON are texts
    private static Map<String, @Nullable Object> map(Object value) {
        return (Map<String, @Nullable Object>) value;
    }

    private static String text(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static ClusterException invalid(String message) {
        return new ClusterException(Reason.INVALID, message);
    }
}
