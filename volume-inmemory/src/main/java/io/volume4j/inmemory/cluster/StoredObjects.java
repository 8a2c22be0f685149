package io.volume4j.inmemory.cluster;

import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Objects by their keys. Finding and changing an object uses a hash. The sorted order for lists is separate, and changes
 * only when an object is added or removed. Not thread-safe.
 */
final class StoredObjects {
    private final Map<ObjectKey, Place> places = new HashMap<>();
    private final Map<Kind, TreeMap<ObjectKey, Place>> sorted = new EnumMap<>(Kind.class);
    /** Cached lists of kinds without a change since. */
    private final Map<Kind, List<ApiObject>> lists = new EnumMap<>(Kind.class);

    private static final class Place {
        private ApiObject object;

        Place(ApiObject object) {
            this.object = object;
        }
    }

    @Nullable
    ApiObject get(ObjectKey key) {
        Place place = places.get(key);
        return place == null ? null : place.object;
    }

    void put(ApiObject object) {
        ObjectKey key = object.key();
        lists.remove(key.kind());
        Place place = places.get(key);
        if (place != null) {
            place.object = object;
            return;
        }
        Place made = new Place(object);
        places.put(key, made);
        sorted.computeIfAbsent(key.kind(), kind -> new TreeMap<>()).put(key, made);
    }

    void remove(ObjectKey key) {
        if (places.remove(key) != null) {
            lists.remove(key.kind());
            sorted.getOrDefault(key.kind(), new TreeMap<>()).remove(key);
        }
    }

    /** The objects of the kind, in order; the same list until one of them changes. */
    List<ApiObject> of(Kind kind) {
        List<ApiObject> known = lists.get(kind);
        if (known != null) {
            return known;
        }
        TreeMap<ObjectKey, Place> ofKind = sorted.get(kind);
        List<ApiObject> found = new ArrayList<>();
        if (ofKind != null) {
            for (Place place : ofKind.values()) {
                found.add(place.object);
            }
        }
        List<ApiObject> list = Collections.unmodifiableList(found);
        lists.put(kind, list);
        return list;
    }

    /** The matching objects of the kind, in order. */
    List<ApiObject> of(Kind kind, Predicate<ApiObject> wanted) {
        List<ApiObject> found = new ArrayList<>();
        for (ApiObject object : of(kind)) {
            if (wanted.test(object)) {
                found.add(object);
            }
        }
        return Collections.unmodifiableList(found);
    }

    /** All current objects, in order. */
    SortedMap<ObjectKey, ApiObject> copy() {
        SortedMap<ObjectKey, ApiObject> all = new TreeMap<>();
        sorted.values().forEach(kind -> kind.forEach((key, place) -> all.put(key, place.object)));
        return all;
    }
}
