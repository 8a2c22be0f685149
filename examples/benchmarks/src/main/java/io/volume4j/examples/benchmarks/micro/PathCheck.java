package io.volume4j.examples.benchmarks.micro;

import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.RootedPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Checking a path of this many names, resolving it below its root with descriptors without following a link, and reading its
 * status.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PathCheck {
    @Param({"1", "10", "100"})
    int size;

    private Path root = Path.of("/");
    private String names = "";
    private final LinuxMountBackend machine = LinuxMountBackend.create();

    @Setup
    public void makeDirectories() throws IOException {
        root = Files.createTempDirectory("volume4j-path").toRealPath();
        names = "d" + "/d".repeat(size - 1);
        Files.createDirectories(root.resolve(names));
    }

    @TearDown
    public void removeDirectories() throws IOException {
        machine.close();
        for (String left = names; !left.isEmpty(); left = left.substring(0, Math.max(0, left.lastIndexOf('/')))) {
            Files.delete(root.resolve(left));
        }
        Files.delete(root);
    }

    @Benchmark
    public RootedPath validate() {
        return RootedPath.of(root, names);
    }

    @Benchmark
    public Optional<FileStatus> resolve() {
        return machine.files().status(RootedPath.of(root, names));
    }
}
