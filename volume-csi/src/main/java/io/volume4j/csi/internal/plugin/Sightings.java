package io.volume4j.csi.internal.plugin;

import static io.volume4j.csi.internal.proto.ControllerServiceCapability.RPC.Type.GET_VOLUME;
import static io.volume4j.csi.internal.proto.ControllerServiceCapability.RPC.Type.LIST_VOLUMES;
import static io.volume4j.csi.internal.proto.ControllerServiceCapability.RPC.Type.LIST_VOLUMES_PUBLISHED_NODES;

import io.grpc.Status.Code;
import io.volume4j.core.migration.CsiMigration;
import io.volume4j.csi.CsiNodes.CsiNode;
import io.volume4j.csi.internal.client.CsiException;
import io.volume4j.csi.internal.client.EntrySink;
import io.volume4j.csi.internal.proto.ControllerGetVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerGetVolumeResponse;
import io.volume4j.csi.internal.proto.ListVolumesResponse;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.plugin.Observer.Observation;
import io.volume4j.spi.plugin.Observer.Query;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The driver's own reports about volumes and their attachments. A list proves no absence: an object that changes during
 * the listing may be missing, and drivers cut lists short. An attachment counts as absent if the driver lists its volume
 * without the node. It also counts as absent if the driver, asked for the volume's id, reports that the volume does not
 * exist.
 */
public final class Sightings {
    private final Driver driver;

    public Sightings(Driver driver) {
        this.driver = driver;
    }

    /** Whether the driver can report attachments. */
    public boolean possible() {
        return driver.has(LIST_VOLUMES_PUBLISHED_NODES) || driver.has(GET_VOLUME);
    }

    /** A volume that a query asks for, as the driver knows it, and every id under which the driver may know the node. */
    private record Question(String handle, Set<String> nodeIds) {}

    public List<Observation> attachments(List<Query> queries, CallContext context) {
        List<Question> questions =
                queries.stream().map(query -> question(query, context)).toList();
        Map<String, Set<String>> seen = questions.isEmpty() ? Map.of() : published(questions, context);
        List<Observation> answers = new ArrayList<>();
        for (Question each : questions) {
            Set<String> nodes = seen.get(each.handle());
            if (nodes == null || each.nodeIds().isEmpty()) {
                answers.add(Observation.UNKNOWN);
            } else {
                answers.add(Collections.disjoint(nodes, each.nodeIds()) ? Observation.ABSENT : Observation.PRESENT);
            }
        }
        return answers;
    }

    /**
     * The driver may name the node otherwise since the attach call. Then it lists the volume under the id of the call or under the present
     * one. No ids if the present one is not known.
     */
    private Question question(Query query, CallContext context) {
        String handle = Handles.volumeId(query.volume());
        Optional<String> now = nodeId(query.nodeName(), context);
        if (now.isEmpty()) {
            return new Question(handle, Set.of());
        }
        Set<String> nodeIds = AttachSide.nodeIds(query.state());
        nodeIds.add(now.get());
        return new Question(CsiMigration.repairedHandle(driver.name(), handle, now.get()), nodeIds);
    }

    /** The driver's id of a node; empty if it is not known. */
    Optional<String> nodeId(String nodeName, CallContext context) {
        Optional<CsiNode> known = driver.nodes().byName(nodeName);
        if (known.isPresent()) {
            return Optional.of(known.get().nodeId());
        }
        boolean here = nodeName.equals(driver.host().nodeName())
                && driver.capabilities().node().isPresent();
        return here ? Optional.of(driver.identity().get(context).getNodeId()) : Optional.empty();
    }

    /** The cluster's name of the other node that has the volume, if the driver reports exactly one. */
    Optional<String> holder(String handle, String otherThan, CallContext context) {
        try {
            Set<String> nodes = new TreeSet<>(publishedOf(handle, context).orElse(Set.of()));
            nodes.remove(otherThan);
            if (nodes.size() != 1) {
                return Optional.empty();
            }
            String id = nodes.iterator().next();
            return driver.nodes().all().stream()
                    .filter(node -> node.nodeId().equals(id))
                    .map(CsiNode::nodeName)
                    .findFirst();
        } catch (VolumeException notTold) {
            return Optional.empty();
        }
    }

    /** Whether the driver reports that the volume is not attached to the node. */
    boolean provenDetached(String handle, String nodeId, CallContext context) {
        try {
            return publishedOf(handle, context)
                    .map(nodes -> !nodes.contains(nodeId))
                    .orElse(false);
        } catch (VolumeException notTold) {
            return false;
        }
    }

    /** Whether the driver reports for this volume's id that it does not exist. */
    boolean provenGone(String handle, CallContext context) {
        if (!driver.has(GET_VOLUME)) {
            return false;
        }
        try {
            ask(handle, context);
            return false;
        } catch (CsiException e) {
            return e.provesAbsent();
        }
    }

    /** The nodes of each of these volumes that the driver reports; omits the other volumes. */
    private Map<String, Set<String>> published(List<Question> questions, CallContext context) {
        Map<String, Set<String>> seen = new HashMap<>();
        if (driver.has(LIST_VOLUMES) && driver.has(LIST_VOLUMES_PUBLISHED_NODES)) {
            Set<String> wanted = new HashSet<>();
            questions.forEach(question -> wanted.add(question.handle()));
            seen.putAll(listed(wanted, context));
        }
        for (Question question : questions) {
            String handle = question.handle();
            if (!seen.containsKey(handle) && driver.has(GET_VOLUME)) {
                told(handle, context).ifPresent(nodes -> seen.put(handle, nodes));
            }
        }
        return seen;
    }

    private Optional<Set<String>> publishedOf(String handle, CallContext context) {
        if (driver.has(GET_VOLUME)) {
            return asked(handle, context);
        }
        if (!driver.has(LIST_VOLUMES) || !driver.has(LIST_VOLUMES_PUBLISHED_NODES)) {
            return Optional.empty();
        }
        return Optional.ofNullable(listed(Set.of(handle), context).get(handle));
    }

    /** The nodes of each of these volumes that the driver lists. */
    private Map<String, Set<String>> listed(Set<String> wanted, CallContext context) {
        Map<String, Set<String>> nodes = new HashMap<>();
        EntrySink<ListVolumesResponse.Entry> sink = new EntrySink<>() {
            @Override
            public boolean take(ListVolumesResponse.Entry entry) {
                String id = entry.getVolume().getVolumeId();
                if (wanted.contains(id)) {
                    nodes.put(id, named(entry.getStatus().getPublishedNodeIdsList()));
                }
                return true;
            }

            @Override
            public void restart() {
                nodes.clear();
            }
        };
        Driver.translated(() -> driver.controller().controller().eachVolume(sink, context));
        return nodes;
    }

    /** The nodes of a volume; an empty set if the volume does not exist; empty if the driver does not report them. */
    private Optional<Set<String>> told(String handle, CallContext context) {
        return asked(handle, context, nodes -> !named(nodes).isEmpty());
    }

    /**
     * The same for a volume that the driver knows on no node with this id. That, together with a node without a name, proves
     * enough.
     */
    private Optional<Set<String>> asked(String handle, CallContext context) {
        return asked(handle, context, nodes -> !nodes.isEmpty());
    }

    /** @param speaks whether the nodes mean something if the driver does not claim to report them */
    private Optional<Set<String>> asked(String handle, CallContext context, Predicate<List<String>> speaks) {
        try {
            List<String> nodes = ask(handle, context).getStatus().getPublishedNodeIdsList();
            boolean mayTell = driver.has(LIST_VOLUMES_PUBLISHED_NODES) || speaks.test(nodes);
            return mayTell ? Optional.of(named(nodes)) : Optional.empty();
        } catch (CsiException e) {
            return e.answered(Code.NOT_FOUND) ? Optional.of(Set.of()) : Optional.empty();
        }
    }

    private ControllerGetVolumeResponse ask(String handle, CallContext context) {
        return driver.controller()
                .controller()
                .controllerGetVolume(
                        ControllerGetVolumeRequest.newBuilder()
                                .setVolumeId(handle)
                                .build(),
                        context);
    }

    /** Some drivers list an empty node id for a volume without nodes. */
    private static Set<String> named(List<String> nodeIds) {
        Set<String> named = new TreeSet<>(nodeIds);
        named.remove("");
        return named;
    }
}
