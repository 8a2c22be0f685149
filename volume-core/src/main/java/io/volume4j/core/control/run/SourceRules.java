package io.volume4j.core.control.run;

import io.volume4j.core.codec.PlacesText;
import io.volume4j.core.control.datasource.DataSource;
import io.volume4j.core.control.snapshot.ContentFacts;
import io.volume4j.core.control.snapshot.SnapshotFacts;
import io.volume4j.core.migration.CsiMigration;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReferenceGrant;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumePopulator;
import io.volume4j.spi.model.VolumeSnapshot;
import io.volume4j.spi.model.VolumeSnapshotContent;
import io.volume4j.spi.model.WellKnown;
import io.volume4j.spi.plugin.Places;
import io.volume4j.spi.plugin.Provisioner.ContentSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads what claims are filled from, by the grants, populators and snapshots that the loop knows. A snapshot or claim is used only
 * while it is kept from being deleted, so that it cannot go between this look and the call. Loop thread only.
 */
final class SourceRules {
    private final ObjectCache cache;
    private final boolean read;
    private final boolean restores;
    private final Populators populators;
    private final Consumer<ObjectKey> ignorant;

    /**
     * @param read whether the cache keeps grants and populators
     * @param restores whether it keeps snapshots, so that plugins need not find out about them
     * @param populators of this process, which need no announcement
     * @param ignorant told who could not be answered because too little is known
     */
    SourceRules(
            ObjectCache cache, boolean read, boolean restores, Populators populators, Consumer<ObjectKey> ignorant) {
        this.cache = cache;
        this.read = read;
        this.restores = restores;
        this.populators = populators;
        this.ignorant = ignorant;
    }

    DataSource of(PersistentVolumeClaim claim) {
        if (claim.spec().dataSource() == null && claim.spec().dataSourceRef() == null) {
            return DataSource.none();
        }
        DataSource source = DataSource.of(claim, rules());
        @Nullable ObjectKey key = DataSource.sourceOf(claim);
        if (!restores || !source.known() || !source.refusal().isEmpty() || key == null) {
            return source;
        }
        return source.kind() == DataSource.Kind.SNAPSHOT ? ofSnapshot(claim, source, key) : ofClaim(claim, source, key);
    }

    // Snapshots.

    private DataSource ofSnapshot(PersistentVolumeClaim claim, DataSource source, ObjectKey key) {
        @Nullable VolumeSnapshot snapshot = cache.get(key, VolumeSnapshot.class).orElse(null);
        if (snapshot == null) {
            return missing(claim, source, Kind.VOLUME_SNAPSHOT);
        }
        boolean kept = snapshot.metadata().finalizers().contains(WellKnown.SNAPSHOT_SOURCE_PROTECTION);
        if (snapshot.metadata().deleting() && !kept) {
            return source.awaited(source.what() + " is being deleted");
        }
        if (snapshot.status().contentName().isEmpty() || !snapshot.status().ready()) {
            return source.awaited(source.what() + " is not ready to be used");
        }
        ObjectKey contentKey = new ObjectKey(
                Kind.VOLUME_SNAPSHOT_CONTENT, "", snapshot.status().contentName());
        @Nullable
        VolumeSnapshotContent content =
                cache.get(contentKey, VolumeSnapshotContent.class).orElse(null);
        if (content == null) {
            return missing(claim, source, Kind.VOLUME_SNAPSHOT_CONTENT);
        }
        if (!ContentFacts.of(content).belongsTo(SnapshotFacts.of(snapshot))) {
            return source.refused(source.what() + " and its content " + contentKey.name() + " do not name each other");
        }
        if (content.handle().isEmpty() || !content.status().ready()) {
            return source.awaited(source.what() + " is not ready to be used");
        }
        String refusal = refusal(
                claim,
                source,
                content.spec().driver(),
                content.spec().sourceVolumeMode(),
                content.metadata().annotation(WellKnown.ALLOW_MODE_CHANGE).equals("true"),
                snapshot.status().restoreSize());
        if (!refusal.isEmpty()) {
            return source.refused(refusal);
        }
        Places places;
        try {
            places = PlacesText.of(content);
        } catch (IllegalArgumentException unreadable) {
            return source.refused("annotation " + PlacesText.ANNOTATION + " of content " + contentKey.name()
                    + " cannot be read (" + unreadable.getMessage() + "); correct or remove it");
        }
        return kept
                ? source.from(new ContentSource(ContentSource.Kind.SNAPSHOT, content.handle(), places))
                : source.awaited(source.what() + " is to be kept from being deleted first");
    }

    // Clones.

    private DataSource ofClaim(PersistentVolumeClaim claim, DataSource source, ObjectKey key) {
        @Nullable
        PersistentVolumeClaim from = cache.get(key, PersistentVolumeClaim.class).orElse(null);
        if (from == null) {
            return missing(claim, source, Kind.PERSISTENT_VOLUME_CLAIM);
        }
        boolean kept = from.metadata().finalizers().contains(WellKnown.CLONING_PROTECTION);
        if (from.metadata().deleting() && !kept) {
            return source.awaited(source.what() + " is being deleted");
        }
        @Nullable
        PersistentVolume volume = from.status().phase() != ClaimPhase.BOUND
                        || from.spec().volumeName().isEmpty()
                ? null
                : cache.get(ObjectKey.volume(from.spec().volumeName()), PersistentVolume.class)
                        .filter(found -> isOf(found, from))
                        .orElse(null);
        if (volume == null) {
            return source.awaited(source.what() + " is not bound to a volume");
        }
        if (!(CsiMigration.specIfPossible(volume, false).source() instanceof CsiSource csi)) {
            return source.refused("the volume of " + source.what() + " is not one of a CSI driver");
        }
        String refusal = refusal(
                claim,
                source,
                csi.driver(),
                volume.spec().volumeMode(),
                false,
                volume.spec().capacity());
        if (!refusal.isEmpty()) {
            return source.refused(refusal);
        }
        return kept
                ? source.from(new ContentSource(ContentSource.Kind.VOLUME, csi.volumeHandle()))
                : source.awaited(source.what() + " is to be kept from being deleted first");
    }

    private DataSource missing(PersistentVolumeClaim claim, DataSource source, Kind kind) {
        if (cache.complete(kind)) {
            return source.awaited(source.what() + " does not exist");
        }
        ignorant.accept(claim.key());
        return source.unknown();
    }

    private String refusal(
            PersistentVolumeClaim claim,
            DataSource source,
            String driver,
            @Nullable VolumeMode mode,
            boolean anyMode,
            @Nullable Quantity least) {
        String provisioner = ClaimClass.of(claim, cache)
                .map(CsiMigration::toCsiIfPossible)
                .map(StorageClass::provisioner)
                .orElse(driver);
        if (!provisioner.equals(driver)) {
            return source.what() + " is of driver " + driver + ", the claim's class makes volumes of " + provisioner;
        }
        if (mode != null && mode != claim.spec().volumeMode() && !anyMode) {
            return source.what() + " is of volumeMode " + mode.apiName() + ", the claim asks for "
                    + claim.spec().volumeMode().apiName();
        }
        @Nullable Quantity wants = claim.spec().request();
        return least != null && wants != null && wants.compareTo(least) < 0
                ? "the claim asks for " + wants + ", " + source.what() + " needs at least " + least
                : "";
    }

    private static boolean isOf(PersistentVolume volume, PersistentVolumeClaim claim) {
        @Nullable ObjectReference reference = volume.spec().claimRef();
        return reference != null && reference.uid().equals(claim.metadata().uid());
    }

    /** Claims that wait for a volume that is filled from something: a grant or a populator that came may be theirs. */
    void visitWaiting(Consumer<ObjectKey> dirty) {
        for (ApiObject object : new ArrayList<>(cache.all(Kind.PERSISTENT_VOLUME_CLAIM))) {
            if (object instanceof PersistentVolumeClaim claim
                    && ObjectIndexes.unbound(claim)
                    && (claim.spec().dataSource() != null || claim.spec().dataSourceRef() != null)) {
                dirty.accept(claim.key());
            }
        }
    }

    private DataSource.Rules rules() {
        if (!read) {
            return new DataSource.Rules(false, false, List.of(), List.of());
        }
        return new DataSource.Rules(
                true,
                cache.complete(Kind.REFERENCE_GRANT) && cache.complete(Kind.VOLUME_POPULATOR),
                all(Kind.REFERENCE_GRANT, ReferenceGrant.class),
                announced());
    }

    private List<VolumePopulator> announced() {
        List<VolumePopulator> all = new ArrayList<>(all(Kind.VOLUME_POPULATOR, VolumePopulator.class));
        populators
                .all()
                .forEach(own -> all.add(new VolumePopulator(
                        ObjectMeta.named("", own.sourceKind()),
                        own.sourceGroup(),
                        own.sourceKind(),
                        Unmodeled.none())));
        return all;
    }

    private <T> List<T> all(Kind kind, Class<T> type) {
        return cache.all(kind).stream().filter(type::isInstance).map(type::cast).toList();
    }
}
