package io.volume4j.inmemory.cluster;

import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.ClusterSource.Listing;
import io.volume4j.spi.host.ClusterSource.WatchListener;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import java.time.InstantSource;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The objects and their revisions. Thread-safe; listeners are called without the lock. */
final class ObjectStore {
    private final InstantSource clock;
    private final Supplier<String> uids;
    private final WatchBoard watches;
    private final StoredObjects objects = new StoredObjects();
    /** Written only under the lock. */
    private volatile long revision;

    ObjectStore(InstantSource clock, Supplier<String> uids, WatchBoard watches, long revision) {
        this.clock = clock;
        this.uids = uids;
        this.watches = watches;
        this.revision = revision;
    }

    /** @param behind age of the answer in changes; limited by the history */
    synchronized Listing list(Kind kind, Selection selection, int behind) {
        Predicate<ApiObject> wanted = object -> Change.wanted(object, selection);
        if (behind == 0) {
            return new Listing(objects.of(kind, wanted), Long.toString(revision));
        }
        SortedMap<ObjectKey, ApiObject> then = objects.copy();
        long at = revision;
        for (Change change : watches.newest(behind)) {
            change.undo(then);
            at = change.revision() - 1;
        }
        List<ApiObject> found = then.values().stream()
                .filter(object -> object.kind() == kind)
                .filter(wanted)
                .toList();
        return new Listing(found, Long.toString(at));
    }

    ClusterWatch watch(Kind kind, Selection selection, String from, WatchListener listener) {
        ClusterWatch watch = watches.open(kind, selection, parse(from), listener);
        watch.deliver();
        return watch;
    }

    /** Under the lock, so that no watch gets a revision before its change. */
    void bookmark() {
        List<ClusterWatch> told;
        synchronized (this) {
            told = watches.offerAll(WatchEvent.bookmark(revision()));
        }
        told.forEach(ClusterWatch::deliver);
    }

    synchronized Optional<ApiObject> get(ObjectKey key) {
        return Optional.ofNullable(objects.get(key));
    }

    synchronized List<ApiObject> all(Kind kind) {
        return objects.of(kind);
    }

    synchronized SortedMap<ObjectKey, ApiObject> snapshot() {
        return Collections.unmodifiableSortedMap(objects.copy());
    }

    String revision() {
        return Long.toString(revision);
    }

    /** Ignores the UID of a new object, and the status of all but nodes, as an API server does. */
    ApiObject create(ApiObject object) {
        Outcome outcome;
        synchronized (this) {
            String what = "create " + describe(object);
            PatchRules.requireNamespace(what, object);
            if (!object.metadata().resourceVersion().isEmpty()) {
                throw InMemoryCluster.invalid(what + ": a new object has no revision");
            }
            if (objects.get(object.key()) != null) {
                throw new ClusterException(Reason.ALREADY_EXISTS, what + ": it is there already");
            }
            ObjectTree tree = ObjectTree.of(object);
            PatchRules.requireShape(() -> what, tree.problems(object.kind()));
            PatchRules.requireShape(() -> what, ServerRules.problems(object));
            if (object.kind() != Kind.NODE) {
                tree.put("status", initialStatus(object.kind()));
            }
            tree.metadata("uid", null)
                    .metadata("generation", null)
                    .metadata("creationTimestamp", null)
                    .metadata("deletionTimestamp", null);
            ApiObject made = tree.toObject();
            outcome = add(ObjectTree.ofStored(made), made.metadata());
        }
        return outcome.told();
    }

    ApiObject apply(ApiObject given) {
        ObjectTree tree = ObjectTree.of(given).metadata("resourceVersion", null);
        ObjectKey key = given.key();
        if (given.kind().namespaced() && key.namespace().isEmpty()) {
            tree.metadata("namespace", "default");
            key = new ObjectKey(key.kind(), "default", key.name());
        }
        Outcome outcome;
        synchronized (this) {
            ApiObject old = objects.get(key);
            outcome = old == null ? add(tree, given.metadata()) : replace(old, tree);
        }
        return outcome.told();
    }

    ApiObject patch(ObjectKey key, Patch patch) {
        Outcome outcome;
        synchronized (this) {
            Supplier<String> what = () -> "patch " + key;
            ApiObject old = require(what, key);
            PatchRules.requireHeld(what, patch.preconditions(), old.metadata());
            PatchRules.requireAllowed(what, patch);
            PatchRules.requireShape(what, ServerRules.problems(old, patch));
            ObjectTree tree = ObjectTree.ofStored(old);
            patch.changes().forEach(tree::apply);
            requireShape(what, old, tree);
            PatchRules.requireShape(what, ServerRules.problems(old, patch, tree));
            outcome = update(old, tree);
        }
        return outcome.told();
    }

    /** A patch is refused for its own errors, not for those of the stored object. */
    private static void requireShape(Supplier<String> what, ApiObject old, ObjectTree tree) {
        List<String> problems = tree.problemsOfChanges(old);
        if (!problems.isEmpty()) {
            List<String> before = ObjectTree.unchanged(old).problems(old.kind());
            PatchRules.requireShape(
                    what,
                    problems.stream().filter(each -> !before.contains(each)).toList());
        }
    }

    ApiObject delete(ObjectKey key, Preconditions preconditions) {
        Outcome outcome;
        synchronized (this) {
            Supplier<String> what = () -> "delete " + key;
            ApiObject old = require(what, key);
            PatchRules.requireHeld(what, preconditions, old.metadata());
            if (old.metadata().finalizers().isEmpty()) {
                outcome = drop(old, old);
            } else if (old.metadata().deleting()) {
                outcome = new Outcome(old, List.of());
            } else {
                outcome = store(old, ObjectTree.of(old).timestamp("deletionTimestamp", clock.instant()));
            }
        }
        return outcome.told();
    }

    private Outcome add(ObjectTree tree, ObjectMeta meta) {
        if (meta.uid().isEmpty()) {
            tree.metadata("uid", uids.get());
        }
        if (meta.generation() == 0) {
            tree.metadata("generation", 1L);
        }
        if (meta.creationTimestamp() == null) {
            tree.timestamp("creationTimestamp", clock.instant());
        }
        return store(null, tree);
    }

    private Outcome replace(ApiObject old, ObjectTree tree) {
        ObjectMeta meta = old.metadata();
        if (tree.get("status") == null) {
            tree.put("status", ObjectTree.unchanged(old).get("status"));
        }
        tree.metadata("uid", meta.uid())
                .metadata("resourceVersion", meta.resourceVersion())
                .metadata("generation", meta.generation())
                .timestamp("creationTimestamp", meta.creationTimestamp());
        if (meta.deletionTimestamp() != null) {
            tree.timestamp("deletionTimestamp", meta.deletionTimestamp());
        }
        return update(old, tree);
    }

    private Outcome update(ApiObject old, ObjectTree after) {
        ObjectTree before = ObjectTree.unchanged(old);
        if (after.same(before)) {
            after.toObject();
            return new Outcome(old, List.of());
        }
        if (!after.sameSpec(before)) {
            after.metadata("generation", old.metadata().generation() + 1);
        }
        boolean lastFinalizerWent = !old.metadata().finalizers().isEmpty() && !after.hasFinalizers();
        if (old.metadata().deleting() && lastFinalizerWent) {
            // As an API server, answers with the object as it was before.
            return new Outcome(old, drop(old, after.toObject()).watches());
        }
        return store(old, after);
    }

    private Outcome store(@Nullable ApiObject old, ObjectTree tree) {
        // Fallible steps come first, so that a refused write has no effect.
        long next = revision + 1;
        ApiObject stored = tree.metadata("resourceVersion", Long.toString(next)).toObject();
        revision = next;
        objects.put(stored);
        return new Outcome(stored, watches.publish(Change.stored(next, old, stored)));
    }

    private Outcome drop(ApiObject old, ApiObject last) {
        long next = revision + 1;
        revision = next;
        objects.remove(old.key());
        return new Outcome(last, watches.publish(Change.gone(next, old, last)));
    }

    private ApiObject require(Supplier<String> what, ObjectKey key) {
        ApiObject object = objects.get(key);
        if (object == null) {
            throw PatchRules.notFound(what.get(), key);
        }
        return object;
    }

    /** The status that an API server sets in new objects. */
    private static @Nullable Map<String, @Nullable Object> initialStatus(Kind kind) {
        return switch (kind) {
            case POD, PERSISTENT_VOLUME, PERSISTENT_VOLUME_CLAIM -> {
                Map<String, @Nullable Object> status = new LinkedHashMap<>();
                status.put("phase", "Pending");
                yield status;
            }
            case VOLUME_ATTACHMENT -> {
                Map<String, @Nullable Object> status = new LinkedHashMap<>();
                status.put("attached", false);
                yield status;
            }
            default -> null;
        };
    }

    private static String describe(ApiObject object) {
        return object.kind().apiName() + " " + object.metadata().namespace() + "/"
                + object.metadata().name();
    }

    private static long parse(String revision) {
        try {
            return Long.parseLong(revision);
        } catch (NumberFormatException foreign) {
            throw InMemoryCluster.invalid("not a revision of this cluster: \"" + revision + "\"");
        }
    }

    /** The object, and the watches to notify without the lock. */
    private record Outcome(ApiObject object, List<ClusterWatch> watches) {
        ApiObject told() {
            watches.forEach(ClusterWatch::deliver);
            return object;
        }
    }
}
