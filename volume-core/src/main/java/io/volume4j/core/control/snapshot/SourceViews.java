package io.volume4j.core.control.snapshot;

import io.volume4j.core.control.host.Host;
import io.volume4j.core.control.host.facts.CacheCompleteness;
import io.volume4j.core.control.host.facts.ClaimFacts;
import io.volume4j.core.control.host.facts.StoreFacts;
import io.volume4j.core.control.host.source.DataSources;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.LabelSelector;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.VolumeGroupSnapshot;
import io.volume4j.spi.model.WellKnown;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Finds the snapshots and claims that are being created from a claim or a snapshot. Loop thread only. */
final class SourceViews {
    private final ObjectCache cache;
    private final CacheCompleteness known;
    private final StoreFacts store;
    private final SnapshotState state;
    private final SnapshotSettings settings;
    private final DataSources sources;

    SourceViews(Host host, SnapshotState state, SnapshotSettings settings) {
        this.cache = host.objects();
        this.known = host.known();
        this.store = host.store();
        this.state = state;
        this.settings = settings;
        this.sources = host.sources();
    }

    /** Null if the claim is not a source and was none. */
    @Nullable
    SourceView of(PersistentVolumeClaim claim) {
        ObjectKey key = claim.key();
        List<String> clones = beingMadeFrom(claim);
        if (!pinned(claim) && clones.isEmpty()) {
            return null;
        }
        boolean cuts = settings.snapshots()
                && known.all(Kind.VOLUME_SNAPSHOT, key)
                && (!settings.groups() || known.all(Kind.VOLUME_GROUP_SNAPSHOT, key));
        boolean clonesKnown = settings.restores() && known.all(Kind.PERSISTENT_VOLUME_CLAIM, key);
        return new SourceView(claim, cuts ? cutBy(claim) : null, clonesKnown ? clones : null);
    }

    static boolean pinned(PersistentVolumeClaim claim) {
        List<String> finalizers = claim.metadata().finalizers();
        return finalizers.contains(WellKnown.SNAPSHOTTED_PROTECTION)
                || finalizers.contains(WellKnown.CLONING_PROTECTION);
    }

    /**
     * Claims whose volumes are being created from the claim, by name. A deleted claim that is not bound has nothing to clone, and no
     * pod can use it any more, so it may never be bound.
     */
    private List<String> beingMadeFrom(PersistentVolumeClaim source) {
        if (!source.metadata().deleting()) {
            return madeFrom(source.key(), SourceViews::beingMade);
        }
        boolean bound = source.status().phase() == ClaimPhase.BOUND;
        return madeFrom(source.key(), bound ? this::mayStillBeMade : SourceViews::begun);
    }

    /**
     * Claims whose volumes are being created from the snapshot, by name. A deleted snapshot without the finalizer for sources does
     * not get it now: new claims do not start from it any more.
     */
    List<String> restoredFrom(ApiObject snapshot) {
        if (!snapshot.metadata().deleting()) {
            return madeFrom(snapshot.key(), SourceViews::beingMade);
        }
        boolean kept = snapshot.metadata().finalizers().contains(WellKnown.SNAPSHOT_SOURCE_PROTECTION);
        return madeFrom(snapshot.key(), kept && !contentGoes(snapshot) ? this::mayStillBeMade : SourceViews::begun);
    }

    /** Whether the content of a deleted snapshot has begun to go, so that no claim can be made from it any more. */
    private boolean contentGoes(ApiObject snapshot) {
        @Nullable SnapshotFacts facts = SnapshotFacts.ofAny(snapshot);
        if (facts == null || facts.boundContent().isEmpty()) {
            return false;
        }
        @Nullable
        ContentFacts content =
                cache.get(facts.contentKey()).map(ContentFacts::ofAny).orElse(null);
        return content == null
                ? cache.complete(facts.words().content())
                : content.annotated(content.words().beingDeleted());
    }

    /**
     * Whether a deleted source is still kept for the claim. What refuses the claim now refuses it for good: neither the request of a
     * claim without a volume changes, nor the size of the source to a smaller one.
     */
    private boolean mayStillBeMade(PersistentVolumeClaim claim) {
        return begun(claim) || (beingMade(claim) && sources.of(claim).refusal().isEmpty());
    }

    private List<String> madeFrom(ObjectKey source, Predicate<PersistentVolumeClaim> which) {
        return state.indexes.madeFrom.naming(source).stream()
                .flatMap(key -> cache.get(key, PersistentVolumeClaim.class).stream())
                .filter(which)
                .map(claim -> claim.key().toString())
                .sorted()
                .toList();
    }

    /** A deleted claim wants no volume any more, but a call for it may be running. */
    private static boolean beingMade(PersistentVolumeClaim claim) {
        return begun(claim) || (ClaimFacts.unbound(claim) && !claim.metadata().deleting());
    }

    private static boolean begun(PersistentVolumeClaim claim) {
        return ClaimFacts.beingProvisioned(claim);
    }

    private List<String> cutBy(PersistentVolumeClaim claim) {
        List<String> names = new ArrayList<>();
        List<ObjectKey> snapshots = new ArrayList<>(state.indexes.byClaim.naming(claim.key()));
        for (ObjectKey group :
                state.indexes.groupsByNamespace.naming(claim.metadata().namespace())) {
            cache.get(group, VolumeGroupSnapshot.class)
                    .filter(found -> chooses(found, claim))
                    .ifPresent(found -> snapshots.add(group));
        }
        for (ObjectKey key : snapshots) {
            cache.get(key)
                    .map(SnapshotFacts::ofAny)
                    .filter(facts -> facts.begun() && !facts.ready() && !lost(facts))
                    .ifPresent(facts -> names.add(key.toString()));
        }
        return names;
    }

    /**
     * Whether its content is for another snapshot, or gone according to the store: nothing is created for it any more. The cache may
     * not have a new content yet, and a claim that is let go too early may lose the volume that the snapshot is created from.
     */
    private boolean lost(SnapshotFacts facts) {
        if (facts.boundContent().isEmpty()) {
            return false;
        }
        @Nullable
        ContentFacts content =
                cache.get(facts.contentKey()).map(ContentFacts::ofAny).orElse(null);
        return content == null ? store.provenAbsent(facts.contentKey()) : !content.names(facts);
    }

    static boolean chooses(VolumeGroupSnapshot group, PersistentVolumeClaim claim) {
        @Nullable LabelSelector selector = group.spec().selector();
        return selector != null
                && group.metadata().namespace().equals(claim.metadata().namespace())
                && selector.matches(claim.metadata().labels());
    }
}
