package io.volume4j.core.node.agent;

import io.volume4j.core.journal.JournalException;
import io.volume4j.core.journal.JournalIdentity;
import io.volume4j.core.journal.OpenedJournal;
import io.volume4j.core.node.NodePorts;
import io.volume4j.core.node.call.NodeCalls;
import io.volume4j.core.node.recover.StateReconstruction;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.Kind;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts an agent. It opens the journal and reads what an earlier run left, which blocks for disk and kernel. Then, on
 * the loop, it stores the result, subscribes to changes and begins to reconcile.
 */
final class NodeStart {
    private static final Logger LOG = LoggerFactory.getLogger(NodeStart.class);

    private final NodeParts parts;
    private final NodePorts ports;
    /** Loop thread only. */
    private boolean snapshotWanted;

    NodeStart(NodeParts parts) {
        this.parts = parts;
        this.ports = parts.ports;
    }

    /**
     * Blocks for disk and kernel. A start that fails keeps no resources.
     *
     * @throws VolumeException if the journal cannot be opened or the machine cannot be read
     */
    CompletableFuture<Void> start() {
        OpenedJournal opened = open();
        StateReconstruction recovery;
        try {
            endLeftovers();
            recovery = StateReconstruction.of(
                    opened.replayed(),
                    new StateReconstruction.Sources(
                            parts.layout, ports.machine(), parts.metadataFiles, ports.plugins(), ports.rootId()));
        } catch (Throwable unreadable) {
            opened.journal().close();
            throw unreadable;
        }
        CompletableFuture<Void> started = new CompletableFuture<>();
        var unused = started.whenComplete((nothing, failure) -> {
            if (failure != null) {
                parts.requests.startFailed(failure);
                opened.journal().close();
            }
        });
        parts.requests.post(started, () -> {
            begin(opened, recovery);
            started.complete(null);
        });
        return started;
    }

    private OpenedJournal open() {
        JournalIdentity identity = new JournalIdentity(ports.nodeName(), ports.bootId(), ports.rootId());
        try {
            return ports.journal().open(identity, reason -> parts.loop.execute(this::compact));
        } catch (JournalException failure) {
            throw failure.asVolumeException();
        }
    }

    /**
     * Called only with the journal locked: while another process has the journal, running programs belong to that
     * process. A program that cannot be ended delays the volumes of plugins that run programs, and not the start.
     */
    private void endLeftovers() {
        if (parts.options.dryRun()) {
            return;
        }
        try {
            parts.tools.mustHaveEnded(null, NodeCalls.THE_ONLY_TERM);
        } catch (VolumeException running) {
            LOG.atWarn()
                    .addKeyValue("node", ports.nodeName())
                    .addKeyValue("error", running.reason())
                    .addKeyValue("advice", running.advice())
                    .log("programs of an earlier run cannot be ended; only volumes of plugins that run programs wait");
        }
    }

    private void begin(OpenedJournal opened, StateReconstruction recovery) {
        // First: the host's code may fail here, and a start that fails must leave nothing begun.
        parts.changes.listen();
        takeOver(recovery);
        parts.journal.open(opened.journal());
        parts.requests.begin();
        parts.attachments.inUse().recovered();
        parts.actual.ids().forEach(parts::dirty);
        if (!parts.options.dryRun()) {
            parts.engine.start();
            parts.waitingPods.begin();
        }
        // Lists drivers first: there are few, and without them the node would resolve pods with CSI volumes twice.
        parts.objects.startWith(Kind.CSI_DRIVER);
        parts.watch.begin();
        LOG.atInfo()
                .addKeyValue("node", ports.nodeName())
                .addKeyValue("root", ports.root())
                .addKeyValue("attachMode", parts.options.attachMode())
                .addKeyValue("dryRun", parts.options.dryRun())
                .addKeyValue("volumes", recovery.volumes().size())
                .addKeyValue("mounts", recovery.mounts().size())
                .addKeyValue("rowsUnreadable", recovery.unreadable())
                .log("node started: an earlier run left these volumes and mounts");
        if (recovery.journalOutdated() || snapshotWanted) {
            compact();
        }
    }

    private void takeOver(StateReconstruction recovery) {
        recovery.volumes().forEach(parts.actual::put);
        recovery.mounts().forEach(parts.actual::put);
        parts.reports.metrics().reconstructed(recovery.rows(), recovery.unreadable());
        recovery.mounts().forEach(mount -> parts.remounts.recovered(mount.podUid()));
        parts.formats.replay(recovery.formats());
    }

    /**
     * If the journal requests a snapshot while it is opened, there is no state to write yet. It requests only once, so
     * the start stores the request.
     */
    private void compact() {
        if (!parts.requests.started()) {
            snapshotWanted = true;
        } else if (!parts.requests.closed()) {
            parts.journal.compact();
        }
    }
}
