package io.volume4j.examples.benchmarks.world;

import io.volume4j.core.grants.AttachmentName;
import io.volume4j.core.grants.GrantKeys;
import io.volume4j.core.grants.GrantList;
import io.volume4j.core.grants.InUseReport;
import io.volume4j.core.volumes.NodeVolumeNames;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.model.WellKnown;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** A cluster whose actual state is the desired state. */
public final class SteadyCluster implements ClusterSource {
    private static final Quantity SIZE = Quantity.parse("1Gi");
    private static final int PODS_PER_NODE = 10;

    private final Map<Kind, Map<ObjectKey, ApiObject>> byKind = new EnumMap<>(Kind.class);
    private final Map<Kind, WatchListener> watches = new EnumMap<>(Kind.class);
    private long revision;

    public void node(String name, int volumes) {
        Map<String, GrantList.Grant> grants = new LinkedHashMap<>();
        List<Node.AttachedVolume> attached = new ArrayList<>();
        Map<String, String> used = new LinkedHashMap<>();
        int perPod = Math.max(1, volumes / PODS_PER_NODE);
        List<PodVolume> ofPod = new ArrayList<>();
        int pod = 0;
        for (int v = 0; v < volumes; v++) {
            String volume = name + "-v" + v;
            VolumeId id = VolumeId.shared("mem", "h-" + volume);
            PersistentVolumeClaim claim = claim(volume);
            put(claim);
            put(volume(volume, claim));
            VolumeAttachment record = record(volume, id, name);
            put(record);
            grants.put(
                    id.toString(),
                    new GrantList.Grant(
                            record.metadata().name(), record.metadata().uid(), "1.old"));
            attached.add(new Node.AttachedVolume(NodeVolumeNames.of(id), "/dev/x"));
            used.put(id.toString(), record.metadata().uid());
            ofPod.add(new PodVolume(volume, new ClaimSource(volume, false)));
            if (ofPod.size() == perPod) {
                put(pod(name + "-" + pod++, name, ofPod));
                ofPod = new ArrayList<>();
            }
        }
        put(new Node(
                stored(ObjectMeta.named("", name)
                        .withAnnotation(WellKnown.CONTROLLER_MANAGED_ATTACH, "true")
                        .withAnnotation(GrantKeys.GRANTS, new GrantList(grants).text())
                        .withAnnotation(GrantKeys.IN_USE, new InUseReport(1, "agent", used).text())),
                new Node.Spec(List.of()),
                new Node.Status(true, namesOf(used), attached, Map.of()),
                Unmodeled.none()));
    }

    private static List<String> namesOf(Map<String, String> used) {
        return used.keySet().stream().map(NodeVolumeNames::ofIdText).toList();
    }

    private PersistentVolumeClaim claim(String name) {
        return new PersistentVolumeClaim(
                stored(ObjectMeta.named("default", name)),
                new PersistentVolumeClaim.Spec(
                        List.of(AccessMode.READ_WRITE_ONCE),
                        SIZE,
                        "",
                        VolumeMode.FILESYSTEM,
                        "pv-" + name,
                        null,
                        null,
                        null,
                        ""),
                new PersistentVolumeClaim.Status(
                        ClaimPhase.BOUND, List.of(AccessMode.READ_WRITE_ONCE), SIZE, Map.of(), Map.of(), ""),
                Unmodeled.none());
    }

    private PersistentVolume volume(String name, PersistentVolumeClaim claim) {
        return new PersistentVolume(
                stored(ObjectMeta.named("", "pv-" + name)),
                new PersistentVolume.Spec(
                        SIZE,
                        List.of(AccessMode.READ_WRITE_ONCE),
                        ReclaimPolicy.RETAIN,
                        "",
                        VolumeMode.FILESYSTEM,
                        ObjectReference.to(claim),
                        List.of(),
                        null,
                        "",
                        CsiSource.of("mem", "h-" + name, "", Map.of())),
                new PersistentVolume.Status(VolumePhase.BOUND, "", ""),
                Unmodeled.none());
    }

    private VolumeAttachment record(String name, VolumeId id, String node) {
        return new VolumeAttachment(
                stored(ObjectMeta.named("", AttachmentName.exclusive("mem", id))
                        .withAnnotation(GrantKeys.VOLUME, id.toString())
                        .withAnnotation(GrantKeys.GENERATION, "1.old")
                        .withAnnotation(GrantKeys.DEVICE_PATH, "/dev/x")
                        .withAnnotation(GrantKeys.MODE, GrantKeys.DIRECT)
                        .withFinalizers(List.of(GrantKeys.FINALIZER))),
                VolumeAttachment.Spec.ofVolume("mem", node, "pv-" + name),
                new VolumeAttachment.Status(true, Map.of(), null, null),
                Unmodeled.none());
    }

    private Pod pod(String name, String node, List<PodVolume> volumes) {
        return new Pod(
                stored(ObjectMeta.named("default", name)),
                new Pod.Spec(node, volumes, List.of(), List.of(), Pod.SecurityContext.none(), ""),
                new Pod.Status(PodPhase.RUNNING, List.of(new Pod.ContainerStatus("app", true))),
                Unmodeled.none());
    }

    /** The metadata as a store would return it. */
    private ObjectMeta stored(ObjectMeta meta) {
        revision++;
        return new ObjectMeta(
                meta.name(),
                meta.namespace(),
                meta.uid().isEmpty() ? "uid-" + revision : meta.uid(),
                String.valueOf(revision),
                0,
                meta.labels(),
                meta.annotations(),
                meta.finalizers(),
                meta.ownerReferences(),
                null,
                null);
    }

    public void put(ApiObject object) {
        byKind.computeIfAbsent(object.kind(), kind -> new LinkedHashMap<>()).put(object.key(), object);
        WatchListener watch = watches.get(object.kind());
        if (watch != null) {
            watch.onEvent(WatchEvent.changed(object));
        }
    }

    private Node nodeNow(String name) {
        return (Node) readLive(ObjectKey.node(name)).orElseThrow();
    }

    public void touchPod(String name) {
        Pod pod = (Pod) readLive(ObjectKey.pod("default", name)).orElseThrow();
        boolean running = pod.status().phase() == PodPhase.RUNNING;
        put(new Pod(
                stored(pod.metadata()),
                pod.spec(),
                new Pod.Status(
                        running ? PodPhase.PENDING : PodPhase.RUNNING,
                        pod.status().containerStatuses()),
                pod.unmodeled()));
    }

    public void notReady(String name) {
        Node node = nodeNow(name);
        put(new Node(
                stored(node.metadata()),
                node.spec(),
                new Node.Status(
                        false, node.status().volumesInUse(), node.status().volumesAttached(), Map.of()),
                node.unmodeled()));
    }

    public void removePods(String node) {
        for (int pod = 0; pod < PODS_PER_NODE; pod++) {
            removePod(node + "-" + pod);
        }
    }

    /** Returns the pod with another UID, so that it can be added again. */
    public Pod removePod(String name) {
        ObjectKey key = ObjectKey.pod("default", name);
        Pod gone = (Pod)
                Objects.requireNonNull(byKind.getOrDefault(Kind.POD, Map.of()).remove(key), "the pod is not there");
        WatchListener watch = watches.get(Kind.POD);
        if (watch != null) {
            watch.onEvent(WatchEvent.deleted(gone, String.valueOf(++revision)));
        }
        return new Pod(stored(gone.metadata().withUid("")), gone.spec(), gone.status(), gone.unmodeled());
    }

    @Override
    public Listing list(Kind kind, Selection selection) {
        return new Listing(new ArrayList<>(byKind.getOrDefault(kind, Map.of()).values()), String.valueOf(revision));
    }

    @Override
    public Watch watch(Kind kind, Selection selection, String from, WatchListener listener) {
        watches.put(kind, listener);
        return () -> watches.remove(kind);
    }

    @Override
    public Optional<ApiObject> readLive(ObjectKey key) {
        return Optional.ofNullable(byKind.getOrDefault(key.kind(), Map.of()).get(key));
    }
}
