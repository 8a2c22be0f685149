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
 * What this node attached by itself before its mode changed, and no pod wants any more. No controller knows of it, so the node detaches it
 * before it asks for a controller: afterwards a controller may attach the same volume here at any moment, and a detach of the node
 * could come after that. A driver that does not answer must not keep the node from its controller for ever, so the node waits for a
 * limited time, but never while a detach of its own is under way. Loop thread only.
 */
final class OwnAttachments {
    /** As long as this the node tries to detach before it asks for a controller all the same. */
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
     * @param asks told when the node begins to ask for a controller, after which it detaches nothing any more
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

    /** Whether the node must not ask for a controller yet; {@code lookAgain} runs when time alone may have changed that. */
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
