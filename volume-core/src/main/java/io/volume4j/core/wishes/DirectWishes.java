package io.volume4j.core.wishes;

import io.volume4j.core.objects.RestatedObjects;
import io.volume4j.core.worlds.PodVolumes;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The direct wishes of a host, as objects that can be listed and watched. Thread-safe. Calls listeners in the order
 * of changes, under its lock; they must return soon.
 */
public final class DirectWishes implements ClusterSource, RestatedObjects {
    private static final Pattern UID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

    /** Prefix of this source's revisions, which distinguishes them from a cluster's. */
    static final String PREFIX = "direct-";

    /** The number of deletions that are stored for a watch that begins after them. */
    private static final int REMEMBERED = 4096;

    private final String nodeName;
    private final Object monitor = new Object();
    private final Map<ObjectKey, ApiObject> objects = new LinkedHashMap<>();
    private final Map<String, PodVolumes> wishes = new LinkedHashMap<>();
    private final Map<String, Set<ObjectKey>> keys = new LinkedHashMap<>();
    private final Set<Listening> listening = new LinkedHashSet<>();
    private final Queue<WatchEvent> deletions = new ArrayDeque<>();
    private long revision = 1;
    private long forgotten;

    /** @param nodeName the node of all wishes */
    public DirectWishes(String nodeName) {
        this.nodeName = nodeName;
    }

    /**
     * States the volumes that the pod wants. Replaces the previous wish.
     *
     * @throws IllegalArgumentException if the UID cannot name a directory
     */
    public void put(String podUid, PodVolumes wish) {
        Objects.requireNonNull(podUid, "podUid is null: give the UID of the pod or job");
        Objects.requireNonNull(
                wish, () -> "the volumes of " + podUid + " are null: give PodVolumes, or call remove(podUid)");
        if (!UID.matcher(podUid).matches()) {
            throw new IllegalArgumentException(
                    "a pod's UID names its directories, so it must have 1 to 128 letters, digits,"
                            + " dots, dashes and underscores and begin with a letter or digit, not \"" + podUid + "\"");
        }
        synchronized (monitor) {
            if (wish.equals(wishes.get(podUid))) {
                return;
            }
            revision++;
            // Before anything is stored: a wish that this refuses must not count as stated.
            List<ApiObject> made = WishObjects.of(nodeName, podUid, wish, now());
            wishes.put(podUid, wish);
            Set<ObjectKey> before = keys.getOrDefault(podUid, Set.of());
            Set<ObjectKey> now = new LinkedHashSet<>();
            for (ApiObject object : made) {
                now.add(object.key());
                objects.put(object.key(), object);
                tell(object.kind(), WatchEvent.changed(object));
            }
            keys.put(podUid, now);
            before.stream().filter(key -> !now.contains(key)).forEach(this::delete);
        }
    }

    /** Removes the wish of the pod. Returns false if there was none. */
    public boolean remove(String podUid) {
        synchronized (monitor) {
            wishes.remove(podUid);
            Set<ObjectKey> gone = keys.remove(podUid);
            if (gone == null) {
                return false;
            }
            revision++;
            // The pod was created last and is deleted first: while it exists, its claims and volumes exist too.
            List<ObjectKey> order = new ArrayList<>(gone);
            for (int i = order.size() - 1; i >= 0; i--) {
                delete(order.get(i));
            }
            return true;
        }
    }

    private void delete(ObjectKey key) {
        ApiObject last = objects.remove(key);
        if (last != null) {
            WatchEvent deleted = WatchEvent.deleted(last, now());
            deletions.add(deleted);
            if (deletions.size() > REMEMBERED) {
                forgotten = number(deletions.remove().revision());
            }
            tell(key.kind(), deleted);
        }
    }

    private void tell(Kind kind, WatchEvent event) {
        for (Listening each : List.copyOf(listening)) {
            if (each.kind == kind) {
                each.listener.onEvent(event);
            }
        }
    }

    @Override
    public Listing list(Kind kind, Selection selection) {
        synchronized (monitor) {
            List<ApiObject> found = objects.values().stream()
                    .filter(object -> object.kind() == kind)
                    .toList();
            return new Listing(found, now());
        }
    }

    /** First reports the changes since that revision. */
    @Override
    public Watch watch(Kind kind, Selection selection, String from, WatchListener listener) {
        synchronized (monitor) {
            Listening watch = new Listening(kind, listener);
            long since = number(from);
            if (since < forgotten) {
                throw new ClusterException(
                        ClusterException.Reason.UNAVAILABLE, "too many direct wishes were removed since " + from);
            }
            // By revision, because an object may have returned after its deletion. The sort keeps the order of one
            // change.
            Stream.concat(
                            objects.values().stream()
                                    .filter(object -> object.kind() == kind)
                                    .map(WatchEvent::changed),
                            deletions.stream()
                                    .filter(gone -> gone.requireObject().kind() == kind))
                    .filter(event -> number(event.revision()) > since)
                    .sorted(Comparator.comparingLong(event -> number(event.revision())))
                    .forEach(listener::onEvent);
            listening.add(watch);
            return () -> {
                synchronized (monitor) {
                    listening.remove(watch);
                }
            };
        }
    }

    @Override
    public int compareRevisions(String left, String right) {
        return Long.compare(number(left), number(right));
    }

    private static long number(String revision) {
        return Long.parseLong(revision.substring(PREFIX.length()));
    }

    private String now() {
        return PREFIX + revision;
    }

    @Override
    public Optional<ApiObject> readLive(ObjectKey key) {
        synchronized (monitor) {
            return Optional.ofNullable(objects.get(key));
        }
    }

    /** A job may come back after its end. */
    @Override
    public boolean mayReturn(ObjectKey key) {
        return isOurs(key);
    }

    /** Whether the object can only be a direct wish. */
    static boolean isOurs(ObjectKey key) {
        return key.namespace().equals(WishObjects.NAMESPACE)
                || (key.kind() == Kind.PERSISTENT_VOLUME && key.name().startsWith(WishObjects.NAMESPACE + "."));
    }

    private record Listening(Kind kind, WatchListener listener) {}
}
