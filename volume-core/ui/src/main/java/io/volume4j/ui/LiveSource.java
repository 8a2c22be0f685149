package io.volume4j.ui;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.control.Controller;
import io.volume4j.spi.host.Instrumentation;
import io.volume4j.ui.feed.StepFeed;
import io.volume4j.ui.watch.ControllerReadings;
import io.volume4j.ui.watch.NodeReadings;
import io.volume4j.ui.watch.Readings;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One node or one controller in the live view. A host passes it to the builder as {@code instrumentation(…)}, and
 * then passes the built object to {@code watch}:
 *
 * <pre>{@code
 * LiveSource source = view.source("here");
 * VolumeManager volumes = VolumeManager.builder().instrumentation(source)….build();
 * source.watch(volumes);
 * }</pre>
 *
 * <p>Thread-safe.
 *
 * @since 0.1.0
 */
public final class LiveSource implements Instrumentation {
    private final String name;
    private final StepFeed feed;
    private volatile @Nullable Readings readings;

    LiveSource(String name, StepFeed feed) {
        this.name = name;
        this.feed = feed;
    }

    /** The name of the source on the page. */
    public String name() {
        return name;
    }

    /**
     * Shows this node.
     *
     * @throws IllegalStateException if the source shows something already
     */
    public void watch(VolumeManager volumes) {
        show(new NodeReadings(name, feed, Objects.requireNonNull(volumes, "volumes")));
    }

    /**
     * Shows this controller.
     *
     * @throws IllegalStateException if the source shows something already
     */
    public void watch(Controller controller) {
        show(new ControllerReadings(name, feed, Objects.requireNonNull(controller, "controller")));
    }

    private synchronized void show(Readings what) {
        if (readings != null) {
            throw new IllegalStateException("the source " + name
                    + " shows something already: make another source for each node and controller");
        }
        readings = what;
    }

    /** Records nothing any more. */
    void close() {
        feed.close();
    }

    Optional<Readings> readings() {
        return Optional.ofNullable(readings);
    }

    @Override
    public Step step(StepStart start) {
        return feed.step(start);
    }

    @Override
    public Scope plan(Object key) {
        return feed.plan(key);
    }

    @Override
    public Scope journalSync() {
        return feed.journalSync();
    }
}
