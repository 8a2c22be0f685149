package io.volume4j.core.control.run;

import io.volume4j.core.control.binding.AvailableVolumes;
import io.volume4j.core.control.binding.BindingStep.Look.At;
import io.volume4j.core.control.binding.ClaimNeeds;
import io.volume4j.core.control.binding.Intents;
import io.volume4j.core.control.binding.Matcher;
import io.volume4j.core.control.binding.ProvisioningMemory;
import io.volume4j.core.control.binding.ReclaimMemory;
import io.volume4j.core.control.binding.Reservations;
import io.volume4j.core.control.binding.Told;
import io.volume4j.core.control.binding.WaitingClaims;
import io.volume4j.core.control.expand.ExpandMemory;
import io.volume4j.core.control.expand.NodeRefusal;
import io.volume4j.core.control.populate.Filling;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the reconciler of claims and volumes knows beside the objects: which volumes are free, promised or offered, what the
 * store said of objects that are gone, and what calls of this process ended with. Everything in here can be lost with the
 * process. Loop thread only.
 *
 * <p>A volume that becomes available is <em>offered</em> to one waiting claim, which is then visited. If that claim takes
 * another volume or none, the offer goes on to the next claim, so that no volume is free while a claim waits for its like,
 * and no change wakes more claims than it can serve.
 */
final class BindingState {
    final AvailableVolumes available = new AvailableVolumes();
    final Reservations reservations = new Reservations();
    final WaitingClaims waiting = new WaitingClaims();
    final Matcher matcher = new Matcher(reservations, available);
    final ObjectIndexes indexes;
    final Intents intents = new Intents();

    private final ObjectCache cache;
    private final Consumer<ObjectKey> dirty;

    /** Volumes that a step under way gives to a claim, and to which. */
    private final Map<String, ObjectKey> promised = new HashMap<>();

    private final Map<ObjectKey, String> promises = new HashMap<>();
    private final Map<ObjectKey, Set<String>> offers = new HashMap<>();

    private final Set<String> absentVolumes = new HashSet<>();
    private final Set<String> goneClaims = new HashSet<>();
    private final Map<ObjectKey, String> confirmedRevisions = new HashMap<>();

    private final Map<String, ProvisioningMemory> provisioning = new HashMap<>();
    private final Map<String, ReclaimMemory> reclaim = new HashMap<>();
    private final Map<String, Abandoned> abandoned = new LinkedHashMap<>();
    final Looks looks = new Looks();
    final FailingWrites writes = new FailingWrites();
    private final Map<String, ExpandMemory> expansions = new HashMap<>();
    private final Map<String, Filling> fillings = new HashMap<>();
    private final Map<String, NodeRefusal> nodeRefusals = new HashMap<>();
    private final Map<ObjectKey, Map<String, Told>> toldApart = new HashMap<>();
    private final Map<ObjectKey, Told> told = new HashMap<>();
    private final Map<ObjectKey, Integer> staleWrites = new HashMap<>();

    /** Objects whose plan was made without knowing everything. */
    private final Set<ObjectKey> blocked = new LinkedHashSet<>();

    /** Volumes that wait for nodes to report something else, by what nodes call them. */
    private final Map<String, Set<ObjectKey>> awaitingReports = new HashMap<>();

    /** Claims whose volume cannot be made because another one has its name, by that name. */
    private final Map<String, ObjectKey> awaitingNames = new HashMap<>();

    private final LongSupplier ticker;
    private String defaultClass = "";
    private boolean started;

    /** @param ticker loop time */
    BindingState(ObjectCache cache, Set<Task> tasks, Consumer<ObjectKey> dirty, LongSupplier ticker) {
        this.ticker = ticker;
        this.indexes = new ObjectIndexes(!tasks.isEmpty());
        this.cache = cache;
        this.dirty = dirty;
    }

    // Free, promised and offered volumes.

    /** Takes over the present state of a volume: it is free if it says so and nobody has been promised it. */
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

    /** Whether a step under way binds the claim or volume; it is visited when the step has ended, and not before. */
    boolean beingBound(ObjectKey key) {
        return key.kind() == Kind.PERSISTENT_VOLUME ? promised.containsKey(key.name()) : promises.containsKey(key);
    }

    /** The volume that a step under way gives to the claim. */
    Optional<PersistentVolume> promisedTo(ObjectKey claim) {
        @Nullable String volumeName = promises.get(claim);
        return volumeName == null ? Optional.empty() : cache.get(ObjectKey.volume(volumeName), PersistentVolume.class);
    }

    /** The claim found no volume; it will be visited when there is one. */
    void waitForVolume(ClaimNeeds needs) {
        passOnOffers(needs.key());
        waiting.put(needs);
    }

    /** The claim does not want any free volume. */
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

    // What the store said.

    void verified(ObjectKey key, String uid, @Nullable ApiObject object) {
        if (uid.isEmpty() && key.kind() != Kind.PERSISTENT_VOLUME) {
            return;
        }
        if (key.kind() == Kind.PERSISTENT_VOLUME) {
            if (object == null && cache.get(key).isEmpty()) {
                absentVolumes.add(key.name());
            }
        } else if (object == null || !object.metadata().uid().equals(uid)) {
            goneClaims.add(uid);
        } else {
            confirmedRevisions.put(key, object.metadata().resourceVersion());
        }
    }

    boolean provenAbsent(String volumeName) {
        return absentVolumes.contains(volumeName);
    }

    boolean provenGone(String claimUid) {
        return goneClaims.contains(claimUid) || cache.seenDeleted(claimUid);
    }

    boolean confirmed(ApiObject claim) {
        return claim.metadata().resourceVersion().equals(confirmedRevisions.get(claim.key()));
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

    /** What was seen by a look that a volume's deletion asked for. */
    void looked(At at, List<String> asked, Users users) {
        looks.found(at, asked, users, uid -> {
            if (at == At.NODES) {
                reclaim(uid, reclaim(uid).afterLook());
            }
        });
    }

    /** Gives what was seen to the one deletion that it is for. */
    @Nullable
    Users takeLook(String volumeUid) {
        reclaim(volumeUid, reclaim(volumeUid).withoutLook());
        return looks.take(At.NODES, volumeUid);
    }

    /** What was seen before a new intent is stored says nothing. */
    void forgetLook(String volumeUid) {
        if (looks.forget(At.NODES, volumeUid)) {
            reclaim(volumeUid, reclaim(volumeUid).withoutLook());
        }
    }

    Filling filling(String claimUid) {
        return kept(fillings, claimUid, Filling.nothing());
    }

    void filling(String claimUid, Filling memory) {
        keep(fillings, claimUid, memory, Filling.nothing());
    }

    ExpandMemory expansion(String claimUid) {
        return kept(expansions, claimUid, ExpandMemory.nothing());
    }

    void expansion(String claimUid, ExpandMemory memory) {
        keep(expansions, claimUid, memory, ExpandMemory.nothing());
    }

    /** That a node is known to have given up expanding, as it was when that was first asked for. */
    NodeRefusal nodeRefusal(String claimUid, long now, long wantedBytes) {
        return nodeRefusals.computeIfAbsent(claimUid, uid -> new NodeRefusal(now, wantedBytes));
    }

    void nodeTriesAgain(String claimUid) {
        nodeRefusals.remove(claimUid);
    }

    /** A claim is gone although its intent was open. Returns whether that was news. */
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

    Told told(ObjectKey key) {
        return kept(told, key, Told.nothing()).at(ticker.getAsLong());
    }

    void told(ObjectKey key, Told what) {
        keep(told, key, what, Told.nothing());
    }

    /** What people were told about one of several things that there are to tell about an object. */
    Told told(ObjectKey key, String topic) {
        return topic.isEmpty()
                ? told(key)
                : toldApart
                        .getOrDefault(key, Map.of())
                        .getOrDefault(topic, Told.nothing())
                        .at(ticker.getAsLong());
    }

    void told(ObjectKey key, String topic, Told what) {
        if (topic.isEmpty()) {
            told(key, what);
        } else {
            toldApart.computeIfAbsent(key, k -> new HashMap<>()).put(topic, what);
        }
    }

    int staleWrites(ObjectKey key) {
        return kept(staleWrites, key, 0);
    }

    void wrote(ObjectKey key, boolean stale) {
        if (stale) {
            staleWrites.merge(key, 1, Integer::sum);
        } else {
            staleWrites.remove(key);
        }
    }

    String defaultClass() {
        return defaultClass;
    }

    void defaultClass(String name) {
        defaultClass = name;
    }

    // Forgetting.

    void forgetClaim(ObjectKey key, String uid) {
        stopWaiting(key);
        forgetObject(key, uid);
        expansions.remove(uid);
        fillings.remove(uid);
        nodeRefusals.remove(uid);
        provisioning.remove(uid);
        intents.forget(uid);
        told.remove(key);
        staleWrites.remove(key);
        confirmedRevisions.remove(key);
        awaitingNames.values().remove(key);
        blocked.remove(key);
    }

    void forgetVolume(ObjectKey key, String uid) {
        available.remove(key.name());
        forgetObject(key, uid);
        reclaim.remove(uid);
        told.remove(key);
        staleWrites.remove(key);
        blocked.remove(key);
    }

    /** What is kept about objects of any kind. */
    void forgetObject(ObjectKey key, String uid) {
        looks.forget(uid);
        writes.forget(key);
        toldApart.remove(key);
        staleWrites.remove(key);
        blocked.remove(key);
    }

    /** No volume names the claim any more. */
    void forgetGone(String claimUid) {
        goneClaims.remove(claimUid);
    }

    /** It is there, or may be. */
    void volumeAppeared(String volumeName) {
        absentVolumes.remove(volumeName);
    }

    // Incomplete knowledge.

    /** Whether all that binding goes by was listed once; nothing is decided before. */
    boolean started() {
        return started;
    }

    void start() {
        started = true;
    }

    void blockedByIgnorance(ObjectKey key) {
        blocked.add(key);
    }

    /** Those that were blocked, volumes first: claims look for available ones. */
    List<ObjectKey> takeBlocked() {
        List<ObjectKey> keys =
                blocked.stream().sorted(Comparator.comparing(ObjectKey::kind)).toList();
        blocked.clear();
        return keys;
    }

    // Reports of nodes.

    void waitForReports(String volumeId, ObjectKey volume) {
        awaitingReports.computeIfAbsent(volumeId, id -> new LinkedHashSet<>()).add(volume);
    }

    /** Those that waited for a change of what is reported about the volume. */
    Set<ObjectKey> takeAwaitingReports(String volumeId) {
        @Nullable Set<ObjectKey> waiting = awaitingReports.remove(volumeId);
        return waiting == null ? Set.of() : waiting;
    }

    // Names of volumes.

    void waitForName(String volumeName, ObjectKey claim) {
        awaitingNames.put(volumeName, claim);
    }

    /** The claim that waited for a change of the volume that has its volume's name. */
    Optional<ObjectKey> takeAwaitingName(String volumeName) {
        return Optional.ofNullable(awaitingNames.remove(volumeName));
    }

    /** Most of these maps are empty most of the time, and then the key need not even be hashed. */
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
