package io.volume4j.inmemory.plugin;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The running calls of one owner, to detect calls that must not overlap. Thread-safe. */
final class Overlaps {
    private final Map<Key, Integer> running = new HashMap<>();

    /** What a call needs exclusively. */
    enum Scope {
        NOTHING,
        /** The backing volume: provision, delete, recycle, expand, modify. */
        VOLUME,
        /** The volume on one node: attach, detach. */
        ATTACHMENT,
        /** The part that all pods of the node share: no pod's call may run meanwhile. */
        DEVICE,
        /** The filesystem of the node. */
        GROWTH,
        /** The mount of one pod. */
        POD
    }

    /** Registers the call; returns whether a conflicting call runs. */
    synchronized boolean enter(Scope scope, String volume, String node, String pod) {
        boolean conflict = switch (scope) {
            case NOTHING -> false;
            case VOLUME, ATTACHMENT, GROWTH -> busy(own(scope, volume, node, pod));
            case DEVICE -> busy(own(scope, volume, node, pod)) || busy(pods(volume, node));
            case POD -> busy(own(scope, volume, node, pod)) || busy(own(Scope.DEVICE, volume, node, ""));
        };
        change(scope, volume, node, pod, 1);
        return conflict;
    }

    synchronized void leave(Scope scope, String volume, String node, String pod) {
        change(scope, volume, node, pod, -1);
    }

    private void change(Scope scope, String volume, String node, String pod, int by) {
        if (scope == Scope.NOTHING) {
            return;
        }
        add(own(scope, volume, node, pod), by);
        if (scope == Scope.POD) {
            add(pods(volume, node), by);
        }
    }

    private boolean busy(Key key) {
        return running.containsKey(key);
    }

    private void add(Key key, int by) {
        running.merge(key, by, (left, right) -> left + right == 0 ? null : left + right);
    }

    private static Key own(Scope scope, String volume, String node, String pod) {
        return switch (scope) {
            case VOLUME, NOTHING -> new Key(scope, volume, "", "");
            case ATTACHMENT, DEVICE, GROWTH -> new Key(scope, volume, node, "");
            case POD -> new Key(scope, volume, node, pod);
        };
    }

    /** All pods' calls for the volume on the node. */
    private static Key pods(String volume, String node) {
        return new Key(Scope.NOTHING, volume, node, "");
    }

    private record Key(Scope scope, String volume, String node, String pod) {
        // Written by hand for speed, because every call compares keys.

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key key
                    && scope == key.scope
                    && volume.equals(key.volume)
                    && node.equals(key.node)
                    && pod.equals(key.pod);
        }

        @Override
        public int hashCode() {
            return ((scope.hashCode() * 31 + volume.hashCode()) * 31 + node.hashCode()) * 31 + pod.hashCode();
        }
    }
}
