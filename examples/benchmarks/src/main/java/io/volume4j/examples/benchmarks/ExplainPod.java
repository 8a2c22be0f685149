package io.volume4j.examples.benchmarks;

import io.volume4j.examples.benchmarks.world.BenchNode;
import io.volume4j.examples.benchmarks.world.NoOpPlugin;
import io.volume4j.examples.benchmarks.world.Things;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** An explanation of a pod, as text, on a node with this many volumes; includes the hand-overs to the loop and back. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ExplainPod {
    @Param({"100", "1000", "10000"})
    int size;

    private @Nullable BenchNode node;
    private @Nullable Path root;

    @Setup
    public void fill() throws Exception {
        Path directory = Files.createTempDirectory("volume4j-explain").toRealPath();
        BenchNode filled = BenchNode.inMemory(directory, new NoOpPlugin());
        filled.fill("p", NoOpPlugin.NAME, size);
        root = directory;
        node = filled;
    }

    @TearDown
    public void close() throws Exception {
        Objects.requireNonNull(node).close();
        Benchmarks.delete(Objects.requireNonNull(root));
    }

    @org.openjdk.jmh.annotations.Benchmark
    public String explain() throws Exception {
        return Objects.requireNonNull(node)
                .manager
                .explainPod(Things.uid("p0"))
                .get(1, TimeUnit.MINUTES)
                .text();
    }
}
