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
 * Creates backing storage for claims.
 *
 * @since 0.1.0
 */
public interface Provisioner {
    /**
     * Creates the storage. If an earlier call with the same name created it, returns that storage.
     *
     * @throws io.volume4j.spi.VolumeException exhausted, if the call may succeed in another place or later;
     *     infeasible, if it will never succeed; final, if the name belongs to storage that does not match the request
     */
    ProvisionResult provision(ProvisionRequest request, CallContext context);

    /**
     * The storage to create.
     *
     * @param volumeName the deterministic name that makes the call idempotent, {@code pvc-<claim UID>}
     * @param requestedBytes the minimum size
     * @param limitBytes the maximum size, 0 for none
     * @param selectedNode the node of the first consumer, null if the node does not matter
     * @param content the source of the volume's content, if the caller knows it; null if the volume is empty or the
     *     claim's data source says it
     * @param mutableParameters parameters that a {@link Modifier} can change later; they override those of the class
     * @param repeated whether an earlier call with this name may have had an effect. Then the call must find out, also if a
     *     first call would be refused before it is made
     */
    record ProvisionRequest(
            String volumeName,
            PersistentVolumeClaim claim,
            StorageClass storageClass,
            long requestedBytes,
            long limitBytes,
            @Nullable Node selectedNode,
            @Nullable ContentSource content,
            Map<String, String> mutableParameters,
            boolean repeated) {
        public ProvisionRequest {
            mutableParameters = Collections.unmodifiableMap(new TreeMap<>(mutableParameters));
        }

        /** A request for an empty volume, or for one with the content that the claim's data source says. */
        public ProvisionRequest(
                String volumeName,
                PersistentVolumeClaim claim,
                StorageClass storageClass,
                long requestedBytes,
                long limitBytes,
                @Nullable Node selectedNode) {
            this(volumeName, claim, storageClass, requestedBytes, limitBytes, selectedNode, null, Map.of(), false);
        }

        /** The same request with this content source. */
        public ProvisionRequest filledFrom(ContentSource source) {
            return toBuilder().content(source).build();
        }

        /** The same request with these mutable parameters in addition to those of the class. */
        public ProvisionRequest withMutableParameters(Map<String, String> parameters) {
            return toBuilder().mutableParameters(parameters).build();
        }

        /** A builder for an empty volume on any node, without a maximum size. */
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
            builder.repeated = repeated;
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
            private boolean repeated;

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

            public Builder repeated(boolean value) {
                repeated = value;
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
                        mutableParameters,
                        repeated);
            }
        }
    }

    /**
     * The source that a new volume is a copy of, by the plugin's own name for the source.
     * @param places for a snapshot: the places from which the new volume is accessible
     */
    record ContentSource(Kind kind, String handle, Places places) {
        /** A source that does not restrict the places of the new volume. */
        public ContentSource(Kind kind, String handle) {
            this(kind, handle, Places.everywhere());
        }

        /** The kind of a content source. */
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
     * The storage that was created.
     * @param capacityBytes its actual size in bytes, at least the requested size
     * @param nodeAffinity the nodes that can access it, null for all
     * @param annotations annotations for the PersistentVolume that later calls need; must not contain secrets
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
