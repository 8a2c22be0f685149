package io.volume4j.core.control.schedule;

import io.volume4j.spi.model.LabelSelector;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.SelectorRequirement;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Numbers the nodes, so that a set of nodes is a bit set, and a label selector takes a few set operations, for any number of nodes.
 * The table reuses a number when nothing refers to its node any more.
 *
 * <p>Callers must not change the returned sets, and must not keep them after a change of the table. Not thread-safe.
 */
final class NodeTable {
    private static final class Slot {
        final String name;
        int references;
        boolean present;
        Map<String, String> labels = Map.of();

        Slot(String name) {
            this.name = name;
        }
    }

    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<@Nullable Slot> slots = new ArrayList<>();
    private final BitSet free = new BitSet();
    private final BitSet present = new BitSet();
    private final Map<String, Map<String, BitSet>> byLabel = new HashMap<>();
    private final Map<NodeSelector, BitSet> chosen = new HashMap<>();
    private long generation;

    /** Changes whenever a returned set may be different now. */
    long generation() {
        return generation;
    }

    /** The nodes that exist. */
    BitSet present() {
        return present;
    }

    /** The greatest number in use, plus one. */
    int size() {
        return slots.size();
    }

    /** The node's number, -1 if nothing refers to the node. */
    int number(String name) {
        return numbers.getOrDefault(name, -1);
    }

    String name(int number) {
        @Nullable Slot slot = slots.get(number);
        return slot == null ? "" : slot.name;
    }

    Map<String, String> labels(int number) {
        @Nullable Slot slot = slots.get(number);
        return slot == null ? Map.of() : slot.labels;
    }

    /** Adds a reference to the node, which need not exist. Each call needs a {@link #release}. */
    int retain(String name) {
        int number = numbers.computeIfAbsent(name, this::take);
        slot(number).references++;
        return number;
    }

    void release(int number) {
        Slot slot = slot(number);
        if (--slot.references == 0) {
            numbers.remove(slot.name);
            slots.set(number, null);
            free.set(number);
        }
    }

    /** Adds the node, or updates its labels. */
    void put(String name, Map<String, String> labels) {
        int number = numbers.getOrDefault(name, -1);
        boolean known = number >= 0 && slot(number).present;
        if (known && slot(number).labels.equals(labels)) {
            return;
        }
        if (known) {
            unlabel(number);
        } else {
            number = retain(name);
        }
        Slot slot = slot(number);
        slot.present = true;
        slot.labels = labels;
        present.set(number);
        for (Map.Entry<String, String> label : labels.entrySet()) {
            byLabel.computeIfAbsent(label.getKey(), key -> new HashMap<>())
                    .computeIfAbsent(label.getValue(), value -> new BitSet())
                    .set(number);
        }
        changed();
    }

    void remove(String name) {
        int number = numbers.getOrDefault(name, -1);
        if (number < 0 || !slot(number).present) {
            return;
        }
        unlabel(number);
        Slot slot = slot(number);
        slot.present = false;
        slot.labels = Map.of();
        present.clear(number);
        release(number);
        changed();
    }

    /** The nodes that the selector selects. The result is cached, because volumes in one place have the same selector. */
    BitSet choosing(NodeSelector selector) {
        @Nullable BitSet known = chosen.get(selector);
        if (known != null) {
            return known;
        }
        BitSet found = new BitSet();
        for (NodeSelector.Term term : selector.terms()) {
            if (!term.matchExpressions().isEmpty() || !term.matchFields().isEmpty()) {
                BitSet here = (BitSet) present.clone();
                term.matchExpressions().forEach(requirement -> here.and(meeting(requirement)));
                term.matchFields().forEach(requirement -> here.and(meetingField(requirement)));
                found.or(here);
            }
        }
        chosen.put(selector, found);
        return found;
    }

    BitSet choosing(LabelSelector selector) {
        BitSet found = (BitSet) present.clone();
        selector.matchLabels().forEach((key, value) -> found.and(labelled(key, value)));
        selector.matchExpressions().forEach(requirement -> found.and(meeting(requirement)));
        return found;
    }

    /** The nodes that have the label with this value. */
    BitSet labelled(String key, String value) {
        return byLabel.getOrDefault(key, Map.of()).getOrDefault(value, new BitSet());
    }

    /** The nodes that have the label, with any value. */
    BitSet labelled(String key) {
        BitSet found = new BitSet();
        byLabel.getOrDefault(key, Map.of()).values().forEach(found::or);
        return found;
    }

    private BitSet meeting(SelectorRequirement requirement) {
        return switch (requirement.operator()) {
            case "In" -> any(requirement);
            case "NotIn" -> without(any(requirement));
            case "Exists" -> labelled(requirement.key());
            case "DoesNotExist" -> without(labelled(requirement.key()));
            default -> {
                BitSet found = new BitSet();
                byLabel.getOrDefault(requirement.key(), Map.of()).forEach((value, nodes) -> {
                    if (requirement.matches(Map.of(requirement.key(), value))) {
                        found.or(nodes);
                    }
                });
                yield found;
            }
        };
    }

    private BitSet any(SelectorRequirement requirement) {
        if (requirement.values().size() == 1) {
            return labelled(requirement.key(), requirement.values().get(0));
        }
        BitSet found = new BitSet();
        requirement.values().forEach(value -> found.or(labelled(requirement.key(), value)));
        return found;
    }

    private BitSet meetingField(SelectorRequirement requirement) {
        if (requirement.operator().equals("In") && requirement.key().equals("metadata.name")) {
            BitSet found = new BitSet();
            for (String name : requirement.values()) {
                int number = number(name);
                if (number >= 0) {
                    found.set(number);
                }
            }
            return found;
        }
        BitSet found = new BitSet();
        present.stream()
                .filter(number -> requirement.matches(Map.of("metadata.name", name(number))))
                .forEach(found::set);
        return found;
    }

    private BitSet without(BitSet nodes) {
        BitSet rest = (BitSet) present.clone();
        rest.andNot(nodes);
        return rest;
    }

    private int take(String name) {
        int number = free.nextSetBit(0);
        if (number < 0) {
            slots.add(new Slot(name));
            return slots.size() - 1;
        }
        free.clear(number);
        slots.set(number, new Slot(name));
        return number;
    }

    private void unlabel(int number) {
        slot(number)
                .labels
                .forEach((key, value) -> byLabel.computeIfPresent(key, (k, values) -> {
                    values.computeIfPresent(value, (v, nodes) -> {
                        nodes.clear(number);
                        return nodes.isEmpty() ? null : nodes;
                    });
                    return values.isEmpty() ? null : values;
                }));
    }

    private void changed() {
        generation++;
        chosen.clear();
    }

    private Slot slot(int number) {
        @Nullable Slot slot = slots.get(number);
        if (slot == null) {
            throw new IllegalStateException("no node has the number " + number);
        }
        return slot;
    }
}
