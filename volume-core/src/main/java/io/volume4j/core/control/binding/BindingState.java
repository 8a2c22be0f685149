package io.volume4j.core.control.binding;

import io.volume4j.core.control.binding.match.AvailableVolumes;
import io.volume4j.core.control.binding.match.ClaimNeeds;
import io.volume4j.core.control.binding.match.WaitingClaims;
import io.volume4j.core.control.binding.plan.Intents;
import io.volume4j.core.control.binding.plan.Matcher;
import io.volume4j.core.control.binding.plan.ProvisioningMemory;
import io.volume4j.core.control.binding.plan.ReclaimMemory;
import io.volume4j.core.control.binding.plan.Reservations;
import io.volume4j.core.control.host.ClusterWork.Look.At;
import io.volume4j.core.control.host.LiveReads;
import io.volume4j.core.control.host.Users;
import io.volume4j.core.control.host.facts.VolumesByClaim;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Facts about claims and volumes that are not in the objects: free, promised and offered volumes, the store's reports about deleted
 * objects, and outcomes of this process's calls. The process may die and lose all of them. Loop thread only.
 *
 * <p>The state <em>offers</em> an available volume to one waiting claim, and visits the claim. If the claim takes another volume or
 * none, the offer goes to the next claim. So no volume stays free while a fitting claim waits, and no change wakes more claims than
 * it can serve.
 */
final class BindingState {
    final AvailableVolumes available = new AvailableVolumes();
    final VolumesByClaim volumesByClaim;
    final WaitingClaims waiting = new WaitingClaims();
    final Matcher matcher;
    final ObjectIndexes indexes;
    final Storage storage;
    final Intents intents = new Intents();

    private final ObjectCache cache;
    private final LiveReads looks;
    private final Consumer<ObjectKey> dirty;

    /** Volumes that a running step binds, with their claims. */
    private final Map<String, ObjectKey> promised = new HashMap<>();

    private final Map<ObjectKey, String> promises = new HashMap<>();
    private final Map<ObjectKey, Set<String>> offers = new HashMap<>();

    private final Map<String, ProvisioningMemory> provisioning = new HashMap<>();
    private final Map<String, ReclaimMemory> reclaim = new HashMap<>();
    private final Map<String, Abandoned> abandoned = new LinkedHashMap<>();

    /** Volumes that wait for changed reports of nodes, by their IDs in the reports. */
    private final Map<String, Set<ObjectKey>> awaitingReports = new HashMap<>();

    /** Claims whose volume cannot be created because another volume has its name, by that name. */
    private final Map<String, ObjectKey> awaitingNames = new HashMap<>();

    private String defaultClass = "";

    BindingState(
            ObjectCache cache,
            VolumesByClaim volumesByClaim,
            LiveReads looks,
            Storage storage,
            Consumer<ObjectKey> dirty) {
        this.volumesByClaim = volumesByClaim;
        this.matcher = new Matcher(new Reservations(volumesByClaim), available);
        this.indexes = new ObjectIndexes(storage);
        this.storage = storage;
        this.cache = cache;
        this.looks = looks;
        this.dirty = dirty;
    }

    // Free, promised and offered volumes.

    /** Applies the current state of a volume: it is free if it is available and not promised to a claim. */
    void refreshAvailability(String volumeName) {
        Optional<PersistentVolume> volume = cache.get(ObjectKey.volume(volumeName), PersistentVolume.class);
        if (volume.isPresent() && AvailableVolumes.available(volume.get()) && !promised.containsKey(volumeName)) {
            available.put(volume.get());
            offer(volume.get());
        } else {
            available.remove(volumeName);
        }
    }

    void promise(ObjectKey claim, String volumeName) {
        promised.put(volumeName, claim);
        promises.put(claim, volumeName);
        available.remove(volumeName);
        waiting.remove(claim);
        passOnOffers(claim);
    }

    void endPromise(ObjectKey claim, String volumeName) {
        promises.remove(claim);
        promised.remove(volumeName);
        refreshAvailability(volumeName);
        dirty.accept(ObjectKey.volume(volumeName));
    }

    /** Whether a running step binds the claim or volume. The engine visits it only after the step has ended. */
    boolean beingBound(ObjectKey key) {
        return key.kind() == Kind.PERSISTENT_VOLUME ? promised.containsKey(key.name()) : promises.containsKey(key);
    }

    /** The volume that a running step binds to the claim. */
    Optional<PersistentVolume> promisedTo(ObjectKey claim) {
        @Nullable String volumeName = promises.get(claim);
        return volumeName == null ? Optional.empty() : cache.get(ObjectKey.volume(volumeName), PersistentVolume.class);
    }

    /** The claim found no volume. The state offers it one when a fitting volume becomes available. */
    void waitForVolume(ClaimNeeds needs) {
        passOnOffers(needs.key());
        waiting.put(needs);
    }

    /** The claim does not want a free volume. */
    void stopWaiting(ObjectKey claim) {
        waiting.remove(claim);
        passOnOffers(claim);
    }

    private void offer(PersistentVolume volume) {
        waiting.takeFor(volume).ifPresent(claim -> {
            offers.computeIfAbsent(claim, key -> new LinkedHashSet<>())
                    .add(volume.metadata().name());
            dirty.accept(claim);
        });
    }

    private void passOnOffers(ObjectKey claim) {
        @Nullable Set<String> held = offers.remove(claim);
        if (held != null) {
            held.forEach(volumeName -> available.get(volumeName).ifPresent(this::offer));
        }
    }

    // Memories.

    ProvisioningMemory provisioning(String claimUid) {
        return kept(provisioning, claimUid, ProvisioningMemory.nothing());
    }

    void provisioning(String claimUid, ProvisioningMemory memory) {
        keep(provisioning, claimUid, memory, ProvisioningMemory.nothing());
    }

    ReclaimMemory reclaim(String volumeUid) {
        return kept(reclaim, volumeUid, ReclaimMemory.nothing());
    }

    void reclaim(String volumeUid, ReclaimMemory memory) {
        keep(reclaim, volumeUid, memory, ReclaimMemory.nothing());
    }

    /** A read of the store found the users of the volume. */
    void looked(String volumeUid) {
        reclaim(volumeUid, reclaim(volumeUid).afterLook());
    }

    /** Takes the result of that read for the one deletion that it serves. */
    @Nullable
    Users takeLook(String volumeUid) {
        reclaim(volumeUid, reclaim(volumeUid).withoutLook());
        return looks.take(At.NODES, volumeUid);
    }

    /** A read from before a new intent is stored is not valid for it. */
    void forgetLook(String volumeUid) {
        if (looks.forget(At.NODES, volumeUid)) {
            reclaim(volumeUid, reclaim(volumeUid).withoutLook());
        }
    }

    /** A claim with an open intent is gone. Returns whether this is new. */
    boolean abandon(Abandoned lost) {
        @Nullable Abandoned known = abandoned.put(lost.claimUid(), lost);
        return known == null || (known.made() == null && lost.made() != null);
    }

    List<Abandoned> abandoned() {
        return new ArrayList<>(abandoned.values());
    }

    void settled(List<Abandoned> lost) {
        lost.forEach(claim -> abandoned.remove(claim.claimUid()));
    }

    String defaultClass() {
        return defaultClass;
    }

    void defaultClass(String name) {
        defaultClass = name;
    }

    // Removal.

    void forgetClaim(ObjectKey key, String uid) {
        stopWaiting(key);
        provisioning.remove(uid);
        intents.forget(uid);
        awaitingNames.values().remove(key);
    }

    void forgetVolume(ObjectKey key, String uid) {
        available.remove(key.name());
        reclaim.remove(uid);
    }

    // Reports of nodes.

    void waitForReports(String volumeId, ObjectKey volume) {
        awaitingReports.computeIfAbsent(volumeId, id -> new LinkedHashSet<>()).add(volume);
    }

    /** Takes the volumes that waited for changed reports about this volume ID. */
    Set<ObjectKey> takeAwaitingReports(String volumeId) {
        @Nullable Set<ObjectKey> waiting = awaitingReports.remove(volumeId);
        return waiting == null ? Set.of() : waiting;
    }

    // Names of volumes.

    void waitForName(String volumeName, ObjectKey claim) {
        awaitingNames.put(volumeName, claim);
    }

    /** Takes the claim that waited for a change of the volume with this name. */
    Optional<ObjectKey> takeAwaitingName(String volumeName) {
        return Optional.ofNullable(awaitingNames.remove(volumeName));
    }

    /** Most of these maps are empty most of the time. Then the key need not be hashed. */
    private static <K, V> V kept(Map<K, V> map, K key, V nothing) {
        return map.isEmpty() ? nothing : map.getOrDefault(key, nothing);
    }

    private static <K, V> void keep(Map<K, V> map, K key, V value, V nothing) {
        if (value.equals(nothing)) {
            map.remove(key);
        } else {
            map.put(key, value);
        }
    }
}
