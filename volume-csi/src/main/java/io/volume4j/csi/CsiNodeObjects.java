package io.volume4j.csi;

import io.volume4j.core.csinode.TopologyLabels;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a driver's nodes from the cluster. It uses the CSINode objects, which node agents and kubelets write, and the
 * topology labels of the Node objects. Without a CSINode object it uses annotations of the Node object, which a host
 * without CSINode objects {@linkplain #announce writes}. It also reads the annotation of kubelets
 * ({@code csi.volume.kubernetes.io/nodeid}). Thread-safe. Blocks during calls to the cluster.
 *
 * @since 0.1.0
 */
public final class CsiNodeObjects implements CsiNodes {
    private static final String ID = "csi.volume4j.io/";
    private static final String PLACE = "topology.csi.volume4j.io/";
    private static final String LIMIT = "limit.csi.volume4j.io/";
    private static final String KUBERNETES_ID = "csi.volume.kubernetes.io/nodeid";
    private static final Pattern ENTRY = Pattern.compile("\"([^\"\\\\]+)\"\\s*:\\s*\"([^\"\\\\]*)\"");

    private final ClusterSource cluster;
    private final String driver;

    private CsiNodeObjects(ClusterSource cluster, String driver) {
        this.cluster = cluster;
        this.driver = driver;
    }

    /** The nodes of the driver, from the objects of the cluster. */
    public static CsiNodeObjects of(ClusterSource cluster, String driver) {
        return new CsiNodeObjects(cluster, driver);
    }

    /**
     * Writes the driver's report on its node to the Node object. It writes the topology also as labels, so that
     * schedulers can place volumes with a node affinity. Only for a host whose nodes run no {@code VolumeManager}
     * with a cluster writer, which writes CSINode objects itself. Call it after each
     * {@link CsiRegistrarListener#nodeChanged}.
     *
     * <p>The annotations of a driver that is gone stay. While they are there, no other driver may change the labels
     * that they name.
     *
     * @throws VolumeException transient, if the driver contradicts a label that is not its own ({@link TopologyLabels});
     *     its place stays as it was then
     */
    public static void announce(ClusterWriter cluster, String driver, CsiNode node) {
        List<String> segments = new ArrayList<>();
        node.segments().forEach((key, value) -> segments.add(key + "=" + value));
        ObjectKey object = ObjectKey.node(node.nodeName());
        Node stored = (Node) cluster.patch(
                object,
                new Patch(
                        Preconditions.none(),
                        false,
                        List.of(
                                FieldChange.set(node.nodeId(), "metadata", "annotations", ID + driver),
                                FieldChange.set(
                                        Long.toString(node.maxVolumes()), "metadata", "annotations", LIMIT + driver))));
        // The place that the driver reported before says which labels are its own. So the new one comes after the
        // check.
        String placeBefore = stored.metadata().annotation(PLACE + driver);
        List<FieldChange> changes = new ArrayList<>(TopologyLabels.changes(
                stored,
                driver,
                node.segments(),
                places(placeBefore)::containsKey,
                key -> othersReport(stored, driver, key)));
        String place = String.join(",", segments);
        if (!place.equals(placeBefore)) {
            changes.add(FieldChange.set(place, "metadata", "annotations", PLACE + driver));
        }
        if (!changes.isEmpty()) {
            cluster.patch(object, new Patch(Preconditions.none(), false, changes));
        }
    }

    private static boolean othersReport(Node node, String driver, String key) {
        return node.metadata().annotations().entrySet().stream()
                .filter(each ->
                        each.getKey().startsWith(PLACE) && !each.getKey().equals(PLACE + driver))
                .anyMatch(each -> places(each.getValue()).containsKey(key));
    }

    private static Map<String, String> places(String annotation) {
        Map<String, String> segments = new TreeMap<>();
        for (String segment : annotation.split(",", -1)) {
            int equals = segment.indexOf('=');
            if (equals > 0) {
                segments.put(segment.substring(0, equals), segment.substring(equals + 1));
            }
        }
        return segments;
    }

    @Override
    public Optional<CsiNode> byName(String nodeName) {
        return asked("node " + nodeName, () -> find(nodeName));
    }

    @Override
    public List<CsiNode> all() {
        return asked("the nodes", this::findAll);
    }

    /** Nothing was sent to a driver yet, so nothing is in doubt. */
    private <T> T asked(String what, Supplier<T> question) {
        try {
            return question.get();
        } catch (ClusterException failed) {
            throw VolumeException.transientFailure(
                            "what driver " + driver + " calls " + what + " is not known: " + failed.getMessage())
                    .withAdvice("let this process get and list nodes and csinodes")
                    .withCause(failed);
        }
    }

    private Optional<CsiNode> find(String nodeName) {
        Optional<Node> node = cluster.readLive(ObjectKey.node(nodeName)).map(Node.class::cast);
        Optional<io.volume4j.spi.model.CsiNode> drivers = cluster.readLive(new ObjectKey(Kind.CSI_NODE, "", nodeName))
                .map(io.volume4j.spi.model.CsiNode.class::cast);
        return read(nodeName, node, drivers);
    }

    private List<CsiNode> findAll() {
        Map<String, Node> nodes = new TreeMap<>();
        cluster.list(Kind.NODE, Selection.all())
                .objects()
                .forEach(node -> nodes.put(node.metadata().name(), (Node) node));
        Map<String, io.volume4j.spi.model.CsiNode> drivers = new TreeMap<>();
        cluster.list(Kind.CSI_NODE, Selection.all())
                .objects()
                .forEach(node -> drivers.put(node.metadata().name(), (io.volume4j.spi.model.CsiNode) node));
        Set<String> names = new TreeSet<>(nodes.keySet());
        names.addAll(drivers.keySet());
        return names.stream()
                .flatMap(name ->
                        read(name, Optional.ofNullable(nodes.get(name)), Optional.ofNullable(drivers.get(name)))
                                .stream())
                .toList();
    }

    private Optional<CsiNode> read(String name, Optional<Node> node, Optional<io.volume4j.spi.model.CsiNode> drivers) {
        return drivers.flatMap(object -> object.driver(driver))
                .filter(entry -> !entry.nodeId().isEmpty())
                .map(entry -> read(name, node, entry))
                .or(() -> node.flatMap(this::read));
    }

    private static CsiNode read(String name, Optional<Node> node, io.volume4j.spi.model.CsiNode.Driver entry) {
        Map<String, String> labels =
                node.map(object -> object.metadata().labels()).orElse(Map.of());
        Long limit = entry.volumeLimit();
        return new CsiNode(name, entry.nodeId(), place(labels, entry.topologyKeys()), limit == null ? 0 : limit);
    }

    /** Where the node is, its labels say, by the keys that the entry names. A part of them is not the node's place. */
    private static Map<String, String> place(Map<String, String> labels, List<String> keys) {
        Map<String, String> segments = new TreeMap<>();
        for (String key : keys) {
            String value = labels.get(key);
            if (value == null) {
                return Map.of();
            }
            segments.put(key, value);
        }
        return segments;
    }

    private Optional<CsiNode> read(Node node) {
        String id = node.metadata().annotation(ID + driver);
        if (id.isEmpty()) {
            id = kubernetesId(node.metadata().annotation(KUBERNETES_ID));
        }
        if (id.isEmpty()) {
            return Optional.empty();
        }
        Map<String, String> segments = places(node.metadata().annotation(PLACE + driver));
        String limit = node.metadata().annotation(LIMIT + driver);
        long most = limit.matches("[0-9]{1,18}") ? Long.parseLong(limit) : 0;
        return Optional.of(new CsiNode(node.metadata().name(), id, segments, most));
    }

    /** A JSON object of names of drivers and ids. */
    private String kubernetesId(String json) {
        Matcher entry = ENTRY.matcher(json);
        while (entry.find()) {
            if (entry.group(1).equals(driver)) {
                return entry.group(2);
            }
        }
        return "";
    }
}
