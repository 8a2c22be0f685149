package io.volume4j.core.node.attach;

import io.volume4j.core.node.NodeOptions;
import io.volume4j.core.node.NodePorts;
import io.volume4j.core.node.actual.ActualStateOfWorld;
import io.volume4j.core.node.desired.DesiredStateOfWorld;
import io.volume4j.core.node.desired.PodSources;
import io.volume4j.core.node.state.VolumeRow;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.model.Node;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The exchange between the node and the control plane: the node reports the volumes that it uses, and the control
 * plane grants attachments to it. Loop thread only.
 */
public final class AttachmentExchange {
    private final DesiredStateOfWorld desired;
    private final ActualStateOfWorld actual;
    private final Consumer<VolumeId> dirty;
    private final InUse inUse;
    /** Null if the host writes the reports, or if the node reports nothing. */
    private final @Nullable InUseReporter reporter;

    private final Grants grants;

    public AttachmentExchange(
            NodePorts ports,
            NodeOptions options,
            ObjectCache objects,
            DesiredStateOfWorld desired,
            ActualStateOfWorld actual,
            Consumer<VolumeId> dirty,
            PodSources sources) {
        this.desired = desired;
        this.actual = actual;
        this.dirty = dirty;
        this.inUse = new InUse(ports.loop(), desired, actual, this::grantOver);
        ClusterWriter writer = ports.writer();
        this.reporter = writer == null || options.dryRun()
                ? null
                : new InUseReporter(
                        ports,
                        writer,
                        options,
                        objects,
                        inUse::now,
                        sources::complete,
                        new OwnAttachments(ports.nodeName(), ports.loop(), inUse, actual, this::unwanted, this::asks),
                        this::dirtyNamed);
        this.grants = new Grants(
                options.attachMode(),
                ports.incarnation(),
                volume -> reporter != null && reporter.mayBeTakenBack(volume),
                writer != null);
    }

    private void asks() {
        grants.asks();
    }

    /** Whether the node attached the volume by itself, before its mode changed, and no pod is known to want it. */
    private boolean unwanted(VolumeRow row) {
        return grants.left(row) && desired.volume(row.id()) == null;
    }

    public InUse inUse() {
        return inUse;
    }

    public Grants grants() {
        return grants;
    }

    /** The node's object changed; null if it was deleted. */
    public void nodeChanged(@Nullable Node node) {
        boolean modeStored = grants.modeStored();
        boolean asked = grants.asksForController();
        grants.update(node).forEach(this::dirtyNamed);
        if (grants.modeStored() != modeStored || grants.asksForController() != asked) {
            desired.volumeIds().forEach(dirty);
            actual.ids().forEach(dirty);
        }
        useChanged();
    }

    /** From now on, the node releases the volumes that the control plane attached to it. */
    public void fence() {
        grants.fence();
        desired.volumeIds().forEach(dirty);
        actual.ids().forEach(dirty);
    }

    /** The VolumeAttachment with that UID is deleted or being deleted. */
    public void grantEnded(VolumeId id, String uid) {
        grants.end(id, uid);
        useChanged();
    }

    /** The host, which writes the reports, declares which volumes it has reported. */
    public void vouch(Set<String> volumes) {
        grants.vouch(volumes).forEach(this::dirtyNamed);
    }

    /** The volumes in use may have changed. */
    public void useChanged() {
        inUse.changed();
        if (reporter != null) {
            reporter.changed();
        }
    }

    public void close() {
        if (reporter != null) {
            reporter.close();
        }
    }

    /**
     * Visits the volume of that name. Ignores names of other programs in the node's status: this node cannot know such
     * volumes.
     */
    private void dirtyNamed(String volume) {
        VolumeId id;
        try {
            id = VolumeId.parse(volume);
        } catch (IllegalArgumentException foreign) {
            return;
        }
        dirty.accept(id);
    }

    private boolean grantOver(String volume) {
        return grants.over(volume);
    }
}
