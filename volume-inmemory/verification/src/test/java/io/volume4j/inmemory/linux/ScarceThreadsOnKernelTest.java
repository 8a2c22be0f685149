package io.volume4j.inmemory.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.spi.mount.LoopDevices.LoopDevice;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A node agent on a machine that has no thread and no process left ({@code pids.max}), which gets some again after a while. What is
 * wanted meanwhile must be mounted then: a thread that could not be started must not have taken its task along.
 */
@ExtendWith(RealKernel.class)
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ScarceThreadsOnKernelTest {
    private static final String NODE = "node";
    private static final long STARVED_SECONDS = 5;
    private static final long PATIENCE_SECONDS = 90;

    private static final String LOGGING = """
            <configuration>
              <appender name="console" class="ch.qos.logback.core.ConsoleAppender">
                <encoder><pattern>%d{HH:mm:ss.SSS} %-5level %logger{20} %msg %kvp%n</pattern></encoder>
              </appender>
              <root level="INFO"><appender-ref ref="console"/></root>
            </configuration>
            """;

    @TempDir
    Path directory = Path.of("");

    private final LinuxMountBackend machine = LinuxMountBackend.create();

    @AfterEach
    void leavesNothingBehind() throws IOException {
        try {
            Path root = directory.toRealPath().resolve("root");
            List<MountEntry> mounts = new ArrayList<>(machine.table().below(root));
            Collections.reverse(mounts);
            for (MountEntry mount : mounts) {
                machine.unmount(
                        RootedPath.of(root, root.relativize(mount.mountPoint()).toString()), UnmountMode.LAZY);
            }
            for (LoopDevice loop : machine.loops().below(root)) {
                machine.loops()
                        .detach(RootedPath.of(root, root.relativize(loop.file()).toString()));
            }
        } finally {
            machine.close();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void whatIsWantedWithoutThreadsIsMountedWhenThereAreSome(int left) throws Exception {
        boolean required = "required".equals(System.getProperty("volume4j.privileged"));
        assumeTrue(TaskLimit.kernelCan(), "the kernel has no controller pids");
        Path root = directory.toRealPath().resolve("root");
        machine.files().createRoot(root);
        KilledWorld world = new KilledWorld(root, NODE, machine, new Random(left));
        Process agent = start(root);
        TaskLimit limit;
        try {
            limit = TaskLimit.of(agent.pid());
        } catch (IOException notAllowed) {
            agent.destroyForcibly().waitFor();
            if (required) {
                throw notAllowed;
            }
            assumeTrue(false, "control groups cannot be written: " + notAllowed);
            return;
        }
        try {
            String wanted = world.manifests();
            Set<Path> mounts = world.podMounts();
            world.wantNothing();
            String nothing = world.manifests();
            tell(agent, nothing);
            awaitStart(agent);
            limit.allowMore(left);
            tell(agent, wanted);
            assertThat(agent.waitFor(STARVED_SECONDS, TimeUnit.SECONDS))
                    .as(output())
                    .isFalse();
            if (left == 0) {
                Awaitility.await("threads that were refused")
                        .atMost(Duration.ofMinutes(1))
                        .until(() -> limit.refused() > 0);
            }

            limit.allowAll();

            awaitMounts(agent, root, mounts);
            tell(agent, nothing);
            awaitNothing(agent, root);
            agent.getOutputStream().close();
            assertThat(agent.waitFor(1, TimeUnit.MINUTES)).as(output()).isTrue();
        } finally {
            agent.destroyForcibly().waitFor();
            limit.close();
        }
        world.deleteVolumes();
    }

    private Process start(Path root) throws IOException {
        Path logging = Files.writeString(directory.resolve("logging.xml"), LOGGING);
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx64m",
                        "-Dlogback.configurationFile=" + logging,
                        "-cp",
                        KilledAgentTest.classPath(),
                        KilledAgent.class.getName(),
                        root.toString(),
                        NODE)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("agent.log").toFile())
                .start();
    }

    private void tell(Process agent, String manifests) throws IOException {
        Path file = Files.writeString(Files.createTempFile(directory, "wanted", ".yaml"), manifests);
        agent.getOutputStream().write((file + "\n").getBytes(StandardCharsets.UTF_8));
        agent.getOutputStream().flush();
    }

    private void awaitStart(Process agent) throws Exception {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!output().contains("node started")) {
            goOn(agent, until, "it does not start");
        }
    }

    /** Looks at the machine itself, not at what the agent says of it. */
    private void awaitMounts(Process agent, Path root, Set<Path> wanted) throws Exception {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        Set<Path> there = podMounts(root);
        while (!there.equals(wanted)) {
            goOn(agent, until, "mounted are " + there + ", wanted " + wanted);
            there = podMounts(root);
        }
    }

    private void awaitNothing(Process agent, Path root) throws Exception {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!machine.table().below(root).isEmpty()
                || !machine.loops().below(root).isEmpty()) {
            goOn(agent, until, "it does not take everything down");
        }
    }

    private Set<Path> podMounts(Path root) {
        return machine.table().below(root.resolve("pods")).stream()
                .map(MountEntry::mountPoint)
                .collect(Collectors.toSet());
    }

    private void goOn(Process agent, long until, String wrong) throws Exception {
        assertThat(System.nanoTime() - until).as("%s; %s", wrong, output()).isNegative();
        assertThat(agent.waitFor(20, TimeUnit.MILLISECONDS))
                .as("it ended by itself: %s", output())
                .isFalse();
    }

    private String output() throws IOException {
        return Files.readString(directory.resolve("agent.log"));
    }
}
