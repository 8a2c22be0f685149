package io.volume4j.examples.agent.store;

import io.volume4j.examples.agent.http.Json;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks of new objects that an API server makes in addition to the schema checks of the in-memory cluster. */
final class Admission {
    private static final Pattern SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    /** The fields of a volume's spec that are not its source. */
    private static final Set<String> NO_SOURCE = Set.of(
            "accessModes",
            "capacity",
            "claimRef",
            "mountOptions",
            "nodeAffinity",
            "persistentVolumeReclaimPolicy",
            "storageClassName",
            "volumeAttributesClassName",
            "volumeMode");

    private Admission() {}

    /** @throws Refusal with all violations */
    static void require(ApiObject object, Map<String, @Nullable Object> tree) {
        List<String> problems = problems(object.kind(), Json.map(tree, "spec"));
        if (!problems.isEmpty()) {
            throw new Refusal(422, "Invalid", "create " + object.key() + ": " + String.join("; ", problems));
        }
    }

    private static List<String> problems(Kind kind, Map<String, @Nullable Object> spec) {
        List<String> problems = new ArrayList<>();
        switch (kind) {
            case POD -> pod(spec, problems);
            case PERSISTENT_VOLUME -> volume(spec, problems);
            case PERSISTENT_VOLUME_CLAIM -> {
                needed(spec, "accessModes", problems);
                if (Json.map(Json.map(spec, "resources"), "requests").get("storage") == null) {
                    problems.add("spec.resources.requests.storage: is required");
                }
            }
            case VOLUME_ATTACHMENT -> attachment(spec, problems);
            default -> {}
        }
        return problems;
    }

    private static void pod(Map<String, @Nullable Object> spec, List<String> problems) {
        needed(spec, "containers", problems);
        for (String list : List.of("initContainers", "containers")) {
            for (Map<String, @Nullable Object> container : Json.maps(spec, list)) {
                if (Json.text(container, "image").isEmpty()) {
                    problems.add("spec." + list + "[" + Json.text(container, "name") + "].image: is required");
                }
            }
        }
    }

    private static void volume(Map<String, @Nullable Object> spec, List<String> problems) {
        needed(spec, "accessModes", problems);
        if (Json.map(spec, "capacity").get("storage") == null) {
            problems.add("spec.capacity.storage: is required");
        }
        List<String> sources = spec.keySet().stream()
                .filter(field -> !NO_SOURCE.contains(field))
                .toList();
        if (sources.size() != 1) {
            problems.add("spec: names exactly one kind of storage, not " + sources);
        }
    }

    private static void attachment(Map<String, @Nullable Object> spec, List<String> problems) {
        if (!SUBDOMAIN.matcher(Json.text(spec, "attacher")).matches()) {
            problems.add("spec.attacher: is a DNS subdomain");
        }
        Map<String, @Nullable Object> source = Json.map(spec, "source");
        if (source.size() != 1) {
            problems.add("spec.source: has exactly one member, not " + source.keySet());
        }
        if (source.get("inlineVolumeSpec") != null) {
            needed(Json.map(source, "inlineVolumeSpec"), "accessModes", problems);
        }
    }

    private static void needed(Map<String, @Nullable Object> spec, String list, List<String> problems) {
        if (!(spec.get(list) instanceof List<?> items) || items.isEmpty()) {
            problems.add("spec." + list + ": is required");
        }
    }
}
