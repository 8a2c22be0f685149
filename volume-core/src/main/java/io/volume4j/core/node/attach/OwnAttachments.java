package io.volume4j.core.node.attach;

import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.node.actual.ActualStateOfWorld;
import io.volume4j.core.node.actual.ActualVolume;
import io.volume4j.core.node.state.VolumeRow;
import io.volume4j.spi.VolumeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The volumes that this node attached by itself before its mode changed, and that no pod wants. No controller knows
 * them, so the node detaches them before it requests a controller. Later, a controller may attach the same volume here
 * at any moment, and a detach of the node could come after that. A driver that does not answer must not keep the node
 * from its controller forever. So the node waits for a limited time, but always until its own detach calls have ended.
 * Loop thread only.
 */
final class OwnAttachments {
    /** How long the node tries to detach before it requests a controller anyway. */
    static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final Logger LOG = LoggerFactory.getLogger(OwnAttachments.class);

    private final String nodeName;
    private final EventLoop loop;
    private final InUse inUse;
    private final ActualStateOfWorld actual;
    private final Predicate<VolumeRow> unwanted;
    private final Runnable asks;
    private long until = Long.MIN_VALUE;

    /**
     * @param unwanted whether the node attached the row's volume by itself, and no pod is known to want it
     * @param asks called when the node begins to request a controller; afterwards the node detaches nothing by itself
     */
    OwnAttachments(
            String nodeName,
            EventLoop loop,
            InUse inUse,
            ActualStateOfWorld actual,
            Predicate<VolumeRow> unwanted,
            Runnable asks) {
        this.nodeName = nodeName;
        this.loop = loop;
        this.inUse = inUse;
        this.actual = actual;
        this.unwanted = unwanted;
        this.asks = asks;
    }

    /** Whether the node must not request a controller yet. {@code lookAgain} runs when the time limit ends. */
    boolean remain(Runnable lookAgain) {
        if (!inUse.known()) {
            return true;
        }
        List<VolumeId> left = new ArrayList<>();
        boolean detaching = false;
        for (ActualVolume volume : actual.all()) {
            if (unwanted.test(volume.row())) {
                left.add(volume.row().id());
                detaching |= volume.detaching();
            }
        }
        if (left.isEmpty()) {
            asks.run();
            return false;
        }
        if (until == Long.MIN_VALUE) {
            until = loop.nanoTime() + PATIENCE.toNanos();
            loop.schedule(PATIENCE, lookAgain);
            LOG.atInfo()
                    .addKeyValue("action", "detach-own")
                    .addKeyValue("node", nodeName)
                    .addKeyValue("volumes", left)
                    .log("node detaches what it attached by itself before it asks for a controller");
        }
        if (detaching || loop.nanoTime() < until) {
            return true;
        }
        LOG.atWarn()
                .addKeyValue("action", "detach-own")
                .addKeyValue("node", nodeName)
                .addKeyValue("volumes", left)
                .log(
                        "node asks for a controller without having detached what it attached by itself: detach that at the backend, or start the node once in mode SELF");
        asks.run();
        return false;
    }
}
