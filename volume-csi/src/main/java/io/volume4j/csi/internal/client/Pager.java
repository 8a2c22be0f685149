package io.volume4j.csi.internal.client;

import io.grpc.Status.Code;
import io.volume4j.csi.internal.rpc.Advice;
import io.volume4j.csi.internal.transport.CallPhase;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * Reads a list page by page and handles drivers' faults. It restarts the list when a token became stale, and asks for
 * smaller pages when one is too large. It stops when tokens repeat or pages do not end. It asks for all entries at once
 * when a driver drops the rest without a token. It keeps one page at a time.
 */
final class Pager<E> {
    static final int PAGE_SIZE = 500;
    static final int MAX_RESTARTS = 3;
    static final int MAX_PAGES = 10_000;
    /** Limit for a caller that wants all entries in memory: some 100,000 ordinary volumes. */
    static final long MAX_KEPT_BYTES = 32L << 20;

    private final Source<E> source;
    private final EntrySink<E> sink;
    private int pageSize = PAGE_SIZE;
    private int pages;

    private Pager(Source<E> source, EntrySink<E> sink) {
        this.source = source;
        this.sink = sink;
    }

    /** Fetches one page of at most {@code maxEntries} entries (0 for all), from the token on. */
    @FunctionalInterface
    interface Source<E> {
        Page<E> fetch(int maxEntries, String token);
    }

    /** One page of the driver's answer. */
    record Page<E>(List<E> entries, String nextToken) {}

    /**
     * Passes each entry to the sink.
     *
     * @return whether the list is complete: the driver reported its end, and the sink has taken all entries
     * @throws CsiException if the driver does not return a page
     */
    static <E> boolean read(Source<E> source, EntrySink<E> sink) {
        return new Pager<>(source, sink).read();
    }

    /**
     * All entries, by their id; omits entries without id. The listing is not complete if the entries exceed
     * {@value #MAX_KEPT_BYTES} bytes together.
     *
     * @throws CsiException if the driver does not return a page
     */
    static <E> Listing<E> readAll(Source<E> source, Function<E, String> id, ToIntFunction<E> bytes) {
        Kept<E> kept = new Kept<>(id, bytes);
        boolean complete = read(source, kept);
        return new Listing<>(List.copyOf(kept.found.values()), complete);
    }

    private boolean read() {
        for (int restarts = 0; ; restarts++) {
            try {
                return readOnce();
            } catch (StaleToken e) {
                if (restarts == MAX_RESTARTS) {
                    throw e.failure;
                }
                sink.restart();
            }
        }
    }

    private boolean readOnce() throws StaleToken {
        TokenWatch tokens = new TokenWatch();
        String token = "";
        do {
            Page<E> page = fetch(token);
            boolean suspicious = token.isEmpty()
                    && page.nextToken().isEmpty()
                    && page.entries().size() >= pageSize;
            if (!give(page)) {
                return false;
            }
            if (suspicious) {
                return readAtOnce();
            }
            token = page.nextToken();
            if (!token.isEmpty() && (tokens.repeats(token) || pages >= MAX_PAGES)) {
                return false;
            }
        } while (!token.isEmpty());
        return true;
    }

    /** Some drivers end the list after one page and give no token for the rest. */
    private boolean readAtOnce() {
        try {
            Page<E> page = source.fetch(0, "");
            return give(page) && page.nextToken().isEmpty();
        } catch (CsiException e) {
            return false;
        }
    }

    private Page<E> fetch(String token) throws StaleToken {
        while (true) {
            pages++;
            try {
                return source.fetch(pageSize, token);
            } catch (CsiException e) {
                if (e.advice() == Advice.RESTART_LISTING && !token.isEmpty()) {
                    throw new StaleToken(e);
                }
                if (!tooLarge(e) || pageSize == 1) {
                    throw e;
                }
                pageSize = Math.max(1, pageSize / 4);
            }
        }
    }

    private static boolean tooLarge(CsiException e) {
        return e.code() == Code.RESOURCE_EXHAUSTED && e.phase() != CallPhase.NEVER_SENT;
    }

    private boolean give(Page<E> page) {
        for (E entry : page.entries()) {
            if (!sink.take(entry)) {
                return false;
            }
        }
        return true;
    }

    /** Keeps entries up to a limit in bytes. */
    private static final class Kept<E> implements EntrySink<E> {
        private final Map<String, E> found = new LinkedHashMap<>();
        private final Function<E, String> id;
        private final ToIntFunction<E> bytes;
        private long size;

        Kept(Function<E, String> id, ToIntFunction<E> bytes) {
            this.id = id;
            this.bytes = bytes;
        }

        @Override
        public boolean take(E entry) {
            String key = id.apply(entry);
            if (key.isEmpty()) {
                return true;
            }
            if (size + bytes.applyAsInt(entry) > MAX_KEPT_BYTES) {
                return false;
            }
            size += bytes.applyAsInt(entry);
            E before = found.put(key, entry);
            if (before != null) {
                size -= bytes.applyAsInt(before);
            }
            return true;
        }

        @Override
        public void restart() {
            found.clear();
            size = 0;
        }
    }

    /** Detects repeated tokens in constant space: compares each token with that of the last power of two (Brent). */
    private static final class TokenWatch {
        private String mark = "";
        private long power = 1;
        private long steps;

        boolean repeats(String token) {
            if (token.equals(mark)) {
                return true;
            }
            if (++steps == power) {
                mark = token;
                power *= 2;
                steps = 0;
            }
            return false;
        }
    }

    private static final class StaleToken extends Exception {
        private static final long serialVersionUID = 1L;

        private final CsiException failure;

        StaleToken(CsiException failure) {
            super(failure);
            this.failure = failure;
        }
    }
}
