package io.volume4j.core.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With real processes; needs no rights. */
class LeftoverProcessesTest {
    private static final VolumePlugin RUNS = new Plugin(true);
    private static final VolumePlugin RUNS_NONE = new Plugin(false);

    private final LinuxMountBackend machine = LinuxMountBackend.create();
    private final List<Process> started = new ArrayList<>();

    @TempDir
    Path directory = Path.of("");

    /** A plugin that does nothing but say whether it runs programs. */
    private record Plugin(boolean runsPrograms) implements VolumePlugin {
        @Override
        public String name() {
            return "example.com/plugin";
        }

        @Override
        public boolean supports(VolumeSpec spec) {
            return false;
        }

        @Override
        public String volumeName(VolumeSpec spec) {
            return spec.name();
        }
    }

    @AfterEach
    void endProcesses() throws Exception {
        for (Process process : started) {
            process.destroyForcibly().waitFor();
        }
        machine.close();
    }

    @Test
    void endsWhatCarriesAnOperationOfTheSameDutyAndNothingElse() throws Exception {
        LeftoverProcesses tools = LeftoverProcesses.of(host("a"), "attach");
        Process earlier = program(tools.prefix() + "attach-1-1");
        Process otherDuty =
                program(LeftoverProcesses.of(host("a"), "attacher x").prefix() + "attach-1-1");
        Process otherRoot = program(LeftoverProcesses.of(host("b"), "attach").prefix() + "attach-1-1");

        LeftoverProcesses.of(host("a"), "attach").mustHaveEnded(RUNS, "1");

        assertThat(earlier.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(otherDuty.isAlive()).isTrue();
        assertThat(otherRoot.isAlive()).isTrue();
    }

    @Test
    void aPluginThatRunsNoProgramsIsNotKeptWaitingByThem() throws Exception {
        LeftoverProcesses tools = LeftoverProcesses.of(host("a"), "attach");
        Process earlier = program(tools.prefix() + "attach-1-1");

        tools.mustHaveEnded(RUNS_NONE, "1");
        assertThat(earlier.isAlive()).isTrue();

        tools.mustHaveEnded(RUNS, "1");
        assertThat(earlier.waitFor(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void programsAreLookedForOnceInEachTerm() throws Exception {
        LeftoverProcesses tools = LeftoverProcesses.of(host("a"), "attach");
        tools.mustHaveEnded(RUNS, "1");
        Process own = program(tools.prefix() + "attach-1-1");

        tools.mustHaveEnded(RUNS, "1");
        assertThat(own.isAlive()).isTrue();

        tools.mustHaveEnded(RUNS, "2");
        assertThat(own.waitFor(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void whoseProgramsCannotBeEndedIsAskedNothingAndTriedAgain() {
        List<String> asked = new ArrayList<>();
        MountBackend stuckOnce = ending(() -> {
            asked.add("endLeftovers");
            if (asked.size() == 1) {
                throw VolumeException.transientFailure("still run: processes [7]");
            }
        });
        LeftoverProcesses tools = LeftoverProcesses.ofNode(stuckOnce, "n");

        assertThatThrownBy(() -> tools.mustHaveEnded(RUNS, "1"))
                .isInstanceOf(VolumeException.class)
                .hasMessageContaining("still run");
        tools.mustHaveEnded(RUNS, "1");
        tools.mustHaveEnded(RUNS, "1");

        assertThat(asked).containsExactly("endLeftovers", "endLeftovers");
    }

    /** Otherwise a program that never ends would occupy every worker. */
    @Test
    void whileOneCallTriesAgainOthersFailAtOnce() throws Exception {
        CountDownLatch tries = new CountDownLatch(2);
        CountDownLatch goOn = new CountDownLatch(1);
        LeftoverProcesses tools = LeftoverProcesses.ofNode(
                ending(() -> {
                    tries.countDown();
                    if (tries.getCount() == 0) {
                        await(goOn);
                    }
                    throw VolumeException.transientFailure("still run: processes [7]");
                }),
                "n");
        assertThatThrownBy(() -> tools.mustHaveEnded(RUNS, "1")).hasMessageContaining("still run");
        CompletableFuture<Void> trying = CompletableFuture.runAsync(() -> tools.mustHaveEnded(null, "1"));
        assertThat(tries.await(1, TimeUnit.MINUTES)).isTrue();

        assertThatThrownBy(() -> tools.mustHaveEnded(RUNS, "1")).hasMessageContaining("still run");
        tools.mustHaveEnded(RUNS_NONE, "1");
        assertThat(trying).isNotDone();

        goOn.countDown();
        assertThatThrownBy(() -> trying.get(1, TimeUnit.MINUTES)).hasMessageContaining("still run");
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static MountBackend ending(Runnable endLeftovers) {
        return (MountBackend) Proxy.newProxyInstance(
                MountBackend.class.getClassLoader(),
                new Class<?>[] {MountBackend.class},
                (proxy, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("endLeftovers");
                    endLeftovers.run();
                    return null;
                });
    }

    @Test
    void withoutAMachineThereIsNothingToEndAndNothingInTheNames() {
        LeftoverProcesses tools = LeftoverProcesses.of(
                DefaultPluginHost.builder(directory.resolve("a")).build(), "attach");

        tools.mustHaveEnded(RUNS, "1");

        assertThat(tools.prefix()).isEmpty();
    }

    private PluginHost host(String root) {
        return DefaultPluginHost.builder(directory.resolve(root))
                .mounts(machine)
                .build();
    }

    /** Runs until it is ended. While a process turns into a program, no process can read its environment. That is over on return. */
    private Process program(String operation) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", "echo; read never");
        builder.environment().put("VOLUME4J_OPERATION", operation);
        Process process = builder.start();
        started.add(process);
        assertThat(process.getInputStream().read()).isEqualTo('\n');
        return process;
    }
}
