package io.volume4j.core.control.host.source;

import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.ReferenceGrant;
import io.volume4j.spi.model.TypedReference;
import io.volume4j.spi.model.VolumePopulator;
import io.volume4j.spi.plugin.Provisioner.ContentSource;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a claim's volume is filled from.
 *
 * @param what for people: {@code VolumeSnapshot prod/golden}; {@code ""} for an empty volume
 * @param known whether enough is known to say whether it may be used
 * @param refusal why it may not be used, {@code ""} if it may or that is not known
 * @param pending what has to come before it can be used, {@code ""} if it can or that is not known
 * @param content what the plugin calls it; null if the plugin is to find out by itself
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

    /** Who fills the volume. */
    public enum Kind {
        /** No part: it is empty. */
        NONE,
        /** The plugin that makes it, from another claim's volume. */
        CLAIM,
        /** The plugin that makes it, from a snapshot. */
        SNAPSHOT,
        /** A populator outside, which makes a volume of its own, fills it, and reserves it for the claim. */
        POPULATED
    }

    /**
     * What is known of the cluster's grants and populators.
     *
     * @param read whether they are read at all
     * @param complete whether all of them are known
     */
    public record Rules(
            boolean read,
            boolean complete,
            Collection<ReferenceGrant> grants,
            Collection<VolumePopulator> populators) {}

    /** Of which no more is known here than its name. */
    public DataSource(Kind kind, String what, boolean known, String refusal) {
        this(kind, what, known, refusal, "", null);
    }

    /** The same, not to be used now or ever. */
    public DataSource refused(String why) {
        return new DataSource(kind, what, true, why, "", null);
    }

    /** The same, not to be used yet. */
    public DataSource awaited(String why) {
        return new DataSource(kind, what, true, "", why, null);
    }

    /** The same, of which too little is known. */
    public DataSource unknown() {
        return new DataSource(kind, what, false, "", "", null);
    }

    /** The same, by the plugin's name for it. */
    public DataSource from(ContentSource source) {
        return new DataSource(kind, what, true, "", "", source);
    }

    /** The claim or snapshot that the claim's volume is made from, null if it is from nothing or from something else. */
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

    /** What the claim is filled from, its namespace given; empty if it is filled from nothing. */
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

    /** Of a claim that is filled from nothing. */
    public static DataSource none() {
        return EMPTY;
    }

    /** Reads the claim. {@code dataSourceRef} counts where both are there: it is the one that can say everything. */
    public static DataSource of(PersistentVolumeClaim claim, Rules rules) {
        @Nullable TypedReference given = claim.spec().dataSourceRef();
        @Nullable TypedReference reference = given == null ? claim.spec().dataSource() : given;
        if (reference == null) {
            return none();
        }
        String own = claim.metadata().namespace();
        // Only the reference has a namespace; the older field never leaves the claim's own.
        String namespace = given == null || given.namespace().isEmpty() ? own : given.namespace();
        Kind kind = kind(reference);
        String what = reference.kind() + (reference.apiGroup().isEmpty() ? "" : "." + reference.apiGroup()) + " "
                + namespace + "/" + reference.name();
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
            return "no ReferenceGrant in namespace " + namespace + " allows claims of namespace " + own + " to use "
                    + what;
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
