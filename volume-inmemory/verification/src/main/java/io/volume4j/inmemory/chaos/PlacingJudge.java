package io.volume4j.inmemory.chaos;

import io.volume4j.core.control.host.facts.VolumeUse;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.CsiNode;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.CsiStorageCapacity;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.LabelSelector;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.model.WellKnown;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides independently where a pod can run, from all objects: slow, without an index or a cache, and without the tested
 * code. Works only for these worlds: one driver, volumes named after the claim's UID, and local volumes of one size.
 */
final class PlacingJudge {
    /** The node label for the accessible part of the storage. */
    static final String ZONE = "zone";

    static final String DRIVER = "mem";

    /** The class whose volumes a user creates. */
    static final String LOCAL = "local";

    /** A reservation of one scheduler for a pod. */
    record Promise(String podUid, String node, List<ObjectKey> claims, Map<String, String> volumeByClaimUid) {}

    private final Collection<ApiObject> objects;
    private final Map<ObjectKey, ApiObject> byKey = new LinkedHashMap<>();
    private final Collection<Promise> promises;

    /**
     * @param objects known to the scheduler
     * @param promises the open reservations
     */
    PlacingJudge(Collection<ApiObject> objects, Collection<Promise> promises) {
        this.objects = objects;
        this.promises = promises;
        objects.forEach(object -> byKey.put(object.key(), object));
    }

    /** Why the pod cannot run on the node, {@code ""} if it can; considers the capacity of pools only if requested. */
    String refusal(Pod pod, String node, boolean room) {
        Node found = get(ObjectKey.node(node), Node.class);
        if (found == null) {
            return "there is no node " + node;
        }
        int local = 0;
        long bytes = 0;
        Set<String> needed = new LinkedHashSet<>();
        for (ObjectKey key : claims(pod)) {
            PersistentVolumeClaim claim = get(key, PersistentVolumeClaim.class);
            if (claim == null || claim.metadata().deleting() || claim.status().phase() == ClaimPhase.LOST) {
                return key + " cannot be used";
            }
            PersistentVolume volume = volume(claim, pod.metadata().uid());
            if (bound(claim) && volume == null) {
                return key + " has lost its volume";
            }
            if (volume != null && !reaches(volume, found) && !anotherReaches(claim, found)) {
                return volume.key() + " cannot be reached";
            }
            String selected = claim.metadata().annotation(WellKnown.SELECTED_NODE);
            if (volume == null && !selected.isEmpty() && !selected.equals(node)) {
                return key + " is being made elsewhere";
            }
            if (volume == null && claim.className().equals(LOCAL)) {
                local++;
            } else if (volume == null && !promised(claim) && selected.isEmpty()) {
                bytes += bytes(claim);
            }
            String handle = handle(claim, pod.metadata().uid());
            if (!handle.isEmpty()) {
                needed.add(handle);
            }
        }
        if (local > free(found)) {
            return "there are not " + local + " local volumes";
        }
        Set<String> there = handles(node, pod.metadata().uid());
        Long limit = limit(node);
        Set<String> all = new LinkedHashSet<>(there);
        all.addAll(needed);
        if (limit != null && all.size() > there.size() && all.size() + local > limit) {
            return "the node has " + there + " and can have " + limit;
        }
        if (limit != null && local > 0 && all.size() + local > limit) {
            return "the node has " + there + " and can have " + limit + ", local ones among them";
        }
        return room && bytes > 0 && !room(found, bytes) ? "there is no room for " + bytes + " bytes" : "";
    }

    /** Whether a volume of the pod is being created for the node, whose pool has no room for it. */
    boolean waitsForRoom(Pod pod, String node) {
        Node found = get(ObjectKey.node(node), Node.class);
        for (ObjectKey key : claims(pod)) {
            PersistentVolumeClaim claim = get(key, PersistentVolumeClaim.class);
            if (found != null
                    && claim != null
                    && volume(claim, pod.metadata().uid()) == null
                    && claim.metadata().annotation(WellKnown.SELECTED_NODE).equals(node)
                    && !room(found, bytes(claim))) {
                return true;
            }
        }
        return false;
    }

    static List<ObjectKey> claims(Pod pod) {
        List<ObjectKey> claims = new ArrayList<>();
        for (PodVolume volume : pod.spec().volumes()) {
            claims.add(ObjectKey.claim(pod.metadata().namespace(), VolumeUse.claimName(pod, volume)));
        }
        return claims;
    }

    static boolean bound(PersistentVolumeClaim claim) {
        return !claim.spec().volumeName().isEmpty();
    }

    static boolean reaches(PersistentVolume volume, Node node) {
        NodeSelector affinity = volume.spec().nodeAffinity();
        return affinity == null
                || affinity.terms().stream()
                        .anyMatch(term -> term.matchExpressions().stream()
                                .allMatch(needed -> needed.values()
                                        .contains(node.metadata().labels().getOrDefault(needed.key(), ""))));
    }

    /** Two schedulers that run for a moment may each reserve a volume for a claim; the controller then chooses one of them. */
    private boolean anotherReaches(PersistentVolumeClaim claim, Node node) {
        return !bound(claim)
                && objects.stream()
                        .anyMatch(object -> object instanceof PersistentVolume volume
                                && isReserved(volume, claim)
                                && reaches(volume, node));
    }

    private static boolean isReserved(PersistentVolume volume, PersistentVolumeClaim claim) {
        ObjectReference owner = volume.spec().claimRef();
        return owner != null && owner.uid().equals(claim.metadata().uid());
    }

    /** The volume of the claim: bound, reserved by its claimRef, or reserved by a scheduler for another pod. */
    private @Nullable PersistentVolume volume(PersistentVolumeClaim claim, String besides) {
        if (bound(claim)) {
            return get(ObjectKey.volume(claim.spec().volumeName()), PersistentVolume.class);
        }
        String uid = claim.metadata().uid();
        for (ApiObject object : objects) {
            if (object instanceof PersistentVolume volume && isReserved(volume, claim)) {
                return volume;
            }
        }
        for (Promise promise : promises) {
            String name = promise.volumeByClaimUid().getOrDefault(uid, "");
            if (!name.isEmpty() && !promise.podUid().equals(besides)) {
                return get(ObjectKey.volume(name), PersistentVolume.class);
            }
        }
        return null;
    }

    private boolean promised(PersistentVolumeClaim claim) {
        return promises.stream()
                .anyMatch(promise ->
                        promise.volumeByClaimUid().containsKey(claim.metadata().uid()));
    }

    private String handle(PersistentVolumeClaim claim, String besides) {
        PersistentVolume volume = volume(claim, besides);
        if (volume != null) {
            return volume.spec().source() instanceof CsiSource source ? source.volumeHandle() : "";
        }
        return bound(claim) || claim.className().equals(LOCAL)
                ? ""
                : "pvc-" + claim.metadata().uid();
    }

    /** The volumes of other pods on the node, of reservations there, and of attachments there. */
    private Set<String> handles(String node, String besides) {
        Set<String> handles = new LinkedHashSet<>();
        for (ApiObject object : objects) {
            if (object instanceof Pod pod
                    && pod.spec().nodeName().equals(node)
                    && !pod.terminated()
                    && !pod.metadata().uid().equals(besides)) {
                claims(pod).forEach(key -> add(key, handles));
            } else if (object instanceof VolumeAttachment attachment
                    && attachment.spec().nodeName().equals(node)
                    && byKey.get(ObjectKey.volume(attachment.spec().persistentVolumeName()))
                            instanceof PersistentVolume volume
                    && volume.spec().source() instanceof CsiSource source) {
                handles.add(source.volumeHandle());
            }
        }
        for (Promise promise : promises) {
            boolean waits = objects.stream()
                    .anyMatch(object -> object instanceof Pod pod
                            && pod.metadata().uid().equals(promise.podUid())
                            && pod.spec().nodeName().isEmpty());
            if (waits && promise.node().equals(node) && !promise.podUid().equals(besides)) {
                promise.claims().forEach(key -> add(key, handles));
            }
        }
        return handles;
    }

    private void add(ObjectKey key, Set<String> handles) {
        PersistentVolumeClaim claim = get(key, PersistentVolumeClaim.class);
        String handle = claim == null ? "" : handle(claim, "");
        if (!handle.isEmpty()) {
            handles.add(handle);
        }
    }

    /** The number of free local volumes that the node can access. */
    private long free(Node node) {
        return objects.stream()
                .filter(object -> object instanceof PersistentVolume volume
                        && volume.spec().storageClassName().equals(LOCAL)
                        && volume.spec().claimRef() == null
                        && !volume.metadata().deleting()
                        && reaches(volume, node)
                        && !hasClaim(volume)
                        && promises.stream()
                                .noneMatch(promise -> promise.volumeByClaimUid()
                                        .containsValue(volume.metadata().name())))
                .count();
    }

    /** Whether a claim has the volume in its spec; this counts before the volume's own event arrives. */
    private boolean hasClaim(PersistentVolume volume) {
        return objects.stream()
                .anyMatch(object -> object instanceof PersistentVolumeClaim claim
                        && claim.status().phase() != ClaimPhase.LOST
                        && claim.spec().volumeName().equals(volume.metadata().name()));
    }

    private @Nullable Long limit(String node) {
        CsiNode found = get(new ObjectKey(Kind.CSI_NODE, "", node), CsiNode.class);
        return found == null
                ? null
                : found.spec().drivers().stream()
                        .map(CsiNode.Driver::volumeLimit)
                        .findFirst()
                        .orElse(null);
    }

    /** Whether a pool has that much capacity, minus reservations for claims without a volume. */
    private boolean room(Node node, long bytes) {
        long promisedBytes = 0;
        Set<String> counted = new LinkedHashSet<>();
        for (Promise promise : promises) {
            for (ObjectKey key : promise.claims()) {
                PersistentVolumeClaim claim = get(key, PersistentVolumeClaim.class);
                Node there = get(ObjectKey.node(promise.node()), Node.class);
                if (claim != null
                        && there != null
                        && !bound(claim)
                        && promise.volumeByClaimUid()
                                .containsKey(claim.metadata().uid())
                        && !claim.className().equals(LOCAL)
                        && there.metadata().labels().equals(node.metadata().labels())
                        && counted.add(claim.metadata().uid())) {
                    promisedBytes += bytes(claim);
                }
            }
        }
        for (ApiObject object : objects) {
            if (object instanceof CsiStorageCapacity pool) {
                LabelSelector topology = pool.nodeTopology();
                Quantity capacity = pool.capacity();
                if (topology != null
                        && topology.matches(node.metadata().labels())
                        && capacity != null
                        && capacity.bytes() - promisedBytes >= bytes) {
                    return true;
                }
            }
        }
        return false;
    }

    private static long bytes(PersistentVolumeClaim claim) {
        Quantity request = claim.spec().request();
        return request == null ? 0 : request.bytes();
    }

    private <T> @Nullable T get(ObjectKey key, Class<T> type) {
        ApiObject object = byKey.get(key);
        return type.isInstance(object) ? type.cast(object) : null;
    }
}
