package io.volume4j.inmemory.plugin;

import io.volume4j.inmemory.oracle.Violation;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.plugin.Observer.Observation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * The backend's content, and the checks of its callers. It accepts what a careless backend would accept, and records a
 * violation if a careful caller would not have asked. Thread-safe; makes no calls.
 */
final class StorageModel {
    private final StorageLimits limits;
    private final TreeMap<String, StoredVolume> volumes = new TreeMap<>();
    private final TreeSet<String> deleted = new TreeSet<>();
    private final TreeSet<String> fenced = new TreeSet<>();
    private final List<Violation> violations = new ArrayList<>();

    StorageModel(StorageLimits limits) {
        this.limits = limits;
    }

    /**
     * @param content the source of the volume's content, {@code ""} for an empty volume
     * @param segment chooses the segment of a new volume
     */
    synchronized StoredVolume provision(
            String name,
            long bytes,
            long limitBytes,
            Map<String, String> parameters,
            String content,
            Supplier<String> segment) {
        StoredVolume existing = volumes.get(name);
        if (existing != null) {
            if (existing.bytes < bytes || (limitBytes > 0 && existing.bytes > limitBytes)) {
                throw VolumeException.finalFailure("provision " + name + ": a volume of that name has " + existing.bytes
                        + " bytes, asked for were " + bytes);
            }
            if (!existing.content.equals(content)) {
                throw VolumeException.finalFailure("provision " + name + ": a volume of that name has "
                        + nothingOr(existing.content) + " as its source, asked for was " + nothingOr(content));
            }
            return existing;
        }
        refuseTooLarge("provision " + name, bytes);
        if (limits.capacityBytes() > 0 && usedBytes() + bytes > limits.capacityBytes()) {
            throw VolumeException.of(
                    FailureKind.EXHAUSTED,
                    "provision " + name + ": " + bytes + " bytes asked for, " + (limits.capacityBytes() - usedBytes())
                            + " of " + limits.capacityBytes() + " are free");
        }
        StoredVolume made = new StoredVolume(name, bytes, parameters, segment.get(), content);
        volumes.put(name, made);
        deleted.remove(name);
        return made;
    }

    synchronized void delete(String call, String handle) {
        StoredVolume volume = volumes.get(handle);
        if (volume == null) {
            return;
        }
        TreeSet<String> holders = new TreeSet<>(volume.attachments.keySet());
        holders.addAll(volume.stagings.keySet());
        holders.addAll(volume.publications.keySet());
        holders.removeAll(fenced);
        if (!holders.isEmpty()) {
            String message = "the volume is still held by " + holders;
            violate("S10", call, message);
            throw VolumeException.of(FailureKind.IN_USE, call + ": " + message);
        }
        volumes.remove(handle);
        deleted.add(handle);
    }

    synchronized String attach(
            String call, String handle, long declaredBytes, String node, Access access, boolean readOnly) {
        StoredVolume volume = require(call, handle, declaredBytes);
        if (!volume.segment.isEmpty() && !volume.segment.equals(limits.segment(node))) {
            throw VolumeException.of(
                    FailureKind.INFEASIBLE,
                    call + ": the volume is in " + volume.segment + ", the node in \"" + limits.segment(node) + "\"");
        }
        BackingVolume.Attachment present = volume.attachments.get(node);
        if (present != null) {
            return present.devicePath();
        }
        for (String other : volume.attachments.keySet()) {
            if (!access.manyNodes() && !fenced.contains(other)) {
                if (limits.refusesSecondNode()) {
                    throw VolumeException.dangling(call + ": the volume is attached to " + other, other);
                }
                violate("S4", call, "a volume for one node is attached to " + other + " as well");
            }
        }
        if (limits.maxVolumesPerNode() > 0 && attachedTo(node) >= limits.maxVolumesPerNode()) {
            throw VolumeException.of(
                    FailureKind.EXHAUSTED, call + ": the node has " + attachedTo(node) + " volumes, and takes no more");
        }
        String device = device(handle);
        volume.attachments.put(node, new BackingVolume.Attachment(device, readOnly));
        return device;
    }

    static String device(String handle) {
        return "/dev/mem/" + handle.replace("%", "%25").replace("/", "%2F");
    }

    synchronized void detach(String call, String handle, String node) {
        StoredVolume volume = volumes.get(handle);
        if (volume == null || !volume.attachments.containsKey(node)) {
            return;
        }
        if (volume.usedOn(node) && !fenced.contains(node)) {
            violate("S1", call, "the volume is detached while it is " + use(volume, node));
        }
        volume.attachments.remove(node);
    }

    /** Called before the mount, so that a mount never exists without its record. */
    synchronized boolean stage(
            String call,
            String handle,
            long declaredBytes,
            String node,
            String path,
            boolean block,
            boolean attachable) {
        StoredVolume volume = require(call, handle, declaredBytes);
        if (attachable && !volume.attachments.containsKey(node)) {
            String message = "the volume is not attached to the node";
            if (!fenced.contains(node)) {
                violate("S3", call, message);
            }
            throw VolumeException.transientFailure(call + ": " + message);
        }
        return volume.stagings.putIfAbsent(node, new BackingVolume.Staging(path, block, volume.bytes)) == null;
    }

    /** Checks the call before the unmount; {@link #unstaged} follows. */
    synchronized void judgeUnstage(String call, String handle, String node) {
        StoredVolume volume = volumes.get(handle);
        if (volume != null && volume.publications.containsKey(node)) {
            violate(
                    "S2",
                    call,
                    "the device mount goes while pods have the volume: "
                            + volume.publications.get(node).keySet());
        }
    }

    synchronized void unstaged(String handle, String node) {
        StoredVolume volume = volumes.get(handle);
        if (volume != null) {
            volume.stagings.remove(node);
        }
    }

    /** Called before the mount. */
    synchronized boolean publish(
            String call,
            String handle,
            long declaredBytes,
            String node,
            String podUid,
            BackingVolume.Publication publication,
            Access access,
            boolean stageable) {
        StoredVolume volume = require(call, handle, declaredBytes);
        if (stageable && !volume.stagings.containsKey(node)) {
            String message = "the volume is not prepared on the node";
            violate("S3", call, message);
            throw VolumeException.transientFailure(call + ": " + message);
        }
        if (access.onePod()) {
            volume.publications.forEach((otherNode, byPod) -> byPod.keySet().stream()
                    .filter(other -> !other.equals(podUid) && !fenced.contains(otherNode))
                    .forEach(other ->
                            violate("S5", call, "a volume for one pod is with pod " + other + " on " + otherNode)));
        }
        boolean isNew = !volume.publications.getOrDefault(node, new TreeMap<>()).containsKey(podUid);
        volume.publish(node, podUid, publication);
        return isNew;
    }

    synchronized void unpublished(String handle, String node, String podUid) {
        StoredVolume volume = volumes.get(handle);
        if (volume != null) {
            volume.unpublish(node, podUid);
        }
    }

    synchronized long expand(String call, String handle, long newBytes) {
        StoredVolume volume = require(call, handle, newBytes);
        refuseTooLarge(call, newBytes);
        long grown = Math.max(volume.bytes, newBytes);
        if (limits.capacityBytes() > 0 && usedBytes() - volume.bytes + grown > limits.capacityBytes()) {
            throw VolumeException.of(FailureKind.EXHAUSTED, call + ": no room for " + newBytes + " bytes");
        }
        volume.bytes = grown;
        return grown;
    }

    synchronized long expandOnNode(String call, String handle, String node, long newBytes) {
        StoredVolume volume = require(call, handle, newBytes);
        if (newBytes > volume.bytes) {
            String message = "the filesystem is to have " + newBytes + " bytes, the volume has " + volume.bytes;
            violate("S21", call, message);
            throw VolumeException.transientFailure(call + ": " + message);
        }
        volume.stagings.computeIfPresent(
                node, (unused, old) -> new BackingVolume.Staging(old.path(), old.block(), volume.bytes));
        return volume.bytes;
    }

    synchronized void modify(String call, String handle, Map<String, String> parameters) {
        require(call, handle, 0).parameters.putAll(parameters);
    }

    synchronized Observation observe(String handle, String node) {
        StoredVolume volume = volumes.get(handle);
        return volume != null && volume.attachments.containsKey(node) ? Observation.PRESENT : Observation.ABSENT;
    }

    synchronized Optional<BackingVolume> volume(String handle) {
        return Optional.ofNullable(volumes.get(handle)).map(StoredVolume::view);
    }

    synchronized List<BackingVolume> volumes() {
        return volumes.values().stream().map(StoredVolume::view).toList();
    }

    synchronized long availableBytes() {
        return limits.capacityBytes() == 0 ? Long.MAX_VALUE : limits.capacityBytes() - usedBytes();
    }

    synchronized boolean violated() {
        return !violations.isEmpty();
    }

    synchronized List<Violation> violations() {
        return List.copyOf(violations);
    }

    synchronized void violate(String rule, String call, String message) {
        violations.add(new Violation(rule, call, message));
    }

    synchronized void fence(String node, boolean isFenced) {
        if (isFenced) {
            fenced.add(node);
        } else {
            fenced.remove(node);
        }
    }

    synchronized void forgetMounts(String node) {
        for (StoredVolume volume : volumes.values()) {
            volume.stagings.remove(node);
            volume.publications.remove(node);
        }
    }

    private StoredVolume require(String call, String handle, long declaredBytes) {
        StoredVolume volume = volumes.get(handle);
        if (volume != null) {
            return volume;
        }
        if (limits.onlyKnownHandles() || deleted.contains(handle)) {
            throw VolumeException.finalFailure(call + ": the backend has no such volume");
        }
        StoredVolume made = new StoredVolume(handle, Math.max(declaredBytes, 0), Map.of(), "", "");
        volumes.put(handle, made);
        return made;
    }

    private static String nothingOr(String content) {
        return content.isEmpty() ? "nothing" : content;
    }

    private void refuseTooLarge(String call, long bytes) {
        if (limits.maxVolumeBytes() > 0 && bytes > limits.maxVolumeBytes()) {
            throw VolumeException.of(
                    FailureKind.INFEASIBLE,
                    call + ": " + bytes + " bytes asked for, a volume can have " + limits.maxVolumeBytes());
        }
    }

    private long usedBytes() {
        return volumes.values().stream().mapToLong(volume -> volume.bytes).sum();
    }

    private long attachedTo(String node) {
        return volumes.values().stream()
                .filter(volume -> volume.attachments.containsKey(node))
                .count();
    }

    private static String use(StoredVolume volume, String node) {
        SortedMap<String, BackingVolume.Publication> pods = volume.publications.get(node);
        return pods == null
                ? "prepared at " + volume.stagings.get(node)
                : "with pods " + pods.keySet() + " on the node";
    }
}
