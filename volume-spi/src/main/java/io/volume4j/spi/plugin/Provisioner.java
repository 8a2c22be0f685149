package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeSource;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes backing storage for claims.
 *
 * @since 0.1.0
 */
public interface Provisioner {
    /**
     * Makes the storage, or finds what an earlier call with the same name made.
     *
     * @throws io.volume4j.spi.VolumeException exhausted, if another place or a later time may help; infeasible, if none
     *     will; final, if the name is taken by something that does not fit
     */
    ProvisionResult provision(ProvisionRequest request, CallContext context);

    /**
     * What to make.
     *
     * @param volumeName the deterministic name that makes the call idempotent, {@code pvc-<claim UID>}
     * @param requestedBytes the least size
     * @param limitBytes the greatest size, 0 for none
     * @param selectedNode where the first consumer will run, null if that does not matter
     * @param content what the volume is filled from, where the caller knows; null if it is empty or the claim's data source
     *     tells
     * @param mutableParameters that a {@link Modifier} can change later; they win over those of the class
     */
    record ProvisionRequest(
            String volumeName,
            PersistentVolumeClaim claim,
            StorageClass storageClass,
            long requestedBytes,
            long limitBytes,
            @Nullable Node selectedNode,
            @Nullable ContentSource content,
            Map<String, String> mutableParameters) {
        public ProvisionRequest {
            mutableParameters = Collections.unmodifiableMap(new TreeMap<>(mutableParameters));
        }

        /** Of an empty volume, or one that is filled as the claim says. */
        public ProvisionRequest(
                String volumeName,
                PersistentVolumeClaim claim,
                StorageClass storageClass,
                long requestedBytes,
                long limitBytes,
                @Nullable Node selectedNode) {
            this(volumeName, claim, storageClass, requestedBytes, limitBytes, selectedNode, null, Map.of());
        }

        /** The same, filled from this. */
        public ProvisionRequest filledFrom(ContentSource source) {
            return toBuilder().content(source).build();
        }

        /** The same, with these parameters besides those of the class. */
        public ProvisionRequest withMutableParameters(Map<String, String> parameters) {
            return toBuilder().mutableParameters(parameters).build();
        }

        /** For an empty volume on any node, without an upper limit. */
        public static Builder builder(
                String volumeName, PersistentVolumeClaim claim, StorageClass storageClass, long requestedBytes) {
            return new Builder(volumeName, claim, storageClass, requestedBytes);
        }

        /** A builder that starts with the values of this object. */
        public Builder toBuilder() {
            Builder builder = new Builder(volumeName, claim, storageClass, requestedBytes);
            builder.limitBytes = limitBytes;
            builder.selectedNode = selectedNode;
            builder.content = content;
            builder.mutableParameters = mutableParameters;
            return builder;
        }

        /** Builds a {@link ProvisionRequest}. Fields that later versions add have defaults here. Not thread-safe. */
        public static final class Builder {
            private String volumeName;
            private PersistentVolumeClaim claim;
            private StorageClass storageClass;
            private long requestedBytes;
            private long limitBytes;
            private @Nullable Node selectedNode;
            private @Nullable ContentSource content;
            private Map<String, String> mutableParameters = Map.of();

            private Builder(
                    String volumeName, PersistentVolumeClaim claim, StorageClass storageClass, long requestedBytes) {
                this.volumeName = volumeName;
                this.claim = claim;
                this.storageClass = storageClass;
                this.requestedBytes = requestedBytes;
            }

            public Builder volumeName(String value) {
                volumeName = value;
                return this;
            }

            public Builder claim(PersistentVolumeClaim value) {
                claim = value;
                return this;
            }

            public Builder storageClass(StorageClass value) {
                storageClass = value;
                return this;
            }

            public Builder requestedBytes(long value) {
                requestedBytes = value;
                return this;
            }

            public Builder limitBytes(long value) {
                limitBytes = value;
                return this;
            }

            public Builder selectedNode(@Nullable Node value) {
                selectedNode = value;
                return this;
            }

            public Builder content(@Nullable ContentSource value) {
                content = value;
                return this;
            }

            public Builder mutableParameters(Map<String, String> value) {
                mutableParameters = value;
                return this;
            }

            public ProvisionRequest build() {
                return new ProvisionRequest(
                        volumeName,
                        claim,
                        storageClass,
                        requestedBytes,
                        limitBytes,
                        selectedNode,
                        content,
                        mutableParameters);
            }
        }
    }

    /**
     * What a new volume is a copy of, by the plugin's own name for it.
     *
     * @param places of a snapshot: from where the new volume can be reached
     */
    record ContentSource(Kind kind, String handle, Places places) {
        /** Of which the new volume can be reached from everywhere, as far as it matters. */
        public ContentSource(Kind kind, String handle) {
            this(kind, handle, Places.everywhere());
        }

        /** What it is. */
        public enum Kind {
            SNAPSHOT,
            VOLUME
        }

        public ContentSource {
            if (handle.isEmpty()) {
                throw new IllegalArgumentException("a content source needs a handle");
            }
        }
    }

    /**
     * What was made.
     *
     * @param capacityBytes its real size, at least what was asked for
     * @param nodeAffinity the nodes that can reach it, null for all
     * @param annotations that the volume's object is to carry, because later calls for it need them; no secrets
     */
    record ProvisionResult(
            VolumeSource source,
            long capacityBytes,
            @Nullable NodeSelector nodeAffinity,
            Map<String, String> annotations) {
        public ProvisionResult {
            Objects.requireNonNull(source, "source");
            annotations = Collections.unmodifiableMap(new TreeMap<>(annotations));
            if (capacityBytes <= 0) {
                throw new IllegalArgumentException("capacity must be positive, not " + capacityBytes);
            }
        }

        public ProvisionResult(VolumeSource source, long capacityBytes, @Nullable NodeSelector nodeAffinity) {
            this(source, capacityBytes, nodeAffinity, Map.of());
        }

        public static ProvisionResult of(VolumeSource source, long capacityBytes) {
            return new ProvisionResult(source, capacityBytes, null);
        }

        public ProvisionResult onlyOn(NodeSelector nodes) {
            return new ProvisionResult(source, capacityBytes, nodes, annotations);
        }

        public ProvisionResult annotated(Map<String, String> newAnnotations) {
            return new ProvisionResult(source, capacityBytes, nodeAffinity, newAnnotations);
        }
    }
}
