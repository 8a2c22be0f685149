package io.volume4j.examples.quickstart;

import io.volume4j.core.codec.ManifestException;
import io.volume4j.core.codec.Manifests;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.mount.HostFiles;
import io.volume4j.spi.mount.RootedPath;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Takes the place of an API server: has objects with revisions, watches, and field patches with preconditions. Saves the objects to a
 * file before it acknowledges a write, so that a second run continues the first one. Watches get a change before the call that made it
 * returns. Thread-safe.
 */
final class SavedCluster implements ClusterSource, ClusterWriter {
    /** The name of the file below the root. */
    static final String FILE = "cluster.yaml";

    /** The largest file that a run reads and writes, in bytes. It has room for some ten thousand objects. */
    private static final int LARGEST = 64 << 20;

    /** New objects leave this part of the largest file to changes: what is there can be changed and deleted when nothing more fits. */
    private static final int PART_FOR_CHANGES = 16;

    /** How many changes a watch may be behind. A watch that is further behind expires. */
    private static final int REMEMBERED = 1_000;

    private final HostFiles files;
    private final RootedPath file;
    private final InstantSource clock;
    private final int largest;
    private final SortedMap<ObjectKey, ApiObject> objects = new TreeMap<>();
    private final Deque<WatchEvent> history = new ArrayDeque<>();
    private final List<Follower> followers = new CopyOnWriteArrayList<>();
    private long revision = 1;
    private long forgotten = 1;
    private boolean discarded;

    SavedCluster(HostFiles files, Path root, InstantSource clock) {
        this(files, root, clock, LARGEST);
    }

    /** @param largest the largest file that this run reads and writes, in bytes */
    SavedCluster(HostFiles files, Path root, InstantSource clock, int largest) {
        this.files = files;
        this.file = RootedPath.of(root, FILE);
        this.clock = clock;
        this.largest = largest;
    }

    /** Reads the objects that an earlier run saved. False if there are none. */
    synchronized boolean load() {
        String saved = files.read(file, largest)
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                .orElse("");
        for (ApiObject object : SavedText.read(file.toString(), saved)) {
            objects.put(object.key(), object);
            revision = Math.max(revision, revisionOf(object));
        }
        forgotten = revision;
        return !objects.isEmpty();
    }

    /** Creates the object if it does not exist. Does not change an existing object. */
    synchronized void createMissing(ApiObject object) {
        if (!objects.containsKey(object.key())) {
            create(object);
        }
    }

    /** Creates the object, or merges the manifest without its status into the existing object. True if the object is new. */
    synchronized boolean apply(ApiObject manifest) {
        ApiObject before = objects.get(manifest.key());
        if (before == null) {
            create(manifest);
            return true;
        }
        Map<String, @Nullable Object> wanted = Manifests.toTree(manifest);
        wanted.remove("status");
        Map<String, @Nullable Object> tree = Manifests.toTree(before);
        Object spec = tree.get("spec");
        overlay(tree, wanted);
        if (!read(tree).equals(before)) {
            if (!Objects.equals(spec, tree.get("spec"))) {
                set(tree, "generation", before.metadata().generation() + 1);
            }
            store(tree);
        }
        return false;
    }

    private static void overlay(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> wanted) {
        wanted.forEach((field, value) -> {
            if (value instanceof Map<?, ?> inner && tree.get(field) instanceof Map<?, ?> known) {
                Map<String, @Nullable Object> deeper = fields(known);
                overlay(deeper, fields(inner));
                tree.put(field, deeper);
            } else {
                tree.put(field, value);
            }
        });
    }

    private static Map<String, @Nullable Object> fields(Map<?, ?> map) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        map.forEach((field, value) -> fields.put(String.valueOf(field), value));
        return fields;
    }

    /** Completes when the object meets the condition. Fails if the object is deleted before. */
    CompletableFuture<ApiObject> when(ObjectKey key, Predicate<ApiObject> condition) {
        CompletableFuture<ApiObject> met = new CompletableFuture<>();
        follow(
                key,
                event -> {
                    if (event.type() == WatchEvent.Type.DELETED) {
                        met.completeExceptionally(VolumeException.finalFailure("it was deleted meanwhile"));
                    } else if (condition.test(event.requireObject())) {
                        met.complete(event.requireObject());
                    }
                },
                met);
        get(key).filter(condition).ifPresent(met::complete);
        return met;
    }

    /** Completes when the object does not exist. */
    CompletableFuture<ObjectKey> whenGone(ObjectKey key) {
        CompletableFuture<ObjectKey> gone = new CompletableFuture<>();
        follow(
                key,
                event -> {
                    if (event.type() == WatchEvent.Type.DELETED) {
                        gone.complete(key);
                    }
                },
                gone);
        if (get(key).isEmpty()) {
            gone.complete(key);
        }
        return gone;
    }

    /** Calls the listener for each change of the object until the future is done. */
    private void follow(ObjectKey key, Consumer<WatchEvent> listener, CompletableFuture<?> until) {
        Follower follower = new Follower(
                event -> {
                    if (event.requireObject().key().equals(key)) {
                        listener.accept(event);
                    }
                },
                key.kind(),
                Selection.all());
        followers.add(follower);
        var unused = until.whenComplete((done, failure) -> followers.remove(follower));
    }

    /** Deletes an object if it exists. */
    synchronized void remove(ObjectKey key) {
        if (objects.containsKey(key)) {
            delete(key, Preconditions.none());
        }
    }

    synchronized Optional<ApiObject> get(ObjectKey key) {
        return Optional.ofNullable(objects.get(key));
    }

    /** All objects of the kind, by name. */
    synchronized <T extends ApiObject> List<T> all(Kind kind, Class<T> type) {
        return objects.values().stream()
                .filter(object -> object.kind() == kind)
                .map(type::cast)
                .collect(Collectors.toCollection(ArrayList::new));
    }

    /** All objects. */
    synchronized List<ApiObject> all() {
        return List.copyOf(objects.values());
    }

    /** Deletes the file, because nothing is left for a later run. */
    synchronized void discard() {
        discarded = true;
        files.removeFile(file);
    }

    // Reads of the library

    @Override
    public synchronized Listing list(Kind kind, Selection selection) {
        return new Listing(
                objects.values().stream()
                        .filter(object -> selected(object, kind, selection))
                        .toList(),
                Long.toString(revision));
    }

    @Override
    public synchronized Watch watch(Kind kind, Selection selection, String since, WatchListener listener) {
        Follower follower = new Follower(listener::onEvent, kind, selection);
        long from = Long.parseLong(since);
        if (from < forgotten) {
            listener.onEvent(WatchEvent.expired());
            return () -> {};
        }
        history.stream()
                .filter(event -> Long.parseLong(event.revision()) > from)
                .forEach(follower::tell);
        followers.add(follower);
        return () -> {
            synchronized (this) {
                followers.remove(follower);
            }
        };
    }

    @Override
    public Optional<ApiObject> readLive(ObjectKey key) {
        return get(key);
    }

    private record Follower(Consumer<WatchEvent> listener, Kind kind, Selection selection) {
        void tell(WatchEvent event) {
            if (selected(event.requireObject(), kind, selection)) {
                listener.accept(event);
            }
        }
    }

    private static boolean selected(ApiObject object, Kind kind, Selection selection) {
        if (object.kind() != kind || selection.nodeName().isEmpty()) {
            return object.kind() == kind;
        }
        return object instanceof Pod pod
                ? pod.spec().nodeName().equals(selection.nodeName())
                : !(object instanceof Node) || object.metadata().name().equals(selection.nodeName());
    }

    // Writes of the library

    @Override
    public synchronized ApiObject create(ApiObject object) {
        if (objects.containsKey(object.key())) {
            throw new ClusterException(Reason.ALREADY_EXISTS, "create " + object.key() + ": it is there already");
        }
        Map<String, @Nullable Object> tree = Manifests.toTree(object);
        set(tree, "uid", UUID.randomUUID().toString());
        set(tree, "generation", 1L);
        set(tree, "creationTimestamp", clock.instant().toString());
        return store(tree, largest - largest / PART_FOR_CHANGES);
    }

    @Override
    public synchronized ApiObject patch(ObjectKey key, Patch patch) {
        ApiObject before = held(key, patch.preconditions());
        patch.refusal().ifPresent(why -> {
            throw new ClusterException(Reason.INVALID, "patch " + key + ": " + why);
        });
        Map<String, @Nullable Object> was = Manifests.toTree(before);
        Map<String, @Nullable Object> tree = patch.applyTo(was);
        if (read(tree).equals(before)) {
            return before;
        }
        if (!Objects.equals(was.get("spec"), tree.get("spec"))) {
            set(tree, "generation", before.metadata().generation() + 1);
        }
        ObjectMeta after = read(tree).metadata();
        return after.deleting() && after.finalizers().isEmpty() ? drop(key, tree) : store(tree);
    }

    @Override
    public synchronized void delete(ObjectKey key, Preconditions preconditions) {
        ApiObject before = held(key, preconditions);
        Map<String, @Nullable Object> tree = Manifests.toTree(before);
        if (before.metadata().finalizers().isEmpty()) {
            drop(key, tree);
        } else if (!before.metadata().deleting()) {
            set(tree, "deletionTimestamp", clock.instant().toString());
            store(tree);
        }
    }

    private ApiObject held(ObjectKey key, Preconditions wanted) {
        ApiObject stored = objects.get(key);
        if (stored == null) {
            throw new ClusterException(Reason.NOT_FOUND, "there is no " + key);
        }
        ObjectMeta meta = stored.metadata();
        boolean otherUid = !wanted.uid().isEmpty() && !wanted.uid().equals(meta.uid());
        boolean otherRevision =
                !wanted.resourceVersion().isEmpty() && !wanted.resourceVersion().equals(meta.resourceVersion());
        if (otherUid || otherRevision) {
            throw new ClusterException(Reason.CONFLICT, key + " is not as the caller knows it");
        }
        return stored;
    }

    private ApiObject store(Map<String, @Nullable Object> tree) {
        return store(tree, largest);
    }

    /** @param most the bytes that the file may have then */
    private ApiObject store(Map<String, @Nullable Object> tree, int most) {
        set(tree, "resourceVersion", Long.toString(revision + 1));
        ApiObject stored = read(tree);
        SavedText.requireReadable(stored);
        SortedMap<ObjectKey, ApiObject> next = new TreeMap<>(objects);
        next.put(stored.key(), stored);
        save(next, stored.key(), most);
        revision++;
        objects.put(stored.key(), stored);
        tell(WatchEvent.changed(stored));
        return stored;
    }

    private ApiObject drop(ObjectKey key, Map<String, @Nullable Object> tree) {
        set(tree, "resourceVersion", Long.toString(revision + 1));
        ApiObject last = read(tree);
        SortedMap<ObjectKey, ApiObject> next = new TreeMap<>(objects);
        next.remove(key);
        save(next, key, largest);
        revision++;
        objects.remove(key);
        tell(WatchEvent.deleted(last, Long.toString(revision)));
        return last;
    }

    private void tell(WatchEvent event) {
        history.add(event);
        if (history.size() > REMEMBERED) {
            forgotten = Long.parseLong(history.remove().revision());
        }
        followers.forEach(follower -> follower.tell(event));
    }

    /**
     * Saves the objects as they will be. A write after {@link #discard}, such as a last event, stays in this process only.
     *
     * @param changed the object that is not as it was
     * @throws ClusterException if a later run could not read the file; it stays as it was
     */
    private void save(SortedMap<ObjectKey, ApiObject> next, ObjectKey changed, int most) {
        if (discarded) {
            return;
        }
        byte[] content = SavedText.of(next.values()).getBytes(StandardCharsets.UTF_8);
        if (content.length > most) {
            throw new ClusterException(
                    Reason.INVALID,
                    "save " + changed + ": " + file + " would have " + content.length + " bytes, and " + most
                            + " are the most, so that a later run can read it; nothing was changed. Delete objects that no pod needs");
        }
        files.writeAtomically(file, content, 0600);
    }

    private static ApiObject read(Map<String, @Nullable Object> tree) {
        try {
            return Manifests.fromTree(tree);
        } catch (ManifestException unreadable) {
            throw new ClusterException(Reason.INVALID, String.valueOf(unreadable.getMessage()));
        }
    }

    /** Sets a field of the metadata that only the store may set. */
    private static void set(Map<String, @Nullable Object> tree, String field, Object value) {
        Map<String, @Nullable Object> metadata =
                tree.get("metadata") instanceof Map<?, ?> before ? fields(before) : new LinkedHashMap<>();
        metadata.put(field, value);
        tree.put("metadata", metadata);
    }

    private static long revisionOf(ApiObject object) {
        String text = object.metadata().resourceVersion();
        return text.isEmpty() ? 0 : Long.parseLong(text);
    }
}
