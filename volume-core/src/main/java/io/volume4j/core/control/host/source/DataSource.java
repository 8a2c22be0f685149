package io.volume4j.core.control.host.source;

import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.ReferenceGrant;
import io.volume4j.spi.model.TypedReference;
import io.volume4j.spi.model.VolumePopulator;
import io.volume4j.spi.plugin.Provisioner.ContentSource;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The source of the content of a claim's volume.
 *
 * @param what the name of the source for users, for example {@code VolumeSnapshot prod/golden}; {@code ""} for an
 *     empty volume
 * @param known whether the controller knows enough to decide whether the claim may use the source
 * @param refusal why the claim may not use the source; {@code ""} if it may, or if this is unknown
 * @param pending what must happen before the claim can use the source; {@code ""} if nothing, or if this is unknown
 * @param content the plugin's name for the source; null if the plugin must find it by itself, or if the claim may not use it
 */
public record DataSource(
        Kind kind,
        String what,
        boolean known,
        String refusal,
        String pending,
        @Nullable ContentSource content) {
    private static final DataSource EMPTY = new DataSource(Kind.NONE, "", true, "", "", null);
    private static final String SNAPSHOTS = "snapshot.storage.k8s.io";

    /** The part that fills the volume. */
    public enum Kind {
        /** No part: the volume is empty. */
        NONE,
        /** The plugin that provisions the volume, from another claim's volume. */
        CLAIM,
        /** The plugin that provisions the volume, from a snapshot. */
        SNAPSHOT,
        /** An external populator. It creates a volume of its own, fills it, and reserves it for the claim. */
        POPULATED
    }

    /**
     * The known grants and populators of the cluster.
     *
     * @param read whether the controller reads grants and populators at all
     * @param complete whether the cache has all of them
     */
    public record Rules(
            boolean read,
            boolean complete,
            Collection<ReferenceGrant> grants,
            Collection<VolumePopulator> populators) {}

    /** A source of which only the name is known. */
    public DataSource(Kind kind, String what, boolean known, String refusal) {
        this(kind, what, known, refusal, "", null);
    }

    /** A copy that the claim may never use. */
    public DataSource refused(String why) {
        return new DataSource(kind, what, true, why, "", null);
    }

    /** A copy that is too large for the claim by now. A volume that is being filled from it may have been begun earlier. */
    public DataSource outgrown(String why, ContentSource source) {
        return new DataSource(kind, what, true, why, "", source);
    }

    /** A copy that the claim cannot use yet. */
    public DataSource awaited(String why) {
        return new DataSource(kind, what, true, "", why, null);
    }

    /** A copy with too little knowledge to decide. */
    public DataSource unknown() {
        return new DataSource(kind, what, false, "", "", null);
    }

    /** A copy with the plugin's name for the source. */
    public DataSource from(ContentSource source) {
        return new DataSource(kind, what, true, "", "", source);
    }

    /**
     * The claim or snapshot that is the source of the claim's volume. Null if the volume has no source or another
     * source.
     */
    public static @Nullable ObjectKey sourceOf(PersistentVolumeClaim claim) {
        @Nullable TypedReference given = claim.spec().dataSourceRef();
        @Nullable TypedReference reference = given == null ? claim.spec().dataSource() : given;
        if (reference == null) {
            return null;
        }
        String namespace =
                given == null || given.namespace().isEmpty() ? claim.metadata().namespace() : given.namespace();
        return switch (kind(reference)) {
            case CLAIM -> ObjectKey.claim(namespace, reference.name());
            case SNAPSHOT -> new ObjectKey(io.volume4j.spi.model.Kind.VOLUME_SNAPSHOT, namespace, reference.name());
            case NONE, POPULATED -> null;
        };
    }

    /** The reference to the claim's source, with its namespace. Empty if the claim has no source. */
    public static Optional<TypedReference> reference(PersistentVolumeClaim claim) {
        @Nullable TypedReference given = claim.spec().dataSourceRef();
        @Nullable TypedReference reference = given == null ? claim.spec().dataSource() : given;
        if (reference == null) {
            return Optional.empty();
        }
        String namespace =
                given == null || given.namespace().isEmpty() ? claim.metadata().namespace() : given.namespace();
        return Optional.of(new TypedReference(reference.apiGroup(), reference.kind(), namespace, reference.name()));
    }

    /** The source of a claim whose volume begins empty. */
    public static DataSource none() {
        return EMPTY;
    }

    /**
     * Reads the source from the claim. If the claim has both fields, {@code dataSourceRef} counts, because it can
     * express every source.
     */
    public static DataSource of(PersistentVolumeClaim claim, Rules rules) {
        @Nullable TypedReference given = claim.spec().dataSourceRef();
        @Nullable TypedReference reference = given == null ? claim.spec().dataSource() : given;
        if (reference == null) {
            return none();
        }
        String own = claim.metadata().namespace();
        // Only the reference has a namespace. The older field always means the claim's own namespace.
        String namespace = given == null || given.namespace().isEmpty() ? own : given.namespace();
        Kind kind = kind(reference);
        String what =
                OneLine.name(reference.kind() + (reference.apiGroup().isEmpty() ? "" : "." + reference.apiGroup()))
                        + " " + OneLine.name(namespace) + "/" + OneLine.name(reference.name());
        if (rules.read() && !rules.complete()) {
            return new DataSource(kind, what, false, "");
        }
        return new DataSource(kind, what, true, refusal(kind, reference, own, namespace, what, rules));
    }

    private static Kind kind(TypedReference reference) {
        if (reference.apiGroup().isEmpty() && reference.kind().equals("PersistentVolumeClaim")) {
            return Kind.CLAIM;
        }
        boolean snapshot =
                reference.apiGroup().equals(SNAPSHOTS) && reference.kind().equals("VolumeSnapshot");
        return snapshot ? Kind.SNAPSHOT : Kind.POPULATED;
    }

    private static String refusal(
            Kind kind, TypedReference reference, String own, String namespace, String what, Rules rules) {
        boolean elsewhere = !namespace.equals(own);
        if (!rules.read()) {
            return elsewhere ? what + " is in another namespace, and grants between namespaces are not read here" : "";
        }
        if (elsewhere && rules.grants().stream().noneMatch(grant -> allows(grant, reference, own, namespace))) {
            return "no ReferenceGrant in namespace " + OneLine.name(namespace) + " allows claims of namespace " + own
                    + " to use " + what;
        }
        boolean known = kind != Kind.POPULATED
                || rules.populators().stream()
                        .anyMatch(populator -> populator.sourceGroup().equals(reference.apiGroup())
                                && populator.sourceKind().equals(reference.kind()));
        return known ? "" : "no VolumePopulator is registered for " + what;
    }

    private static boolean allows(ReferenceGrant grant, TypedReference reference, String own, String namespace) {
        return grant.metadata().namespace().equals(namespace)
                && grant.spec().from().stream()
                        .anyMatch(from -> from.group().isEmpty()
                                && from.kind().equals("PersistentVolumeClaim")
                                && from.namespace().equals(own))
                && grant.spec().to().stream()
                        .anyMatch(to -> to.group().equals(reference.apiGroup())
                                && to.kind().equals(reference.kind())
                                && (to.name().isEmpty() || to.name().equals(reference.name())));
    }
}
