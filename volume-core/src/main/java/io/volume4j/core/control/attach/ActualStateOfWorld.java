package io.volume4j.core.control.attach;

import io.volume4j.core.control.attach.PodVolumes.Found;
import io.volume4j.core.control.attach.plan.AttachKey;
import io.volume4j.core.grants.AttacherName;
import io.volume4j.core.grants.GrantKeys;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The volumes that nodes have or may have: volume → nodes, from VolumeAttachments, and from backends that report a different state.
 * Loop thread only.
 */
final class ActualStateOfWorld {
    private final ObjectCache cache;
    private final PodVolumes resolver;
    private final AttachIndex worlds;

    /** VolumeAttachments whose volume is not known now, by the PersistentVolume's name. */
    private final Map<String, Set<ObjectKey>> unidentified = new HashMap<>();

    /** See {@link #open()}. */
    private final Set<ObjectKey> open = new LinkedHashSet<>();

    private final Map<String, Integer> recordsByDriver = new LinkedHashMap<>();

    /** See {@link #dangles}. */
    private final Set<PairState> dangling = new LinkedHashSet<>();

    ActualStateOfWorld(ObjectCache cache, PodVolumes resolver, AttachIndex worlds) {
        this.cache = cache;
        this.resolver = resolver;
        this.worlds = worlds;
    }

    /** How many VolumeAttachments the driver has, with the attachments that only its backend reports. */
    int attachments(String driver) {
        long reported = dangling.stream()
                .filter(pair -> pair.key.volume().plugin().equals(driver))
                .count();
        return recordsByDriver.getOrDefault(driver, 0) + (int) reported;
    }

    Set<String> drivers() {
        return new LinkedHashSet<>(recordsByDriver.keySet());
    }

    /**
     * What the engine of records visits without a change too, because it may have work: VolumeAttachments that are not attached or
     * are being deleted, and PersistentVolumes that are being deleted. A copy.
     */
    List<ObjectKey> open() {
        return new ArrayList<>(open);
    }

    private void open(ObjectKey key, boolean is) {
        if (is) {
            open.add(key);
        } else {
            open.remove(key);
        }
    }

    void recordChanged(ObjectKey key, @Nullable VolumeAttachment before, @Nullable VolumeAttachment after) {
        open(
                key,
                after != null && (!after.status().attached() || after.metadata().deleting()));
        if (after == null) {
            if (before != null) {
                gone(key, before);
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
        PairState pair = worlds.requirePair(id, worlds.requireNode(after.spec().nodeName()));
        if (!pair.records().contains(key)) {
            pair.addRecord(key);
            String driver = AttacherName.plugin(after);
            recordsByDriver.merge(driver, 1, Integer::sum);
            identified(key, after);
            describe(pair.volume, after);
            settled(pair);
            worlds.count(pair);
            worlds.marks().visit(new AttachKey.OfDriver(driver));
        }
        worlds.visit(pair);
        worlds.visitOthers(pair);
    }

    /** Whether a VolumeAttachment names the PersistentVolume, and it is not known which volume it is of. */
    boolean unidentified(String persistentVolume) {
        return unidentified.containsKey(persistentVolume);
    }

    private void gone(ObjectKey key, VolumeAttachment last) {
        identified(key, last);
        PairState pair = pairOf(key, last);
        if (pair != null) {
            pair.removeRecord(key);
            recordsByDriver.merge(AttacherName.plugin(last), -1, (was, less) -> was + less == 0 ? null : was + less);
            worlds.released(pair);
        }
        worlds.marks().visitRecord(key);
        if (!last.spec().persistentVolumeName().isEmpty()) {
            worlds.marks().visitRecord(ObjectKey.volume(last.spec().persistentVolumeName()));
        }
    }

    /**
     * The pair under which the record was counted. If the PersistentVolume is gone already, the record no longer identifies its
     * volume.
     */
    private @Nullable PairState pairOf(ObjectKey key, VolumeAttachment last) {
        VolumeId id = identify(last);
        NodeState node = worlds.node(last.spec().nodeName());
        PairState pair = id == null || node == null ? null : node.pairs.get(id);
        if (node == null || (pair != null && pair.records().contains(key))) {
            return pair;
        }
        for (PairState other : node.pairs.values()) {
            if (other.records().contains(key)) {
                return other;
            }
        }
        return null;
    }

    private void identified(ObjectKey key, VolumeAttachment record) {
        unidentified.computeIfPresent(record.spec().persistentVolumeName(), (name, keys) -> {
            keys.remove(key);
            return keys.isEmpty() ? null : keys;
        });
    }

    /** A PersistentVolume of the first listing; the records come after it. */
    void volumeListed(ObjectKey key, PersistentVolume volume) {
        open(key, volume.metadata().deleting());
    }

    /**
     * A PersistentVolume was added, changed or removed: records that refer to it may now have a known volume, and waiting pairs may
     * continue.
     */
    void volumeChanged(ObjectKey key, @Nullable PersistentVolume before, @Nullable PersistentVolume after) {
        open(key, after != null && after.metadata().deleting());
        if (after == null) {
            return;
        }
        String name = key.name();
        if (after.metadata().deleting()) {
            worlds.marks().visitRecord(key);
        }
        Set<ObjectKey> records = unidentified.get(name);
        if (records != null) {
            identifyAgain(records);
        }
        // Until the volume is released, another claim of the same name may have it, and so may the claim's pods.
        if (before == null
                || released(before) != released(after)
                || !Objects.equals(before.spec().claimRef(), after.spec().claimRef())) {
            idOf(name).map(worlds::volume).ifPresent(volume -> volume.pairs().forEach(worlds::visit));
        }
    }

    private static boolean released(PersistentVolume volume) {
        return volume.status().phase() == VolumePhase.RELEASED;
    }

    /** Plugins were added or removed: volumes without a known ID may have one now. */
    void identifyAgain() {
        new ArrayList<>(unidentified.values()).forEach(this::identifyAgain);
    }

    private void identifyAgain(Set<ObjectKey> records) {
        for (ObjectKey key : new ArrayList<>(records)) {
            cache.get(key, VolumeAttachment.class).ifPresent(record -> recordChanged(key, null, record));
        }
    }

    /** The volume of a record: from the record itself, or else the ID that the plugin gives to the PersistentVolume. */
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
        String name = record.spec().persistentVolumeName();
        return name.isEmpty() ? null : idOf(name).orElse(null);
    }

    /** The ID of the PersistentVolume's volume from its plugin; empty if it is not known. */
    Optional<VolumeId> idOf(String persistentVolume) {
        return cache.get(ObjectKey.volume(persistentVolume), PersistentVolume.class)
                .map(volume -> resolver.identify(resolver.spec(volume), ""))
                .map(Found::id);
    }

    /**
     * Finds the PersistentVolume of a volume that is known only from other objects. Searches all of them, but is rarely necessary.
     */
    void findObject(VolumeState volume) {
        if (!volume.persistentVolume.isEmpty() || volume.inline != null) {
            return;
        }
        for (ApiObject object : cache.all(Kind.PERSISTENT_VOLUME)) {
            VolumeSpec spec = resolver.spec((PersistentVolume) object);
            if (volume.id.equals(resolver.identify(spec, "").id())) {
                volume.describe(spec);
                return;
            }
        }
    }

    private void describe(VolumeState volume, VolumeAttachment record) {
        String name = record.spec().persistentVolumeName();
        if (volume.persistentVolume.isEmpty() && volume.inline == null && !name.isEmpty()) {
            volume.persistentVolume = name;
            cache.get(ObjectKey.volume(name), PersistentVolume.class)
                    .ifPresent(persistent -> volume.oneNodeOnly = VolumeState.oneNodeOnly(persistent));
        }
    }

    /** The backend reports the volume attached to a node that has no record of it. */
    void dangles(VolumeId volume, String node) {
        PairState pair = worlds.requirePair(volume, worlds.requireNode(node));
        if (!pair.recorded()) {
            pair.dangling = true;
            pair.danglesSince = worlds.now();
            pair.unwantedSince = worlds.now();
            dangling.add(pair);
            worlds.count(pair);
            worlds.visit(pair);
            worlds.marks().visit(new AttachKey.OfDriver(volume.plugin()));
        }
    }

    /** The pairs that the backend reported attached, and that have no record. */
    Iterable<PairState> dangling() {
        return dangling;
    }

    /**
     * The backend reports that the volume is not attached there any more.
     *
     * @param asked loop time of the query
     */
    void danglesNoMore(PairState pair, long asked) {
        if (pair.dangling && pair.danglesSince < asked) {
            settled(pair);
            worlds.released(pair);
        }
    }

    private void settled(PairState pair) {
        pair.dangling = false;
        dangling.remove(pair);
    }
}
