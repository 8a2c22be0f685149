package io.volume4j.spi.model;

/**
 * Points at an object, such as a volume's {@code claimRef}.
 *
 * @param uid {@code ""} where a person reserved a volume by name only
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

    /** Of a stored claim, with its UID. */
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
}
