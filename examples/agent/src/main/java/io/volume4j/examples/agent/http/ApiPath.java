package io.volume4j.examples.agent.http;

import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.NameRule;
import io.volume4j.spi.model.ObjectKey;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Paths of kinds and objects: {@code /api/v1/…} for the core group, {@code /apis/GROUP/VERSION/…} for all others. */
public final class ApiPath {
    private ApiPath() {}

    /** All objects of the kind, in all namespaces. */
    public static String all(Kind kind) {
        return all(kind, kind.apiVersion());
    }

    /** The same in one of the versions of the kind. */
    static String all(Kind kind, String apiVersion) {
        return group(apiVersion) + plural(kind);
    }

    /** The path for new objects of the kind. */
    public static String collection(Kind kind, String namespace) {
        return collection(kind, namespace, kind.apiVersion());
    }

    static String collection(Kind kind, String namespace, String apiVersion) {
        return kind.namespaced()
                ? group(apiVersion) + "namespaces/" + encoded(namespace) + "/" + plural(kind)
                : all(kind, apiVersion);
    }

    public static String object(ObjectKey key) {
        return object(key, key.kind().apiVersion());
    }

    static String object(ObjectKey key, String apiVersion) {
        return collection(key.kind(), key.namespace(), apiVersion) + "/" + encoded(key.name());
    }

    /**
     * Whether an object can have this name. API servers check few of the names by which objects refer to others, and a slash or dots
     * in such a name would lead to another object.
     */
    static boolean canExist(String namespace, String name) {
        return NameRule.SUBDOMAIN.allows(name) && (namespace.isEmpty() || NameRule.LABEL.allows(namespace));
    }

    /**
     * An object of the core group for which the library has no kind.
     *
     * @throws ClusterException invalid, if a name would change the path
     */
    static String inNamespace(String what, String namespace, String plural, String name) {
        for (String segment : new String[] {namespace, name}) {
            if (segment.isEmpty() || segment.equals(".") || segment.equals("..")) {
                throw new ClusterException(Reason.INVALID, what + ": no name of a stored object");
            }
        }
        return "/api/v1/namespaces/" + encoded(namespace) + "/" + plural + "/" + encoded(name);
    }

    /** The beginning of a query with a selector for the server, {@code ""} for all objects. */
    static String select(Kind kind, Selection selection) {
        if (selection.nodeName().isEmpty()) {
            return "";
        }
        return switch (kind) {
            case POD -> "fieldSelector=" + encoded("spec.nodeName=" + selection.nodeName()) + "&";
            case NODE -> "fieldSelector=" + encoded("metadata.name=" + selection.nodeName()) + "&";
            default -> "";
        };
    }

    /** {@code /api/v1/} or {@code /apis/storage.k8s.io/v1/}. */
    public static String group(Kind kind) {
        return group(kind.apiVersion());
    }

    private static String group(String apiVersion) {
        return (apiVersion.contains("/") ? "/apis/" : "/api/") + apiVersion + "/";
    }

    /** {@code persistentvolumeclaims}, {@code storageclasses}, {@code csistoragecapacities}. */
    public static String plural(Kind kind) {
        return plural(kind.apiName());
    }

    /** The same for a kind that the library may not know. */
    public static String plural(String kind) {
        String name = kind.toLowerCase(Locale.ROOT);
        if (name.endsWith("s")) {
            return name + "es";
        }
        return name.endsWith("y") ? name.substring(0, name.length() - 1) + "ies" : name + "s";
    }

    /** One segment of a path, or a value in a query. */
    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
