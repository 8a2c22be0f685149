package io.volume4j.core.codec;

import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One document of a text: its immutable tree and the positions of its values. */
record ManifestDocument(String source, Map<String, @Nullable Object> tree, Position position) {
    /** The objects in the document: itself, or the items of a list kind. */
    Stream<ManifestDocument> objects() {
        if (!isList()) {
            return Stream.of(this);
        }
        FieldPath path = FieldPath.ROOT.field("items");
        @Nullable Object items = tree.get("items");
        if (items == null) {
            return Stream.empty();
        }
        if (!(items instanceof List<?> list)) {
            throw located(new InvalidField(path, "must be a list, not " + Fields.typeOf(items)));
        }
        return IntStream.range(0, list.size())
                .mapToObj(index -> item(list.get(index), path.item(index)))
                .flatMap(ManifestDocument::objects);
    }

    private boolean isList() {
        return tree.get("kind") instanceof String kind
                && (kind.equals("List")
                        || Arrays.stream(Kind.values()).anyMatch(known -> kind.equals(known.apiName() + "List")));
    }

    /** Whether it has a kind that no record models. */
    boolean isOfUnknownKind() {
        return tree.get("kind") instanceof String kind
                && Arrays.stream(Kind.values()).noneMatch(known -> kind.equals(known.apiName()));
    }

    private ManifestDocument item(@Nullable Object item, FieldPath path) {
        if (!(item instanceof Map<?, ?> map)) {
            throw located(new InvalidField(path, "must be an object (key: value), not " + Fields.typeOf(item)));
        }
        return new ManifestDocument(source, Trees.typed(map), position.of(path));
    }

    /** The object of the document. */
    ApiObject object() {
        try {
            ObjectShape.requireVersion(tree);
            return ObjectShape.read(tree, Fields.Source.TEXT);
        } catch (InvalidField invalid) {
            throw located(invalid);
        }
    }

    /** Fields of the object whose names are nearly those of known fields. The object must be valid. */
    List<ManifestException> misspelt() {
        AskedFields asked = new AskedFields(tree);
        ObjectShape.read(asked, Fields.Source.TEXT);
        return asked.misspelt().stream().map(this::located).toList();
    }

    /** The error, with its position in the text. */
    ManifestException located(InvalidField invalid) {
        Position place = position.of(invalid.path());
        return new ManifestException(
                source,
                place.line(),
                place.column(),
                ObjectShape.describe(tree),
                invalid.path().toString(),
                invalid.problem());
    }
}
