package io.volume4j.examples.etcd;

import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.options.GetOption;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Marks nodes as not ready if their lease ended or they fenced themselves: controllers request evidence only for such nodes. A
 * node marks itself as ready after it has begun its lease. Run one instance with each set of controllers; only the instance in the
 * leading process works.
 */
public final class EtcdNodeHealth implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EtcdNodeHealth.class);
    private static final String WORD = "/word";
    private static final String LEASE = "/lease";
    private static final String READY = "Ready";

    private final EtcdClient etcd;
    private final ClusterSource source;
    private final ClusterWriter writer;
    private final BooleanSupplier leads;
    private final ScheduledExecutorService thread;

    /** Only on the thread: the last failure, so that the log has one line for one failure. */
    private String failure = "";

    /** @param leads whether this process leads now */
    public <C extends ClusterSource & ClusterWriter> EtcdNodeHealth(EtcdClient etcd, C cluster, BooleanSupplier leads) {
        this.etcd = etcd;
        this.source = cluster;
        this.writer = cluster;
        this.leads = leads;
        thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread made = new Thread(task, "etcd-node-health");
            made.setDaemon(true);
            return made;
        });
    }

    /** Checks all leases repeatedly, with this pause between two checks. */
    @SuppressWarnings("FutureReturnValueIgnored") // a check ends normally whatever fails in it
    public void start(Duration pause) {
        thread.scheduleWithFixedDelay(this::lookSafely, 0, pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void lookSafely() {
        try {
            if (leads.getAsBoolean()) {
                look();
            }
            failure = "";
        } catch (RuntimeException | Error failed) {
            // Errors too: an uncaught error would end the checks, and no node would ever be fenced again.
            String said = String.valueOf(failed.getMessage());
            if (!said.equals(failure)) {
                failure = said;
                LOG.atWarn().log("the nodes' leases cannot be looked at, which is tried again: {}", said);
            }
        }
    }

    void look() {
        for (String name : lost()) {
            ApiObject found = source.readLive(ObjectKey.node(name)).orElse(null);
            if (found instanceof Node node && node.status().ready() && lost().contains(name)) {
                markUnknown(node);
                if (!lost().contains(name)) {
                    // The node came back meanwhile. It said that it is ready while its object still said so, and says
                    // it once.
                    markReady(source, writer, name);
                }
            }
        }
    }

    /** Marks a node as ready. Its agent calls this after it has begun its lease. False while the node has no object. */
    public static <C extends ClusterSource & ClusterWriter> boolean markReady(C cluster, String node) {
        return markReady(cluster, cluster, node);
    }

    private static boolean markReady(ClusterSource source, ClusterWriter writer, String name) {
        // The node's agent and controllers write the same object when the node starts.
        for (int write = 1; ; write++) {
            if (!(source.readLive(ObjectKey.node(name)).orElse(null) instanceof Node node)) {
                return false;
            }
            try {
                writer.patch(node.key(), says(node, Map.of("type", READY, "status", "True")));
                return true;
            } catch (ClusterException refused) {
                if (refused.reason() == ClusterException.Reason.NOT_FOUND) {
                    return false;
                }
                if (refused.reason() != ClusterException.Reason.CONFLICT || write == EtcdCluster.TRIES) {
                    throw refused;
                }
            }
        }
    }

    /** Other conditions are of other programs, which may write them at any moment. */
    private static Patch says(Node node, Map<String, Object> ready) {
        List<Object> all = new ArrayList<>(conditions(node));
        all.replaceAll(each -> isReady(each) ? ready : each);
        if (!all.contains(ready)) {
            all.add(ready);
        }
        return new Patch(
                Preconditions.of(node.metadata()), true, List.of(Patch.FieldChange.set(all, "status", "conditions")));
    }

    private static boolean isReady(Object condition) {
        return condition instanceof Map<?, ?> fields && READY.equals(fields.get("type"));
    }

    private static List<?> conditions(Node node) {
        return node.unmodeled().document().get("status") instanceof Map<?, ?> status
                        && status.get("conditions") instanceof List<?> conditions
                ? conditions
                : List.of();
    }

    private void markUnknown(Node node) {
        Map<String, Object> unknown = Map.of(
                "type", READY,
                "status", "Unknown",
                "reason", "NodeStatusUnknown",
                "message", "The node does not renew its lease in etcd.");
        try {
            writer.patch(node.key(), says(node, unknown));
            LOG.atInfo().addKeyValue("node", node.metadata().name()).log("the node's lease has ended; it is not ready");
        } catch (ClusterException changed) {
            if (changed.reason() != ClusterException.Reason.CONFLICT) {
                throw changed;
            }
        }
    }

    /** Nodes with a statement that have no lease, or that fenced themselves. */
    private Set<String> lost() {
        String prefix = etcd.keys().ofNodes();
        List<KeyValue> all = etcd.await(
                        "look at the leases of all nodes",
                        etcd.client()
                                .getKVClient()
                                .get(
                                        EtcdKeys.bytes(prefix),
                                        GetOption.builder().isPrefix(true).build()))
                .getKvs();
        Set<String> lost = new LinkedHashSet<>();
        Map<String, NodeWord> words = new LinkedHashMap<>();
        Set<String> leased = new LinkedHashSet<>();
        for (KeyValue entry : all) {
            String rest = EtcdKeys.text(entry.getKey()).substring(prefix.length());
            if (rest.endsWith(LEASE)) {
                leased.add(rest.substring(0, rest.length() - LEASE.length()));
            } else if (rest.endsWith(WORD)) {
                NodeWord.read(entry.getValue())
                        .ifPresent(word -> words.put(rest.substring(0, rest.length() - WORD.length()), word));
            }
        }
        words.forEach((name, word) -> {
            if (!leased.contains(name) || word.state() == NodeWord.State.FENCED) {
                lost.add(name);
            }
        });
        return lost;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
