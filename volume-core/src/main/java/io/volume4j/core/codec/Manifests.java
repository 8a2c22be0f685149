package io.volume4j.core.codec;

import io.volume4j.spi.model.ApiObject;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes Kubernetes-shaped manifests. Pure functions, safe on any thread.
 *
 * <p>Fields that no record models are kept with the object and written back. An object that was read and not changed is
 * written as a tree equal to the one it was read from.
 */
public final class Manifests {
    private Manifests() {}

    /**
     * Reads one object.
     *
     * @param tree maps with text keys, lists, text, numbers, booleans and nulls; copied. {@code apiVersion} may be
     *     missing: the kind tells it
     * @throws ManifestException if it is no valid object of a known kind
     */
    public static ApiObject fromTree(Map<String, @Nullable Object> tree) {
        try {
            return ObjectShape.read(Trees.frozen(tree));
        } catch (InvalidField invalid) {
            throw ManifestException.withoutPlace(tree, invalid);
        }
    }

    /**
     * The object as a tree: what changed since it was read, laid over what was read. A field that is now absent or empty
     * is removed. The caller may change the tree.
     *
     * @throws ManifestException if the document that the object carries is not of this kind or not valid, so that what
     *     changed cannot be told
     */
    public static Map<String, @Nullable Object> toTree(ApiObject object) {
        Map<String, @Nullable Object> document = object.unmodeled().document();
        Map<String, @Nullable Object> result = new LinkedHashMap<>();
        result.put("apiVersion", object.kind().apiVersion());
        result.put("kind", object.kind().apiName());
        result.putAll(Overlay.lay(document, before(object, document), ObjectShape.write(object)));
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
