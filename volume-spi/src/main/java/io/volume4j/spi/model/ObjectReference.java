package io.volume4j.spi.model;

/**
 * A reference to an object, such as a volume's {@code claimRef}.
 *
 * @param uid {@code ""} if a person reserved a volume by name only
 * @since 0.1.0
 */
public record ObjectReference(
        String apiVersion, String kind, String namespace, String name, String uid, String resourceVersion) {
    public ObjectReference {
        apiVersion = Copies.text(apiVersion);
        kind = Copies.text(kind);
        namespace = Copies.text(namespace);
        name = Copies.text(name);
        uid = Copies.text(uid);
        resourceVersion = Copies.text(resourceVersion);
    }

    /** A reference to a stored claim, with its UID. */
    public static ObjectReference to(PersistentVolumeClaim claim) {
        ObjectMeta meta = claim.metadata();
        return new ObjectReference(
                claim.kind().apiVersion(),
                claim.kind().apiName(),
                meta.namespace(),
                meta.name(),
                meta.uid(),
                meta.resourceVersion());
    }

    /** A builder without values. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that starts with the values of this object. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.apiVersion = apiVersion;
        builder.kind = kind;
        builder.namespace = namespace;
        builder.name = name;
        builder.uid = uid;
        builder.resourceVersion = resourceVersion;
        return builder;
    }

    /** Builds a {@link ObjectReference}. Fields that later versions add have defaults here. Not thread-safe. */
    public static final class Builder {
        private String apiVersion = "";
        private String kind = "";
        private String namespace = "";
        private String name = "";
        private String uid = "";
        private String resourceVersion = "";

        private Builder() {}

        public Builder apiVersion(String value) {
            apiVersion = value;
            return this;
        }

        public Builder kind(String value) {
            kind = value;
            return this;
        }

        public Builder namespace(String value) {
            namespace = value;
            return this;
        }

        public Builder name(String value) {
            name = value;
            return this;
        }

        public Builder uid(String value) {
            uid = value;
            return this;
        }

        public Builder resourceVersion(String value) {
            resourceVersion = value;
            return this;
        }

        public ObjectReference build() {
            return new ObjectReference(apiVersion, kind, namespace, name, uid, resourceVersion);
        }
    }
}
