package io.volume4j.examples.agent.store;

import io.volume4j.examples.agent.http.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The owners whose deletion in the foreground an object blocks ({@code blockOwnerDeletion}), as references. */
record BlockedOwners(List<Map<String, @Nullable Object>> references) {
    static BlockedOwners of(Map<String, @Nullable Object> object) {
        return new BlockedOwners(Json.maps(Json.map(object, "metadata"), "ownerReferences").stream()
                .filter(owner -> Boolean.TRUE.equals(owner.get("blockOwnerDeletion")))
                .toList());
    }

    /** Those that the other object does not block. */
    List<Map<String, @Nullable Object>> without(BlockedOwners other) {
        return references.stream()
                .filter(owner -> other.references.stream()
                        .noneMatch(each -> Json.text(each, "uid").equals(Json.text(owner, "uid"))))
                .toList();
    }
}
