package io.volume4j.core.control.attach;

import io.volume4j.core.control.attach.PodVolumes.Found;
import io.volume4j.core.control.attach.PodVolumes.Status;
import io.volume4j.core.grants.GrantKeys;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.Node.AttachedVolume;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The worlds of the attach/detach reconciler: desired, node → volumes → pods; actual, volume → nodes, as the
 * VolumeAttachments and the nodes' objects say. Filled from the cache once everything is listed, then by changes only, each
 * of which marks what it concerns. Loop thread only.
 */
final class AttachWorlds {
    /** Hears what is to be looked at again. */
    interface Marks {
        void visit(AttachKey key);

        void visitRecord(ObjectKey record);

        /** The same, and whatever failed there is tried at once: what it failed for may be over. */
        void retry(AttachKey key);

        void retryRecord(ObjectKey record);
    }

    private final ObjectCache cache;
    private final PodVolumes resolver;
    private final LongSupplier clock;
    private final Marks marks;
    private final Map<String, NodeState> nodes = new LinkedHashMap<>();
    private final Map<VolumeId, VolumeState> volumes = new LinkedHashMap<>();
    private final Map<String, PodState> pods = new HashMap<>();
    private final Map<ObjectKey, Set<String>> podsByClaim = new HashMap<>();
    private final Map<String, Set<ObjectKey>> unidentified = new HashMap<>();
    private final Map<String, Integer> recordsByDriver = new LinkedHashMap<>();

    AttachWorlds(ObjectCache cache, PodVolumes resolver, LongSupplier clock, Marks marks) {
        this.cache = cache;
        this.resolver = resolver;
        this.clock = clock;
        this.marks = marks;
    }

    /** Takes over everything that the cache holds, which must be complete. */
    void fill() {
        cache.all(Kind.NODE).forEach(node -> nodeChanged(node.metadata().name(), (Node) node));
        cache.all(Kind.VOLUME_ATTACHMENT)
                .forEach(record -> recordChanged(record.key(), null, (VolumeAttachment) record));
        cache.all(Kind.POD).forEach(pod -> podChanged(pod.key(), null, (Pod) pod));
    }

    Iterable<NodeState> nodes() {
        return nodes.values();
    }

    @Nullable
    NodeState node(String name) {
        return nodes.get(name);
    }

    @Nullable
    VolumeState volume(VolumeId id) {
        return volumes.get(id);
    }

    @Nullable
    PairState pair(VolumeId id, String node) {
        NodeState state = nodes.get(node);
        return state == null ? null : state.pairs.get(id);
    }

    @Nullable
    PodState pod(String uid) {
        return pods.get(uid);
    }

    /** How many VolumeAttachments the driver has. */
    int records(String driver) {
        return recordsByDriver.getOrDefault(driver, 0);
    }

    Set<String> drivers() {
        return new LinkedHashSet<>(recordsByDriver.keySet());
    }

    /** The volume behind a PersistentVolume, as its plugin calls it; empty where that cannot be said. */
    Optional<VolumeId> idOf(String persistentVolume) {
        return cache.get(ObjectKey.volume(persistentVolume), PersistentVolume.class)
                .map(volume -> resolver.identify(VolumeSpec.of(volume, false), ""))
                .map(Found::id);
    }

    /** Finds the PersistentVolume of a volume of which only others spoke so far. A search, for what is rare. */
    void findObject(VolumeState volume) {
        if (!volume.persistentVolume.isEmpty() || volume.inline != null) {
            return;
        }
        for (ApiObject object : cache.all(Kind.PERSISTENT_VOLUME)) {
            VolumeSpec spec = VolumeSpec.of((PersistentVolume) object, false);
            if (volume.id.equals(resolver.identify(spec, "").id())) {
                volume.describe(spec);
                return;
            }
        }
    }

    /** Plugins came or went: what nobody could name may have a name now. */
    void identifyAgain() {
        new ArrayList<>(pods.keySet()).forEach(this::resolveAgain);
        for (Set<ObjectKey> keys : new ArrayList<>(unidentified.values())) {
            for (ObjectKey key : new ArrayList<>(keys)) {
                cache.get(key, VolumeAttachment.class).ifPresent(record -> recordChanged(key, null, record));
            }
        }
        nodes.values().forEach(node -> node.pairs.values().forEach(this::visit));
    }

    // Nodes.

    void nodeChanged(String name, @Nullable Node after) {
        NodeState node = requireNode(name);
        boolean was = node.managed && node.there;
        boolean healthy = node.healthy();
        boolean outOfService = node.outOfService;
        boolean kept = node.keepsTerminated;
        String uid = node.uid;
        Map<String, Object> before = node.words();
        node.update(after);
        listings(node);
        boolean stateChanged = was != (node.managed && node.there)
                || healthy != node.healthy()
                || outOfService != node.outOfService
                || !uid.equals(node.uid);
        if (was != (node.managed && node.there) || kept != node.keepsTerminated) {
            new ArrayList<>(node.pods).forEach(this::resolveAgain);
        }
        if (was && !(node.managed && node.there)) {
            node.pairs.values().forEach(pair -> pair.unwantedSince = clock.getAsLong());
        }
        if (stateChanged) {
            new ArrayList<>(node.pairs.values()).forEach(this::visit);
        } else {
            visitChanged(node, before, node.words());
        }
        marks.visit(new AttachKey.OfNode(name));
        prune(node);
    }

    private void visitChanged(NodeState node, Map<String, Object> before, Map<String, Object> after) {
        if (before.equals(after)) {
            return;
        }
        for (PairState pair : new ArrayList<>(node.pairs.values())) {
            String volume = pair.key.volume().toString();
            Object was = before.get(volume);
            if (was == null ? after.containsKey(volume) : !was.equals(after.get(volume))) {
                visit(pair);
            }
        }
    }

    /** Pairs for what the node's status shows, so that what has no record is known too. */
    private void listings(NodeState node) {
        Set<VolumeId> listed = new LinkedHashSet<>();
        if (node.managed && node.there) {
            for (AttachedVolume volume : node.attached) {
                try {
                    listed.add(VolumeId.parse(volume.name()));
                } catch (IllegalArgumentException foreign) {
                    // somebody else's name for somebody else's volume
                }
            }
        }
        for (VolumeId id : listed) {
            PairState pair = requirePair(id, node);
            if (!pair.listed) {
                pair.listed = true;
                occupancy(pair);
            }
        }
        for (PairState pair : new ArrayList<>(node.pairs.values())) {
            if (pair.listed && !listed.contains(pair.key.volume())) {
                pair.listed = false;
                occupancy(pair);
                visitOthers(pair);
                prune(pair);
            }
        }
    }

    // Pods.

    void podChanged(ObjectKey key, @Nullable Pod before, @Nullable Pod after) {
        if (before != null
                && (after == null
                        || !after.metadata().uid().equals(before.metadata().uid()))) {
            forget(before.metadata().uid());
        }
        if (after != null && !after.spec().nodeName().isEmpty()) {
            resolve(key, after);
        }
    }

    private void resolveAgain(String uid) {
        PodState state = pods.get(uid);
        if (state != null) {
            cache.get(state.key(), Pod.class)
                    .filter(pod -> pod.metadata().uid().equals(uid))
                    .ifPresent(pod -> resolve(state.key(), pod));
        }
    }

    private void resolve(ObjectKey key, Pod pod) {
        String uid = pod.metadata().uid();
        PodState before = pods.get(uid);
        NodeState node = requireNode(pod.spec().nodeName());
        boolean over = pod.terminated() && !node.keepsTerminated;
        List<String> names = new ArrayList<>();
        List<VolumeId> wanted = new ArrayList<>();
        Set<ObjectKey> claims = new LinkedHashSet<>();
        Set<ObjectKey> open = new LinkedHashSet<>();
        for (PodVolume volume : pod.spec().volumes()) {
            ObjectKey claim = PodVolumes.claimOf(pod, volume);
            if (claim != null) {
                claims.add(claim);
            }
            if (over) {
                continue;
            }
            Found found = resolver.find(pod, volume);
            VolumeId id = found.id();
            VolumeSpec spec = found.spec();
            if (id != null && spec != null) {
                requireVolume(id).describe(spec);
            } else if (found.status() == Status.UNKNOWN) {
                id = before == null ? null : before.volumeOf(volume.name());
                if (claim != null && id == null) {
                    open.add(claim);
                }
            }
            if (id != null) {
                names.add(volume.name());
                wanted.add(id);
            }
        }
        PodState after = new PodState(uid, key, node.name, List.copyOf(names), List.copyOf(wanted), claims);
        index(uid, before, after);
        node.pods.add(uid);
        boolean opened =
                open.isEmpty() ? node.unresolved.remove(uid) != null : !open.equals(node.unresolved.put(uid, open));
        move(node, uid, before == null ? List.of() : before.volumes(), wanted);
        if (opened) {
            new ArrayList<>(node.pairs.values())
                    .stream().filter(pair -> !pair.wanted()).forEach(this::visit);
        }
    }

    private void forget(String uid) {
        PodState before = pods.remove(uid);
        if (before == null) {
            return;
        }
        index(uid, before, null);
        NodeState node = requireNode(before.node());
        node.pods.remove(uid);
        boolean opened = node.unresolved.remove(uid) != null;
        move(node, uid, before.volumes(), List.of());
        if (opened) {
            new ArrayList<>(node.pairs.values()).forEach(this::visit);
        }
        prune(node);
    }

    private void index(String uid, @Nullable PodState before, @Nullable PodState after) {
        if (before != null) {
            for (ObjectKey claim : before.claims()) {
                if (after == null || !after.claims().contains(claim)) {
                    podsByClaim.computeIfPresent(claim, (key, users) -> without(users, uid));
                }
            }
        }
        if (after != null) {
            pods.put(uid, after);
            for (ObjectKey claim : after.claims()) {
                podsByClaim.merge(claim, Set.of(uid), AttachWorlds::union);
            }
        }
    }

    /** The pod wanted these volumes on the node, and wants those now. */
    private void move(NodeState node, String uid, List<VolumeId> before, List<VolumeId> after) {
        for (VolumeId id : before) {
            PairState pair = after.contains(id) ? null : node.pairs.get(id);
            if (pair != null) {
                pair.removePod(uid);
                if (!pair.wanted()) {
                    pair.unwantedSince = clock.getAsLong();
                    pair.told = null;
                }
                visit(pair);
                prune(pair);
            }
        }
        for (VolumeId id : after) {
            PairState pair = requirePair(id, node);
            if (pair.addPod(uid)) {
                visit(pair);
            }
        }
    }

    // Claims and volumes.

    void claimChanged(ObjectKey claim) {
        Set<String> users = podsByClaim.get(claim);
        if (users != null) {
            new ArrayList<>(users).forEach(this::resolveAgain);
        }
    }

    void persistentVolumeChanged(@Nullable PersistentVolume before, @Nullable PersistentVolume after) {
        PersistentVolume latest = after == null ? before : after;
        if (latest == null) {
            return;
        }
        if (before != null && before.spec().claimRef() != null) {
            claimOf(before);
        }
        claimOf(latest);
        Set<ObjectKey> records = unidentified.get(latest.metadata().name());
        if (after != null && records != null) {
            for (ObjectKey key : new ArrayList<>(records)) {
                cache.get(key, VolumeAttachment.class).ifPresent(record -> recordChanged(key, null, record));
            }
        }
    }

    private void claimOf(PersistentVolume volume) {
        var reference = volume.spec().claimRef();
        if (reference != null && !reference.name().isEmpty()) {
            claimChanged(ObjectKey.claim(reference.namespace(), reference.name()));
        }
    }

    // VolumeAttachments.

    void recordChanged(ObjectKey key, @Nullable VolumeAttachment before, @Nullable VolumeAttachment after) {
        if (after == null) {
            if (before != null) {
                unidentified.values().forEach(keys -> keys.remove(key));
                PairState pair = pairOf(before);
                if (pair != null && pair.records().contains(key)) {
                    pair.removeRecord(key);
                    recordsByDriver.merge(
                            before.spec().attacher(), -1, (was, less) -> was + less == 0 ? null : was + less);
                    released(pair);
                }
                marks.visitRecord(key);
            }
            return;
        }
        VolumeId id = identify(after);
        if (id == null) {
            unidentified
                    .computeIfAbsent(after.spec().persistentVolumeName(), name -> new LinkedHashSet<>())
                    .add(key);
            return;
        }
        PairState pair = requirePair(id, requireNode(after.spec().nodeName()));
        if (!pair.records().contains(key)) {
            pair.addRecord(key);
            recordsByDriver.merge(after.spec().attacher(), 1, Integer::sum);
            unidentified.computeIfPresent(after.spec().persistentVolumeName(), (name, keys) -> {
                keys.remove(key);
                return keys.isEmpty() ? null : keys;
            });
            describe(pair.volume, after);
            pair.dangling = false;
            occupancy(pair);
            marks.visit(new AttachKey.OfDriver(after.spec().attacher()));
        }
        visit(pair);
        visitOthers(pair);
        marks.visitRecord(key);
        marks.visit(new AttachKey.OfNode(pair.node.name));
    }

    /** The volume of a record: as the record itself says, or as the plugin calls the PersistentVolume. */
    @Nullable
    VolumeId identify(VolumeAttachment record) {
        String text = record.metadata().annotation(GrantKeys.VOLUME);
        if (!text.isEmpty()) {
            try {
                return VolumeId.parse(text);
            } catch (IllegalArgumentException spoiled) {
                return null;
            }
        }
        return cache.get(ObjectKey.volume(nameOr(record)), PersistentVolume.class)
                .map(volume -> resolver.identify(VolumeSpec.of(volume, false), ""))
                .map(Found::id)
                .orElse(null);
    }

    private static String nameOr(VolumeAttachment record) {
        String name = record.spec().persistentVolumeName();
        return name.isEmpty() ? " " : name;
    }

    private void describe(VolumeState volume, VolumeAttachment record) {
        String name = record.spec().persistentVolumeName();
        if (volume.persistentVolume.isEmpty() && volume.inline == null && !name.isEmpty()) {
            volume.persistentVolume = name;
            cache.get(ObjectKey.volume(name), PersistentVolume.class)
                    .ifPresent(persistent -> volume.oneNodeOnly = VolumeState.oneNodeOnly(persistent));
        }
    }

    private @Nullable PairState pairOf(VolumeAttachment record) {
        VolumeId id = identify(record);
        if (id == null) {
            return null;
        }
        return pair(id, record.spec().nodeName());
    }

    /** The backend holds the volume attached to a node that has no record of it. */
    void dangles(VolumeId volume, String node) {
        PairState pair = requirePair(volume, requireNode(node));
        if (!pair.recorded()) {
            pair.dangling = true;
            pair.unwantedSince = clock.getAsLong();
            occupancy(pair);
            visit(pair);
        }
    }

    void creating(PairState pair, boolean value) {
        pair.creating = value;
        occupancy(pair);
        visitOthers(pair);
    }

    // What belongs together.

    private void released(PairState pair) {
        pair.absent = false;
        pair.checkedUid = "";
        occupancy(pair);
        visit(pair);
        for (PairState other : pair.volume.pairs()) {
            if (other != pair) {
                marks.retry(other.key);
                other.records().forEach(marks::retryRecord);
            }
        }
        prune(pair);
    }

    void visit(PairState pair) {
        marks.visit(pair.key);
        pair.records().forEach(marks::visitRecord);
        marks.visit(new AttachKey.OfNode(pair.node.name));
    }

    private void visitOthers(PairState pair) {
        if (pair.volume.oneNodeOnly) {
            for (PairState other : pair.volume.pairs()) {
                if (other != pair) {
                    marks.visit(other.key);
                    other.records().forEach(marks::visitRecord);
                }
            }
        }
    }

    /** Keeps count of what the node has of the driver; whoever waited for room is looked at when some came. */
    private void occupancy(PairState pair) {
        boolean occupied = pair.occupied();
        if (occupied == pair.counted) {
            return;
        }
        pair.counted = occupied;
        pair.node.occupy(pair.key.volume().plugin(), occupied ? 1 : -1);
        if (!occupied) {
            for (PairState other : pair.node.pairs.values()) {
                if (other.waitsForRoom) {
                    marks.visit(other.key);
                }
            }
        }
    }

    private NodeState requireNode(String name) {
        return nodes.computeIfAbsent(name, NodeState::new);
    }

    private VolumeState requireVolume(VolumeId id) {
        return volumes.computeIfAbsent(id, VolumeState::new);
    }

    private PairState requirePair(VolumeId id, NodeState node) {
        PairState pair = node.pairs.get(id);
        if (pair == null) {
            VolumeState volume = requireVolume(id);
            pair = new PairState(new AttachKey.Pair(volume.id, node.name), volume, node);
            pair.unwantedSince = clock.getAsLong();
            node.pairs.put(volume.id, pair);
            volume.add(pair);
        }
        return pair;
    }

    private void prune(PairState pair) {
        if (pair.empty()) {
            pair.node.pairs.remove(pair.key.volume());
            pair.volume.remove(pair);
            if (pair.volume.pairs().isEmpty() && pair.volume.settledAt <= clock.getAsLong()) {
                volumes.remove(pair.volume.id);
            }
            prune(pair.node);
        }
    }

    private void prune(NodeState node) {
        if (!node.there && node.pairs.isEmpty() && node.pods.isEmpty()) {
            nodes.remove(node.name);
        }
    }

    static Set<String> union(Set<String> users, Set<String> more) {
        if (users.containsAll(more)) {
            return users;
        }
        Set<String> all = new LinkedHashSet<>(users);
        all.addAll(more);
        return all;
    }

    private static @Nullable Set<String> without(Set<String> users, String uid) {
        if (users.size() == 1) {
            return users.contains(uid) ? null : users;
        }
        Set<String> left = new LinkedHashSet<>(users);
        left.remove(uid);
        return left;
    }
}
