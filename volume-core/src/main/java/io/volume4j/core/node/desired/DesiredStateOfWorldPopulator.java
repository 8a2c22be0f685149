package io.volume4j.core.node.desired;

import io.volume4j.core.node.desired.ClaimReads.Use;
import io.volume4j.core.node.desired.PodResolver.Resolution;
import io.volume4j.core.node.desired.ResolvedPod.Problem;
import io.volume4j.core.node.desired.ResolvedPod.ResolvedVolume;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.core.objects.ObjectChange;
import io.volume4j.core.objects.ObjectListener;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Populates the desired state of world. Receives changes of pods, claims and volumes, and resolves the affected pods
 * again. It finds them by an index, never by a scan. Loop thread only.
 */
public final class DesiredStateOfWorldPopulator implements ObjectListener {
    /** Called for the effects of changes. */
    public interface Changes {
        /** The wish for the volume may have changed. */
        void volume(VolumeId id);

        /** The set of wanted volumes may have changed. A listener scans all of them. */
        void use();

        /**
         * The pod, or its resolved volumes, changed.
         *
         * @param now null if the pod is no longer on this node
         */
        void pod(String podUid, @Nullable Pod now);

        /** More is known about one volume name of a pod on this node. */
        void name(String podUid, String outerName);

        /** The pod's own fields changed: mounted content may have to follow. */
        void content(String podUid);

        /** Whether all pods of the node are known changed. */
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
    private final ClaimIndex index = new ClaimIndex();
    /** Pods that have ended and want nothing. All others are in the desired state of world. */
    private final Map<String, Pod> ended = new LinkedHashMap<>();
    /** UIDs that several pods have by mistake. */
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
        claims.listener(this::refresh);
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

    /** Why an unknown pod is unknown, for users. */
    public String whyUnknown() {
        if (complete()) {
            return "node " + nodeName + " has no such pod in " + sources.names() + ", where it has "
                    + (ended.size() + desired.pods().size()) + " pod(s)";
        }
        if (!sources.stated()) {
            return "the host has not said yet that it has stated all its wishes: desiredState().complete()";
        }
        String trouble = objects.trouble(Kind.POD);
        return "the pods of node " + nodeName
                + (trouble.isEmpty() ? " are still being listed" : " cannot be listed: " + trouble);
    }

    /** Why changes of pods do not come to this node now, for users; {@code ""} if they do. */
    public String whyUnheard() {
        String trouble = objects.trouble(Kind.POD);
        return complete() || trouble.isEmpty()
                ? ""
                : "the pods of node " + nodeName + " cannot be listed: " + trouble
                        + "; what changed since then is not known here";
    }

    /** The node mounts nothing more for this pod, so callers need not wait longer. */
    public static VolumeException hasEnded(String nodeName, String podUid, @Nullable Pod pod) {
        return VolumeException.finalFailure(
                pod == null
                        ? "pod " + podUid + " is no longer on node " + nodeName
                        : "pod " + pod.key().namespace() + "/" + pod.key().name() + " has ended");
    }

    /** @throws VolumeException if the pod wants nothing because it has ended */
    public void requireNotEnded(String podUid) {
        Pod pod = ended.get(podUid);
        if (pod != null && desired.pod(podUid) == null) {
            throw hasEnded(nodeName, podUid, pod);
        }
    }

    /** Resolves every pod again, after a plugin was registered or removed. */
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
                index.usesOf(change.key()).forEach(this::refresh);
            case NODE -> {
                if (change.key().name().equals(nodeName)
                        && !Objects.equals(labels(change.before()), labels(change.after()))) {
                    resolveAll();
                }
            }
            case CSI_DRIVER -> driverChanged(change.key().name());
            default -> {}
        }
    }

    /** Called before the first pod of the list: a heap that is too small may be full before the last one. */
    @Override
    public void listed(Kind kind, int count) {
        if (kind == Kind.POD) {
            heap.pods(count);
        }
    }

    @Override
    public void completeness(Kind kind, boolean complete) {
        switch (kind) {
            case POD -> changes.completeness(complete());
            case PERSISTENT_VOLUME, PERSISTENT_VOLUME_CLAIM, CSI_DRIVER -> resolveUnresolved();
            default -> {}
        }
    }

    /** The host states wishes itself, which are not complete yet. */
    public void expectWishes(boolean besideCluster) {
        sources.expectWishes(besideCluster);
        stated(false);
    }

    /** The host declares whether it has stated all its wishes. */
    public void stated(boolean complete) {
        if (sources.stated() != complete) {
            sources.stated(complete);
            changes.completeness(complete());
        }
    }

    /**
     * A CSIDriver object changed. Resolves the pods with volumes of the driver, and pods with unresolved volumes,
     * which may have lacked it.
     */
    private void driverChanged(String driver) {
        List<Pod> concerned = new ArrayList<>();
        for (ResolvedPod pod : desired.pods()) {
            if (!pod.problems().isEmpty()
                    || pod.volumes().values().stream().anyMatch(volume -> isOf(driver, volume.spec()))) {
                concerned.add(pod.pod());
            }
        }
        concerned.forEach(this::populate);
    }

    private static boolean isOf(String driver, VolumeSpec spec) {
        return spec.source() instanceof CsiSource source && source.driver().equals(driver);
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

    /**
     * Whether the pod differs in more than its status. A container that starts or stops changes only the status, and
     * no volume.
     */
    private static boolean saysOtherwise(Pod before, Pod after) {
        return !before.spec().equals(after.spec())
                || !before.metadata().labels().equals(after.metadata().labels())
                || !before.metadata().annotations().equals(after.metadata().annotations());
    }

    /**
     * All that resolving reads of the node: null if there is none. Its status, which each attached volume changes, decides
     * nothing here.
     */
    private static @Nullable Map<String, String> labels(@Nullable ApiObject node) {
        return node == null ? null : node.metadata().labels();
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
            index.remove(uid);
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
        new ArrayList<>(pod.problems().values()).forEach(problem -> read(pod.uid(), problem));
    }

    private void read(String podUid, @Nullable Problem problem) {
        ObjectKey unread = problem == null ? null : problem.unread();
        if (unread != null) {
            claims.ask(podUid, unread);
        }
    }

    private void forget(String uid) {
        Pod twin = ambiguous.contains(uid) ? another(uid) : null;
        if (twin != null) {
            // The containers of the other pod may run, in the same directories.
            populate(twin);
        } else if (pod(uid) != null) {
            ambiguous.remove(uid);
            ended.remove(uid);
            index.remove(uid);
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
        if (!touched.isEmpty()) {
            changes.use();
        }
        changes.pod(uid, now);
    }

    /** Resolves the pod's volumes of the claim. For a pod with many volumes, resolves no others. */
    private void refresh(Use use) {
        ResolvedPod known = desired.pod(use.podUid());
        PodShape shape = known == null ? null : known.shape();
        if (known == null || shape == null) {
            populate(known == null ? null : known.pod());
            return;
        }
        index.names(use.podUid(), use.claim(), volumeOf(use.claim()));
        for (String name : shape.namesOf(use.claim())) {
            ResolvedVolume before = known.volumes().get(name);
            Resolution now = resolver.resolve(known.pod(), shape, name);
            Set<VolumeId> touched = desired.replace(use.podUid(), name, now);
            if (touched == null) {
                populate(known.pod());
                return;
            }
            touched.forEach(changes::volume);
            if (!sameUse(before, now.volume())) {
                changes.use();
            }
            changes.name(use.podUid(), name);
            read(use.podUid(), now.problem());
        }
        if (known.problems().isEmpty()) {
            claims.forget(use.podUid());
        }
    }

    private static boolean sameUse(@Nullable ResolvedVolume before, @Nullable ResolvedVolume after) {
        return before == null
                ? after == null
                : after != null && before.id().equals(after.id()) && before.attachable() == after.attachable();
    }

    private String volumeOf(ObjectKey claim) {
        return objects.get(claim, PersistentVolumeClaim.class)
                .map(found -> found.spec().volumeName())
                .orElse("");
    }

    private void index(Pod pod) {
        Map<ObjectKey, String> used = new LinkedHashMap<>();
        for (PodVolume volume : pod.spec().volumes()) {
            String claimName = PodResolver.claimName(pod, volume);
            if (!claimName.isEmpty()) {
                ObjectKey claim = ObjectKey.claim(pod.metadata().namespace(), claimName);
                used.put(claim, volumeOf(claim));
            }
        }
        index.put(pod.metadata().uid(), used);
    }
}
