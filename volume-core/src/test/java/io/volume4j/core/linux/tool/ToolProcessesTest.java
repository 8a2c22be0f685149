package io.volume4j.core.linux.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the kernel shows of a process while it executes another program lasts too short a time to be met on purpose. */
class ToolProcessesTest {
    @TempDir
    private Path proc;

    private Process process;
    private Path entry;

    @BeforeEach
    void start() throws IOException {
        process = new ProcessBuilder("sleep", "300").start();
        entry = Files.createDirectory(proc.resolve(Long.toString(process.pid())));
        environment("");
    }

    @AfterEach
    void end() {
        process.destroyForcibly();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "has no program,         0,              0,               0",
        "is given its program,   0,              140730000000000, 140730000000000",
        "has just been given it, 94000000000000, 140730000000000, 140730000000040",
    })
    void aProcessIsFoundWhoseEnvironmentCannotBeReadYet(String what, String code, String start, String end)
            throws Exception {
        findsItLater(what, "", code, start, end);
        findsItLater(what, "\0", code, start, end);
    }

    private void findsItLater(String what, String first, String code, String start, String end) throws Exception {
        environment(first);
        stat("R", "4194560", code, start, end);
        Runnable execEnds = () -> environment("LANG=C\0" + ToolProcesses.OPERATION + "=op-1\0");
        assertThat(new ToolProcesses(proc, execEnds).ofOperations("op-1"::equals))
                .as(what)
                .containsExactly(process.toHandle());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "dead and not waited for,     Z, 4194564,  0,              0,               0",
        "gave its memory back,        R, 4194564,  0,              0,               0",
        "the kernel's,                I, 69238880, 0,              0,               0",
        "started without environment, S, 4194560,  94000000000000, 140730000000000, 0",
        "started with an empty entry, S, 4194560,  94000000000000, 140730000000000, 1",
    })
    void noProcessWithoutEnvironmentIsWaitedFor(
            String what, String state, String flags, String code, long start, int bytes) throws Exception {
        environment("\0".repeat(bytes));
        stat(state, flags, code, Long.toString(start), Long.toString(start + bytes));
        assertThat(new RunningProcess(process.toHandle(), entry).variable(ToolProcesses.OPERATION))
                .as(what)
                .contains("");
    }

    @Test
    void eachChildIsFoundAtOnceAfterItsStart() throws Exception {
        ToolProcesses processes = new ToolProcesses();
        for (int i = 0; i < 200; i++) {
            String operation = "op-" + process.pid() + "-" + i;
            ProcessBuilder builder = new ProcessBuilder("setsid", "--wait", "sleep", "300");
            builder.environment().put(ToolProcesses.OPERATION, operation);
            Process child = builder.start();
            try {
                assertThat(processes.ofOperations(operation::equals)).contains(child.toHandle());
            } finally {
                child.destroyForcibly();
            }
        }
    }

    /** How a driver starts a daemon that is to outlive its call. */
    @Test
    void aProgramThatWasStartedWithoutTheVariableIsNotFound() throws Exception {
        String operation = "op-" + process.pid() + "-daemon";
        ProcessBuilder builder =
                new ProcessBuilder("env", "-u", ToolProcesses.OPERATION, "sh", "-c", "echo started; exec sleep 300");
        builder.environment().put(ToolProcesses.OPERATION, operation);
        Process child = builder.start();
        try {
            assertThat(child.inputReader().readLine()).isEqualTo("started");
            assertThat(new ToolProcesses().ofOperations(operation::equals)).isEmpty();
        } finally {
            child.destroyForcibly();
        }
    }

    private void stat(String state, String flags, String code, String envStart, String envEnd) throws IOException {
        Files.writeString(
                entry.resolve("stat"),
                process.pid() + " (a) b) " + state + " 1 2 3 0 -1 " + flags + " 0".repeat(16) + " " + code
                        + " 0".repeat(23) + " " + envStart + " " + envEnd + " 0\n");
    }

    private void environment(String variables) {
        try {
            Files.writeString(entry.resolve("environ"), variables);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
