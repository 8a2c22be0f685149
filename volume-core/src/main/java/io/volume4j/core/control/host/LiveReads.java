package io.volume4j.core.control.host;

import io.volume4j.core.control.host.ClusterWork.Look.At;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The objects that wait for a read of the store, and the results of the reads. A read serves exactly the objects that
 * asked before the read began. After a read the next one waits nine times as long as it took, but a minute at most. So reads
 * of less than 6.7 seconds take at most a tenth of the time. Loop thread only.
 */
public final class LiveReads {
    /** A read and the pause after it take ten times as long as the read. */
    private static final int PAUSES = 9;

    private static final long LONGEST_PAUSE = Duration.ofMinutes(1).toNanos();

    /** The requests and results for one kind of read. */
    private static final class Waiting {
        private final Map<String, Consumer<String>> asking = new LinkedHashMap<>();
        private final Map<String, Users> found = new HashMap<>();

        /** Loop time at which the next read may begin; null before the first read has ended. */
        private @Nullable Long next;
    }

    private final Map<At, Waiting> reads = new EnumMap<>(At.class);

    /** Requests the result of the next read for the object with this UID. */
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

    /** Stores the result of a read for the objects that asked before it began and still want it. */
    void found(At at, List<String> asked, Users users) {
        Waiting waiting = of(at);
        waiting.next = users.ended() + Math.min(PAUSES * (users.ended() - users.begun()), LONGEST_PAUSE);
        for (String uid : asked) {
            @Nullable Consumer<String> whenFound = waiting.asking.remove(uid);
            if (whenFound != null) {
                waiting.found.put(uid, users);
                whenFound.accept(uid);
            }
        }
    }

    /** When reads may begin, at this loop time. */
    ReadPace pace(long now) {
        ReadPace pace = ReadPace.FREE;
        for (Map.Entry<At, Waiting> read : reads.entrySet()) {
            @Nullable Long next = read.getValue().next;
            if (next != null && next - now > 0) {
                pace = pace.with(read.getKey(), next);
            }
        }
        return pace;
    }

    /** The result of the read for the object; null if there is none yet. */
    public @Nullable Users peek(At at, String uid) {
        return of(at).found.get(uid);
    }

    /** Returns the result like {@link #peek}, and removes it. */
    public @Nullable Users take(At at, String uid) {
        return of(at).found.remove(uid);
    }

    /** Cancels the object's request and removes its result. Returns whether there was a result. */
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
