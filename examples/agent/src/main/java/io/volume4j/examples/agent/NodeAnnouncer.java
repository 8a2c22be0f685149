package io.volume4j.examples.agent;

import io.volume4j.core.csinode.CsiNodeEntry;
import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.CsiNodeObjects;
import io.volume4j.csi.CsiNodes.CsiNode;
import io.volume4j.csi.CsiPlugin;
import io.volume4j.csi.CsiRegistrarListener;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.plugin.NodeReporter.NodeInfo;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the reports of CSI drivers about their node to the cluster. After a failure it tries again with
 * {@linkplain Pauses pauses}. The executor must run one task at a time; the owner closes it.
 */
final class NodeAnnouncer implements CsiRegistrarListener {
    private static final Logger LOG = LoggerFactory.getLogger(NodeAnnouncer.class);

    private final ClusterWriter cluster;

    /** Null if a node's agent writes it. */
    private final @Nullable CsiNodeEntry entry;

    private final ScheduledExecutorService executor;

    /** By driver, empty for a driver that is gone; used only on the executor. */
    private final Map<String, Optional<CsiNode>> unwritten = new LinkedHashMap<>();

    private final Pauses pauses;

    /** The next attempt after a failure; used only on the executor. */
    private @Nullable Future<?> again;

    /** @param entry the node's entry in CSINode, null if a node's agent writes it */
    NodeAnnouncer(
            ClusterWriter cluster, @Nullable CsiNodeEntry entry, ScheduledExecutorService executor, Pauses pauses) {
        this.cluster = cluster;
        this.entry = entry;
        this.executor = executor;
        this.pauses = pauses;
    }

    @Override
    public void registered(CsiPlugin plugin) {
        LOG.atInfo()
                .addKeyValue("action", "register")
                .addKeyValue("driver", plugin.name())
                .log("the driver is a plugin of this process");
    }

    @Override
    public void unregistered(String driver) {
        LOG.atInfo()
                .addKeyValue("action", "unregister")
                .addKeyValue("driver", driver)
                .log("the driver is gone; its volumes wait for it");
        var unused = later(Duration.ZERO, () -> {
            if (entry == null) {
                unwritten.remove(driver);
            } else {
                unwritten.put(driver, Optional.empty());
                write();
            }
        });
    }

    @Override
    public void failed(CsiEndpoint socket, String reason) {
        LOG.atWarn()
                .addKeyValue("action", "register")
                .addKeyValue("socket", socket.socket())
                .addKeyValue("error", reason)
                .addKeyValue("next", "it is tried again while the socket is there")
                .log("a CSI driver cannot be registered");
    }

    @Override
    public void nodeChanged(String driver, CsiNode node) {
        var unused = later(Duration.ZERO, () -> {
            unwritten.put(driver, Optional.of(node));
            write();
        });
    }

    /** Writes what each driver says. What the cluster refuses of one driver does not keep back the others. */
    private void write() {
        if (again != null) {
            again.cancel(false);
            again = null;
        }
        Set<String> failures = new LinkedHashSet<>();
        for (String driver : List.copyOf(unwritten.keySet())) {
            try {
                write(driver, unwritten.getOrDefault(driver, Optional.empty()));
                unwritten.remove(driver);
            } catch (RuntimeException | Error failure) {
                // Catches also an Error, such as a failed start of a thread: without another attempt the cluster would
                // never get the report.
                failures.add(String.valueOf(failure.getMessage()));
            }
        }
        if (failures.isEmpty()) {
            pauses.reset();
            return;
        }
        Duration pause = pauses.next();
        LOG.atWarn()
                .addKeyValue("action", "announce")
                .addKeyValue("drivers", unwritten.keySet())
                .addKeyValue("error", String.join("; ", failures))
                .addKeyValue("next", "tried again in " + pause.toMillis() + " ms")
                .log("the cluster does not know what a CSI driver says of this node");
        again = later(pause, this::write);
    }

    private void write(String driver, Optional<CsiNode> node) {
        if (node.isPresent()) {
            announce(driver, node.get());
        } else if (entry != null) {
            entry.remove(driver);
        }
    }

    private void announce(String driver, CsiNode node) {
        if (entry != null) {
            entry.publish(driver, new NodeInfo(node.nodeId(), node.segments(), node.maxVolumes()));
        }
        CsiNodeObjects.announce(cluster, driver, node);
        LOG.atInfo()
                .addKeyValue("action", "announce")
                .addKeyValue("driver", driver)
                .addKeyValue("node", node.nodeName())
                .log("the cluster knows the driver's node");
    }

    /** Null if the agent ends. */
    private @Nullable Future<?> later(Duration delay, Runnable task) {
        try {
            return executor.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            LOG.atDebug().addKeyValue("action", "announce").log("the agent ends");
            return null;
        }
    }
}
