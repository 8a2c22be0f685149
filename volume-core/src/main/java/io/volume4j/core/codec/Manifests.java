package io.volume4j.core.codec;

import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads and writes manifests in the form of Kubernetes. Pure functions, except that they log warnings. Thread-safe.
 *
 * <p>Texts, as keys and values, may contain any character, but no surrogate without its pair. This applies to reading
 * and writing in each format. Reading a written object returns an equal object.
 *
 * <p>The object keeps fields that no record models, and writing writes them back. An object that was read and not
 * changed is written as an equal tree.
 *
 * @since 0.1.0
 */
public final class Manifests {
    private static final Logger LOG = LoggerFactory.getLogger(Manifests.class);

    private Manifests() {}

    /**
     * Reads all objects of a YAML or JSON text, which may have several documents. Returns the items of lists as
     * single objects, and skips empty documents. A missing namespace becomes {@code default}. If a field's name is
     * similar to a known one ({@code storageClasName}), this method keeps it as an unmodeled field and logs a
     * warning; {@link #readStrict} refuses it.
     *
     * @param source the name of the text for errors, such as a file name
     * @return in the order of the text
     * @throws ManifestException if the text cannot be read, is larger than 1 MiB or nested deeper than 32 levels, or if
     *     an object in it is not valid or occurs twice
     */
    public static List<ApiObject> read(String source, String text) {
        return read(source, text, other -> false);
    }

    /**
     * As {@link #read(String, String)}, for hosts that read manifests with kinds of their own, such as ConfigMap and
     * Secret.
     *
     * @param others gets the tree of each object whose kind no record models, and returns whether the host accepts it.
     *     An object that it does not accept is an error. The tree is immutable.
     */
    public static List<ApiObject> read(String source, String text, Predicate<Map<String, @Nullable Object>> others) {
        Objects.requireNonNull(others, "others");
        return read(ManifestText.of(source, text), others, Manifests::warn);
    }

    /**
     * As {@link #read(String, String)}, but refuses fields whose names are similar to known ones, such as
     * {@code storageClasName}. Keeps all other fields that no record models.
     *
     * @throws ManifestException also for the first such field; the message contains the similar known name
     */
    public static List<ApiObject> readStrict(String source, String text) {
        return read(ManifestText.of(source, text), other -> false, misspelt -> {
            throw misspelt;
        });
    }

    /**
     * As {@link #read(String, String)}, from UTF-8 with or without a byte order mark. Reads at most a little more than it
     * accepts and does not close the stream.
     *
     * @throws IOException if the stream cannot be read
     */
    public static List<ApiObject> read(String source, InputStream stream) throws IOException {
        return read(ManifestText.of(source, stream), other -> false, Manifests::warn);
    }

    private static void warn(ManifestException misspelt) {
        LOG.atWarn().addKeyValue("warning", misspelt.getMessage()).log("field of a manifest is not known");
    }

    private static List<ApiObject> read(
            ManifestText text, Predicate<Map<String, @Nullable Object>> others, Consumer<ManifestException> misspelt) {
        Map<ObjectKey, ManifestDocument> places = new HashMap<>();
        List<ApiObject> objects = new ArrayList<>();
        TreeReader.read(text).stream().flatMap(ManifestDocument::objects).forEachOrdered(document -> {
            if (document.isOfUnknownKind() && others.test(document.tree())) {
                return;
            }
            ApiObject object = document.object();
            ManifestDocument first = places.putIfAbsent(object.key(), document);
            if (first != null) {
                throw document.located(new InvalidField(
                        FieldPath.ROOT.field("metadata").field("name"),
                        "the same object is written in line " + first.position().line() + " already: leave one out"));
            }
            document.misspelt().forEach(misspelt);
            objects.add(object);
        });
        return Collections.unmodifiableList(objects);
    }

    /**
     * The object as one YAML document, without a document marker.
     *
     * @throws ManifestException as {@link #toTree} does
     */
    public static String toYaml(ApiObject object) {
        return TreeWriter.yaml(toTree(object));
    }

    /**
     * The object as JSON, on one line.
     *
     * @throws ManifestException as {@link #toTree} does
     */
    public static String toJson(ApiObject object) {
        return TreeWriter.json(toTree(object));
    }

    /**
     * Reads one object that another program wrote. An unknown word, such as an access mode of a newer version, is
     * read as the constant for unknown words of its type, and the names by which the object refers to others are not
     * checked, because API servers check few of them. In contrast, {@link #read(String, String)} treats both as
     * mistakes.
     *
     * @param tree maps with text keys, lists, text, numbers, booleans and nulls; this method copies it.
     *     {@code apiVersion} may be missing, because the kind determines it
     * @throws ManifestException if it is no valid object of a known kind
     */
    public static ApiObject fromTree(Map<String, @Nullable Object> tree) {
        return fromTree(tree, Fields.Source.STORE);
    }

    /**
     * Reads one object that a person wrote in another format, which the host has parsed. As {@link #fromTree(Map)},
     * but an unknown word and an impossible name are mistakes.
     * @throws ManifestException if it is not a valid object of a known kind. {@link ManifestException#path} is the
     *     field, so that the host can find the place in its text
     */
    public static ApiObject fromWrittenTree(Map<String, @Nullable Object> tree) {
        return fromTree(tree, Fields.Source.TEXT);
    }

    private static ApiObject fromTree(Map<String, @Nullable Object> tree, Fields.Source source) {
        try {
            return ObjectShape.read(Trees.frozen(tree), source);
        } catch (InvalidField invalid) {
            throw ManifestException.withoutPlace(tree, invalid);
        }
    }

    /**
     * Reads one object whose tree is a changed copy of an earlier object's document. This method does not parse the
     * parts again that both trees share, so a small change costs little.
     *
     * @param earlier an object that this class read, not changed since
     * @throws ManifestException if it is no valid object of a known kind
     */
    public static ApiObject fromTree(Map<String, @Nullable Object> tree, ApiObject earlier) {
        try {
            return ObjectShape.read(Trees.frozen(tree), Fields.Source.STORE, earlier);
        } catch (InvalidField invalid) {
            throw ManifestException.withoutPlace(tree, invalid);
        }
    }

    /**
     * The object as a tree: the document from which it was read, with the changes since then. Removes a field that is
     * now absent or empty. The caller may change the tree.
     * @throws ManifestException if the document of the object is not valid, so that the changes cannot be determined;
     *     or if a text of the object contains a surrogate without its pair
     * @throws IllegalArgumentException if that document is of another kind
     */
    public static Map<String, @Nullable Object> toTree(ApiObject object) {
        Map<String, @Nullable Object> document = object.unmodeled().document();
        Map<String, @Nullable Object> result = new LinkedHashMap<>();
        result.put("apiVersion", object.apiVersion());
        result.put("kind", object.kind().apiName());
        result.putAll(Overlay.lay(document, before(object, document), ObjectShape.write(object)));
        try {
            Texts.demandWhole(result, FieldPath.ROOT);
        } catch (InvalidField invalid) {
            throw ManifestException.withoutPlace(result, invalid);
        }
        return result;
    }

    /** The fields of the document itself, in the same form. */
    private static Written before(ApiObject object, Map<String, @Nullable Object> document) {
        if (document.isEmpty()) {
            return Written.part();
        }
        ApiObject read = fromTree(document);
        if (read.kind() != object.kind()) {
            throw new IllegalArgumentException("a " + object.kind().apiName() + " carries the document of a "
                    + read.kind().apiName());
        }
        return ObjectShape.write(read);
    }
}
