package io.volume4j.examples.agent.store;

import io.volume4j.examples.agent.http.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The owners whose deletion in the foreground an object blocks ({@code blockOwnerDeletion}), as references. */
final class BlockedOwners {
    private BlockedOwners() {}

    static List<Map<String, @Nullable Object>> of(Map<String, @Nullable Object> object) {
        return Json.maps(Json.map(object, "metadata"), "ownerReferences").stream()
                .filter(owner -> Boolean.TRUE.equals(owner.get("blockOwnerDeletion")))
                .toList();
    }

    static boolean contains(List<Map<String, @Nullable Object>> owners, Map<String, @Nullable Object> owner) {
        return owners.stream().anyMatch(each -> Json.text(each, "uid").equals(Json.text(owner, "uid")));
    }
}
