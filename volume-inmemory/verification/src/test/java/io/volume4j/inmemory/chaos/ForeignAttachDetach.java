package io.volume4j.inmemory.chaos;

import io.volume4j.core.grants.AttachmentName;
import io.volume4j.inmemory.sim.HostPorts;
import io.volume4j.inmemory.sim.HostProgram;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.model.WellKnown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A model of Kubernetes' attach-detach controller as it meets a node agent in the cluster's objects, for CSI volumes of one
 * node at a time. It knows volumes by Kubernetes' names alone and compares them as text:
 *
 * <ul>
 *   <li>It attaches for the pods of nodes with the annotation, by a VolumeAttachment, and shows the volume in {@code
 *       volumesAttached} when that is attached.
 *   <li>What no pod wants any more, or what is on a node without the annotation, it detaches when the node's {@code
 *       volumesInUse} does not show it: first it takes the volume out of {@code volumesAttached}, then it reads the node live,
 *       then it deletes the VolumeAttachment.
 *   <li>When it starts, it takes over what {@code volumesAttached} and VolumeAttachments say.
 *   <li>Like an informer's, its rounds ask for nothing while nothing in the cluster changes.
 *   <li>Each minute it looks for the VolumeAttachment of what it holds for attached, by Kubernetes' name. What has none there counts as
 *       detached from then on.
 * </ul>
 *
 * <p>It is stricter than the controller in one point that has nothing to do with names: an attachment that is not certain keeps a
 * volume from other nodes, too.
 */
final class ForeignAttachDetach implements HostProgram {
    private static final Duration ROUND = Duration.ofMillis(300);
    private static final Duration VERIFY = Duration.ofMinutes(1);

    @Override
    public void start(HostPorts ports) {
        new Incarnation(ports).next();
    }

    /** A volume on a node. */
    private record Pair(String name, String node) {}

    private static final class Incarnation {
        private final HostPorts ports;
        /** What is or may be attached, and whether the node's status shows it. */
        private final Map<Pair, Boolean> shownByPair = new LinkedHashMap<>();

        private final Map<String, PersistentVolume> volumes = new LinkedHashMap<>();
        private boolean begun;
        private Duration verified;
        /** The cluster's revision before a round that found nothing to do. */
        private String settledAt = "";

        Incarnation(HostPorts ports) {
            this.ports = ports;
            this.verified = ports.world().elapsed();
        }

        void next() {
            long millis = 1 + ports.random().nextLong(2 * ROUND.toMillis());
            ports.later(Duration.ofMillis(millis), this::begin);
        }

        private void begin() {
            if (settledAt.equals(ports.world().cluster().revision()) && !verifies()) {
                next();
            } else {
                ports.workers().execute(this::round);
            }
        }

        private boolean verifies() {
            return ports.world().elapsed().minus(verified).compareTo(VERIFY) > 0;
        }

        private void round() {
            String revision = ports.world().cluster().revision();
            Map<Pair, Boolean> before = new LinkedHashMap<>(shownByPair);
            settledAt = "";
            try {
                reconcile();
                if (before.equals(shownByPair)) {
                    settledAt = revision;
                }
            } catch (ClusterException unavailable) {
                // the next round begins anew
            }
            ports.loop().execute(this::next);
        }

        private void reconcile() {
            Map<String, Node> nodes = new LinkedHashMap<>();
            list(Kind.NODE).forEach(node -> nodes.put(node.metadata().name(), (Node) node));
            list(Kind.PERSISTENT_VOLUME).forEach(each -> {
                if (each instanceof PersistentVolume volume && volume.spec().source() instanceof CsiSource) {
                    volumes.put(name(volume), volume);
                }
            });
            if (!begun) {
                takeOver(nodes);
                begun = true;
            }
            if (verifies()) {
                verified = ports.world().elapsed();
                verify();
            }
            Set<Pair> wanted = wanted(nodes);
            for (Pair pair : new ArrayList<>(shownByPair.keySet())) {
                Node node = nodes.get(pair.node());
                if (!wanted.contains(pair) && node != null) {
                    detach(pair, node);
                }
            }
            for (Pair pair : wanted) {
                if (!shownByPair.getOrDefault(pair, false)) {
                    attach(pair);
                }
            }
        }

        private List<ApiObject> list(Kind kind) {
            return ports.cluster().list(kind, Selection.all()).objects();
        }

        private void verify() {
            for (Map.Entry<Pair, Boolean> held : new LinkedHashMap<>(shownByPair).entrySet()) {
                if (held.getValue() && volumes.containsKey(held.getKey().name())) {
                    boolean attached = ports.cluster()
                            .readLive(ObjectKey.attachment(attachment(held.getKey())))
                            .filter(record ->
                                    ((VolumeAttachment) record).status().attached())
                            .isPresent();
                    if (!attached) {
                        shownByPair.remove(held.getKey());
                        show(held.getKey().node());
                    }
                }
            }
        }

        private void takeOver(Map<String, Node> nodes) {
            nodes.values()
                    .forEach(node -> node.status()
                            .volumesAttached()
                            .forEach(volume -> shownByPair.put(
                                    new Pair(volume.name(), node.metadata().name()), true)));
            for (ApiObject object : list(Kind.VOLUME_ATTACHMENT)) {
                VolumeAttachment.Spec spec = ((VolumeAttachment) object).spec();
                volumes.forEach((name, volume) -> {
                    if (volume.metadata().name().equals(spec.persistentVolumeName())) {
                        shownByPair.putIfAbsent(new Pair(name, spec.nodeName()), false);
                    }
                });
            }
        }

        private Set<Pair> wanted(Map<String, Node> nodes) {
            Map<ObjectKey, String> byClaim = new LinkedHashMap<>();
            for (ApiObject object : list(Kind.PERSISTENT_VOLUME_CLAIM)) {
                PersistentVolumeClaim claim = (PersistentVolumeClaim) object;
                volumes.forEach((name, volume) -> {
                    if (volume.metadata().name().equals(claim.spec().volumeName())) {
                        byClaim.put(claim.key(), name);
                    }
                });
            }
            Set<Pair> wanted = new LinkedHashSet<>();
            for (ApiObject object : list(Kind.POD)) {
                Pod pod = (Pod) object;
                Node node = nodes.get(pod.spec().nodeName());
                if (node == null || pod.terminated() || !managed(node)) {
                    continue;
                }
                pod.spec().volumes().forEach(volume -> {
                    if (volume.source() instanceof ClaimSource source) {
                        String name = byClaim.get(ObjectKey.claim(pod.metadata().namespace(), source.claimName()));
                        if (name != null) {
                            wanted.add(new Pair(name, node.metadata().name()));
                        }
                    }
                });
            }
            return wanted;
        }

        private static boolean managed(Node node) {
            return node.metadata()
                    .annotation(WellKnown.CONTROLLER_MANAGED_ATTACH)
                    .equals("true");
        }

        private void attach(Pair pair) {
            boolean elsewhere = shownByPair.keySet().stream()
                    .anyMatch(other ->
                            other.name().equals(pair.name()) && !other.node().equals(pair.node()));
            PersistentVolume volume = volumes.get(pair.name());
            if (elsewhere || volume == null) {
                return;
            }
            ObjectKey key = ObjectKey.attachment(attachment(pair));
            ApiObject live = ports.cluster().readLive(key).orElse(null);
            if (live == null) {
                shownByPair.put(pair, false);
                ports.writer()
                        .create(new VolumeAttachment(
                                ObjectMeta.named("", key.name()),
                                VolumeAttachment.Spec.ofVolume(
                                        source(volume).driver(),
                                        pair.node(),
                                        volume.metadata().name()),
                                new VolumeAttachment.Status(false, Map.of(), null, null),
                                Unmodeled.none()));
            } else if (!live.metadata().deleting()
                    && ((VolumeAttachment) live).status().attached()) {
                shownByPair.put(pair, true);
                show(pair.node());
            }
        }

        private void detach(Pair pair, Node cached) {
            if (cached.status().volumesInUse().contains(pair.name())) {
                return;
            }
            ObjectKey key = ObjectKey.attachment(attachment(pair));
            shownByPair.put(pair, false);
            show(pair.node());
            Node live =
                    (Node) ports.cluster().readLive(ObjectKey.node(pair.node())).orElse(cached);
            if (live.status().volumesInUse().contains(pair.name())) {
                shownByPair.put(pair, true);
                show(pair.node());
                return;
            }
            ApiObject attachment = ports.cluster().readLive(key).orElse(null);
            if (attachment == null) {
                shownByPair.remove(pair);
            } else if (!attachment.metadata().deleting()) {
                ports.writer().delete(key, Preconditions.none());
            }
        }

        /** Writes all that it knows of the node, in place of what stands there. */
        private void show(String node) {
            List<Map<String, Object>> attached = new ArrayList<>();
            shownByPair.forEach((pair, shown) -> {
                if (shown && pair.node().equals(node)) {
                    attached.add(Map.of("name", pair.name(), "devicePath", ""));
                }
            });
            ports.writer()
                    .patch(
                            ObjectKey.node(node),
                            new Patch(
                                    Preconditions.none(),
                                    true,
                                    List.of(FieldChange.set(attached, "status", "volumesAttached"))));
        }

        private String attachment(Pair pair) {
            PersistentVolume volume = volumes.get(pair.name());
            if (volume == null) {
                // Entries of which there is no PersistentVolume: the handle is what follows the driver.
                String[] parts =
                        pair.name().substring(pair.name().lastIndexOf('/') + 1).split("\\^", 2);
                return AttachmentName.ofKubernetes(parts[0], parts.length < 2 ? "" : parts[1], pair.node());
            }
            return AttachmentName.ofKubernetes(
                    source(volume).driver(), source(volume).volumeHandle(), pair.node());
        }

        private static CsiSource source(PersistentVolume volume) {
            return (CsiSource) volume.spec().source();
        }

        private static String name(PersistentVolume volume) {
            return "kubernetes.io/csi/" + source(volume).driver() + "^"
                    + source(volume).volumeHandle();
        }
    }
}
