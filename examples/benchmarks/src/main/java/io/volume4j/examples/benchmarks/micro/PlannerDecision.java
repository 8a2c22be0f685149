package io.volume4j.examples.benchmarks.micro;

import io.volume4j.core.engine.Plan;
import io.volume4j.core.node.AttachState;
import io.volume4j.core.node.MountState;
import io.volume4j.core.node.NodePlanner;
import io.volume4j.core.node.NodeStep;
import io.volume4j.core.node.VolumeView;
import io.volume4j.spi.VolumeId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One decision of the node's planner, for a volume that this many pods have and one more needs. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PlannerDecision {
    @Param({"1", "10", "100"})
    int size;

    private final NodePlanner planner = new NodePlanner();
    private VolumeView view = view(1);

    @Setup
    public void makeView() {
        view = view(size);
    }

    private static VolumeView view(int mounted) {
        List<VolumeView.PodUse> pods = new ArrayList<>();
        for (int i = 0; i <= mounted; i++) {
            pods.add(new VolumeView.PodUse(
                    "uid-" + i,
                    "default/pod-" + i,
                    VolumeView.Wish.DESIRED,
                    "",
                    true,
                    i == mounted ? MountState.NOT_MOUNTED : MountState.MOUNTED,
                    false,
                    false,
                    ""));
        }
        return new VolumeView(
                VolumeId.shared("plugin.example.com", "volume"),
                "volume",
                true,
                true,
                null,
                false,
                "",
                AttachState.ATTACHED,
                MountState.MOUNTED,
                false,
                null,
                VolumeView.Expansion.none(),
                pods);
    }

    @Benchmark
    public Plan<NodeStep> decide() {
        return planner.plan(view);
    }
}
