package io.volume4j.core.control.attach;

import io.volume4j.core.control.attach.PodVolumes.Found;
import io.volume4j.core.control.attach.PodVolumes.Status;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The volumes that nodes should have: node → volumes → pods, from pods and their claims. Loop thread only. */
final class DesiredStateOfWorld {
    /** If a pod has more volumes than this, a change of a claim resolves only that claim's volumes. */
    private static final int MANY = 16;

    private final ObjectCache cache;
    private final PodVolumes resolver;
    private final AttachIndex worlds;
    private final Map<ObjectKey, Set<String>> podsByClaim = new HashMap<>();

    DesiredStateOfWorld(ObjectCache cache, PodVolumes resolver, AttachIndex worlds) {
        this.cache = cache;
        this.resolver = resolver;
        this.worlds = worlds;
    }

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

    void claimChanged(ObjectKey claim) {
        Set<String> users = podsByClaim.get(claim);
        if (users != null) {
            new ArrayList<>(users).forEach(uid -> resolveAgain(uid, claim));
        }
    }

    /** A PersistentVolume was added, removed or changed: pods that use its claim may get a volume or another one. */
    void volumeChanged(@Nullable PersistentVolume before, PersistentVolume latest) {
        if (before != null) {
            claimOf(before);
        }
        claimOf(latest);
    }

    private void claimOf(PersistentVolume volume) {
        var reference = volume.spec().claimRef();
        if (reference != null && !reference.name().isEmpty()) {
            claimChanged(ObjectKey.claim(reference.namespace(), reference.name()));
        }
    }

    /** The node may now count other pods, or keep the volumes of ended pods. */
    void resolveAgain(NodeState node) {
        new ArrayList<>(node.pods).forEach(this::resolveAgain);
    }

    /** Plugins were added or removed: volumes without a known ID may have one now. */
    void resolveAgain() {
        new ArrayList<>(worlds.pods().keySet()).forEach(this::resolveAgain);
    }

    /** All CSIDriver objects are known. Resolves pods again only if a volume waited for that. */
    void driversComplete() {
        if (resolver.takeDoubted()) {
            resolveAgain();
        }
    }

    private void resolveAgain(String uid) {
        PodState state = worlds.pods().get(uid);
        Pod pod = state == null ? null : podOf(state);
        if (state != null && pod != null) {
            resolve(state.key(), pod);
        }
    }

    private void resolveAgain(String uid, ObjectKey claim) {
        PodState state = worlds.pods().get(uid);
        Pod pod = state == null ? null : podOf(state);
        if (state == null || pod == null) {
            return;
        }
        if (pod.spec().volumes().size() > MANY && !pod.terminated()) {
            resolve(state, pod, claim);
        } else {
            resolve(state.key(), pod);
        }
    }

    private @Nullable Pod podOf(PodState state) {
        return cache.get(state.key(), Pod.class)
                .filter(pod -> pod.metadata().uid().equals(state.uid()))
                .orElse(null);
    }

    /** Resolves the claim's volumes of a pod with many volumes. The other volumes stay as they were. */
    private void resolve(PodState before, Pod pod, ObjectKey claim) {
        NodeState node = worlds.requireNode(before.node());
        PodState state = before;
        boolean unknown = false;
        for (PodVolume volume : pod.spec().volumes()) {
            if (!PodVolumes.isOf(pod, volume, claim)) {
                continue;
            }
            VolumeId was = state.volumeOf(volume.name());
            Found found = resolver.find(pod, volume);
            VolumeId id = found.status() == Status.UNKNOWN ? was : described(found);
            unknown |= found.status() == Status.UNKNOWN && id == null;
            if (!Objects.equals(was, id)) {
                state = state.with(pod, volume.name(), id);
                worlds.pods().put(state.uid(), state);
                move(
                        node,
                        state.uid(),
                        was == null || state.volumes().contains(was) ? List.of() : List.of(was),
                        id == null ? List.of() : List.of(id));
            }
        }
        if (unknown ? node.open(state.uid(), claim) : node.close(state.uid(), claim)) {
            visitUnwanted(node);
        }
    }

    private @Nullable VolumeId described(Found found) {
        VolumeId id = found.id();
        VolumeSpec spec = found.spec();
        if (id == null || spec == null) {
            return null;
        }
        VolumeState known = worlds.requireVolume(id);
        known.describe(spec);
        return known.id;
    }

    private void visitUnwanted(NodeState node) {
        new ArrayList<>(node.pairs.values())
                .stream().filter(pair -> !pair.wanted()).forEach(worlds::visit);
    }

    private void resolve(ObjectKey key, Pod pod) {
        String uid = pod.metadata().uid();
        PodState before = worlds.pods().get(uid);
        NodeState node = worlds.requireNode(pod.spec().nodeName());
        boolean over = pod.terminated() && !node.keepsTerminated;
        List<PodVolume> volumes = pod.spec().volumes();
        List<String> names = new ArrayList<>(volumes.size());
        List<VolumeId> wanted = new ArrayList<>(volumes.size());
        List<ObjectKey> claims = new ArrayList<>(volumes.size());
        Set<ObjectKey> open = new LinkedHashSet<>(0);
        for (PodVolume volume : volumes) {
            ObjectKey claim = PodVolumes.claimOf(pod, volume);
            if (claim != null) {
                claims.add(claim);
            }
            if (over) {
                continue;
            }
            Found found = resolver.find(pod, volume);
            VolumeId id = described(found);
            if (id == null && found.status() == Status.UNKNOWN) {
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
        PodState after =
                new PodState(uid, key, node.name, List.copyOf(names), List.copyOf(wanted), List.copyOf(claims));
        index(uid, before, after);
        node.pods.add(uid);
        boolean opened =
                open.isEmpty() ? node.unresolved.remove(uid) != null : !open.equals(node.unresolved.put(uid, open));
        move(node, uid, before == null ? List.of() : before.volumes(), wanted);
        if (opened) {
            visitUnwanted(node);
        }
    }

    private void forget(String uid) {
        PodState before = worlds.pods().remove(uid);
        if (before == null) {
            return;
        }
        index(uid, before, null);
        NodeState node = worlds.requireNode(before.node());
        node.pods.remove(uid);
        boolean opened = node.unresolved.remove(uid) != null;
        move(node, uid, before.volumes(), List.of());
        if (opened) {
            new ArrayList<>(node.pairs.values()).forEach(worlds::visit);
        }
        worlds.prune(node);
    }

    private void index(String uid, @Nullable PodState before, @Nullable PodState after) {
        if (before != null && (after == null || !after.claims().equals(before.claims()))) {
            Set<ObjectKey> left = after == null ? Set.of() : new HashSet<>(after.claims());
            for (ObjectKey claim : before.claims()) {
                if (!left.contains(claim)) {
                    podsByClaim.computeIfPresent(claim, (key, users) -> without(users, uid));
                }
            }
        }
        if (after != null) {
            worlds.pods().put(uid, after);
            for (ObjectKey claim : after.claims()) {
                podsByClaim.merge(claim, Set.of(uid), DesiredStateOfWorld::union);
            }
        }
    }

    /** Replaces the volumes that the pod wants on the node. */
    private void move(NodeState node, String uid, List<VolumeId> before, List<VolumeId> after) {
        Collection<VolumeId> left = after.size() > MANY ? new HashSet<>(after) : after;
        for (VolumeId id : before) {
            PairState pair = left.contains(id) ? null : node.pairs.get(id);
            if (pair != null) {
                pair.removePod(uid);
                if (!pair.wanted()) {
                    pair.unwantedSince = worlds.now();
                    pair.told = null;
                    worlds.count(pair);
                }
                worlds.visit(pair);
                worlds.prune(pair);
            }
        }
        for (VolumeId id : after) {
            PairState pair = worlds.requirePair(id, node);
            if (pair.addPod(uid)) {
                worlds.count(pair);
                worlds.visit(pair);
                if (pair.occupied()) {
                    worlds.visitOthers(pair);
                }
            }
        }
    }

    private static Set<String> union(Set<String> users, Set<String> more) {
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
