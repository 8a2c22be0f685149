package io.volume4j.core.linux.tool;

import static io.volume4j.spi.FailureKind.FINAL;
import static io.volume4j.spi.FailureKind.TRANSIENT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.core.linux.Machine;
import io.volume4j.core.linux.ManualContext;
import io.volume4j.core.linux.Refusal;
import io.volume4j.spi.mount.Programs.Ending;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** With tools of the tests' own, so that nothing here needs rights. */
class ToolRunnerTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final Machine machine = new Machine();
    private final ToolProcesses processes = new ToolProcesses();
    private final ToolRunner runner =
            new ToolRunner(new Tools(LinuxMountBackend.Options.defaults().toolDirectories()), processes);
    private final ManualContext context = new ManualContext("runner-test-" + machine.root.getFileName());

    @AfterEach
    void close() {
        try {
            assertThat(processes.ofOperations(context.operationId()::equals)).isEmpty();
        } finally {
            processes.end(context.operationId()::equals, Duration.ofSeconds(5));
            machine.close();
        }
    }

    @Test
    void tellsExitCodeAndOutputOfBothStreams() {
        ToolResult result = run("echo out; echo err >&2; exit 3");
        assertThat(result.ending()).isEqualTo(Ending.EXITED);
        assertThat(result.exitCode()).isEqualTo(3);
        assertThat(result.describe()).isEqualTo("tool ended with exit code 3: out | err");
    }

    @Test
    void givesArgumentsAsTheyAreAndNothingElse() {
        ToolResult result = runner.run(
                script("for a in \"$@\"; do echo \"<$a>\"; done; env | sort; pwd; cat"),
                List.of("a b", "$(id)", "; rm -rf x", "--", "-e"),
                LONG,
                context);
        assertThat(result.output().lines())
                .startsWith(
                        "<a b>",
                        "<$(id)>",
                        "<; rm -rf x>",
                        "<-->",
                        "<-e>",
                        "LANG=C",
                        "PATH=/usr/sbin:/usr/bin:/sbin:/bin")
                .contains("VOLUME4J_OPERATION=" + context.operationId())
                .endsWith("/");
        // Shells add PWD and _ for themselves.
        assertThat(result.output()
                        .lines()
                        .filter(line -> line.contains("=") && !line.matches("(PWD|_|SHLVL|OLDPWD)=.*")))
                .hasSize(3);
    }

    @Test
    void keepsTheEndOfEndlessOutput() {
        ToolResult result = run("i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done; echo the end");
        assertThat(result.exitCode()).isZero();
        assertThat(result.output()).hasSize(ToolOutput.KEPT).endsWith("line 19999\nthe end\n");
    }

    /** As Java does where the machine has a process left, and no thread to wait for it. */
    @Test
    void aToolThatRunsAlthoughItsStartFailedIsKilledBeforeThatIsTold() {
        ToolRunner scarce = new ToolRunner(
                new Tools(LinuxMountBackend.Options.defaults().toolDirectories()), processes, builder -> {
                    builder.start();
                    throw new OutOfMemoryError("unable to create native thread");
                });

        var failure = Refusal.of(TRANSIENT, () -> scarce.run(script("sleep 300"), List.of(), LONG, context));

        assertThat(failure).hasMessageContaining("no thread that could wait for it");
        assertThat(processes.ofOperations(context.operationId()::equals)).isEmpty();
    }

    @Test
    void aToolIsTheLeaderOfItsOwnSession() {
        ToolResult result = run("cut -d' ' -f1,5,6 /proc/$$/stat; echo $$");
        List<String> lines = result.output().lines().toList();
        String pid = lines.get(1);
        assertThat(lines.get(0)).isEqualTo(pid + " " + pid + " " + pid);
    }

    @Test
    void isKilledAtTheDeadlineWithEverythingThatItStarted() {
        Path printed = machine.path("printed");
        context.passing(Duration.ofSeconds(1), () -> Files.exists(printed));
        ToolResult result = runner.run(
                script("sleep 300 & setsid sleep 300 & (trap '' TERM HUP; sleep 300) & echo started; touch " + printed
                        + "; sleep 300"),
                List.of(),
                Duration.ofSeconds(5),
                context);
        assertThat(result.ending()).isEqualTo(Ending.OVERDUE);
        assertThat(result.describe()).isEqualTo("tool was killed at its deadline: started");
    }

    @Test
    void theCallsOwnDeadlineCountsIfItComesFirst() {
        context.passing(Duration.ofSeconds(30));
        assertThat(run("sleep 300").ending()).isEqualTo(Ending.OVERDUE);
    }

    @Test
    void isKilledWhenTheCallIsCancelled() throws Exception {
        CompletableFuture<ToolResult> result = CompletableFuture.supplyAsync(() -> run("sleep 300"));
        await().atMost(Duration.ofMinutes(1))
                .until(() ->
                        !processes.ofOperations(context.operationId()::equals).isEmpty());
        context.cancel();
        assertThat(result.get().ending()).isEqualTo(Ending.CANCELLED);
    }

    @Test
    void isKilledWhenItsThreadIsInterrupted() throws Exception {
        CompletableFuture<ToolResult> result = new CompletableFuture<>();
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            result.complete(run("sleep 300"));
            interrupted.complete(Thread.currentThread().isInterrupted());
        });
        thread.start();
        await().atMost(Duration.ofMinutes(1))
                .until(() ->
                        !processes.ofOperations(context.operationId()::equals).isEmpty());
        thread.interrupt();
        assertThat(result.get().ending()).isEqualTo(Ending.CANCELLED);
        assertThat(interrupted.get()).isTrue();
        thread.join();
    }

    @Test
    void isNotStartedForACallThatIsOver() {
        context.cancel();
        assertThat(Refusal.of(TRANSIENT, () -> run("touch " + machine.path("trace"))))
                .hasMessageContaining("was not started");
        assertThat(machine.path("trace")).doesNotExist();
    }

    @Test
    void whatAnEarlierProcessLeftIsFoundByItsOperationAndEnded() throws Exception {
        String earlier = context.operationId() + "-earlier";
        ProcessBuilder orphan = new ProcessBuilder("setsid", "sh", "-c", "sleep 300 & sleep 300");
        orphan.environment().put(ToolProcesses.OPERATION, earlier + ":7");
        Process process = orphan.start();
        LinuxMountBackend backend = LinuxMountBackend.create();
        try {
            await().atMost(Duration.ofMinutes(1))
                    .until(() ->
                            processes.ofOperations(id -> id.startsWith(earlier)).size() >= 2);
            backend.endLeftovers(earlier + "x", Duration.ofSeconds(5));
            assertThat(process.isAlive()).isTrue();
            backend.endLeftovers(earlier, Duration.ofSeconds(5));
            assertThat(processes.ofOperations(id -> id.startsWith(earlier))).isEmpty();
            assertThat(process.waitFor()).isNotZero();
        } finally {
            processes.end(id -> id.startsWith(earlier), Duration.ofSeconds(5));
            backend.close();
        }
    }

    @Test
    void aMissingToolIsNamedWithItsPackage() {
        Tools none = new Tools(List.of(machine.root));
        assertThat(Refusal.of(FINAL, () -> none.require("mkfs.xfs", "xfsprogs")).advice())
                .isEqualTo("install the package xfsprogs");
        assertThat(Refusal.of(
                        FINAL, () -> new ToolRunner(none, processes).run(script("true"), List.of(), LONG, context)))
                .hasMessageContaining("setsid");
    }

    private ToolResult run(String script) {
        return runner.run(script(script), List.of(), LONG, context);
    }

    private Path script(String text) {
        Path file = machine.file("tool", "#!/bin/sh\n" + text + "\n");
        try {
            return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        }
    }
}
