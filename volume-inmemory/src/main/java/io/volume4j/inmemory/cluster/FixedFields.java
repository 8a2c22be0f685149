package io.volume4j.inmemory.cluster;

import io.volume4j.spi.model.ApiObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The fields that Kubernetes' API server does not let an update change. Two rules are weaker here, for stores of other hosts: a claim
 * may give up the name of its volume, and may ask for another size at any time. Pure.
 */
final class FixedFields {
    private static final Set<String> FREE_OF_VOLUME = Set.of(
            "capacity",
            "accessModes",
            "persistentVolumeReclaimPolicy",
            "storageClassName",
            "claimRef",
            "mountOptions",
            "volumeAttributesClassName");

    /** The values of fields that a manifest omits. */
    private static final Map<String, String> DEFAULTS =
            Map.of("volumeMode", "Filesystem", "reclaimPolicy", "Delete", "volumeBindingMode", "Immediate");

    private static final String EXPAND_SECRET = "controllerExpandSecretRef";

    private FixedFields() {}

    /** The problems of an object after changes of the stored one. */
    static List<String> problems(ApiObject old, ObjectTree after) {
        ObjectTree before = ObjectTree.unchanged(old);
        List<String> problems = new ArrayList<>();
        switch (old.kind()) {
            case PERSISTENT_VOLUME_CLAIM -> claim(before, after, problems);
            case PERSISTENT_VOLUME -> volume(before, after, problems);
            case VOLUME_ATTACHMENT -> fixed(before, after, "spec", name -> true, problems);
            case CSI_DRIVER ->
                fixed(before, after, "spec", Set.of("attachRequired", "volumeLifecycleModes")::contains, problems);
            case VOLUME_SNAPSHOT -> fixed(before, after, "spec", "source"::equals, problems);
            case VOLUME_SNAPSHOT_CONTENT ->
                fixed(before, after, "spec", Set.of("source", "sourceVolumeMode")::contains, problems);
            case STORAGE_CLASS ->
                top(
                        before,
                        after,
                        List.of("provisioner", "parameters", "reclaimPolicy", "volumeBindingMode"),
                        problems);
            case VOLUME_ATTRIBUTES_CLASS -> top(before, after, List.of("driverName", "parameters"), problems);
            case CSI_STORAGE_CAPACITY -> top(before, after, List.of("nodeTopology", "storageClassName"), problems);
            default -> {
                // no rule that the writes of volume controllers could break
            }
        }
        return problems;
    }

    private static void claim(ObjectTree before, ObjectTree after, List<String> problems) {
        Map<?, ?> was = fields(before.get("spec"));
        Map<?, ?> is = fields(after.get("spec"));
        fixed(
                before,
                after,
                "spec",
                name -> switch (name) {
                    case "resources", "volumeAttributesClassName" -> false;
                    case "volumeName" -> !empty(was.get(name)) && !empty(is.get(name));
                    case "storageClassName" -> was.get(name) != null;
                    default -> true;
                },
                problems);
    }

    private static void volume(ObjectTree before, ObjectTree after, List<String> problems) {
        Map<?, ?> was = fields(before.get("spec"));
        Map<?, ?> is = fields(after.get("spec"));
        fixed(
                before,
                after,
                "spec",
                name -> switch (name) {
                    case "nodeAffinity" -> !empty(was.get(name));
                    case "csi" -> !onlyExpandSecretAdded(fields(was.get(name)), fields(is.get(name)));
                    default -> !FREE_OF_VOLUME.contains(name);
                },
                problems);
    }

    private static boolean onlyExpandSecretAdded(Map<?, ?> was, Map<?, ?> is) {
        Map<Object, @Nullable Object> rest = new LinkedHashMap<>(is);
        rest.remove(EXPAND_SECRET);
        return empty(was.get(EXPAND_SECRET)) && ObjectTree.same(was, rest);
    }

    /** @param which the names of fields of the part that must not change */
    private static void fixed(
            ObjectTree before, ObjectTree after, String part, Predicate<String> which, List<String> problems) {
        Map<?, ?> was = fields(before.get(part));
        Map<?, ?> is = fields(after.get(part));
        if (was == is) {
            return;
        }
        Set<String> names = new LinkedHashSet<>();
        was.keySet().forEach(name -> names.add(String.valueOf(name)));
        is.keySet().forEach(name -> names.add(String.valueOf(name)));
        for (String name : names) {
            if (!same(name, was.get(name), is.get(name)) && which.test(name)) {
                problems.add(part + "." + name + ": is immutable after creation");
            }
        }
    }

    private static void top(ObjectTree before, ObjectTree after, List<String> names, List<String> problems) {
        for (String name : names) {
            if (!same(name, before.get(name), after.get(name))) {
                problems.add(name + ": is immutable after creation");
            }
        }
    }

    private static boolean same(String name, @Nullable Object was, @Nullable Object is) {
        @Nullable String otherwise = DEFAULTS.get(name);
        return ObjectTree.same(was == null ? otherwise : was, is == null ? otherwise : is);
    }

    private static boolean empty(@Nullable Object value) {
        return value == null || value.equals("") || (value instanceof Map<?, ?> map && map.isEmpty());
    }

    private static Map<?, ?> fields(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }
}
