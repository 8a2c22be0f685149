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
 * Reads and writes Kubernetes-shaped manifests. Pure functions, but for warnings that they log; safe on any thread.
 *
 * <p>A text, key or value, may hold any character and no half of one (a surrogate without the other), whether it is read or
 * written, in each format. What is written is read again as the same object.
 *
 * <p>Fields that no record models are kept with the object and written back. An object that was read and not changed is
 * written as a tree equal to the one it was read from.
 *
 * @since 0.1.0
 */
public final class Manifests {
    private static final Logger LOG = LoggerFactory.getLogger(Manifests.class);

    private Manifests() {}

    /**
     * Reads all objects of a text: YAML or JSON, several documents, lists flattened, empty documents skipped. A missing
     * namespace is {@code default}. A field whose name is nearly that of a known one ({@code storageClasName}) is kept as one that
     * no record models, and logged as a warning; {@link #readStrict} refuses it.
     *
     * @param source what to call the text in errors, such as a file's name
     * @return in the order of the text
     * @throws ManifestException if the text cannot be read, is larger than 1 MiB or nested deeper than 32 levels, or if an
     *     object in it is not valid or is there twice
     */
    public static List<ApiObject> read(String source, String text) {
        return read(source, text, other -> false);
    }

    /**
     * As {@link #read(String, String)}, for hosts that read manifests with kinds of their own, such as ConfigMap and Secret.
     *
     * @param others is given the tree of each object whose kind no record models, and says whether the host takes it; one that it
     *     does not take is an error, as without this. The tree cannot be changed.
     */
    public static List<ApiObject> read(String source, String text, Predicate<Map<String, @Nullable Object>> others) {
        Objects.requireNonNull(others, "others");
        return read(ManifestText.of(source, text), others, Manifests::warn);
    }

    /**
     * As {@link #read(String, String)}, and refuses fields whose names are nearly those of known ones, such as
     * {@code storageClasName}. Any other field that no record models is kept here, too.
     *
     * @throws ManifestException also for the first such field, with the name that it resembles
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
     * Reads one object that another program wrote or stores. A word of a newer version that this one does not know, such as an
     * access mode, is read as the constant for unknown words of its type; in a text that a person wrote it is a mistake.
     *
     * @param tree maps with text keys, lists, text, numbers, booleans and nulls; copied. {@code apiVersion} may be
     *     missing: the kind tells it
     * @throws ManifestException if it is no valid object of a known kind
     */
    public static ApiObject fromTree(Map<String, @Nullable Object> tree) {
        return fromTree(tree, Fields.Source.STORE);
    }

    /**
     * Reads one object that a person wrote in a text of another format, which the host took apart. As {@link #fromTree(Map)}, but a
     * word that is not known is a mistake.
     *
     * @throws ManifestException if it is no valid object of a known kind; {@link ManifestException#path} tells the field, so that
     *     the host can tell the place in its text
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
     * Reads one object whose tree was made by changing a copy of an earlier one's document. What the two trees share is not
     * read again, so that a small change of an object costs little.
     *
     * @param earlier as this class read it, unchanged since
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
     * The object as a tree: what changed since it was read, laid over what was read. A field that is now absent or empty
     * is removed. The caller may change the tree.
     *
     * @throws ManifestException if the document that the object carries is not valid, so that what changed cannot be told;
     *     or if a text of the object holds half of a character, which {@link #fromTree} would refuse, too
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

    /** What the document itself says, in the same words. */
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
