package io.volume4j.examples.agent.http;

import io.volume4j.core.codec.ManifestException;
import io.volume4j.core.codec.Manifests;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads objects from answers. An unreadable object makes the whole answer invalid: without the object the library would
 * consider it absent, and tear down its volume.
 */
final class ObjectReader {
    private ObjectReader() {}

    /**
     * The stored object of the kind; items of lists do not contain their kind.
     *
     * @throws ClusterException unavailable, if the tree is not such an object
     */
    static ApiObject read(String what, Kind kind, Map<String, @Nullable Object> tree) {
        return read(what, kind, "", tree);
    }

    /**
     * The same for an item of a list.
     *
     * @param apiVersion of the list, {@code ""} if it has none
     */
    static ApiObject read(String what, Kind kind, String apiVersion, Map<String, @Nullable Object> tree) {
        Map<String, @Nullable Object> whole = new LinkedHashMap<>();
        whole.put("apiVersion", apiVersion.isEmpty() ? kind.apiVersion() : apiVersion);
        whole.put("kind", kind.apiName());
        whole.putAll(tree);
        ApiObject object;
        try {
            object = Manifests.fromTree(whole);
        } catch (ManifestException unreadable) {
            throw unavailable(what, String.valueOf(unreadable.getMessage()));
        }
        ObjectMeta meta = object.metadata();
        if (object.kind() != kind
                || meta.uid().isEmpty()
                || meta.resourceVersion().isEmpty()) {
            throw unavailable(what, "the answer is no stored " + kind.apiName());
        }
        return object;
    }

    /** The same for the object with this key. */
    static ApiObject read(String what, ObjectKey key, Map<String, @Nullable Object> tree) {
        ApiObject object = read(what, key.kind(), tree);
        if (!object.key().equals(key)) {
            throw unavailable(what, "the answer is " + object.key());
        }
        return object;
    }

    static ClusterException unavailable(String what, String why) {
        return new ClusterException(Reason.UNAVAILABLE, what + ": " + why);
    }
}
