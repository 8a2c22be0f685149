package io.volume4j.csi.internal.metadata;

import io.volume4j.csi.internal.proto.metadata.GetMetadataAllocatedRequest;
import io.volume4j.csi.internal.proto.metadata.GetMetadataDeltaRequest;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The request of a backup program.
 *
 * @param base the earlier snapshot; null if the client asks for all blocks with data
 */
record BlockQuestion(
        String token, String namespace, @Nullable String base, String target, long startingOffset, int maxResults) {
    static BlockQuestion of(GetMetadataAllocatedRequest request) {
        return new BlockQuestion(
                request.getSecurityToken(),
                request.getNamespace(),
                null,
                request.getSnapshotName(),
                request.getStartingOffset(),
                request.getMaxResults());
    }

    static BlockQuestion of(GetMetadataDeltaRequest request) {
        return new BlockQuestion(
                request.getSecurityToken(),
                request.getNamespace(),
                request.getBaseSnapshotName(),
                request.getTargetSnapshotName(),
                request.getStartingOffset(),
                request.getMaxResults());
    }

    /** The error in the request itself, if there is one. */
    Optional<String> mistake() {
        if (token.isEmpty()) {
            return Optional.of("security_token is missing");
        }
        if (namespace.isEmpty()) {
            return Optional.of("namespace is missing");
        }
        if (base != null && base.isEmpty()) {
            return Optional.of("base_snapshot_name is missing");
        }
        if (target.isEmpty()) {
            return Optional.of((base == null ? "snapshot_name" : "target_snapshot_name") + " is missing");
        }
        if (startingOffset < 0) {
            return Optional.of("starting_offset is negative");
        }
        return maxResults < 0 ? Optional.of("max_results is negative") : Optional.empty();
    }

    ObjectKey snapshot(String name) {
        return new ObjectKey(Kind.VOLUME_SNAPSHOT, namespace, name);
    }

    /** Without the token. */
    @Override
    public String toString() {
        return namespace + "/" + (base == null ? "" : base + "..") + target + " from " + startingOffset;
    }
}
