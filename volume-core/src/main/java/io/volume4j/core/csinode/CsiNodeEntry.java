package io.volume4j.core.csinode;

import io.volume4j.core.codec.Manifests;
import io.volume4j.core.migration.CsiMigration;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.CsiNode;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.OwnerReference;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.WellKnown;
import io.volume4j.spi.plugin.NodeReporter.NodeInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Writes the entries of drivers to the CSINode object of a node. Kubelets and registrars share this object, so the
 * entries of other drivers stay as they are, with all their fields. Each write names the revision that was read, so
 * that no concurrent write is lost. Thread-safe. Blocks during calls to the cluster.
 *
 * <p>A {@code VolumeManager} with a cluster writer writes the entries of its plugins itself. This class is for a
 * program that registers drivers and mounts nothing.
 *
 * @since 0.1.0
 */
public final class CsiNodeEntry {
    /** {@code allocatable.count} has 32 bits, and a driver may report any number. */
    private static final long LARGEST_LIMIT = Integer.MAX_VALUE;

    private final ClusterSource source;
    private final ClusterWriter writer;
    private final String node;
    private final CsiMigration migration;

    /** @param node the name of the node, whose Node object has the same name */
    public CsiNodeEntry(ClusterSource source, ClusterWriter writer, String node) {
        this(source, writer, node, CsiMigration.standard());
    }

    /**
     * As {@link #CsiNodeEntry(ClusterSource, ClusterWriter, String)}, for a node that translates further in-tree
     * volumes.
     *
     * @param migration the translation of the node's plugin registry
     */
    public CsiNodeEntry(ClusterSource source, ClusterWriter writer, String node, CsiMigration migration) {
        this.source = Objects.requireNonNull(source, "source");
        this.writer = Objects.requireNonNull(writer, "writer");
        this.node = Objects.requireNonNull(node, "node");
        this.migration = Objects.requireNonNull(migration, "migration");
    }

    /**
     * Writes the driver's entry, and the labels that the entry names to the Node object. If the driver replaces an
     * in-tree plugin, the object also lists that plugin as migrated: without this Kubernetes' controllers and scheduler
     * do not pass the plugin's volumes to the driver on this node. Idempotent: writes only what differs.
     *
     * @throws VolumeException transient, if there is no Node object, if the driver contradicts a label that is not its
     *     own ({@link TopologyLabels}), or if the cluster refuses a write; the caller should retry
     */
    public void publish(String driver, NodeInfo info) {
        attempt("register driver " + driver + " in the CSINode object of node " + node, () -> {
            Node object = source.readLive(ObjectKey.node(node))
                    .map(Node.class::cast)
                    .orElseThrow(() -> VolumeException.transientFailure("there is no Node object " + node));
            Optional<CsiNode> stored = read().map(found -> taken(found, object));
            label(object, driver, info.segments(), stored);
            CsiNode.Driver entry = new CsiNode.Driver(
                    driver,
                    info.nodeId(),
                    List.copyOf(info.segments().keySet()),
                    info.maxVolumes() > 0 ? Math.min(info.maxVolumes(), LARGEST_LIMIT) : null);
            if (stored.isEmpty()) {
                create(object, entry);
            } else if (!stored.get().driver(driver).equals(Optional.of(entry))
                    || newlyMigrated(stored.get().metadata(), driver).isPresent()) {
                change(stored.get(), entry);
            }
        });
    }

    /**
     * Writes a changed entry. Servers let no program change an entry, or only its limit; so the old entry goes first, as when a driver is
     * registered anew. If the server refuses the new entry itself, the old one comes back.
     */
    private void change(CsiNode stored, CsiNode.Driver entry) {
        try {
            replace(stored, entry.name(), entry);
        } catch (ClusterException refused) {
            Optional<CsiNode.Driver> old = stored.driver(entry.name());
            if (refused.reason() != Reason.INVALID || old.isEmpty()) {
                throw refused;
            }
            CsiNode without = replace(stored, entry.name(), null);
            try {
                replace(without, entry.name(), entry);
            } catch (ClusterException again) {
                if (again.reason() == Reason.INVALID) {
                    replace(without, entry.name(), old.get());
                }
                throw again;
            }
        }
    }

    /**
     * Removes the driver's entry. The in-tree plugin stays in the list, as with kubelets: this node still translates its
     * volumes, and no other plugin handles them. Idempotent.
     *
     * @throws VolumeException transient, if the cluster refuses the write
     */
    public void remove(String driver) {
        attempt(
                "take driver " + driver + " out of the CSINode object of node " + node,
                () -> read().filter(stored -> stored.driver(driver).isPresent())
                        .ifPresent(stored -> replace(stored, driver, null)));
    }

    private Optional<CsiNode> read() {
        return source.readLive(new ObjectKey(Kind.CSI_NODE, "", node)).map(CsiNode.class::cast);
    }

    private void label(Node object, String driver, Map<String, String> segments, Optional<CsiNode> stored) {
        List<CsiNode.Driver> entries =
                stored.map(known -> known.spec().drivers()).orElse(List.of());
        List<FieldChange> changes = TopologyLabels.changes(
                object,
                driver,
                segments,
                key -> entries.stream()
                        .anyMatch(entry -> entry.name().equals(driver)
                                && entry.topologyKeys().contains(key)),
                key -> entries.stream()
                        .anyMatch(entry -> !entry.name().equals(driver)
                                && entry.topologyKeys().contains(key)));
        if (!changes.isEmpty()) {
            Preconditions same = new Preconditions(object.metadata().uid(), "");
            writer.patch(object.key(), new Patch(same, false, changes));
        }
    }

    /**
     * The cluster deletes a CSINode object whose Node object is gone, at any later moment. If the stored one belongs to an earlier Node
     * object of this name, this object takes it over. The entries in it are of the earlier node.
     */
    private CsiNode taken(CsiNode stored, Node object) {
        OwnerReference owner = owner(object);
        List<OwnerReference> owners = stored.metadata().ownerReferences();
        if (owners.stream()
                .noneMatch(each -> each.kind().equals("Node") && !each.uid().equals(owner.uid()))) {
            return stored;
        }
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("apiVersion", owner.apiVersion());
        tree.put("kind", owner.kind());
        tree.put("name", owner.name());
        tree.put("uid", owner.uid());
        return (CsiNode) writer.patch(
                stored.key(),
                new Patch(
                        Preconditions.of(stored.metadata()),
                        false,
                        List.of(
                                FieldChange.set(List.of(tree), "metadata", "ownerReferences"),
                                FieldChange.remove("metadata", "annotations", WellKnown.MIGRATED_PLUGINS),
                                FieldChange.set(List.of(), "spec", "drivers"))));
    }

    private OwnerReference owner(Node object) {
        return new OwnerReference("v1", "Node", node, object.metadata().uid(), false);
    }

    /** It goes with its node. */
    private void create(Node object, CsiNode.Driver entry) {
        OwnerReference owner = owner(object);
        Map<String, String> annotations = migration
                .inTreeNameFor(entry.name())
                .map(plugin -> Map.of(WellKnown.MIGRATED_PLUGINS, plugin))
                .orElse(Map.of());
        ObjectMeta metadata =
                new ObjectMeta(node, "", "", "", 0, Map.of(), annotations, List.of(), List.of(owner), null, null);
        writer.create(new CsiNode(metadata, new CsiNode.Spec(List.of(entry)), Unmodeled.none()));
    }

    private CsiNode replace(CsiNode stored, String driver, CsiNode.@Nullable Driver entry) {
        List<Object> drivers = new ArrayList<>();
        if (Manifests.toTree((ApiObject) stored).get("spec") instanceof Map<?, ?> spec
                && spec.get("drivers") instanceof List<?> known) {
            known.stream()
                    .filter(each -> !(each instanceof Map<?, ?> map && driver.equals(map.get("name"))))
                    .forEach(drivers::add);
        }
        List<FieldChange> changes = new ArrayList<>();
        if (entry != null) {
            drivers.add(tree(entry));
            newlyMigrated(stored.metadata(), driver).ifPresent(changes::add);
        }
        changes.add(FieldChange.set(drivers, "spec", "drivers"));
        return (CsiNode) writer.patch(stored.key(), new Patch(Preconditions.of(stored.metadata()), false, changes));
    }

    /** Adds the in-tree plugin that the driver replaces to the list of migrated ones; empty if there is nothing to add. */
    private Optional<FieldChange> newlyMigrated(ObjectMeta stored, String driver) {
        String text = stored.annotation(WellKnown.MIGRATED_PLUGINS);
        Set<String> plugins = new TreeSet<>(text.isEmpty() ? List.of() : List.of(text.split(",", -1)));
        return migration
                .inTreeNameFor(driver)
                .filter(plugins::add)
                .map(added -> FieldChange.set(
                        String.join(",", plugins), "metadata", "annotations", WellKnown.MIGRATED_PLUGINS));
    }

    private static Map<String, Object> tree(CsiNode.Driver entry) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("name", entry.name());
        tree.put("nodeID", entry.nodeId());
        if (!entry.topologyKeys().isEmpty()) {
            tree.put("topologyKeys", entry.topologyKeys());
        }
        Long limit = entry.volumeLimit();
        if (limit != null) {
            tree.put("allocatable", Map.of("count", limit));
        }
        return tree;
    }

    private static void attempt(String what, Runnable writes) {
        try {
            writes.run();
        } catch (ClusterException failure) {
            throw VolumeException.transientFailure("cannot " + what + ": " + failure.getMessage())
                    .withAdvice(advice(failure.reason()))
                    .withCause(failure);
        }
    }

    private static String advice(Reason reason) {
        return switch (reason) {
            case CONFLICT, ALREADY_EXISTS -> "it is tried again: another program wrote the object at the same time";
            case INVALID ->
                "correct what the driver says of the node: its id, its topology or its limit cannot be stored";
            case UNAVAILABLE -> "see whether the API server can be reached; it is tried again";
            case NOT_FOUND, FORBIDDEN -> "the node's user must be allowed to get, create and patch its csinodes object";
        };
    }
}
