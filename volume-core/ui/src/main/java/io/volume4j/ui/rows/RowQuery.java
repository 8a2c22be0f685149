package io.volume4j.ui.rows;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A query for rows. {@code state:}, {@code node:} (or {@code source:}), {@code plugin:}, {@code ns:} and {@code kind:} each have a
 * value; {@code state:} may have several, with commas between them. A text of the row must contain every other word. The query ignores
 * case, except in names of nodes, plugins and namespaces.
 *
 * @param states empty for all
 */
public record RowQuery(
        List<RowState> states, String source, String plugin, String namespace, String type, List<String> words) {
    /** The longest query; longer ones are cut. */
    public static final int LONGEST = 256;

    public RowQuery {
        states = List.copyOf(states);
        words = List.copyOf(words);
    }

    /** Reads a query; every unknown part is a word for the search. */
    public static RowQuery parse(String text) {
        List<RowState> states = new ArrayList<>();
        List<String> words = new ArrayList<>();
        String source = "";
        String plugin = "";
        String namespace = "";
        String type = "";
        String cut = text.length() > LONGEST ? text.substring(0, LONGEST) : text;
        for (String word : cut.trim().split("\\s+")) {
            int colon = word.indexOf(':');
            String value = word.substring(colon + 1);
            switch (colon < 0 || value.isEmpty() ? "" : word.substring(0, colon)) {
                case "state" -> states.addAll(states(value));
                case "node", "source" -> source = value;
                case "plugin" -> plugin = value;
                case "ns", "namespace" -> namespace = value;
                case "kind" -> type = value;
                default -> {
                    if (!word.isEmpty()) {
                        words.add(word.toLowerCase(Locale.ROOT));
                    }
                }
            }
        }
        return new RowQuery(states, source, plugin, namespace, type, words);
    }

    private static List<RowState> states(String names) {
        List<RowState> states = new ArrayList<>();
        for (RowState state : RowState.values()) {
            if (List.of(names.toLowerCase(Locale.ROOT).split(",")).contains(state.word())) {
                states.add(state);
            }
        }
        return states;
    }

    /** Whether every row matches. */
    boolean all() {
        return states.isEmpty()
                && source.isEmpty()
                && plugin.isEmpty()
                && namespace.isEmpty()
                && type.isEmpty()
                && words.isEmpty();
    }

    boolean matches(Row row) {
        return (states.isEmpty() || states.contains(row.state()))
                && (source.isEmpty() || source.equals(row.source()))
                && (plugin.isEmpty() || plugin.equals(row.plugin()))
                && (namespace.isEmpty() || row.inNamespace(namespace))
                && (type.isEmpty() || type.equalsIgnoreCase(row.type()))
                && words.stream().allMatch(row::contains);
    }
}
