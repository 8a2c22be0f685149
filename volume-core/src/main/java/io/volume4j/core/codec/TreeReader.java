package io.volume4j.core.codec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads YAML or JSON, token by token, as plain trees with positions. Refuses everything that could make a small text
 * large or ambiguous: anchors, aliases, merge keys, tags, duplicate keys, deep nesting.
 */
final class TreeReader {
    private static final StreamReadConstraints CONSTRAINTS =
            StreamReadConstraints.builder().maxNumberLength(100).build();
    private static final YAMLFactory YAML = YAMLFactory.builder()
            .streamReadConstraints(CONSTRAINTS)
            // The default of the parser, which its builder does not set.
            .enable(YAMLParser.Feature.EMPTY_STRING_AS_NULL)
            .build();
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(CONSTRAINTS)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .build();
    private static final String TEXT_TAG = "tag:yaml.org,2002:str";

    private final String source;
    private final JsonParser parser;

    private TreeReader(String source, JsonParser parser) {
        this.source = source;
        this.parser = parser;
    }

    /** All documents except empty ones. */
    static List<ManifestDocument> read(ManifestText text) {
        if (!text.looksLikeJson()) {
            return read(text, YAML);
        }
        try {
            return read(text, JSON);
        } catch (ManifestException notJson) {
            try {
                return read(text, YAML);
            } catch (ManifestException notYaml) {
                throw notJson;
            }
        }
    }

    private static List<ManifestDocument> read(ManifestText text, JsonFactory format) {
        try (JsonParser parser = format.createParser(text.text())) {
            return new TreeReader(text.source(), parser).documents();
        } catch (IOException impossible) {
            throw new UncheckedIOException("reading from memory", impossible);
        }
    }

    private List<ManifestDocument> documents() {
        List<ManifestDocument> documents = new ArrayList<>();
        for (JsonToken token = next(); token != null; token = next()) {
            Value value = value(token, FieldPath.ROOT, 1, null);
            if (value.tree() instanceof Map<?, ?> map) {
                documents.add(new ManifestDocument(source, Trees.typed(map), value.position()));
            } else if (value.tree() != null) {
                throw error(
                        value.position(),
                        FieldPath.ROOT,
                        "a document must be an object (key: value), not " + Fields.typeOf(value.tree()));
            }
        }
        return documents;
    }

    private record Value(@Nullable Object tree, Position position) {}

    /** The value that begins with the token. The position of an object or list is that of its key. */
    private Value value(JsonToken token, FieldPath path, int depth, @Nullable Position key) {
        Position here = here();
        refuseReferences(here, path);
        Position start = key == null ? here : key;
        return switch (token) {
            case START_OBJECT -> object(path, checked(depth, start, path), start);
            case START_ARRAY -> list(path, checked(depth, start, path), start);
            case VALUE_STRING -> new Value(whole(text(), here, path), here);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Value(number(token, here, path), here);
            case VALUE_TRUE -> new Value(true, here);
            case VALUE_FALSE -> new Value(false, here);
            case VALUE_NULL -> new Value(null, start);
            default ->
                throw error(here, path, "cannot be read: write text, a number, true, false, a list or an object");
        };
    }

    private int checked(int depth, Position place, FieldPath path) {
        if (depth > Trees.MAX_DEPTH) {
            throw error(place, path, Trees.TOO_DEEP);
        }
        return depth + 1;
    }

    private Value object(FieldPath path, int depth, Position start) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        Map<String, Position> positions = new LinkedHashMap<>();
        for (JsonToken token = next(); token != JsonToken.END_OBJECT; token = next()) {
            Position here = here();
            String key = text();
            FieldPath at = path.field(key);
            whole(key, here, at);
            refuseReferences(here, at);
            Position first = positions.get(key);
            if (first != null) {
                throw error(here, at, "is written twice, first in line " + first.line() + ": leave one out");
            }
            Value value = value(present(next()), at, depth, here);
            if (key.equals("<<") && (value.tree() instanceof Map || value.tree() instanceof List)) {
                throw error(here, at, "merge keys are not supported: write the fields out");
            }
            tree.put(key, value.tree());
            positions.put(key, value.position());
        }
        return new Value(
                Collections.unmodifiableMap(tree), new Position(start.line(), start.column(), positions, List.of()));
    }

    private Value list(FieldPath path, int depth, Position start) {
        List<@Nullable Object> tree = new ArrayList<>();
        List<Position> positions = new ArrayList<>();
        for (JsonToken token = next(); token != JsonToken.END_ARRAY; token = next()) {
            Value value = value(present(token), path.item(tree.size()), depth, null);
            tree.add(value.tree());
            positions.add(value.position());
        }
        return new Value(
                Collections.unmodifiableList(tree), new Position(start.line(), start.column(), Map.of(), positions));
    }

    private void refuseReferences(Position here, FieldPath path) {
        if (!(parser instanceof YAMLParser yaml)) {
            return;
        }
        try {
            if (yaml.isCurrentAlias() || yaml.getObjectId() != null) {
                throw error(here, path, "anchors and aliases are not supported: write the value out");
            }
            String tag = yaml.getTypeId();
            if (tag != null && !(tag.equals(TEXT_TAG) && yaml.currentToken() == JsonToken.VALUE_STRING)) {
                throw error(here, path, "tags are not supported: remove the one that begins with '!'");
            }
        } catch (IOException failed) {
            throw syntax(failed);
        }
    }

    private Object number(JsonToken token, Position here, FieldPath path) {
        try {
            return token == JsonToken.VALUE_NUMBER_INT ? parser.getNumberValue() : parser.getDecimalValue();
        } catch (IOException | NumberFormatException notANumber) {
            throw error(here, path, "is not a valid number: put it in quotes if it is text");
        }
    }

    private Position here() {
        var location = parser.currentTokenLocation();
        return new Position(location.getLineNr(), location.getColumnNr(), Map.of(), List.of());
    }

    private String text() {
        try {
            return parser.getText();
        } catch (IOException failed) {
            throw syntax(failed);
        }
    }

    private String whole(String text, Position here, FieldPath path) {
        if (!Texts.isWhole(text)) {
            throw error(here, path, Texts.HALF);
        }
        return text;
    }

    private @Nullable JsonToken next() {
        try {
            return parser.nextToken();
        } catch (IOException failed) {
            throw syntax(failed);
        } catch (RuntimeException hostile) {
            // A defect of the parser must become an ordinary error for the caller.
            throw error(here(), FieldPath.ROOT, "cannot be read from here on");
        }
    }

    private JsonToken present(@Nullable JsonToken token) {
        if (token == null) {
            throw error(here(), FieldPath.ROOT, "ends in the middle of a value");
        }
        return token;
    }

    private ManifestException syntax(IOException failed) {
        SyntaxProblem problem = SyntaxProblem.of(failed, parser instanceof YAMLParser ? "YAML" : "JSON");
        return new ManifestException(source, problem.line(), problem.column(), "", "", problem.text());
    }

    private ManifestException error(Position place, FieldPath path, String problem) {
        return new ManifestException(source, place.line(), place.column(), "", path.toString(), problem);
    }
}
