package io.volume4j.core.control.snapshot;

import io.volume4j.core.control.host.Host;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.core.objects.ObjectChange;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.OwnerReference;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.VolumeGroupSnapshot;
import io.volume4j.spi.model.VolumeSnapshot;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Facts about snapshots that are not in the objects: references between them, outcomes of this process's calls, and objects that
 * are absent according to the store. The process may die and lose all of them. Loop thread only.
 */
final class SnapshotState {
    final SnapshotIndexes indexes = new SnapshotIndexes();

    private final Host host;
    private final ObjectCache cache;
    private final Set<Kind> kept;
    private final Map<String, SnapshotMemory> memories = new HashMap<>();

    /** @param kept the kinds in the cache */
    SnapshotState(Host host, Set<Kind> kept) {
        this.host = host;
        this.cache = host.objects();
        this.kept = kept;
    }

    SnapshotMemory memory(String contentUid) {
        return memories.getOrDefault(contentUid, SnapshotMemory.nothing());
    }

    // Outcomes of calls.

    void created(SnapshotStep.CreateSnapshot step, Outcome outcome) {
        SnapshotMemory memory = memory(step.contentUid());
        remember(
                step.content(),
                step.contentUid(),
                outcome.succeeded()
                        ? memory.saw(outcome.requireValue(SnapshotResult.class), host.now())
                        : memory.failed(outcome.requireFailure(), step.parameters(), host.now()));
    }

    void got(SnapshotStep.GetSnapshot step, Outcome outcome) {
        SnapshotMemory memory = memory(step.contentUid());
        if (!outcome.succeeded()) {
            remember(step.content(), step.contentUid(), memory.troubled(outcome.requireFailure()));
            return;
        }
        Optional<?> found = outcome.requireValue(Optional.class);
        remember(
                step.content(),
                step.contentUid(),
                found.isPresent() && found.get() instanceof SnapshotResult result
                        ? memory.saw(result, host.now())
                        : memory.sawNone(host.now()));
    }

    void deleted(SnapshotStep.DeleteSnapshot step, Outcome outcome) {
        SnapshotMemory memory = memory(step.contentUid());
        remember(
                step.content(),
                step.contentUid(),
                outcome.succeeded() ? memory.gone() : memory.troubled(outcome.requireFailure()));
    }

    private void remember(ObjectKey content, String uid, SnapshotMemory memory) {
        if (host.still(content, uid).isPresent()) {
            memories.put(uid, memory);
        }
    }

    // Changes.

    /** Applies the change and marks the objects that depend on it. */
    void changed(ObjectChange change) {
        ObjectKey key = change.key();
        @Nullable ApiObject before = change.before();
        @Nullable ApiObject after = change.after();
        indexes.changed(key, before, after);
        Set<ObjectKey> concerned = new LinkedHashSet<>();
        switch (key.kind()) {
            case PERSISTENT_VOLUME_CLAIM -> claimChanged(key, before, after, concerned);
            case PERSISTENT_VOLUME ->
                host.uses().claimsOfVolume(key.name()).forEach(claim -> {
                    concerned.addAll(indexes.byClaim.naming(claim));
                    cache.get(claim, PersistentVolumeClaim.class).ifPresent(found -> groupsOf(found, found, concerned));
                });
            case VOLUME_SNAPSHOT, VOLUME_GROUP_SNAPSHOT -> {
                concerned.add(key);
                snapshotChanged(before, concerned);
                snapshotChanged(after, concerned);
                concerned.addAll(indexes.madeFrom.naming(key));
            }
            case VOLUME_SNAPSHOT_CONTENT, VOLUME_GROUP_SNAPSHOT_CONTENT ->
                contentChanged(key, before, after, concerned);
            case VOLUME_SNAPSHOT_CLASS, VOLUME_GROUP_SNAPSHOT_CLASS -> {
                concerned.addAll(indexes.byClass.naming(SnapshotIndexes.classKey(key.kind(), key.name())));
                concerned.addAll(
                        indexes.byClass.naming(SnapshotIndexes.classKey(key.kind(), SnapshotIndexes.NO_CLASS)));
            }
            default -> {
                // has no effect on snapshots
            }
        }
        concerned.removeIf(one -> !kept.contains(one.kind()));
        host.visits().markIfThere(concerned);
        if (before != null && after == null) {
            forgetMaker(before);
        }
    }

    /** Forgets the store's answer about the snapshot or group of a removed object. */
    private void forgetMaker(ApiObject gone) {
        switch (gone.kind()) {
            case VOLUME_SNAPSHOT, VOLUME_SNAPSHOT_CONTENT, VOLUME_GROUP_SNAPSHOT_CONTENT ->
                host.store().forgetGone(SnapshotIndexes.madeFor(gone));
            default -> {
                // does not depend on another object
            }
        }
    }

    private void claimChanged(
            ObjectKey key, @Nullable ApiObject before, @Nullable ApiObject after, Set<ObjectKey> concerned) {
        concerned.addAll(indexes.byClaim.naming(key));
        concerned.addAll(indexes.madeFrom.naming(key));
        sourceChanged(before, concerned);
        sourceChanged(after, concerned);
        @Nullable PersistentVolumeClaim was = before instanceof PersistentVolumeClaim claim ? claim : null;
        @Nullable PersistentVolumeClaim is = after instanceof PersistentVolumeClaim claim ? claim : null;
        if (was == null || is == null || !GroupSource.of(was).equals(GroupSource.of(is))) {
            groupsOf(was, is, concerned);
        }
    }

    /** The source of a claim, and its group if it is a member. */
    private void sourceChanged(@Nullable ApiObject claim, Set<ObjectKey> concerned) {
        for (ObjectKey source : SnapshotIndexes.sources(claim)) {
            concerned.add(source);
            cache.get(source, VolumeSnapshot.class).ifPresent(member -> groupChanged(member, concerned));
        }
    }

    /** The groups that choose the claim, or did. Others do not read it, and a namespace may have many of both. */
    private void groupsOf(
            @Nullable PersistentVolumeClaim before, @Nullable PersistentVolumeClaim after, Set<ObjectKey> concerned) {
        @Nullable PersistentVolumeClaim either = after == null ? before : after;
        if (either == null) {
            return;
        }
        for (ObjectKey key : indexes.groupsByNamespace.naming(either.metadata().namespace())) {
            cache.get(key, VolumeGroupSnapshot.class)
                    .filter(group -> (before != null && SourceViews.chooses(group, before))
                            || (after != null && SourceViews.chooses(group, after)))
                    .ifPresent(group -> concerned.add(key));
        }
    }

    private void snapshotChanged(@Nullable ApiObject object, Set<ObjectKey> concerned) {
        @Nullable SnapshotFacts facts = object == null ? null : SnapshotFacts.ofAny(object);
        if (facts == null || object == null) {
            return;
        }
        concerned.add(facts.contentKey());
        concerned.addAll(SnapshotIndexes.claims(object));
        if (object instanceof VolumeSnapshot snapshot) {
            groupChanged(snapshot, concerned);
        } else {
            concerned.addAll(indexes.byGroup.naming(facts.uid()));
            indexes.claimsByNamespace.naming(object.metadata().namespace()).stream()
                    .filter(claim -> cache.get(claim, PersistentVolumeClaim.class)
                            .filter(SourceViews::pinned)
                            .isPresent())
                    .forEach(concerned::add);
        }
    }

    /** The group creates what is missing of its members. */
    private static void groupChanged(VolumeSnapshot member, Set<ObjectKey> concerned) {
        @Nullable OwnerReference group = SnapshotIndexes.groupOf(member);
        if (group != null) {
            concerned.add(
                    new ObjectKey(Kind.VOLUME_GROUP_SNAPSHOT, member.metadata().namespace(), group.name()));
        }
    }

    private void contentChanged(
            ObjectKey key, @Nullable ApiObject before, @Nullable ApiObject after, Set<ObjectKey> concerned) {
        concerned.add(key);
        concerned.addAll(indexes.byContent.naming(key));
        concerned.addAll(indexes.byGroupContent.naming(key.name()));
        @Nullable ContentFacts facts = ContentFacts.ofAny(after == null ? requireEither(before) : after);
        if (facts != null && !facts.wantedBy().name().isEmpty()) {
            ObjectKey snapshot = new ObjectKey(
                    facts.words().snapshot(),
                    facts.wantedBy().namespace(),
                    facts.wantedBy().name());
            concerned.add(snapshot);
            concerned.addAll(indexes.madeFrom.naming(snapshot));
            cache.get(snapshot, VolumeSnapshot.class).ifPresent(member -> groupChanged(member, concerned));
        }
        if (after == null) {
            if (before != null) {
                memories.remove(before.metadata().uid());
            }
            return;
        }
        if (before != null && !intent(before).equals(intent(after))) {
            // After another process may have made a call, results of this process's calls are no longer valid.
            String uid = after.metadata().uid();
            memories.computeIfPresent(uid, (same, memory) -> memory.closed());
        }
    }

    private static ApiObject requireEither(@Nullable ApiObject object) {
        if (object == null) {
            throw new IllegalStateException("a change of nothing into nothing");
        }
        return object;
    }

    private static String intent(ApiObject object) {
        return object.metadata().annotation(SnapshotIntent.ANNOTATION);
    }
}
