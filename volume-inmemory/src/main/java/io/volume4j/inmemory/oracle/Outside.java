package io.volume4j.inmemory.oracle;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The oracle's own model of the external state: the users of each volume, from the observed effects. Independent of the
 * fakes that have the effects, so that an error in one shows as a difference.
 */
final class Outside {
    /** The state of one volume. */
    static final class Held {
        final TreeSet<String> attachedTo = new TreeSet<>();
        /**
         * Nodes from which it was detached while they were cut off and running: they may notice it only at their next
         * call.
         */
        final TreeSet<String> takenFrom = new TreeSet<>();

        final TreeSet<String> stagedOn = new TreeSet<>();
        final TreeMap<String, TreeSet<String>> pods = new TreeMap<>();

        /** Must not be changed. */
        Set<String> podsOn(String node) {
            Set<String> there = pods.get(node);
            return there == null ? Set.of() : there;
        }

        boolean usedOn(String node) {
            return stagedOn.contains(node) || !podsOn(node).isEmpty();
        }
    }

    private final TreeMap<String, Held> volumes = new TreeMap<>();
    private final TreeSet<String> fenced = new TreeSet<>();
    private final TreeMap<Long, CallRecord> underWay = new TreeMap<>();
    /** The cached holdings, null after a change. */
    private @Nullable List<String> holdings;

    Held of(String volume) {
        return volumes.computeIfAbsent(volume, unused -> new Held());
    }

    void issued(CallRecord call) {
        underWay.put(call.number(), call);
    }

    /** The running calls of the process. */
    long underWay(String process) {
        long calls = 0;
        for (CallRecord call : underWay.values()) {
            calls += call.process().equals(process) ? 1 : 0;
        }
        return calls;
    }

    void ended(CallRecord call) {
        underWay.remove(call.number());
    }

    void effected(CallRecord call) {
        holdings = null;
        Held held = of(call.volume());
        switch (call.call()) {
            case "attach" -> {
                held.attachedTo.add(call.node());
                held.takenFrom.remove(call.node());
            }
            case "detach" -> {
                held.attachedTo.remove(call.node());
                if (fenced(call.node())) {
                    held.takenFrom.add(call.node());
                }
            }
            case "mountDevice", "mapDevice" -> held.stagedOn.add(call.node());
            case "unmountDevice", "unmapDevice" -> held.stagedOn.remove(call.node());
            case "mount", "mapPod" ->
                held.pods
                        .computeIfAbsent(call.node(), unused -> new TreeSet<>())
                        .add(call.podUid());
            case "unmount", "unmapPod" ->
                held.pods
                        .computeIfAbsent(call.node(), unused -> new TreeSet<>())
                        .remove(call.podUid());
            case "delete" -> volumes.remove(call.volume());
            default -> {}
        }
    }

    void rebooted(String node) {
        holdings = null;
        for (Held held : volumes.values()) {
            held.stagedOn.remove(node);
            held.pods.remove(node);
        }
    }

    void fence(String node, boolean isFenced) {
        if (isFenced) {
            fenced.add(node);
        } else {
            fenced.remove(node);
        }
    }

    boolean fenced(String node) {
        return fenced.contains(node);
    }

    void processDied(String process) {
        underWay.values().removeIf(call -> call.process().equals(process));
        volumes.values().forEach(held -> held.takenFrom.remove(process));
    }

    /** The current uses, one line each; must not be changed. */
    List<String> holdings() {
        if (holdings == null) {
            List<String> found = new ArrayList<>();
            volumes.forEach((volume, held) -> {
                held.attachedTo.forEach(node -> found.add("attached " + volume + " " + node));
                held.stagedOn.forEach(node -> found.add("device mounted " + volume + " " + node));
                held.pods.forEach(
                        (node, pods) -> pods.forEach(pod -> found.add("mounted " + volume + " " + node + " " + pod)));
            });
            holdings = Collections.unmodifiableList(found);
        }
        return holdings;
    }

    /** A live view; must not be iterated while volumes are added. */
    Set<String> volumes() {
        return Collections.unmodifiableSet(volumes.keySet());
    }

    long attachedTo(String node) {
        long attached = 0;
        for (Held held : volumes.values()) {
            attached += held.attachedTo.contains(node) ? 1 : 0;
        }
        return attached;
    }
}
