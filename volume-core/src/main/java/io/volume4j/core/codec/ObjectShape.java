package io.volume4j.core.codec;

import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.CsiDriver;
import io.volume4j.spi.model.CsiNode;
import io.volume4j.spi.model.CsiStorageCapacity;
import io.volume4j.spi.model.Event;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Lease;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.ReferenceGrant;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.model.VolumeAttributesClass;
import io.volume4j.spi.model.VolumeGroupSnapshot;
import io.volume4j.spi.model.VolumeGroupSnapshotClass;
import io.volume4j.spi.model.VolumeGroupSnapshotContent;
import io.volume4j.spi.model.VolumeMove;
import io.volume4j.spi.model.VolumePopulator;
import io.volume4j.spi.model.VolumeSnapshot;
import io.volume4j.spi.model.VolumeSnapshotClass;
import io.volume4j.spi.model.VolumeSnapshotContent;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Any object: {@code apiVersion}, {@code kind}, {@code metadata}, and the rest according to its kind. */
final class ObjectShape {
    private static final String KNOWN = Arrays.stream(Kind.values())
            .map(kind -> kind.apiName() + " (" + kind.apiVersion() + ")")
            .collect(Collectors.joining(", "));

    private static final String WRITE_ONE = "write one of " + KNOWN;

    private static final Map<String, Kind> BY_NAME =
            Arrays.stream(Kind.values()).collect(Collectors.toUnmodifiableMap(Kind::apiName, kind -> kind));

    private ObjectShape() {}

    /** The document must be frozen, because the object keeps it. */
    static ApiObject read(Map<String, @Nullable Object> document, Fields.Source source) {
        return read(document, source, null);
    }

    /**
     * The same, for a document that shares parts with that of an earlier object.
     *
     * @param earlier an object that was read from a source of the same sort; null for none
     */
    static ApiObject read(Map<String, @Nullable Object> document, Fields.Source source, @Nullable ApiObject earlier) {
        Fields fields = new Fields(document, FieldPath.ROOT, source);
        Kind kind = readKind(fields);
        if (!fields.has("metadata")) {
            throw fields.missing("metadata", "every object needs metadata with a name");
        }
        ObjectMeta metadata = earlier != null && earlier.kind() == kind
                ? MetadataShape.read(fields.object("metadata"), kind, earlier)
                : MetadataShape.read(fields.object("metadata"), kind);
        Fields spec = fields.object("spec");
        Fields status = fields.object("status");
        Unmodeled unmodeled = new Unmodeled(document);
        boolean sameSpec = shared(document, earlier, kind, "spec");
        boolean sameStatus = shared(document, earlier, kind, "status");
        return switch (kind) {
            case POD -> new Pod(metadata, PodShape.readSpec(spec), PodShape.readStatus(status), unmodeled);
            case NODE -> new Node(metadata, NodeShape.readSpec(spec), NodeShape.readStatus(status), unmodeled);
            case PERSISTENT_VOLUME ->
                new PersistentVolume(
                        metadata,
                        volumeSpec(spec, earlier, sameSpec),
                        sameStatus && earlier instanceof PersistentVolume before
                                ? before.status()
                                : PersistentVolumeShape.readStatus(status),
                        unmodeled);
            case PERSISTENT_VOLUME_CLAIM ->
                new PersistentVolumeClaim(
                        metadata,
                        claimSpec(spec, earlier, sameSpec),
                        sameStatus && earlier instanceof PersistentVolumeClaim before
                                ? before.status()
                                : PersistentVolumeClaimShape.readStatus(status),
                        unmodeled);
            case STORAGE_CLASS -> StorageClassShape.read(metadata, fields, unmodeled);
            case VOLUME_ATTACHMENT ->
                new VolumeAttachment(
                        metadata,
                        VolumeAttachmentShape.readSpec(spec),
                        VolumeAttachmentShape.readStatus(status),
                        unmodeled);
            case CSI_DRIVER -> new CsiDriver(metadata, CsiShapes.readDriver(spec), unmodeled);
            case CSI_NODE -> new CsiNode(metadata, CsiShapes.readNode(spec), unmodeled);
            case CSI_STORAGE_CAPACITY -> CsiShapes.readCapacity(metadata, fields, unmodeled);
            case VOLUME_ATTRIBUTES_CLASS -> StorageClassShape.readAttributes(metadata, fields, unmodeled);
            case VOLUME_POPULATOR -> DataSourceShapes.readPopulator(metadata, fields, unmodeled);
            case REFERENCE_GRANT -> new ReferenceGrant(metadata, DataSourceShapes.readGrant(spec), unmodeled);
            case VOLUME_SNAPSHOT ->
                new VolumeSnapshot(
                        metadata, SnapshotShapes.readSpec(spec), SnapshotShapes.readStatus(status), unmodeled);
            case VOLUME_SNAPSHOT_CONTENT ->
                new VolumeSnapshotContent(
                        metadata,
                        SnapshotShapes.readContentSpec(spec),
                        SnapshotShapes.readContentStatus(status),
                        unmodeled);
            case VOLUME_SNAPSHOT_CLASS -> SnapshotShapes.readClass(metadata, fields, unmodeled);
            case VOLUME_GROUP_SNAPSHOT ->
                new VolumeGroupSnapshot(
                        metadata,
                        GroupSnapshotShapes.readSpec(spec),
                        GroupSnapshotShapes.readStatus(status),
                        unmodeled);
            case VOLUME_GROUP_SNAPSHOT_CONTENT ->
                new VolumeGroupSnapshotContent(
                        metadata,
                        GroupSnapshotShapes.readContentSpec(spec),
                        GroupSnapshotShapes.readContentStatus(status),
                        unmodeled);
            case VOLUME_GROUP_SNAPSHOT_CLASS -> GroupSnapshotShapes.readClass(metadata, fields, unmodeled);
            case EVENT -> EventShape.read(metadata, fields, unmodeled);
            case LEASE -> new Lease(metadata, LeaseShape.read(spec), unmodeled);
            case VOLUME_MOVE ->
                new VolumeMove(metadata, VolumeMoveShape.readSpec(spec), VolumeMoveShape.readStatus(status), unmodeled);
        };
    }

    private static PersistentVolume.Spec volumeSpec(Fields spec, @Nullable ApiObject earlier, boolean same) {
        if (!(earlier instanceof PersistentVolume before)) {
            return PersistentVolumeShape.readSpec(spec);
        }
        return same ? before.spec() : PersistentVolumeShape.readSpec(spec, before);
    }

    private static PersistentVolumeClaim.Spec claimSpec(Fields spec, @Nullable ApiObject earlier, boolean same) {
        if (!(earlier instanceof PersistentVolumeClaim before)) {
            return PersistentVolumeClaimShape.readSpec(spec);
        }
        return same ? before.spec() : PersistentVolumeClaimShape.readSpec(spec, before);
    }

    /** Whether a part of the document is the same object from which the earlier object was read. */
    private static boolean shared(
            Map<String, @Nullable Object> document, @Nullable ApiObject earlier, Kind kind, String part) {
        @Nullable Object here = document.get(part);
        return here != null
                && earlier != null
                && earlier.kind() == kind
                && earlier.unmodeled().document().get(part) == here;
    }

    private static Kind readKind(Fields fields) {
        String name = fields.ownText("kind", WRITE_ONE);
        Kind kind = kindNamed(fields, name);
        String version = fields.text("apiVersion");
        if (!version.isEmpty() && !kind.apiVersions().contains(version)) {
            throw fields.wrong(
                    "apiVersion",
                    Shown.value(version) + " is not known for a " + name + ": write "
                            + (kind.apiVersions().size() == 1 ? "" : "one of ")
                            + String.join(", ", kind.apiVersions()));
        }
        return kind;
    }

    private static Kind kindNamed(Fields fields, String name) {
        @Nullable Kind known = BY_NAME.get(name);
        if (known != null) {
            return known;
        }
        throw fields.wrong("kind", Shown.value(name) + " is not known: " + WRITE_ONE);
    }

    /** Refuses a document of a known kind without a version. A user's manifest must have one. */
    static void requireVersion(Map<String, @Nullable Object> document) {
        Fields fields = new Fields(document, FieldPath.ROOT, Fields.Source.TEXT);
        Kind kind = readKind(fields);
        fields.requiredText("apiVersion", "write " + kind.apiVersion());
    }

    /** All modeled fields of an object. */
    static Written write(ApiObject object) {
        return Written.part()
                .text("apiVersion", object.apiVersion())
                .text("kind", object.kind().apiName())
                .object("metadata", MetadataShape.write(object.metadata()))
                .with(body(object));
    }

    private static Written body(ApiObject object) {
        if (object instanceof Pod pod) {
            return PodShape.write(pod);
        }
        if (object instanceof Node node) {
            return NodeShape.write(node);
        }
        if (object instanceof PersistentVolume volume) {
            return PersistentVolumeShape.write(volume);
        }
        if (object instanceof PersistentVolumeClaim claim) {
            return PersistentVolumeClaimShape.write(claim);
        }
        if (object instanceof StorageClass type) {
            return StorageClassShape.write(type);
        }
        if (object instanceof VolumeAttachment attachment) {
            return VolumeAttachmentShape.write(attachment);
        }
        if (object instanceof CsiDriver driver) {
            return CsiShapes.write(driver);
        }
        if (object instanceof CsiNode node) {
            return CsiShapes.write(node);
        }
        if (object instanceof CsiStorageCapacity capacity) {
            return CsiShapes.write(capacity);
        }
        if (object instanceof VolumeAttributesClass attributes) {
            return StorageClassShape.write(attributes);
        }
        if (object instanceof VolumePopulator populator) {
            return DataSourceShapes.write(populator);
        }
        if (object instanceof ReferenceGrant grant) {
            return DataSourceShapes.write(grant);
        }
        if (object instanceof Event event) {
            return EventShape.write(event);
        }
        if (object instanceof Lease lease) {
            return LeaseShape.write(lease);
        }
        if (object instanceof VolumeMove move) {
            return VolumeMoveShape.write(move);
        }
        return snapshotBody(object);
    }

    private static Written snapshotBody(ApiObject object) {
        if (object instanceof VolumeSnapshot snapshot) {
            return SnapshotShapes.write(snapshot);
        }
        if (object instanceof VolumeSnapshotContent content) {
            return SnapshotShapes.write(content);
        }
        if (object instanceof VolumeSnapshotClass type) {
            return SnapshotShapes.write(type);
        }
        if (object instanceof VolumeGroupSnapshot group) {
            return GroupSnapshotShapes.write(group);
        }
        if (object instanceof VolumeGroupSnapshotContent content) {
            return GroupSnapshotShapes.write(content);
        }
        if (object instanceof VolumeGroupSnapshotClass type) {
            return GroupSnapshotShapes.write(type);
        }
        throw new IllegalStateException("no shape for " + object.kind());
    }

    /** {@code Kind namespace/name} of a document that may be invalid in any way, for messages. */
    static String describe(Map<?, ?> document) {
        if (!(document.get("kind") instanceof String kind)) {
            return "";
        }
        if (!(document.get("metadata") instanceof Map<?, ?> metadata)
                || !(metadata.get("name") instanceof String name)) {
            return Shown.word(kind);
        }
        boolean clusterScoped =
                Arrays.stream(Kind.values()).anyMatch(known -> known.apiName().equals(kind) && !known.namespaced());
        String namespace = metadata.get("namespace") instanceof String text ? text : MetadataShape.DEFAULT_NAMESPACE;
        return Shown.word(kind) + " " + (clusterScoped ? "" : Shown.word(namespace) + "/") + Shown.word(name);
    }
}
