package io.volume4j.examples.agent;

import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Unmodeled;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the object of this node if the cluster has none. While the API server does not answer, it tries again after pauses
 * of 1 second, doubling to 30 seconds. The executor must run one task at a time; the owner closes it.
 */
final class NodeRegistration {
    private static final Logger LOG = LoggerFactory.getLogger(NodeRegistration.class);
    private static final String READY = "Ready";

    /** This agent and controllers write the same object when the node starts. */
    private static final int WRITES_AT_ONCE = 5;

    private final ClusterSource source;
    private final ClusterWriter writer;
    private final String name;
    private final ScheduledExecutorService executor;
    private final Pauses pauses;
    private final boolean soleMaintainer;
    private boolean warned;

    /** @param soleMaintainer whether no other program maintains the node's object; then the node is ready, whatever the object says */
    NodeRegistration(
            ClusterSource source,
            ClusterWriter writer,
            String name,
            ScheduledExecutorService executor,
            Pauses pauses,
            boolean soleMaintainer) {
        this.source = source;
        this.writer = writer;
        this.name = name;
        this.executor = executor;
        this.pauses = pauses;
        this.soleMaintainer = soleMaintainer;
    }

    /** Starts; returns at once. */
    void start() {
        executor.execute(this::attempt);
    }

    private void attempt() {
        try {
            register();
            if (warned) {
                LOG.atInfo().addKeyValue("node", name).log("the API server answers, and the node is registered");
            }
        } catch (RuntimeException | Error failure) {
            // Catches also an Error, such as a failed start of a thread: without another attempt the node would stay
            // unknown.
            if (!warned && !executor.isShutdown()) {
                warned = true;
                LOG.atWarn()
                        .addKeyValue("node", name)
                        .addKeyValue("error", failure.getMessage())
                        .addKeyValue("firstPauseSeconds", Pauses.FIRST.toSeconds())
                        .addKeyValue("longestPauseSeconds", Pauses.LONGEST.toSeconds())
                        .addKeyValue("advice", "start the API server, or check its address and this node's credentials")
                        .log("node is not registered; mounted volumes stay, and the node tries again");
            }
            again();
        }
    }

    private void again() {
        if (!executor.isShutdown()) {
            var unused = executor.schedule(this::attempt, pauses.next().toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** Does not change the object of a node that another program maintains. */
    private void register() {
        for (int write = 1; ; write++) {
            ApiObject node = source.readLive(ObjectKey.node(name)).orElseGet(this::created);
            // An earlier attempt may have failed after it created the object.
            if (!soleMaintainer && saysWhetherReady(node)) {
                return;
            }
            try {
                sayReady(node);
                return;
            } catch (ClusterException refused) {
                if (refused.reason() != Reason.CONFLICT || write == WRITES_AT_ONCE) {
                    throw refused;
                }
            }
        }
    }

    /**
     * Says at once that the node is ready: servers of Kubernetes store the status of a new node, unlike that of other kinds. If it said
     * that the node is not ready, the next attempt would take this for the word of another program.
     */
    private ApiObject created() {
        Node.Status ready = new Node.Status(true, List.of(), List.of(), Map.of());
        try {
            return writer.create(
                    new Node(ObjectMeta.named("", name), new Node.Spec(List.of()), ready, Unmodeled.none()));
        } catch (ClusterException raced) {
            if (raced.reason() != Reason.ALREADY_EXISTS) {
                throw raced;
            }
            return source.readLive(ObjectKey.node(name)).orElseThrow(() -> raced);
        }
    }

    private static boolean saysWhetherReady(ApiObject node) {
        return conditions(node).stream().anyMatch(NodeRegistration::isReady);
    }

    private static boolean isReady(Object condition) {
        return condition instanceof Map<?, ?> fields && READY.equals(fields.get("type"));
    }

    private static List<?> conditions(ApiObject node) {
        return node.unmodeled().document().get("status") instanceof Map<?, ?> status
                        && status.get("conditions") instanceof List<?> conditions
                ? conditions
                : List.of();
    }

    /** Other conditions are of other programs, which may write them at any moment. */
    private void sayReady(ApiObject node) {
        List<Object> all = new ArrayList<>(conditions(node));
        all.removeIf(NodeRegistration::isReady);
        all.add(Map.of("type", READY, "status", "True"));
        writer.patch(
                node.key(),
                new Patch(
                        Preconditions.of(node.metadata()),
                        true,
                        List.of(Patch.FieldChange.set(all, "status", "conditions"))));
    }
}
