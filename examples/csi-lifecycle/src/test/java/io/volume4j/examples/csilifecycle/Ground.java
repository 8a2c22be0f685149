package io.volume4j.examples.csilifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.csi.driver.CsiTestDriver;
import io.volume4j.csi.driver.options.DriverOptions;
import io.volume4j.csi.driver.options.MountStyle;
import io.volume4j.csi.internal.client.CsiException;
import io.volume4j.csi.internal.client.RpcObserver;
import io.volume4j.csi.internal.rpc.Rpc;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A directory with a driver's socket, and lifecycles that run against it in this process. */
final class Ground implements AutoCloseable {
    private final Path path;
    private int runs;
    private @Nullable Killer killer;
    private Duration late = Duration.ZERO;

    Ground() {
        try {
            // in memory where there is such a place: what these tests kill is processes, not the power
            Path memory = Path.of("/dev/shm");
            Path below = Files.isWritable(memory) ? memory : Path.of("/tmp");
            path = Files.createTempDirectory(below, "v4j-life").toRealPath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lets runs with {@code --kill} kill the driver so. */
    void killBy(Killer way) {
        killer = way;
    }

    Path path() {
        return path;
    }

    Path socket() {
        return path.resolve("csi.sock");
    }

    Path state() {
        return path.resolve("state");
    }

    /** With real binds where they are allowed, so that the mount table is looked at, too. */
    DriverOptions.Builder driver() {
        return DriverOptions.at(socket())
                .stateDirectory(path.resolve("driver"))
                .mounts(mayMount() ? MountStyle.BINDS : MountStyle.LINKS);
    }

    static boolean mayMount() {
        try (LinuxMountBackend machine = LinuxMountBackend.create()) {
            return machine.abilities().mayMount();
        }
    }

    /** What a run printed, and its exit code. */
    record Result(int code, String out) {
        Result is(int expected) {
            assertThat(code).as(out).isEqualTo(expected);
            return this;
        }
    }

    Result run(String... more) {
        return run(RpcObserver.NONE, more);
    }

    Result run(RpcObserver observer, String... more) {
        return run(new StopSignal(), observer, more);
    }

    Result run(StopSignal stop, RpcObserver observer, String... more) {
        List<String> words = new ArrayList<>(
                List.of("--endpoint", "unix://" + socket(), "--state", state().toString(), "--size", "1Mi"));
        words.addAll(List.of(more));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            int code = CsiLifecycle.run(
                    words.toArray(new String[0]),
                    new CsiLifecycle.Surroundings(
                            out,
                            out,
                            () -> Instant.now().plus(late),
                            stop,
                            observer,
                            "run" + ++runs,
                            Duration.ofMillis(2),
                            killer));
            return new Result(code, bytes.toString(StandardCharsets.UTF_8));
        }
    }

    /** As if this machine had stood still for so long. */
    void standStill(Duration howLong) {
        late = late.plus(howLong);
    }

    /** Does something when the first such call begins or when it has ended. */
    static RpcObserver at(Rpc rpc, boolean beginning, Runnable what) {
        return new RpcObserver() {
            private boolean done;

            @Override
            public Span begin(Rpc begun, Supplier<String> request) {
                if (begun == rpc && beginning) {
                    once();
                }
                return (@Nullable CsiException failure) -> {
                    if (begun == rpc && !beginning) {
                        once();
                    }
                };
            }

            private void once() {
                if (!done) {
                    done = true;
                    what.run();
                }
            }
        };
    }

    /** Nothing is left of any run, nothing came into being twice, and the driver was never asked for anything wrong. */
    void assertClean(CsiTestDriver driver, String why) {
        assertThat(driver.inventory().leaks()).as(why).isEmpty();
        assertThat(driver.inventory().born().values()).as(why).allMatch(times -> times == 1);
        assertThat(driver.oracle().violations()).as(why).isEmpty();
        assertThat(state().resolve("begun")).as(why).doesNotExist();
        assertThat(state().resolve("work")).as(why).doesNotExist();
    }

    @Override
    public void close() {
        try (Stream<Path> all = Files.walk(path)) {
            List<Path> childrenFirst = all.sorted(Comparator.reverseOrder()).toList();
            for (Path each : childrenFirst) {
                Files.delete(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
