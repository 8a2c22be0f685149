package io.volume4j.core.node.attach;

import io.volume4j.core.engine.Backoff;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.grants.GrantKeys;
import io.volume4j.core.grants.InUseReport;
import io.volume4j.core.node.NodeOptions;
import io.volume4j.core.node.NodePorts;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.core.request.TimedRequests;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.volumes.NodeVolumeNames;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.WellKnown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports to the control plane which volumes this node uses or is about to use. It writes them to the node's
 * annotations, which no other program writes, and to its status, where other controllers expect them. It makes one
 * write after another; later changes go with the next write. A node that attaches by itself reports too, so that the
 * control plane does not delete the storage of a volume that the node still has.
 *
 * <p>Each write has one revision of the node's object as its precondition, so a late write cannot undo a later one. A
 * write without a known result may still be stored. Until another write is stored, the volumes that it removes do not
 * count as reported. An earlier run of the agent may also have a write under way, so each run begins with a report.
 * Loop thread only.
 */
final class InUseReporter {
    private static final Logger LOG = LoggerFactory.getLogger(InUseReporter.class);
    private static final InUseReport NO_REPORT = new InUseReport(0, "", Map.of());
    /** For three patches and a read, and the time until a worker is free. */
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private static final int CONFLICTS_AT_ONCE = 3;
    private static final int CONFLICTS_TOLD = 12;
    /**
     * The delay after a conflict. The attach controller writes the same object once for each volume that it attaches.
     * A conflict is no sign of trouble at the server. With the delay of a failure, the report could lose again and
     * again, while pods wait for it.
     */
    private static final Backoff AFTER_CONFLICT =
            new Backoff(Duration.ofMillis(10), Duration.ofSeconds(1), Duration.ofSeconds(1));

    private final String nodeName;
    private final AttachMode mode;
    private final String agent;
    private final EventLoop loop;
    private final TimedRequests requests;
    private final ClusterSource source;
    private final ClusterWriter writer;
    private final Backoff backoff;
    private final RandomGenerator random;
    private final ObjectCache objects;
    private final Supplier<Map<String, String>> used;
    private final BooleanSupplier complete;
    private final OwnAttachments own;
    private final Consumer<String> changedVolume;
    private final Set<String> takenBack = new LinkedHashSet<>();
    /** The text that {@link #parsed} was parsed from. Most comparisons see the same report as the one before. */
    private String parsedText = "";

    private InUseReport parsed = NO_REPORT;

    /** Of the last report that this run wrote or tried to write. */
    private long generation;

    private boolean scheduled;
    private boolean writing;
    private boolean again;
    private boolean closed;
    private int failures;
    private int conflicts;
    private EventLoop.Timer retry = () -> {};

    /**
     * @param used the volumes in use by id, as text; each with the UID of its VolumeAttachment or {@code ""}
     * @param complete whether volumes that are not in {@code used} are certainly not in use
     * @param own the volumes that the node attached by itself, and detaches before it requests a controller
     * @param changedVolume called with a volume whose report may count again
     */
    InUseReporter(
            NodePorts ports,
            ClusterWriter writer,
            NodeOptions options,
            ObjectCache objects,
            Supplier<Map<String, String>> used,
            BooleanSupplier complete,
            OwnAttachments own,
            Consumer<String> changedVolume) {
        this.nodeName = ports.nodeName();
        this.mode = options.attachMode();
        this.agent = ports.incarnation();
        this.loop = ports.loop();
        this.requests = new TimedRequests(loop, ports.workers(), TIMEOUT);
        this.source = ports.cluster();
        this.writer = writer;
        this.backoff = options.backoff();
        this.random = ports.random();
        this.objects = objects;
        this.used = used;
        this.complete = complete;
        this.own = own;
        this.changedVolume = changedVolume;
    }

    /** The content of a report may have changed. */
    void changed() {
        if (!scheduled && !closed) {
            scheduled = true;
            loop.execute(() -> {
                scheduled = false;
                compare();
            });
        }
    }

    void close() {
        closed = true;
    }

    /** Whether a report that may still be stored removes the volume. */
    boolean mayBeTakenBack(String volume) {
        return takenBack.contains(volume);
    }

    private void compare() {
        if (writing || closed) {
            again = true;
            return;
        }
        Node node = objects.get(ObjectKey.node(nodeName), Node.class).orElse(null);
        if (node == null) {
            return;
        }
        InUseReport stored = stored(node);
        Map<String, String> target = new TreeMap<>();
        Set<String> listed =
                new LinkedHashSet<>(NodeVolumeNames.idTexts(node.status().volumesInUse()));
        if (!complete.getAsBoolean()) {
            listed.forEach(volume -> target.put(volume, ""));
            target.putAll(stored.volumes());
        }
        target.putAll(used.get());
        List<String> names =
                target.keySet().stream().map(NodeVolumeNames::ofIdText).toList();
        // Only the control plane's attachments depend on the run; for a node that attaches by itself, an earlier run's
        // report suffices.
        boolean asBefore = mode == AttachMode.SELF || stored.agent().equals(agent);
        boolean reported = asBefore && stored.volumes().keySet().equals(target.keySet());
        boolean rightlyMarked = marked(node) || (mode == AttachMode.CONTROLLER && own.remain(this::changed));
        if (rightlyMarked && reported && sameNames(node, names) && takenBack.isEmpty()) {
            return;
        }
        listed.addAll(stored.volumes().keySet());
        listed.removeAll(target.keySet());
        takenBack.addAll(listed);
        // Another program may have stored an old copy of the object. Controllers ignore reports of earlier generations.
        generation = Math.max(stored.generation(), generation) + 1;
        InUseReport report = new InUseReport(generation, agent, target);
        List<FieldChange> who = rightlyMarked
                ? List.of()
                : List.of(
                        mode == AttachMode.SELF
                                ? FieldChange.remove("metadata", "annotations", WellKnown.CONTROLLER_MANAGED_ATTACH)
                                : FieldChange.set(
                                        "true", "metadata", "annotations", WellKnown.CONTROLLER_MANAGED_ATTACH));
        write(
                node,
                List.of(FieldChange.set(report.text(), "metadata", "annotations", GrantKeys.IN_USE)),
                List.of(FieldChange.set(new ArrayList<>(names), "status", "volumesInUse")),
                who);
    }

    /**
     * Whether the status has exactly these names. Names from versions before 0.1 differ and are replaced: a foreign
     * controller does not know them.
     */
    private static boolean sameNames(Node node, List<String> names) {
        List<String> now = node.status().volumesInUse();
        return now.size() == names.size() && new LinkedHashSet<>(now).equals(new LinkedHashSet<>(names));
    }

    /** The stored report, empty if the annotation is not a report. */
    private InUseReport stored(Node node) {
        String text = node.metadata().annotation(GrantKeys.IN_USE);
        if (!text.equals(parsedText)) {
            parsed = InUseReport.parse(text).orElse(NO_REPORT);
            parsedText = text;
        }
        return parsed;
    }

    /** Whether the object shows correctly which party attaches. */
    private boolean marked(Node node) {
        return mode == AttachMode.SELF
                ? !node.metadata().annotations().containsKey(WellKnown.CONTROLLER_MANAGED_ATTACH)
                : node.metadata()
                        .annotation(WellKnown.CONTROLLER_MANAGED_ATTACH)
                        .equals("true");
    }

    /**
     * Writes the status before the annotation about the attach mode: a controller that begins to manage the node
     * detaches the volumes that the status does not show in use.
     */
    private void write(Node node, List<FieldChange> report, List<FieldChange> status, List<FieldChange> who) {
        writing = true;
        again = false;
        ObjectKey key = node.key();
        ObjectMeta meta = node.metadata();
        requests.send(
                () -> {
                    @Nullable ApiObject stored = null;
                    try {
                        stored = writer.patch(key, new Patch(Preconditions.of(meta), false, report));
                        stored = writer.patch(key, new Patch(Preconditions.of(stored.metadata()), true, status));
                        if (!who.isEmpty()) {
                            stored = writer.patch(key, new Patch(Preconditions.of(stored.metadata()), false, who));
                        }
                        return new Result(stored, null);
                    } catch (Throwable failed) {
                        return new Result(readAgain(key, stored), failed);
                    }
                },
                (result, unanswered) -> written(result == null ? new Result(null, unanswered) : result));
    }

    /**
     * The result of a write.
     *
     * @param latest the stored object, null if it is not known
     * @param failure null if all was stored
     */
    private record Result(
            @Nullable ApiObject latest, @Nullable Throwable failure) {}

    /** Reads the stored state after a conflict. The next try starts from it. */
    private @Nullable ApiObject readAgain(ObjectKey key, @Nullable ApiObject known) {
        try {
            return source.readLive(key).orElse(known);
        } catch (Throwable unreadable) {
            return known;
        }
    }

    private void written(Result result) {
        @Nullable ApiObject latest = result.latest();
        @Nullable Throwable failure = result.failure();
        writing = false;
        if (closed) {
            return;
        }
        if (failure == null) {
            failures = 0;
            conflicts = 0;
            Set<String> settled = new LinkedHashSet<>(takenBack);
            takenBack.clear();
            settled.forEach(changedVolume);
        }
        if (latest != null) {
            objects.applyOwnWrite(latest);
        }
        if (failure == null) {
            if (again) {
                compare();
            }
            return;
        }
        boolean conflict = failure instanceof ClusterException refused
                && refused.reason() == ClusterException.Reason.CONFLICT
                && latest != null;
        if (conflict) {
            afterConflict();
            return;
        }
        failures++;
        if (failures == 1) {
            LOG.atWarn()
                    .addKeyValue("action", "report-in-use")
                    .addKeyValue("node", nodeName)
                    .addKeyValue("error", failure.toString())
                    .log("the volumes in use could not be written to the node; tried again");
        }
        compareAfter(backoff.delay(failures, FailureKind.TRANSIENT, random));
    }

    /** One retry at a time: changes of the node's object compare in between. */
    private void compareAfter(Duration delay) {
        retry.cancel();
        retry = loop.schedule(delay, this::compare);
    }

    private void afterConflict() {
        conflicts++;
        if (conflicts == CONFLICTS_TOLD) {
            LOG.atWarn()
                    .addKeyValue("action", "report-in-use")
                    .addKeyValue("node", nodeName)
                    .addKeyValue("writes", conflicts)
                    .log(
                            "another program wrote the node's object before each of this node's writes; the node retries each second. Find out which program"
                                    + " writes the node's object all the time");
        }
        if (conflicts <= CONFLICTS_AT_ONCE) {
            compare();
        } else {
            compareAfter(AFTER_CONFLICT.delay(conflicts - CONFLICTS_AT_ONCE, FailureKind.TRANSIENT, random));
        }
    }
}
