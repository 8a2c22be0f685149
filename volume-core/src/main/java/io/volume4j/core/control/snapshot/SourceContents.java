package io.volume4j.core.control.snapshot;

import io.volume4j.core.codec.PlacesText;
import io.volume4j.core.control.host.Host;
import io.volume4j.core.control.host.facts.CacheCompleteness;
import io.volume4j.core.control.host.facts.ClaimFacts;
import io.volume4j.core.control.host.source.DataSource;
import io.volume4j.core.control.host.source.DataSources;
import io.volume4j.core.migration.CsiMigration;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumeSnapshot;
import io.volume4j.spi.model.VolumeSnapshotContent;
import io.volume4j.spi.model.WellKnown;
import io.volume4j.spi.plugin.Places;
import io.volume4j.spi.plugin.Provisioner.ContentSource;
import org.jspecify.annotations.Nullable;

/**
 * Reads the data source of a claim if it is a snapshot or another claim. A source is used only while a finalizer keeps it, so that
 * it cannot disappear between this check and the call. Loop thread only.
 */
final class SourceContents implements DataSources.Contents {
    private final ObjectCache cache;
    private final CacheCompleteness known;
    private final CsiMigration migration;

    SourceContents(Host host) {
        this.cache = host.objects();
        this.known = host.known();
        this.migration = host.plugins().migration();
    }

    @Override
    public DataSource of(PersistentVolumeClaim claim, DataSource source, ObjectKey key) {
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
            return source.refused(
                    source.what() + " and its content " + OneLine.name(contentKey.name()) + " do not name each other");
        }
        if (content.handle().isEmpty() || !content.status().ready()) {
            return source.awaited(source.what() + " is not ready to be used");
        }
        String refusal = refusal(
                claim,
                source,
                content.spec().driver(),
                content.spec().sourceVolumeMode(),
                content.metadata().annotation(WellKnown.ALLOW_MODE_CHANGE).equals("true"));
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
        ContentSource named = new ContentSource(ContentSource.Kind.SNAPSHOT, content.handle(), places);
        String small = tooSmall(claim, source, snapshot.status().restoreSize());
        if (!small.isEmpty()) {
            return source.outgrown(small, named);
        }
        return kept ? source.from(named) : source.awaited(source.what() + " is to be kept from being deleted first");
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
                        .filter(found -> ClaimFacts.has(from, found))
                        .orElse(null);
        if (volume == null) {
            return source.awaited(source.what() + " is not bound to a volume");
        }
        if (!(migration.specIfPossible(volume, false).source() instanceof CsiSource csi)) {
            return source.refused("the volume of " + source.what() + " is not one of a CSI driver");
        }
        String refusal = refusal(claim, source, csi.driver(), volume.spec().volumeMode(), false);
        if (!refusal.isEmpty()) {
            return source.refused(refusal);
        }
        ContentSource named = new ContentSource(ContentSource.Kind.VOLUME, csi.volumeHandle());
        // As in external-provisioner, the requests are compared. The driver may have made the volume larger than its
        // claim requested, and does so again for the clone.
        String small = tooSmall(claim, source, from.spec().request());
        if (!small.isEmpty()) {
            return source.outgrown(small, named);
        }
        return kept ? source.from(named) : source.awaited(source.what() + " is to be kept from being deleted first");
    }

    private DataSource missing(PersistentVolumeClaim claim, DataSource source, Kind kind) {
        if (cache.complete(kind)) {
            return source.awaited(source.what() + " does not exist");
        }
        known.blocked(claim.key());
        return source.unknown();
    }

    private String refusal(
            PersistentVolumeClaim claim, DataSource source, String driver, @Nullable VolumeMode mode, boolean anyMode) {
        String provisioner = ClaimFacts.classOf(claim, cache)
                .map(migration::toCsiIfPossible)
                .map(StorageClass::provisioner)
                .orElse(driver);
        if (!provisioner.equals(driver)) {
            return source.what() + " is of driver " + driver + ", the claim's class makes volumes of " + provisioner;
        }
        if (mode != null && mode != claim.spec().volumeMode() && !anyMode) {
            return source.what() + " is of volumeMode " + mode.apiName() + ", the claim asks for "
                    + claim.spec().volumeMode().apiName();
        }
        return "";
    }

    private static String tooSmall(PersistentVolumeClaim claim, DataSource source, @Nullable Quantity least) {
        @Nullable Quantity wants = claim.spec().request();
        return least != null && wants != null && wants.compareTo(least) < 0
                ? "the claim asks for " + wants + ", " + source.what() + " needs at least " + least
                : "";
    }
}
