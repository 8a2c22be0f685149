package io.volume4j.spi.plugin;

import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.SelectorRequirement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The topology segments from which something is accessible. Immutable.
 *
 * @param any alternatives: a node must match one of them, with all its segments, such as {@code region=r1} and
 *     {@code zone=a}. Comparison of keys ignores case. An empty list means everywhere
 * @since 0.1.0
 */
public record Places(List<Map<String, String>> any) {
    private static final Places EVERYWHERE = new Places(List.of());

    public Places {
        Set<Map<String, String>> copy = new LinkedHashSet<>();
        for (Map<String, String> place : any) {
            copy.add(Collections.unmodifiableMap(new TreeMap<>(place)));
        }
        // A place without segments is everywhere.
        any = copy.contains(Map.<String, String>of()) ? List.of() : Collections.unmodifiableList(new ArrayList<>(copy));
    }

    public static Places everywhere() {
        return EVERYWHERE;
    }

    public boolean isEverywhere() {
        return any.isEmpty();
    }

    /** Whether it is accessible from a node with these segments or labels. */
    public boolean reach(Map<String, String> from) {
        return isEverywhere()
                || any.stream()
                        .anyMatch(place -> folded(from)
                                .entrySet()
                                .containsAll(folded(place).entrySet()));
    }

    /**
     * The places from which both are accessible: the parts of the other places that are within one of these.
     *
     * @return an empty list if there is no common place, and also if both are everywhere; ask {@link #isEverywhere()}
     *     first
     */
    public List<Map<String, String>> within(List<Map<String, String>> other) {
        if (isEverywhere() || other.isEmpty()) {
            return isEverywhere() ? other : any;
        }
        Set<Map<String, String>> both = new LinkedHashSet<>();
        for (Map<String, String> there : other) {
            for (Map<String, String> here : any) {
                Map<String, String> overlap = overlap(here, there);
                if (!overlap.isEmpty()) {
                    both.add(overlap);
                }
            }
        }
        return new ArrayList<>(both);
    }

    /** A selector for the nodes whose labels match one of these places; null for all nodes. */
    public @Nullable NodeSelector nodes() {
        List<NodeSelector.Term> terms = new ArrayList<>();
        for (Map<String, String> place : any) {
            List<SelectorRequirement> segments = new ArrayList<>();
            place.forEach((key, value) -> segments.add(new SelectorRequirement(key, "In", List.of(value))));
            terms.add(new NodeSelector.Term(segments, List.of()));
        }
        return terms.isEmpty() ? null : new NodeSelector(terms);
    }

    /** The segments of both, in the words of the other where both have them; empty if they contradict each other. */
    private static Map<String, String> overlap(Map<String, String> here, Map<String, String> there) {
        Map<String, String> known = folded(there);
        Map<String, String> both = new TreeMap<>(there);
        for (Map.Entry<String, String> segment : here.entrySet()) {
            String value = known.get(segment.getKey().toLowerCase(Locale.ROOT));
            if (value == null) {
                both.put(segment.getKey(), segment.getValue());
            } else if (!value.equals(segment.getValue())) {
                return Map.of();
            }
        }
        return Collections.unmodifiableMap(both);
    }

    private static Map<String, String> folded(Map<String, String> place) {
        Map<String, String> folded = new TreeMap<>();
        place.forEach((key, value) -> folded.put(key.toLowerCase(Locale.ROOT), value));
        return folded;
    }
}
