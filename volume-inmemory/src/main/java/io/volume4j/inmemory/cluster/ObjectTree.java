package io.volume4j.inmemory.cluster;

import io.volume4j.core.codec.ManifestException;
import io.volume4j.core.codec.Manifests;
import io.volume4j.inmemory.schema.ObjectSchema;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A mutable manifest of an object. Belongs to one call. */
final class ObjectTree {
    /** The parts that do not change the generation. */
    private static final Set<String> APART = Set.of("status", "metadata");

    private static final Set<String> NOTHING = Set.of();

    private final Map<String, @Nullable Object> top;

    /** The initial object, null if unknown. */
    private final @Nullable ApiObject stored;

    /** The changed top-level fields; all others still contain their initial values. */
    private final List<String> touched = new ArrayList<>(2);

    private ObjectTree(Map<String, @Nullable Object> top, @Nullable ApiObject stored) {
        this.top = top;
        this.stored = stored;
    }

    /**
     * The manifest of the object.
     *
     * @throws ClusterException invalid
     */
    static ObjectTree of(ApiObject object) {
        try {
            return new ObjectTree(Manifests.toTree(object), null);
        } catch (ManifestException unwritable) {
            throw invalid(unwritable);
        }
    }

    /**
     * The manifest of an object from {@link #toObject()}: the tree from which it was read. Copies only what changes.
     */
    static ObjectTree ofStored(ApiObject object) {
        return new ObjectTree(new Draft(object.unmodeled().document()), object);
    }

    /** The same for comparisons; must not be changed. */
    static ObjectTree unchanged(ApiObject object) {
        return new ObjectTree(object.unmodeled().document(), object);
    }

    /**
     * The object that the manifest describes.
     *
     * @throws ClusterException invalid
     */
    ApiObject toObject() {
        try {
            return stored == null ? Manifests.fromTree(top) : Manifests.fromTree(top, stored);
        } catch (ManifestException unreadable) {
            throw invalid(unreadable);
        }
    }

    private static ClusterException invalid(ManifestException cause) {
        return new ClusterException(Reason.INVALID, String.valueOf(cause.getMessage()));
    }

    ObjectTree metadata(String field, @Nullable Object value) {
        touch("metadata");
        Map<String, @Nullable Object> metadata = childMap(top, "metadata");
        if (value == null) {
            metadata.remove(field);
        } else {
            metadata.put(field, value);
        }
        return this;
    }

    ObjectTree timestamp(String field, @Nullable Instant instant) {
        return metadata(field, instant == null ? null : text(instant));
    }

    /** In the format of Kubernetes, with whole seconds: {@code 2026-01-31T12:00:00Z}. */
    private static String text(Instant instant) {
        LocalDateTime time = LocalDateTime.ofEpochSecond(instant.getEpochSecond(), 0, ZoneOffset.UTC);
        if (time.getYear() < 1000 || time.getYear() > 9999) {
            return instant.truncatedTo(ChronoUnit.SECONDS).toString();
        }
        // A formatter takes many times as long, and each new object has a time.
        StringBuilder text = new StringBuilder(20).append(time.getYear());
        twoDigits(text.append('-'), time.getMonthValue());
        twoDigits(text.append('-'), time.getDayOfMonth());
        twoDigits(text.append('T'), time.getHour());
        twoDigits(text.append(':'), time.getMinute());
        twoDigits(text.append(':'), time.getSecond());
        return text.append('Z').toString();
    }

    private static void twoDigits(StringBuilder text, int number) {
        text.append((char) ('0' + number / 10)).append((char) ('0' + number % 10));
    }

    boolean hasFinalizers() {
        return top.get("metadata") instanceof Map<?, ?> metadata && !isNothing(metadata.get("finalizers"));
    }

    /** The problems of this manifest that a server would refuse; see {@link ObjectSchema#problems}. */
    List<String> problems(Kind kind) {
        return ObjectSchema.kubernetes().problems(kind, top);
    }

    /** The same of what changed in the stored object; nothing that is as it was is looked at. */
    List<String> problemsOfChanges(ApiObject old) {
        return ObjectSchema.kubernetes()
                .problems(old.kind(), top, old.unmodeled().document());
    }

    @Nullable
    Object get(String field) {
        return top.get(field);
    }

    ObjectTree put(String field, @Nullable Object value) {
        touch(field);
        if (value == null) {
            top.remove(field);
        } else {
            top.put(field, value);
        }
        return this;
    }

    void apply(FieldChange change) {
        touch(change.path().get(0));
        // Reading the object later copies the values of the change.
        change.applyTo(top, ObjectTree::own);
    }

    private static Map<String, @Nullable Object> own(Map<?, ?> map) {
        return map instanceof Draft draft ? draft : new Draft(map);
    }

    private void touch(String field) {
        if (!touched.contains(field)) {
            touched.add(field);
        }
    }

    /** Whether everything except status and metadata is equal, which determines the generation. */
    boolean sameSpec(ObjectTree other) {
        return same(other, APART);
    }

    boolean same(ObjectTree other) {
        return same(other, NOTHING);
    }

    private boolean same(ObjectTree other, Set<String> apart) {
        if (stored == null || stored != other.stored || !other.touched.isEmpty()) {
            return sameFields(top, other.top, apart);
        }
        for (String field : touched) {
            if (!apart.contains(field) && !same(top.get(field), other.top.get(field))) {
                return false;
            }
        }
        return true;
    }

    /** Equality that ignores the types of numbers, and treats empty values as absent. */
    static boolean same(@Nullable Object left, @Nullable Object right) {
        if (left == right) {
            return true;
        }
        if (isNothing(left) || isNothing(right)) {
            return isNothing(left) && isNothing(right);
        }
        if (left instanceof Map<?, ?> leftMap && right instanceof Map<?, ?> rightMap) {
            return sameFields(leftMap, rightMap, NOTHING);
        }
        if (left instanceof List<?> leftList && right instanceof List<?> rightList) {
            if (leftList.size() != rightList.size()) {
                return false;
            }
            for (int i = 0; i < leftList.size(); i++) {
                if (!same(leftList.get(i), rightList.get(i))) {
                    return false;
                }
            }
            return true;
        }
        if (left instanceof Number leftNumber && right instanceof Number rightNumber) {
            return new BigDecimal(leftNumber.toString()).compareTo(new BigDecimal(rightNumber.toString())) == 0;
        }
        return Objects.equals(left, right);
    }

    /** Whether the fields of the two maps are equal, except the excluded ones. */
    private static boolean sameFields(Map<?, ?> left, Map<?, ?> right, Set<String> apart) {
        for (Map.Entry<?, ?> field : left.entrySet()) {
            if (!apart.contains(String.valueOf(field.getKey())) && !same(field.getValue(), right.get(field.getKey()))) {
                return false;
            }
        }
        for (Map.Entry<?, ?> field : right.entrySet()) {
            boolean more = !left.containsKey(field.getKey()) && !apart.contains(String.valueOf(field.getKey()));
            if (more && !isNothing(field.getValue())) {
                return false;
            }
        }
        return true;
    }

    private static boolean isNothing(@Nullable Object value) {
        return value == null
                || (value instanceof Map<?, ?> map && map.isEmpty())
                || (value instanceof List<?> list && list.isEmpty());
    }

    /** The child as a map of this tree; its values are shared until a caller changes them. */
    private static Map<String, @Nullable Object> childMap(Map<String, @Nullable Object> parent, String name) {
        Object child = parent.get(name);
        if (child instanceof Draft draft) {
            return draft;
        }
        if (child != null && !(child instanceof Map)) {
            throw new ClusterException(
                    Reason.INVALID, "a patch goes through " + name + ", which is not a map of fields");
        }
        Draft copy = new Draft(child instanceof Map<?, ?> map ? map : Map.of());
        parent.put(name, copy);
        return copy;
    }
}
