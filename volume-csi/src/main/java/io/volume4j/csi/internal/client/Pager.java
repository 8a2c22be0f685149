package io.volume4j.csi.internal.client;

import io.grpc.Status.Code;
import io.volume4j.csi.internal.rpc.Advice;
import io.volume4j.csi.internal.transport.CallPhase;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads a list page by page, whatever the driver does meanwhile: a token that became stale begins the list anew, a page
 * that is too large is asked for in smaller ones, tokens that go round in circles and lists without end are cut off, and a
 * driver that leaves out the rest without saying so is asked for everything at once.
 */
final class Pager<E> {
    static final int PAGE_SIZE = 500;
    static final int MAX_RESTARTS = 3;
    static final int MAX_PAGES = 10_000;

    private final Source<E> source;
    private final Function<E, String> id;
    private int pageSize = PAGE_SIZE;
    private int pages;

    private Pager(Source<E> source, Function<E, String> id) {
        this.source = source;
        this.id = id;
    }

    /** One page, of at most so many entries (0 for all), from this token on. */
    @FunctionalInterface
    interface Source<E> {
        Page<E> fetch(int maxEntries, String token);
    }

    /** What the driver gave. */
    record Page<E>(List<E> entries, String nextToken) {}

    /**
     * All entries, by their id; entries without one are left out.
     *
     * @throws CsiException if a page cannot be had
     */
    static <E> Listing<E> readAll(Source<E> source, Function<E, String> id) {
        return new Pager<>(source, id).readAll();
    }

    private Listing<E> readAll() {
        for (int restarts = 0; ; restarts++) {
            try {
                return readOnce();
            } catch (StaleToken e) {
                if (restarts == MAX_RESTARTS) {
                    throw e.failure;
                }
            }
        }
    }

    private Listing<E> readOnce() throws StaleToken {
        Map<String, E> found = new LinkedHashMap<>();
        Set<String> tokens = new HashSet<>();
        String token = "";
        do {
            Page<E> page = fetch(token);
            boolean suspicious = token.isEmpty()
                    && page.nextToken().isEmpty()
                    && page.entries().size() >= pageSize;
            add(page, found);
            if (suspicious) {
                return readAtOnce(found);
            }
            token = page.nextToken();
            if (!token.isEmpty() && (!tokens.add(token) || pages >= MAX_PAGES)) {
                return new Listing<>(List.copyOf(found.values()), false);
            }
        } while (!token.isEmpty());
        return new Listing<>(List.copyOf(found.values()), true);
    }

    /** Some drivers cut the list at the size of a page and give no token for the rest. */
    private Listing<E> readAtOnce(Map<String, E> found) {
        try {
            Page<E> page = source.fetch(0, "");
            add(page, found);
            return new Listing<>(List.copyOf(found.values()), page.nextToken().isEmpty());
        } catch (CsiException e) {
            return new Listing<>(List.copyOf(found.values()), false);
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

    private void add(Page<E> page, Map<String, E> found) {
        for (E entry : page.entries()) {
            String key = id.apply(entry);
            if (!key.isEmpty()) {
                found.put(key, entry);
            }
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
