package io.volume4j.core.control;

import io.volume4j.core.control.schedule.NodeFilter;
import io.volume4j.core.control.schedule.NodeScorer;
import io.volume4j.core.control.schedule.SchedulingWorld;
import io.volume4j.core.migration.CsiMigration;
import io.volume4j.core.volumes.UtilizationCurve;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link VolumeBinder}. A cluster is required. Everything else has a default. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class VolumeBinderBuilder {
    private @Nullable ClusterSource source;
    private @Nullable ClusterWriter writer;
    private Executor workers = Runnable::run;
    private LongSupplier nanoClock = System::nanoTime;
    private CsiMigration migration = CsiMigration.standard();
    private UtilizationCurve curve = UtilizationCurve.spreading();

    VolumeBinderBuilder() {}

    /**
     * The cluster to write reservations to. The source compares revisions; the binder does not list objects.
     * Required.
     */
    public VolumeBinderBuilder cluster(ClusterSource from, ClusterWriter to) {
        source = Objects.requireNonNull(from, "source");
        writer = Objects.requireNonNull(to, "writer");
        return this;
    }

    /** The executor for the writes of {@link VolumeBinder#preBind}, which block. By default the calling thread. */
    public VolumeBinderBuilder workers(Executor value) {
        workers = ControllerBuilder.given("workers", value);
        return this;
    }

    /**
     * The clock with which the binder measures how late a driver publishes its capacities; for tests. Monotonic, in
     * nanoseconds. The JVM's clock by default.
     */
    public VolumeBinderBuilder nanoClock(LongSupplier value) {
        nanoClock = ControllerBuilder.given("nanoClock", value);
        return this;
    }

    /** The translation of in-tree volumes to CSI; {@link CsiMigration#standard()} by default. */
    public VolumeBinderBuilder migration(CsiMigration value) {
        migration = ControllerBuilder.given("migration", value);
        return this;
    }

    /** Maps the utilization of a node's storage to a score; {@link UtilizationCurve#spreading()} by default. */
    public VolumeBinderBuilder scoreBy(UtilizationCurve value) {
        curve = ControllerBuilder.given("curve", value);
        return this;
    }

    /**
     * Builds the binder. It knows no nodes before a controller or the host reports them.
     *
     * @throws IllegalStateException if no cluster was given
     */
    public VolumeBinder build() {
        @Nullable ClusterSource from = source;
        @Nullable ClusterWriter to = writer;
        if (from == null || to == null) {
            throw new IllegalStateException("a volume binder needs cluster(…)");
        }
        SchedulingWorld world = new SchedulingWorld(nanoClock, migration);
        NodeFilter filter = new NodeFilter(world);
        return new VolumeBinder(from, to, workers, world, filter, new NodeScorer(world, filter, curve));
    }
}
