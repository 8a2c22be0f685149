package io.volume4j.core.node.desired;

import io.volume4j.core.node.desired.ResolvedPod.Problem;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.core.objects.ObjectChange;
import io.volume4j.core.objects.ObjectListener;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Populates the desired state of world: hears of pods, claims and volumes, and resolves anew the pods that a change
 * concerns, by an index and never by a scan. Loop thread only.
 */
public final class DesiredStateOfWorldPopulator implements ObjectListener {
    /** Hears of what changed for whom. */
    public interface Changes {
        /** The wish for the volume may have changed. */
        void volume(VolumeId id);

        /**
         * What is known of the pod changed.
         *
         * @param now null if it is no longer on this node
         */
        void pod(String podUid, @Nullable Pod now);

        /** What the pod says of itself changed: content that is mounted may have to follow. */
        void content(String podUid);

        /** Whether the pods of the node are completely known changed. */
        void completeness(boolean complete);
    }

    private final String nodeName;
    private final ObjectCache objects;
    private final PodSources sources;
    private final HeapAdvice heap;
    private final PodResolver resolver;
    private final ClaimReads claims;
    private final DesiredStateOfWorld desired;
    private final Changes changes;
    private final boolean keepTerminated;
    private final Map<ObjectKey, Set<String>> podsByObject = new LinkedHashMap<>();
    private final Map<String, Set<ObjectKey>> objectsByPod = new LinkedHashMap<>();
    /** Pods that want nothing any more, because they have ended; all others are in the desired state of world. */
    private final Map<String, Pod> ended = new LinkedHashMap<>();
    /** UIDs that pods of several names have by mistake. */
    private final Set<String> ambiguous = new LinkedHashSet<>(0);

    public DesiredStateOfWorldPopulator(
            String nodeName,
            ObjectCache objects,
            PodResolver resolver,
            ClaimReads claims,
            DesiredStateOfWorld desired,
            Changes changes,
            boolean keepTerminated,
            PodSources sources,
            HeapAdvice heap) {
        this.nodeName = nodeName;
        this.sources = sources;
        this.heap = heap;
        this.objects = objects;
        this.resolver = resolver;
        this.claims = claims;
        this.desired = desired;
        this.changes = changes;
        this.keepTerminated = keepTerminated;
        claims.listener(use -> populate(pod(use.podUid())));
    }

    /** The pod as last seen on this node, null if there is none. */
    @Nullable
    public Pod pod(String podUid) {
        ResolvedPod resolved = desired.pod(podUid);
        return resolved == null ? ended.get(podUid) : resolved.pod();
    }

    /** The UID of the pod of that name, null if there is none on this node. */
    @Nullable
    public String uid(String namespace, String name) {
        return objects.get(ObjectKey.pod(namespace, name), Pod.class)
                .filter(this::isOurs)
                .map(pod -> pod.metadata().uid())
                .orElse(null);
    }

    /** Whether a pod that is not known here does not exist. */
    public boolean complete() {
        return sources.complete();
    }

    /** Why such a pod may not be known here. */
    public String whyUnknown() {
        if (complete()) {
            return "node " + nodeName + " has no such pod in the cluster, which gives it "
                    + (ended.size() + desired.pods().size()) + " pod(s)";
        }
        if (!sources.stated()) {
            return "the host has not said yet that it has stated all its wishes: desiredState().complete()";
        }
        String trouble = objects.trouble(Kind.POD);
        return "the pods of node " + nodeName
                + (trouble.isEmpty() ? " are still being listed" : " cannot be listed: " + trouble);
    }

    /** The node mounts nothing for this pod any more, so callers need not wait longer. */
    public static VolumeException hasEnded(String nodeName, String podUid, @Nullable Pod pod) {
        return VolumeException.finalFailure(
                pod == null
                        ? "pod " + podUid + " is no longer on node " + nodeName
                        : "pod " + pod.key().namespace() + "/" + pod.key().name() + " has ended");
    }

    /** @throws VolumeException if the pod wants nothing any more, because it has ended */
    public void requireNotEnded(String podUid) {
        Pod pod = ended.get(podUid);
        if (pod != null && desired.pod(podUid) == null) {
            throw hasEnded(nodeName, podUid, pod);
        }
    }

    /** Resolves every pod anew: plugins came or went. */
    public void resolveAll() {
        List<Pod> pods = new ArrayList<>(ended.values());
        desired.pods().forEach(pod -> pods.add(pod.pod()));
        pods.forEach(this::populate);
    }

    @Override
    public void changed(ObjectChange change) {
        switch (change.key().kind()) {
            case POD -> podChanged(change);
            case PERSISTENT_VOLUME, PERSISTENT_VOLUME_CLAIM ->
                usersOf(change.key()).forEach(uid -> populate(pod(uid)));
            case NODE -> {
                if (change.key().name().equals(nodeName)) {
                    resolveAll();
                }
            }
            default -> {}
        }
    }

    @Override
    public void completeness(Kind kind, boolean complete) {
        switch (kind) {
            case POD -> changes.completeness(complete());
            case PERSISTENT_VOLUME, PERSISTENT_VOLUME_CLAIM -> resolveUnresolved();
            default -> {}
        }
    }

    /** The host says whether it has stated all its wishes. */
    public void stated(boolean complete) {
        if (sources.stated() != complete) {
            sources.stated(complete);
            changes.completeness(complete());
        }
    }

    private void podChanged(ObjectChange change) {
        ApiObject after = change.after();
        if (after instanceof Pod pod && isOurs(pod)) {
            Pod before = pod(pod.metadata().uid());
            if (before != null && !before.key().equals(pod.key())) {
                ambiguous.add(pod.metadata().uid());
            }
            populate(pod);
            heap.pods(desired.pods().size());
            if (before != null && saysOtherwise(before, pod)) {
                changes.content(pod.metadata().uid());
            }
        } else {
            forget(change.latest().metadata().uid());
        }
    }

    /** A container that starts or stops changes the status alone, and no volume. */
    private static boolean saysOtherwise(Pod before, Pod after) {
        return !before.spec().equals(after.spec())
                || !before.metadata().labels().equals(after.metadata().labels())
                || !before.metadata().annotations().equals(after.metadata().annotations());
    }

    private boolean isOurs(Pod pod) {
        return pod.spec().nodeName().equals(nodeName);
    }

    private void populate(@Nullable Pod pod) {
        if (pod == null) {
            return;
        }
        String uid = pod.metadata().uid();
        if (pod.terminated() && !keepTerminated) {
            ended.put(uid, pod);
            unindex(uid);
            claims.forget(uid);
            tell(uid, desired.remove(uid), pod);
            return;
        }
        ended.remove(uid);
        index(pod);
        ResolvedPod resolved = resolver.resolve(pod);
        tell(uid, desired.put(resolved), pod);
        readClaims(resolved);
    }

    private void readClaims(ResolvedPod pod) {
        if (pod.problems().isEmpty()) {
            claims.forget(pod.uid());
        }
        for (Problem problem : pod.problems().values()) {
            ObjectKey unread = problem.unread();
            if (unread != null) {
                claims.ask(pod.uid(), unread);
            }
        }
    }

    private void forget(String uid) {
        Pod twin = ambiguous.contains(uid) ? another(uid) : null;
        if (twin != null) {
            // Its containers may run, in the same directories.
            populate(twin);
        } else if (pod(uid) != null) {
            ambiguous.remove(uid);
            ended.remove(uid);
            unindex(uid);
            claims.forget(uid);
            tell(uid, desired.remove(uid), null);
        }
    }

    private @Nullable Pod another(String uid) {
        for (ApiObject object : objects.all(Kind.POD)) {
            if (object instanceof Pod pod && isOurs(pod) && pod.metadata().uid().equals(uid)) {
                return pod;
            }
        }
        return null;
    }

    private void resolveUnresolved() {
        List<Pod> unresolved = new ArrayList<>();
        for (ResolvedPod pod : desired.pods()) {
            if (!pod.problems().isEmpty()) {
                unresolved.add(pod.pod());
            }
        }
        unresolved.forEach(this::populate);
    }

    private void tell(String uid, Set<VolumeId> touched, @Nullable Pod now) {
        touched.forEach(changes::volume);
        changes.pod(uid, now);
    }

    private List<String> usersOf(ObjectKey key) {
        return new ArrayList<>(podsByObject.getOrDefault(key, Set.of()));
    }

    private void index(Pod pod) {
        String uid = pod.metadata().uid();
        unindex(uid);
        Set<ObjectKey> used = new LinkedHashSet<>();
        for (PodVolume volume : pod.spec().volumes()) {
            String claimName = PodResolver.claimName(pod, volume);
            if (!claimName.isEmpty()) {
                ObjectKey claim = ObjectKey.claim(pod.metadata().namespace(), claimName);
                used.add(claim);
                objects.get(claim, PersistentVolumeClaim.class)
                        .map(found -> found.spec().volumeName())
                        .filter(name -> !name.isEmpty())
                        .ifPresent(name -> used.add(ObjectKey.volume(name)));
            }
        }
        used.forEach(key ->
                podsByObject.computeIfAbsent(key, k -> new LinkedHashSet<>(2)).add(uid));
        if (!used.isEmpty()) {
            objectsByPod.put(uid, used);
        }
    }

    private void unindex(String uid) {
        Set<ObjectKey> used = objectsByPod.remove(uid);
        if (used == null) {
            return;
        }
        for (ObjectKey key : used) {
            Set<String> users = podsByObject.get(key);
            if (users != null) {
                users.remove(uid);
                if (users.isEmpty()) {
                    podsByObject.remove(key);
                }
            }
        }
    }
}
