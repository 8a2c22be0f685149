package io.volume4j.core.control.binding.match;

import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.SelectorRequirement;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds the affinities of volumes that select a given node, without checking all of them. Volumes in one place share one affinity.
 * Nearly every affinity requires a label with an {@code In}; the index finds those by the node's labels.
 */
final class AffinityIndex {
    private static final String FIELD = "field ";
    private static final String LABEL = "label ";

    private record Key(String name, String value) {}

    private static final class Use {
        private final Affinity affinity;
        private int volumes;

        Use(Affinity affinity) {
            this.affinity = affinity;
        }
    }

    private final Map<Affinity, Use> uses = new HashMap<>();

    /** Numbers in use. */
    private final BitSet numbers = new BitSet();

    private final Map<Key, Set<Affinity>> byValue = new HashMap<>();

    /** Affinities with a term that has no {@code In} requirement. */
    private final Set<Affinity> others = new LinkedHashSet<>();

    /** Counts one more volume with the affinity. Returns the shared object for this affinity while volumes have it. */
    Affinity add(Affinity given) {
        Use use = uses.computeIfAbsent(given, this::number);
        use.volumes++;
        Affinity affinity = use.affinity;
        if (use.volumes == 1) {
            keys(affinity.selector())
                    .ifPresentOrElse(
                            keys -> keys.forEach(key -> byValue.computeIfAbsent(key, k -> new LinkedHashSet<>())
                                    .add(affinity)),
                            () -> others.add(affinity));
        }
        return affinity;
    }

    private Use number(Affinity given) {
        int number = numbers.nextClearBit(0);
        numbers.set(number);
        return new Use(given.numbered(number));
    }

    void remove(Affinity affinity) {
        Use use = uses.get(affinity);
        if (use == null || --use.volumes > 0) {
            return;
        }
        numbers.clear(use.affinity.number());
        uses.remove(affinity);
        others.remove(affinity);
        keys(affinity.selector())
                .ifPresent(keys -> keys.forEach(key -> {
                    Set<Affinity> sharing = byValue.get(key);
                    if (sharing != null && sharing.remove(affinity) && sharing.isEmpty()) {
                        byValue.remove(key);
                    }
                }));
    }

    /** The affinities that select the node. */
    Set<Affinity> choosing(ClaimNeeds.Place node) {
        Stream<Key> labels =
                node.labels().entrySet().stream().map(label -> new Key(LABEL + label.getKey(), label.getValue()));
        Stream<Key> name = Stream.of(new Key(FIELD + "metadata.name", node.nodeName()));
        Set<Affinity> found = new LinkedHashSet<>();
        Stream.concat(labels, name)
                .flatMap(key -> byValue.getOrDefault(key, Set.of()).stream())
                .filter(affinity -> affinity.selector().matches(node.nodeName(), node.labels()))
                .forEach(found::add);
        others.stream()
                .filter(affinity -> affinity.selector().matches(node.nodeName(), node.labels()))
                .forEach(found::add);
        return found;
    }

    /** The values of one {@code In} requirement of each term; empty if a term has none. */
    private static Optional<Set<Key>> keys(NodeSelector affinity) {
        Set<Key> keys = new LinkedHashSet<>();
        for (NodeSelector.Term term : affinity.terms()) {
            Map<String, List<SelectorRequirement>> parts = new LinkedHashMap<>();
            parts.put(LABEL, term.matchExpressions());
            parts.put(FIELD, term.matchFields());
            List<Key> found = new ArrayList<>();
            parts.forEach((prefix, requirements) -> requirements.stream()
                    .filter(requirement ->
                            found.isEmpty() && requirement.operator().equals("In"))
                    .findFirst()
                    .ifPresent(requirement -> requirement
                            .values()
                            .forEach(value -> found.add(new Key(prefix + requirement.key(), value)))));
            if (found.isEmpty()) {
                return Optional.empty();
            }
            keys.addAll(found);
        }
        return Optional.of(keys);
    }
}
