package io.volume4j.examples.agent.hosts;

import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.VolumeSnapshot;
import io.volume4j.spi.model.VolumeSnapshotContent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Snapshots of the claims. Containers only add to a volume, so that a snapshot holds the beginning of what its volume holds now: at least
 * what was written before the wish for it. A claim that was filled from a snapshot begins with what the snapshot holds.
 */
final class Snapshots {
    private static final int MOST = 6;

    private final Hosts hosts;
    private final RandomGenerator random;
    private final Map<String, Snapshot> snapshots = new LinkedHashMap<>();
    /** From the claim to the snapshot. */
    private final Map<ObjectKey, String> filled = new LinkedHashMap<>();
    /** Their volumes may go at any moment, and are compared no more. */
    private final Set<ObjectKey> deleted = new HashSet<>();

    private int made;

    /** @param before how many bytes the volume had when the snapshot was wanted */
    private record Snapshot(ObjectKey key, ObjectKey claim, long before) {}

    Snapshots(Hosts hosts, RandomGenerator random) {
        this.hosts = hosts;
        this.random = random;
        hosts.create("""
                apiVersion: snapshot.storage.k8s.io/v1
                kind: VolumeSnapshotClass
                metadata: {name: shared}
                driver: %s
                deletionPolicy: Delete
                """.formatted(Hosts.DRIVER));
    }

    void make(ObjectKey claim) {
        if (snapshots.size() == MOST) {
            return;
        }
        String name = "snapshot-" + made++;
        long before = handle(claim).map(this::bytes).orElse(new byte[0]).length;
        hosts.create("""
                apiVersion: snapshot.storage.k8s.io/v1
                kind: VolumeSnapshot
                metadata: {name: %s, namespace: default, uid: %s}
                spec: {volumeSnapshotClassName: shared, source: {persistentVolumeClaimName: %s}}
                """.formatted(name, name, claim.name()));
        System.out.println("workload: " + name + " of " + claim.name() + " with " + before + " bytes or more");
        snapshots.put(name, new Snapshot(new ObjectKey(Kind.VOLUME_SNAPSHOT, "default", name), claim, before));
    }

    /** Not one that a claim is just filled from: it is needed yet. */
    void deleteOne() {
        List<Snapshot> free = snapshots.values().stream()
                .filter(each -> filled.entrySet().stream()
                        .noneMatch(claim -> claim.getValue().equals(each.key().name())
                                && handle(claim.getKey()).isEmpty()))
                .toList();
        if (!free.isEmpty()) {
            delete(free.get(random.nextInt(free.size())));
        }
    }

    /** To be called before the claim is deleted: what was not made of it until now may never be. */
    void claimGoes(ObjectKey claim) {
        deleted.add(claim);
        snapshots.values().stream()
                .filter(each -> each.claim().equals(claim)
                        && snapshot(each.key().name()).isEmpty())
                .toList()
                .forEach(this::delete);
        filled.remove(claim);
    }

    private void delete(Snapshot snapshot) {
        System.out.println("workload: " + snapshot.key().name() + " is deleted");
        hosts.delete(snapshot.key());
        snapshots.remove(snapshot.key().name());
        filled.values().removeIf(snapshot.key().name()::equals);
    }

    /** The name of a snapshot that a claim may be filled from, {@code ""} for none. */
    String anyReady() {
        List<String> ready = snapshots.keySet().stream()
                .filter(each -> snapshot(each).isPresent())
                .toList();
        return ready.isEmpty() ? "" : ready.get(random.nextInt(ready.size()));
    }

    void filled(String from, ObjectKey claim) {
        filled.put(claim, from);
    }

    int mebibytes(String name) {
        return snapshot(name)
                .map(each -> each.status().restoreSize())
                .map(size -> (int) Math.max(1, size.bytes() >> 20))
                .orElse(1);
    }

    private Optional<VolumeSnapshot> snapshot(String name) {
        return hosts.read(new ObjectKey(Kind.VOLUME_SNAPSHOT, "default", name))
                .map(VolumeSnapshot.class::cast)
                .filter(each -> each.status().ready());
    }

    List<String> missing() {
        List<String> missing = new ArrayList<>();
        snapshots.keySet().stream()
                .filter(each -> snapshot(each).isEmpty())
                .forEach(each -> missing.add(each + " is not ready"));
        int there = hosts.driver.inventory().snapshots().size();
        if (there != snapshots.size()) {
            missing.add("there are " + there + " snapshots and not " + snapshots.size());
        }
        return missing;
    }

    /** Of those that are ready. */
    List<String> wrong() {
        List<String> wrong = new ArrayList<>();
        for (Snapshot snapshot : snapshots.values()) {
            Optional<byte[]> held = held(snapshot.key().name());
            if (held.isPresent()) {
                String name = snapshot.key().name() + " of " + snapshot.claim().name();
                if (held.get().length < snapshot.before()) {
                    wrong.add(name + " lacks what was written before");
                }
                Optional.of(snapshot.claim())
                        .filter(claim -> !deleted.contains(claim))
                        .flatMap(this::handle)
                        .filter(volume -> !begins(bytes(volume), held.get()))
                        .ifPresent(volume -> wrong.add(name + " holds what its volume never held"));
            }
        }
        for (Map.Entry<ObjectKey, String> each : filled.entrySet()) {
            Optional<byte[]> held = held(each.getValue());
            Optional<String> volume = handle(each.getKey());
            if (held.isPresent() && volume.isPresent() && !begins(bytes(volume.get()), held.get())) {
                wrong.add(each.getKey().name() + " does not begin as " + each.getValue());
            }
        }
        return wrong;
    }

    static boolean begins(byte[] whole, byte[] part) {
        return whole.length >= part.length && Arrays.equals(whole, 0, part.length, part, 0, part.length);
    }

    private Optional<byte[]> held(String name) {
        return snapshot(name)
                .flatMap(each -> hosts.read(new ObjectKey(
                        Kind.VOLUME_SNAPSHOT_CONTENT, "", each.status().contentName())))
                .map(content -> ((VolumeSnapshotContent) content).status().snapshotHandle())
                .filter(handle -> !handle.isEmpty())
                .map(this::bytes);
    }

    /** The volume of a claim that is bound. */
    private Optional<String> handle(ObjectKey claim) {
        return hosts.read(claim)
                .map(each -> ((PersistentVolumeClaim) each).spec().volumeName())
                .filter(name -> !name.isEmpty())
                .flatMap(name -> hosts.read(ObjectKey.volume(name)))
                .map(each -> ((PersistentVolume) each).spec().source())
                .map(source -> ((CsiSource) source).volumeHandle());
    }

    private byte[] bytes(String id) {
        Path file = hosts.storage().resolve(id).resolve("files").resolve("writes");
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException none) {
            return new byte[0];
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
