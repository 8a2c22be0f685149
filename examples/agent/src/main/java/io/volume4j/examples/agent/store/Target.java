package io.volume4j.examples.agent.store;

import io.volume4j.examples.agent.http.ApiPath;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The target of a request.
 *
 * @param namespace {@code ""} for all
 * @param name of an object, {@code ""} for a collection
 * @param status whether the request is only for the object's status
 */
record Target(Kind kind, String namespace, String name, boolean status, Map<String, String> query) {
    /** Empty for an unknown path. */
    static Optional<Target> of(URI uri) {
        for (Kind kind : Kind.values()) {
            if (uri.getRawPath().startsWith(ApiPath.group(kind))) {
                List<String> parts = new ArrayList<>();
                for (String part :
                        uri.getRawPath().substring(ApiPath.group(kind).length()).split("/", -1)) {
                    parts.add(URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8));
                }
                Optional<Target> found = of(kind, parts, query(uri));
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<Target> of(Kind kind, List<String> parts, Map<String, String> query) {
        boolean inOne = kind.namespaced() && parts.size() > 2 && parts.get(0).equals("namespaces");
        String namespace = inOne ? parts.get(1) : "";
        List<String> rest = inOne ? parts.subList(2, parts.size()) : parts;
        boolean status = rest.size() == 3 && rest.get(2).equals("status");
        String name = rest.size() > 1 ? rest.get(1) : "";
        boolean known = rest.get(0).equals(ApiPath.plural(kind))
                && (rest.size() < 3 || status)
                && name.isEmpty() == (rest.size() == 1)
                && (name.isEmpty() || inOne == kind.namespaced());
        return known ? Optional.of(new Target(kind, namespace, name, status, query)) : Optional.empty();
    }

    private static Map<String, String> query(URI uri) {
        Map<String, String> query = new LinkedHashMap<>();
        if (uri.getRawQuery() != null) {
            for (String pair : uri.getRawQuery().split("&", -1)) {
                int end = pair.indexOf('=');
                String value = end < 0 ? "" : pair.substring(end + 1);
                query.put(end < 0 ? pair : pair.substring(0, end), URLDecoder.decode(value, StandardCharsets.UTF_8));
            }
        }
        return query;
    }

    ObjectKey key() {
        return new ObjectKey(kind, namespace, name);
    }

    String query(String field) {
        return query.getOrDefault(field, "");
    }

    boolean asks(String field) {
        return query(field).equals("1") || query(field).equals("true");
    }

    /** @throws Refusal for a selector that the store does not support */
    Selection selection() {
        String selector = query("fieldSelector");
        String node = kind == Kind.POD ? "spec.nodeName=" : kind == Kind.NODE ? "metadata.name=" : " ";
        if (!query("labelSelector").isEmpty() || !(selector.isEmpty() || selector.startsWith(node))) {
            throw new Refusal(400, "BadRequest", "this store selects pods by spec.nodeName and nodes by metadata.name");
        }
        return selector.isEmpty() ? Selection.all() : Selection.ofNode(selector.substring(node.length()));
    }
}
