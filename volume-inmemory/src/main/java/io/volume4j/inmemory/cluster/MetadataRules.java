package io.volume4j.inmemory.cluster;

import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.NameRule;
import io.volume4j.spi.model.ObjectMeta;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The syntax of labels and annotations that Kubernetes' API server accepts. Pure. */
final class MetadataRules {
    private static final int ANNOTATIONS_BYTES = 256 * 1024;

    private MetadataRules() {}

    /** The problems of a new object. */
    static List<String> problems(ObjectMeta created) {
        List<String> problems = new ArrayList<>();
        created.labels().forEach((key, value) -> entry("labels", key, value, problems));
        created.annotations().forEach((key, value) -> entry("annotations", key, value, problems));
        size(created.annotations(), problems);
        return problems;
    }

    /** The problems of what a patch sets. The caller must check the size of all annotations, see {@link #size}. */
    static List<String> problems(Patch patch) {
        List<String> problems = new ArrayList<>();
        for (FieldChange change : patch.changes()) {
            List<String> path = change.path();
            if (path.size() > 1
                    && path.get(0).equals("metadata")
                    && hasEntries(path.get(1))
                    && change.value() != null) {
                if (path.size() == 3) {
                    entry(path.get(1), path.get(2), String.valueOf(change.value()), problems);
                } else if (path.size() == 2 && change.value() instanceof Map<?, ?> all) {
                    all.forEach(
                            (key, value) -> entry(path.get(1), String.valueOf(key), String.valueOf(value), problems));
                }
            }
        }
        return problems;
    }

    /** Adds a problem if the annotations are too large together. */
    static void size(Map<?, ?> annotations, List<String> problems) {
        long bytes = 0;
        for (Map.Entry<?, ?> entry : annotations.entrySet()) {
            bytes += bytes(entry.getKey()) + bytes(entry.getValue());
        }
        if (bytes > ANNOTATIONS_BYTES) {
            problems.add("metadata.annotations: may not have more than " + ANNOTATIONS_BYTES + " bytes");
        }
    }

    private static boolean hasEntries(String field) {
        return field.equals("labels") || field.equals("annotations");
    }

    private static long bytes(@Nullable Object text) {
        return String.valueOf(text).getBytes(StandardCharsets.UTF_8).length;
    }

    private static void entry(String field, String key, String value, List<String> problems) {
        int slash = key.indexOf('/');
        boolean prefixed = slash < 0 || !field.equals("labels") || NameRule.SUBDOMAIN.allows(key.substring(0, slash));
        if (!NameRule.QUALIFIED.allows(key) || !prefixed) {
            problems.add("metadata." + field + ": the key \"" + key + "\" must be " + NameRule.QUALIFIED.description());
        }
        // Without a slash, the rule is the one for values.
        if (field.equals("labels")
                && !value.isEmpty()
                && (value.indexOf('/') >= 0 || !NameRule.QUALIFIED.allows(value))) {
            problems.add(
                    "metadata.labels." + key + ": the value must have at most 63 letters, digits, '-', '_' and '.',"
                            + " and begin and end with a letter or digit");
        }
    }
}
