package io.volume4j.core.control.snapshot;

import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.WellKnown;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a class that name secrets. Names may contain {@code ${volumesnapshotcontent.name}},
 * {@code ${volumesnapshot.name}} and {@code ${volumesnapshot.namespace}}; the secret's namespace only the first and the last, as in
 * the CSI sidecars. For groups they are {@code volumegroupsnapshotcontent} and {@code volumegroupsnapshot}. The names are resolved
 * when the intent is written, because the later delete call knows neither the class nor the snapshot.
 */
final class SnapshotSecrets {
    static final String PREFIX = "csi.storage.k8s.io/";
    private static final Pattern TOKEN = Pattern.compile("\\$\\{([^}]*)}");
    private static final List<String> USES =
            List.of("snapshotter", "snapshotter-list", "group-snapshotter", "group-snapshotter-get");
    private static final String NAME = "-secret-name";
    private static final String NAMESPACE = "-secret-namespace";

    private SnapshotSecrets() {}

    /**
     * The parameters with all names resolved.
     *
     * @throws IllegalArgumentException if a placeholder is unknown, or only one of a secret's name and namespace is set
     */
    static Map<String, String> filled(
            Map<String, String> parameters, SnapshotWords words, String contentName, ObjectReference snapshot) {
        Map<String, String> filled = new LinkedHashMap<>(parameters);
        for (String use : USES) {
            String nameKey = PREFIX + use + NAME;
            String namespaceKey = PREFIX + use + NAMESPACE;
            @Nullable String name = filled.remove(nameKey);
            @Nullable String namespace = filled.remove(namespaceKey);
            if (name == null && namespace == null) {
                continue;
            }
            if (name == null || namespace == null) {
                throw new IllegalArgumentException(nameKey + " and " + namespaceKey + " need each other");
            }
            String key = PREFIX + singular(use);
            filled.put(key + NAME, resolved(name, words, contentName, snapshot, true));
            filled.put(key + NAMESPACE, resolved(namespace, words, contentName, snapshot, false));
        }
        return Collections.unmodifiableMap(filled);
    }

    /** A driver's plugin uses one secret for both, so a group's secret has the key of a snapshot's. */
    private static String singular(String use) {
        return switch (use) {
            case "group-snapshotter" -> "snapshotter";
            case "group-snapshotter-get" -> "snapshotter-list";
            default -> use;
        };
    }

    /** The names of secrets among the parameters. */
    static Map<String, String> alone(Map<String, String> filled) {
        Map<String, String> names = new LinkedHashMap<>(filled);
        names.keySet().removeIf(key -> !key.startsWith(PREFIX) || !key.contains("-secret-"));
        return names;
    }

    /** The annotations that keep the secret's name when the class is gone. */
    static Map<String, String> kept(Map<String, String> filled) {
        @Nullable String name = filled.get(PREFIX + "snapshotter" + NAME);
        @Nullable String namespace = filled.get(PREFIX + "snapshotter" + NAMESPACE);
        if (name == null || namespace == null) {
            return Map.of();
        }
        Map<String, String> annotations = new LinkedHashMap<>();
        annotations.put(WellKnown.DELETION_SECRET_NAME, name);
        annotations.put(WellKnown.DELETION_SECRET_NAMESPACE, namespace);
        return annotations;
    }

    /** The parameters for a call about an existing snapshot, from the annotations of its content. */
    static Map<String, String> of(ContentFacts content) {
        return of(content.object());
    }

    /** The same. */
    static Map<String, String> of(ApiObject content) {
        String name = content.metadata().annotation(WellKnown.DELETION_SECRET_NAME);
        String namespace = content.metadata().annotation(WellKnown.DELETION_SECRET_NAMESPACE);
        if (name.isEmpty() || namespace.isEmpty()) {
            return Map.of();
        }
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put(PREFIX + "snapshotter" + NAME, name);
        parameters.put(PREFIX + "snapshotter" + NAMESPACE, namespace);
        return parameters;
    }

    private static String resolved(
            String template, SnapshotWords words, String contentName, ObjectReference snapshot, boolean inName) {
        String prefix = words == SnapshotWords.SINGLE ? "volumesnapshot" : "volumegroupsnapshot";
        Matcher token = TOKEN.matcher(template);
        StringBuilder text = new StringBuilder();
        while (token.find()) {
            String value = value(token.group(1), prefix, contentName, snapshot, inName)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "\"" + token.group() + "\" stands for nothing in the name of a secret; known are "
                                    + new TreeSet<>(List.of(
                                            prefix + "content.name", prefix + ".namespace", prefix + ".name"))));
            token.appendReplacement(text, Matcher.quoteReplacement(value));
        }
        return token.appendTail(text).toString();
    }

    private static Optional<String> value(
            String token, String prefix, String contentName, ObjectReference snapshot, boolean inName) {
        if (token.equals(prefix + "content.name")) {
            return Optional.of(contentName);
        }
        if (token.equals(prefix + ".namespace")) {
            return Optional.of(snapshot.namespace());
        }
        return inName && token.equals(prefix + ".name") ? Optional.of(snapshot.name()) : Optional.empty();
    }
}
