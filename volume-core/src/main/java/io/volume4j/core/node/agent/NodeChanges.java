package io.volume4j.core.node.agent;

import io.volume4j.core.node.actual.ActualVolume;
import io.volume4j.core.node.desired.DesiredStateOfWorldPopulator;
import io.volume4j.core.node.desired.DesiredVolume;
import io.volume4j.core.objects.ObjectChange;
import io.volume4j.core.plugins.PluginListener;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.Pod;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles changes from outside: it selects the volumes that the engine visits again, and completes waiting callers.
 * The sources are pods, the node's object, CSIDriver objects, plugins and containers. Loop thread only, except for
 * plugins and containers: any thread may report their changes.
 */
final class NodeChanges implements DesiredStateOfWorldPopulator.Changes, PluginListener {
    private static final Logger LOG = LoggerFactory.getLogger(NodeChanges.class);

    private final NodeParts parts;
    private final String nodeName;
    /** Called by the host for a pod whose containers may have stopped. */
    private final Consumer<String> containersMayHaveStopped = this::containersMayHaveStopped;

    /** @param parts read at a change, not before */
    NodeChanges(NodeParts parts, String nodeName) {
        this.parts = parts;
        this.nodeName = nodeName;
    }

    /** Subscribes to the pods' host, the plugins and the cluster. */
    void listen() {
        if (parts.ports.runtime() != null) {
            parts.ports.runtime().addListener(containersMayHaveStopped);
        }
        parts.remounts.listenTo(parts.ports.plugins().plugins());
        parts.ports.plugins().addListener(this);
        parts.objects.listener(this::nodeChanged);
        parts.objects.listener(parts.pods);
        parts.objects.listener(this::driverChanged);
    }

    /** Ends the subscriptions that outlive the agent's own object cache. */
    void close() {
        parts.ports.plugins().removeListener(this);
        parts.remounts.close();
        if (parts.ports.runtime() != null) {
            try {
                parts.ports.runtime().removeListener(containersMayHaveStopped);
            } catch (RuntimeException | Error bug) {
                // The rest of the node must end all the same.
                LOG.atWarn().setCause(bug).log("the pod runtime could not remove the node's listener");
            }
        }
    }

    @Override
    public void volume(VolumeId id) {
        parts.dirty(id);
        VolumeId unidentified = parts.actual.unidentifiedDevice(id);
        if (unidentified != null) {
            parts.dirty(unidentified);
        }
        remember(id);
    }

    @Override
    public void use() {
        parts.attachments.useChanged();
    }

    /** Stores how a present volume is described, for the time when no pod describes it any more. */
    private void remember(VolumeId id) {
        DesiredVolume wanted = parts.desired.volume(id);
        ActualVolume present = parts.actual.volume(id);
        if (wanted != null && present != null) {
            present.migrated(wanted.volume().spec().migrated());
        }
    }

    @Override
    public void pod(String podUid, @Nullable Pod now) {
        dirtyMountsOf(podUid);
        parts.remounts.resolved(podUid);
        parts.waiters.changed(podUid);
        // Checked first: creating the failure costs time, and usually no caller waits.
        if (parts.desired.pod(podUid) == null && parts.waiters.waitsForMounts(podUid)) {
            parts.waiters.fail(podUid, DesiredStateOfWorldPopulator.hasEnded(nodeName, podUid, now));
        }
    }

    /** Volumes that are or may be mounted for the pod. */
    private void dirtyMountsOf(String podUid) {
        parts.actual.ofPod(podUid).forEach(parts::dirty);
    }

    @Override
    public void name(String podUid, String outerName) {
        parts.actual.mountedAs(podUid, outerName).forEach(parts::dirty);
        parts.remounts.resolved(podUid);
        parts.waiters.changed(podUid, outerName);
    }

    @Override
    public void content(String podUid) {
        parts.remounts.changed(podUid);
    }

    @Override
    public void completeness(boolean complete) {
        parts.actual.ids().forEach(parts::dirty);
        parts.waiters.checkPodsKnown(complete);
        parts.attachments.useChanged();
    }

    private void nodeChanged(ObjectChange change) {
        if (change.key().equals(ObjectKey.node(nodeName))) {
            parts.attachments.nodeChanged(change.after() instanceof Node node ? node : null);
            if (parts.limits != null) {
                parts.limits.nodeChanged();
            }
        }
    }

    private void driverChanged(ObjectChange change) {
        if (change.key().kind() == Kind.CSI_DRIVER && parts.limits != null) {
            parts.limits.driverChanged(change.key().name());
        }
    }

    private void containersMayHaveStopped(String podUid) {
        parts.loop.execute(() -> dirtyMountsOf(podUid));
    }

    /** A new plugin may succeed with what failed without it. */
    @Override
    public void changed(String pluginName) {
        parts.loop.execute(() -> pluginChanged(pluginName));
    }

    private void pluginChanged(String pluginName) {
        if (parts.requests.closed()) {
            return;
        }
        if (parts.limits != null) {
            parts.limits.pluginChanged(pluginName);
        }
        parts.remounts.listenTo(parts.ports.plugins().plugins());
        parts.pods.resolveAll();
        parts.engine.forgetAllFailures();
    }
}
