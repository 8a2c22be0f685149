package io.volume4j.core.control.host;

import io.volume4j.core.control.host.ClusterWork.Look.At;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Which objects wait for a read of the store, and what the reads found. A read serves all that asked before it began, and no other.
 * Loop thread only.
 */
public final class LiveReads {
    /** Of one kind of read. */
    private static final class Waiting {
        private final Map<String, Consumer<String>> asking = new LinkedHashMap<>();
        private final Map<String, Users> found = new HashMap<>();
    }

    private final Map<At, Waiting> reads = new EnumMap<>(At.class);

    /** The object of the UID waits for what the next read finds. */
    public void ask(At at, String uid) {
        ask(at, uid, found -> {});
    }

    /**
     * The same.
     *
     * @param whenFound gets the UID when the read has found something for it
     */
    public void ask(At at, String uid, Consumer<String> whenFound) {
        of(at).asking.put(uid, whenFound);
    }

    /** The objects that a read serves that begins now. */
    List<String> asking(At at) {
        return new ArrayList<>(of(at).asking.keySet());
    }

    /** What a read found, for those objects that asked before it began and still want it. */
    void found(At at, List<String> asked, Users users) {
        Waiting waiting = of(at);
        for (String uid : asked) {
            @Nullable Consumer<String> whenFound = waiting.asking.remove(uid);
            if (whenFound != null) {
                waiting.found.put(uid, users);
                whenFound.accept(uid);
            }
        }
    }

    /** What was found for the object; null if nothing was yet. */
    public @Nullable Users peek(At at, String uid) {
        return of(at).found.get(uid);
    }

    /** The same, once. */
    public @Nullable Users take(At at, String uid) {
        return of(at).found.remove(uid);
    }

    /** The object wants nothing any more. Returns whether something had been found for it. */
    public boolean forget(At at, String uid) {
        @Nullable Waiting waiting = reads.get(at);
        if (waiting == null || (waiting.asking.isEmpty() && waiting.found.isEmpty())) {
            return false;
        }
        waiting.asking.remove(uid);
        return waiting.found.remove(uid) != null;
    }

    void forget(String uid) {
        for (At at : At.values()) {
            forget(at, uid);
        }
    }

    private Waiting of(At at) {
        return reads.computeIfAbsent(at, a -> new Waiting());
    }
}
