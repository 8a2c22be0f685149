package io.volume4j.spi.model;

import java.util.Objects;

/**
 * A request to move a claim's data to a volume of another class. The claim keeps its name, but the library replaces
 * its object. The old volume stays with all its data, in phase Released.
 *
 * @since 0.1.0
 */
public record VolumeMove(ObjectMeta metadata, Spec spec, Status status, Unmodeled unmodeled) implements ApiObject {
    /** The group of {@code apiVersion}. */
    public static final String GROUP = "volume4j.io";

    public VolumeMove {
        Objects.requireNonNull(metadata, "metadata");
        Objects.requireNonNull(spec, "spec");
        status = status == null ? Status.none() : status;
        unmodeled = unmodeled == null ? Unmodeled.none() : unmodeled;
    }

    /** A move of the claim to the class, with the method {@link Method#AUTO}. */
    public static VolumeMove of(String namespace, String name, String claim, String className) {
        return new VolumeMove(
                ObjectMeta.named(namespace, name),
                new Spec(claim, className, Method.AUTO, ""),
                Status.none(),
                Unmodeled.none());
    }

    @Override
    public Kind kind() {
        return Kind.VOLUME_MOVE;
    }

    /**
     * The claim to move, and the new class.
     * @param claimName name of the claim, in the namespace of the move
     * @param storageClassName class of the new volume
     * @param method how the data gets into the new volume
     * @param nodeName the node that must be able to access the new volume, for a class that waits for its first
     *     consumer; {@code ""} for a class that does not wait
     */
    public record Spec(String claimName, String storageClassName, Method method, String nodeName) {
        public Spec {
            claimName = Copies.text(claimName);
            storageClassName = Copies.text(storageClassName);
            method = method == null ? Method.AUTO : method;
            nodeName = Copies.text(nodeName);
        }
    }

    /** How the data gets into the new volume. */
    public enum Method implements ApiWord {
        /** {@link #CLONE} if one driver makes both volumes and can copy its own, else {@link #COPY}. */
        AUTO("Auto"),
        /** The driver clones its own volume. */
        CLONE("Clone"),
        /** The populator that is registered for moves copies the data. */
        COPY("Copy"),
        /** A word that this version does not know: such a move waits. */
        UNKNOWN("");

        private final String apiName;

        Method(String apiName) {
            this.apiName = apiName;
        }

        @Override
        public boolean known() {
            return this != UNKNOWN;
        }

        @Override
        public String apiName() {
            return apiName;
        }
    }

    /** The phase of a move. */
    public enum Phase implements ApiWord {
        /** The controller has not processed the move yet. */
        NONE(""),
        /** The library holds the claim and copies its data. Deleting the move now loses no data. */
        COPYING("Copying"),
        /** The library gives the new volume to the claim. It finishes the move even if the move is deleted now. */
        SWITCHING("Switching"),
        /** The claim has the new volume. */
        MOVED("Moved"),
        /** The move is not possible. The claim is as it was before. */
        FAILED("Failed"),
        /** A word that this version does not know: such a move waits. */
        UNKNOWN("?");

        private final String apiName;

        Phase(String apiName) {
            this.apiName = apiName;
        }

        @Override
        public boolean known() {
            return this != UNKNOWN;
        }

        @Override
        public String apiName() {
            return apiName;
        }
    }

    /**
     * The recorded state of a move, with which any controller can continue it.
     *
     * @param message why the move failed, for people; {@code ""} otherwise
     * @param claimUid UID of the claim that moves, {@code ""} before the move began
     * @param sourceVolume the volume that the claim had
     * @param claim the manifest of the claim's new object, {@code ""} before the data is copied
     * @param copyUid UID of the temporary claim that has the new volume while it is filled
     * @param targetVolume the volume that the claim will get
     * @param targetPolicy reclaim policy of that volume after the move
     * @param sourcePolicy reclaim policy of the volume that the claim had, which it gets back if the move fails
     */
    public record Status(
            Phase phase,
            String message,
            String claimUid,
            String sourceVolume,
            String claim,
            String copyUid,
            String targetVolume,
            ReclaimPolicy targetPolicy,
            ReclaimPolicy sourcePolicy) {
        private static final Status NONE =
                new Status(Phase.NONE, "", "", "", "", "", "", ReclaimPolicy.UNKNOWN, ReclaimPolicy.UNKNOWN);

        public Status {
            phase = phase == null ? Phase.NONE : phase;
            message = Copies.text(message);
            claimUid = Copies.text(claimUid);
            sourceVolume = Copies.text(sourceVolume);
            claim = Copies.text(claim);
            copyUid = Copies.text(copyUid);
            targetVolume = Copies.text(targetVolume);
            targetPolicy = targetPolicy == null ? ReclaimPolicy.UNKNOWN : targetPolicy;
            sourcePolicy = sourcePolicy == null ? ReclaimPolicy.UNKNOWN : sourcePolicy;
        }

        public static Status none() {
            return NONE;
        }

        /** A builder for the status of a move that has not begun. */
        public static Builder builder() {
            return new Builder();
        }

        /** A builder that starts with the values of this object. */
        public Builder toBuilder() {
            Builder builder = new Builder();
            builder.phase = phase;
            builder.message = message;
            builder.claimUid = claimUid;
            builder.sourceVolume = sourceVolume;
            builder.claim = claim;
            builder.copyUid = copyUid;
            builder.targetVolume = targetVolume;
            builder.targetPolicy = targetPolicy;
            builder.sourcePolicy = sourcePolicy;
            return builder;
        }

        /** Builds a {@link Status}. Fields that later versions add have defaults here. Not thread-safe. */
        public static final class Builder {
            private Phase phase = Phase.NONE;
            private String message = "";
            private String claimUid = "";
            private String sourceVolume = "";
            private String claim = "";
            private String copyUid = "";
            private String targetVolume = "";
            private ReclaimPolicy targetPolicy = ReclaimPolicy.UNKNOWN;
            private ReclaimPolicy sourcePolicy = ReclaimPolicy.UNKNOWN;

            private Builder() {}

            public Builder phase(Phase value) {
                phase = value;
                return this;
            }

            public Builder message(String value) {
                message = value;
                return this;
            }

            public Builder claimUid(String value) {
                claimUid = value;
                return this;
            }

            public Builder sourceVolume(String value) {
                sourceVolume = value;
                return this;
            }

            public Builder claim(String value) {
                claim = value;
                return this;
            }

            public Builder copyUid(String value) {
                copyUid = value;
                return this;
            }

            public Builder targetVolume(String value) {
                targetVolume = value;
                return this;
            }

            public Builder targetPolicy(ReclaimPolicy value) {
                targetPolicy = value;
                return this;
            }

            public Builder sourcePolicy(ReclaimPolicy value) {
                sourcePolicy = value;
                return this;
            }

            public Status build() {
                return new Status(
                        phase,
                        message,
                        claimUid,
                        sourceVolume,
                        claim,
                        copyUid,
                        targetVolume,
                        targetPolicy,
                        sourcePolicy);
            }
        }
    }
}
