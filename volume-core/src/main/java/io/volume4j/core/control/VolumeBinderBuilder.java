package io.volume4j.core.control;

import io.volume4j.core.control.schedule.NodeFilter;
import io.volume4j.core.control.schedule.NodeScorer;
import io.volume4j.core.control.schedule.SchedulingWorld;
import io.volume4j.core.migration.CsiMigration;
import io.volume4j.core.volumes.UtilizationCurve;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link VolumeBinder} is made of. Needed is a cluster; everything else has a default. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class VolumeBinderBuilder {
    private @Nullable ClusterSource source;
    private @Nullable ClusterWriter writer;
    private Executor workers = Runnable::run;
    private InstantSource clock = InstantSource.system();
    private CsiMigration migration = CsiMigration.standard();
    private UtilizationCurve curve = UtilizationCurve.spreading();

    VolumeBinderBuilder() {}

    /** Where reservations are written, and who says which of two revisions is the later. Nothing is listed. Needed. */
    public VolumeBinderBuilder cluster(ClusterSource from, ClusterWriter to) {
        source = Objects.requireNonNull(from, "source");
        writer = Objects.requireNonNull(to, "writer");
        return this;
    }

    /** Runs the writes of {@link VolumeBinder#preBind}, which block; by default the thread that calls it. */
    public VolumeBinderBuilder workers(Executor value) {
        workers = ControllerBuilder.given("workers", value);
        return this;
    }

    /** Tells when a driver is late with publishing what its pools have left; the system's clock by default. */
    public VolumeBinderBuilder clock(InstantSource value) {
        clock = ControllerBuilder.given("clock", value);
        return this;
    }

    /** How storage that Kubernetes once handled itself is translated; {@link CsiMigration#standard()} by default. */
    public VolumeBinderBuilder migration(CsiMigration value) {
        migration = ControllerBuilder.given("migration", value);
        return this;
    }

    /** How a node's score follows from what a pod takes of its storage; {@link UtilizationCurve#spreading()} by default. */
    public VolumeBinderBuilder scoreBy(UtilizationCurve value) {
        curve = ControllerBuilder.given("curve", value);
        return this;
    }

    /**
     * Makes the binder, which knows of no node before it is told.
     *
     * @throws IllegalStateException if no cluster was given
     */
    public VolumeBinder build() {
        @Nullable ClusterSource from = source;
        @Nullable ClusterWriter to = writer;
        if (from == null || to == null) {
            throw new IllegalStateException("a volume binder needs cluster(…)");
        }
        SchedulingWorld world = new SchedulingWorld(clock, migration);
        NodeFilter filter = new NodeFilter(world);
        return new VolumeBinder(from, to, workers, world, filter, new NodeScorer(world, filter, curve));
    }
}
