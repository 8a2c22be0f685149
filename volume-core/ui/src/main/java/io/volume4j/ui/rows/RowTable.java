package io.volume4j.ui.rows;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All rows, by source and key. One thread changes it; any thread reads. The cost of a change depends on the number of changed rows,
 * that of a search on the number of all rows. All viewers share the result of a search until rows change. Thread-safe.
 */
public final class RowTable {
    /** Most cached searches. */
    private static final int SEARCHES = 32;

    private final NavigableMap<String, Row> rows = new TreeMap<>();
    private final Map<RowState, NavigableMap<String, Row>> byState = new EnumMap<>(RowState.class);
    private final Map<String, Map<RowState, Integer>> counts = new TreeMap<>();
    private final Map<RowQuery, Found> found = new LinkedHashMap<>(16, 0.75f, true);
    private long revision;

    private record Found(long revision, List<Row> rows) {}

    /**
     * A part of the result.
     *
     * @param revision of the searched rows
     * @param total the number of matching rows
     * @param rows from the offset on
     */
    public record Page(long revision, int total, List<Row> rows) {}

    public RowTable() {
        for (RowState state : RowState.values()) {
            byState.put(state, new TreeMap<>());
        }
    }

    /** Adds these rows, or replaces those with the same source and key. */
    public synchronized void put(List<Row> changed) {
        for (Row row : changed) {
            Row before = rows.put(row.id(), row);
            if (row.equals(before)) {
                continue;
            }
            forget(before);
            index(row.state()).put(row.id(), row);
            counts.computeIfAbsent(row.source(), source -> new EnumMap<>(RowState.class))
                    .merge(row.state(), 1, Integer::sum);
            revision++;
        }
    }

    /** Removes the row. Idempotent. */
    public synchronized void remove(String source, String key) {
        Row before = rows.remove(source + "\n" + key);
        if (before != null) {
            forget(before);
            revision++;
        }
    }

    /** Removes all rows of the source. Idempotent. */
    public synchronized void removeAll(String source) {
        // A row's id is its source, a line feed and its key.
        Collection<Row> all = rows.subMap(source + "\n", source + "\u000b").values();
        if (!all.isEmpty()) {
            all.forEach(this::forget);
            all.clear();
            revision++;
        }
        counts.remove(source);
    }

    private void forget(@Nullable Row row) {
        if (row != null) {
            index(row.state()).remove(row.id());
            counts.getOrDefault(row.source(), new EnumMap<>(RowState.class)).merge(row.state(), -1, Integer::sum);
        }
    }

    private NavigableMap<String, Row> index(RowState state) {
        return byState.computeIfAbsent(state, key -> new TreeMap<>());
    }

    public synchronized Optional<Row> row(String source, String key) {
        return Optional.ofNullable(rows.get(source + "\n" + key));
    }

    /** Grows with each change. */
    public synchronized long revision() {
        return revision;
    }

    /** The number of rows of the source in each state. */
    public synchronized Map<RowState, Integer> counts(String source) {
        Map<RowState, Integer> of = new EnumMap<>(RowState.class);
        for (RowState state : RowState.values()) {
            of.put(state, counts.getOrDefault(source, Map.of()).getOrDefault(state, 0));
        }
        return of;
    }

    /** The first rows that are not OK, the worst first. */
    public synchronized List<Row> worst(int most) {
        List<Row> worst = new ArrayList<>();
        for (RowState state : RowState.values()) {
            if (state != RowState.OK) {
                index(state).values().stream().limit(most - worst.size()).forEach(worst::add);
            }
        }
        return worst;
    }

    /** The rows that match the query, from the offset on. */
    public synchronized Page search(RowQuery query, int offset, int limit) {
        List<Row> all = matching(query);
        int from = Math.max(0, Math.min(offset, all.size()));
        int to = Math.min(all.size(), from + Math.max(0, limit));
        return new Page(revision, all.size(), List.copyOf(all.subList(from, to)));
    }

    private List<Row> matching(RowQuery query) {
        Found before = found.get(query);
        if (before != null && before.revision() == revision) {
            return before.rows();
        }
        List<Row> matching = new ArrayList<>();
        if (query.states().isEmpty()) {
            collect(query, rows, matching);
        } else {
            query.states().forEach(state -> collect(query, index(state), matching));
        }
        List<Row> kept = Collections.unmodifiableList(matching);
        found.put(query, new Found(revision, kept));
        if (found.size() > SEARCHES) {
            found.remove(found.keySet().iterator().next());
        }
        return kept;
    }

    private static void collect(RowQuery query, NavigableMap<String, Row> from, List<Row> to) {
        if (query.all()) {
            to.addAll(from.values());
            return;
        }
        for (Row row : from.values()) {
            if (query.matches(row)) {
                to.add(row);
            }
        }
    }
}
