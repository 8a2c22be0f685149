package io.volume4j.inmemory.scenario;

import io.volume4j.core.codec.ManifestException;
import java.io.StringReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.reader.ReaderException;

/** A value of a scenario file with its position. Immutable. */
final class Value {
    private static final Pattern PART = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
    private static final Pattern STEP =
            Pattern.compile("\\[(?<item>\\d+)]|\\[\"(?<quoted>[^\"]*)\"]|(?<word>[^.\\[]+)");

    /** What YAML 1.1 calls true. */
    private static final Set<String> YES = Set.of("true", "yes", "on");

    private static final int DEEPEST = 32;

    /** Virtual time is counted in nanoseconds, in a long. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private final String source;
    private final Node node;

    private Value(String source, Node node) {
        this.source = source;
        this.node = node;
    }

    /** Reads a text with one document. */
    static Value read(String source, String text) {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        options.setMaxAliasesForCollections(0);
        options.setNestingDepthLimit(DEEPEST);
        try {
            Node node = new Yaml(options).compose(new StringReader(text));
            if (node == null) {
                throw new ScenarioException(source, 1, 1, "the file is empty");
            }
            return new Value(source, node);
        } catch (MarkedYAMLException notYaml) {
            Mark mark = notYaml.getProblemMark();
            throw new ScenarioException(
                    source,
                    mark == null ? 1 : mark.getLine() + 1,
                    mark == null ? 1 : mark.getColumn() + 1,
                    String.valueOf(notYaml.getProblem()));
        } catch (ReaderException notText) {
            String read = text.substring(0, Math.min(notText.getPosition(), text.length()));
            throw new ScenarioException(
                    source,
                    (int) read.chars().filter(each -> each == '\n').count() + 1,
                    read.length() - read.lastIndexOf('\n'),
                    String.format("the character U+%04X is not allowed in YAML", notText.getCodePoint()));
        } catch (YAMLException tooMuch) {
            throw new ScenarioException(source, 1, 1, "the file cannot be read: " + tooMuch.getMessage());
        }
    }

    /** {@code file:line}. */
    String place() {
        return source + ":" + (node.getStartMark().getLine() + 1);
    }

    ScenarioException error(String problem) {
        Mark mark = node.getStartMark();
        return new ScenarioException(source, mark.getLine() + 1, mark.getColumn() + 1, problem);
    }

    /** An error in an object inside this value, at the invalid field. */
    ScenarioException error(ManifestException invalid) {
        return at(invalid.path()).error(String.valueOf(invalid.getMessage()));
    }

    /** An error about an unknown word. */
    ScenarioException unknown(String what, Collection<String> known) {
        return error("no " + what + " is called \"" + text() + "\"" + Nearest.hint(text(), known)
                + (known.isEmpty() ? "; there is none" : "; there are " + String.join(", ", known)));
    }

    boolean isMap() {
        return node instanceof MappingNode;
    }

    boolean isList() {
        return node instanceof SequenceNode;
    }

    boolean isNull() {
        return node instanceof ScalarNode scalar && Tag.NULL.equals(scalar.getTag());
    }

    /** The fields of a map, in order. */
    Map<String, Value> fields() {
        if (!(node instanceof MappingNode map)) {
            throw error("expected key: value pairs, not " + kind());
        }
        Map<String, Value> fields = new LinkedHashMap<>();
        for (NodeTuple tuple : map.getValue()) {
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                throw new Value(source, tuple.getKeyNode()).error("a key must be a word");
            }
            if (fields.put(key.getValue(), new Value(source, tuple.getValueNode())) != null) {
                throw new Value(source, key).error("the key \"" + key.getValue() + "\" is there twice");
            }
        }
        return fields;
    }

    /** The fields of a map that may have only these keys. */
    Map<String, Value> fields(Set<String> known) {
        Map<String, Value> fields = fields();
        if (node instanceof MappingNode map) {
            for (NodeTuple tuple : map.getValue()) {
                ScalarNode key = (ScalarNode) tuple.getKeyNode();
                if (!known.contains(key.getValue())) {
                    throw new Value(source, key)
                            .error("unknown key \"" + key.getValue() + "\"" + Nearest.hint(key.getValue(), known)
                                    + "; known here: " + String.join(", ", known));
                }
            }
        }
        return fields;
    }

    /** The only field of a map. */
    Map.Entry<String, Value> onlyField() {
        Map<String, Value> fields = fields();
        if (fields.size() != 1) {
            throw error("expected exactly one key, not " + fields.keySet());
        }
        return fields.entrySet().iterator().next();
    }

    /** The key of a field, as the position of errors about the whole field; this value if the field does not exist. */
    Value key(String name) {
        if (node instanceof MappingNode map) {
            for (NodeTuple tuple : map.getValue()) {
                if (tuple.getKeyNode() instanceof ScalarNode key
                        && key.getValue().equals(name)) {
                    return new Value(source, key);
                }
            }
        }
        return this;
    }

    /** The value at a path such as {@code spec.volumes[1].name}, or the last existing value on that path. */
    Value at(String path) {
        Value at = this;
        Matcher steps = STEP.matcher(path);
        while (steps.find()) {
            Value next = steps.group("item") != null
                    ? at.item(Integer.parseInt(steps.group("item")))
                    : at.isMap()
                            ? at.get(steps.group("quoted") != null ? steps.group("quoted") : steps.group("word"))
                            : null;
            if (next == null) {
                return at;
            }
            at = next;
        }
        return at;
    }

    private @Nullable Value item(int index) {
        return node instanceof SequenceNode list && index < list.getValue().size()
                ? new Value(source, list.getValue().get(index))
                : null;
    }

    Value require(String key) {
        Value value = fields().get(key);
        if (value == null) {
            throw error("the key \"" + key + "\" is missing");
        }
        return value;
    }

    @Nullable
    Value get(String key) {
        return fields().get(key);
    }

    List<Value> items() {
        if (!(node instanceof SequenceNode list)) {
            throw error("expected a list, not " + kind());
        }
        List<Value> items = new ArrayList<>();
        list.getValue().forEach(item -> items.add(new Value(source, item)));
        return items;
    }

    /** The items of a list that must not be empty. */
    List<Value> someItems() {
        List<Value> items = items();
        if (items.isEmpty()) {
            throw error("the list is empty, so that nothing would be checked");
        }
        return items;
    }

    /** The texts of a list in which each may be only once. */
    List<String> differentTexts() {
        Set<String> seen = new HashSet<>();
        for (Value item : items()) {
            if (!seen.add(item.text())) {
                throw item.error("\"" + item.text() + "\" is there twice: leave one out");
            }
        }
        return texts();
    }

    List<String> texts() {
        return items().stream().map(Value::text).toList();
    }

    String text() {
        if (!(node instanceof ScalarNode scalar)) {
            throw error("expected a word, not " + kind());
        }
        return scalar.getValue();
    }

    long number() {
        try {
            return Long.parseLong(text());
        } catch (NumberFormatException notOne) {
            throw error("expected a whole number, not \"" + text() + "\"");
        }
    }

    /** A number from 0 on. */
    long amount() {
        long number = number();
        if (number < 0) {
            throw error("expected a number from 0 on, not " + number);
        }
        return number;
    }

    int count() {
        long number = number();
        if (number < 1 || number > Integer.MAX_VALUE) {
            throw error("expected a number from 1 on, not " + number);
        }
        return (int) number;
    }

    boolean truth() {
        return switch (text()) {
            case "true" -> true;
            case "false" -> false;
            default -> throw error("expected true or false, not \"" + text() + "\"");
        };
    }

    /** {@code 500ms}, {@code 30s}, {@code 6m}, {@code 1h30m}, {@code 2d}. */
    Duration duration() {
        Matcher parts = PART.matcher(text());
        Duration sum = Duration.ZERO;
        int read = 0;
        while (parts.find() && parts.start() == read) {
            long count = Long.parseLong(parts.group(1));
            sum = sum.plus(
                    switch (parts.group(2)) {
                        case "ms" -> Duration.ofMillis(count);
                        case "s" -> Duration.ofSeconds(count);
                        case "m" -> Duration.ofMinutes(count);
                        case "h" -> Duration.ofHours(count);
                        default -> Duration.ofDays(count);
                    });
            read = parts.end();
        }
        if (read == 0 || read != text().length()) {
            throw error("expected a duration such as 500ms, 30s, 6m or 1h, not \"" + text() + "\"");
        }
        if (sum.compareTo(LONGEST) > 0) {
            throw error("a run takes at most " + LONGEST.toDays() + " days, not " + text());
        }
        return sum;
    }

    /** Plain maps, lists, text, numbers, truth values and null, as the codec reads them. */
    @Nullable
    Object tree() {
        if (node instanceof MappingNode) {
            Map<String, @Nullable Object> tree = new LinkedHashMap<>();
            fields().forEach((key, value) -> tree.put(key, value.tree()));
            return tree;
        }
        if (node instanceof SequenceNode) {
            List<@Nullable Object> list = new ArrayList<>();
            items().forEach(item -> list.add(item.tree()));
            return Collections.unmodifiableList(list);
        }
        Tag tag = node.getTag();
        if (Tag.NULL.equals(tag)) {
            return null;
        }
        if (Tag.BOOL.equals(tag)) {
            return YES.contains(text().toLowerCase(Locale.ROOT));
        }
        return Tag.INT.equals(tag) ? whole(text()) : text();
    }

    /** A whole number as Kubernetes reads it: {@code 0644} is octal, as modes of files are written, and {@code 12:30} is text. */
    private static Object whole(String text) {
        try {
            long whole = Long.decode(text.replace("_", ""));
            return (int) whole == whole ? (Object) (int) whole : (Object) whole;
        } catch (NumberFormatException notOne) {
            return text;
        }
    }

    private String kind() {
        return node instanceof MappingNode
                ? "key: value pairs"
                : node instanceof SequenceNode ? "a list" : "\"" + text() + "\"";
    }
}
