package io.volume4j.inmemory.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.FlexVolumes;
import io.volume4j.core.plugins.PluginProblem;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.inmemory.contract.LinuxFixture;
import io.volume4j.spi.VolumeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Drivers that come and go in a real directory, and real programs that misbehave. */
@ExtendWith(RealKernel.class)
class FlexVolumesOnKernelTest {
    private final LinuxFixture machine = new LinuxFixture();
    private final Path directory = machine.elsewhere("drivers");
    private final PluginRegistry registry;

    FlexVolumesOnKernelTest() {
        machine.backend().files().createRoot(machine.root());
        registry = PluginRegistry.builder(DefaultPluginHost.builder(machine.root())
                        .nodeName("n1")
                        .mounts(machine.backend())
                        .build())
                .build();
    }

    @AfterEach
    void removeMachine() throws IOException {
        Files.delete(machine.root());
        machine.close();
    }

    @Test
    void driversThatAreThereAreTakenInAndHiddenOnesAreNot() throws IOException {
        LvmDriver.install(machine, directory);
        program("example.com~.hidden", ".hidden", "echo '{\"status\":\"Success\"}'");
        program(".example.com~disk", "disk", "echo '{\"status\":\"Success\"}'");
        program("plain", "plain", "echo '{\"status\":\"Success\"}'");

        try (FlexVolumes drivers = start()) {
            assertThat(registry.byName(LvmDriver.NAME)).isPresent();
            assertThat(registry.byName("plain")).isPresent();
            assertThat(registry.plugins()).hasSize(2);
            assertThat(drivers.problems()).extracting(PluginProblem::plugin).containsExactly("example.com/.hidden");
        }
    }

    @Test
    void aDriverComesAndGoesWhileTheProcessRuns() throws IOException {
        try (FlexVolumes drivers = start()) {
            assertThat(drivers.problems()).isEmpty();
            Path program = LvmDriver.install(machine, directory);
            eventually(() -> registry.byName(LvmDriver.NAME).isPresent());

            Files.delete(program);
            eventually(() -> registry.byName(LvmDriver.NAME).isEmpty());

            LvmDriver.install(machine, directory);
            eventually(() -> registry.byName(LvmDriver.NAME).isPresent());
        }
    }

    @Test
    void theDirectoryIsMadeAndMadeAgain() throws IOException {
        Path below = directory.resolve("not/there/yet");
        try (FlexVolumes drivers =
                FlexVolumes.start(registry, FlexVolumes.Options.defaults().withDirectory(below))) {
            assertThat(below).isDirectory();
            Files.delete(below);
            eventually(() -> Files.isDirectory(below));
            LvmDriver.install(machine, below);
            eventually(() -> registry.byName(LvmDriver.NAME).isPresent());
            assertThat(drivers.problems()).isEmpty();
        }
    }

    @Test
    void aDriverThatFailsToStartIsAProblemUntilItsFileChanges() throws IOException {
        program("example.com~disk", "disk", "echo '{\"status\":\"Failure\",\"message\":\"no controller\"}'");
        try (FlexVolumes drivers = start()) {
            assertThat(drivers.problems())
                    .singleElement()
                    .satisfies(problem -> assertThat(problem.reason()).contains("no controller"));

            program("example.com~disk", "disk", "echo '{\"status\":\"Success\"}'");

            eventually(() -> registry.byName("example.com/disk").isPresent());
            eventually(() -> drivers.problems().isEmpty());
        }
    }

    @Test
    void aDriverThatOtherUsersCouldExchangeIsAProblem() throws IOException {
        Path program = program("example.com~disk", "disk", "echo '{\"status\":\"Success\"}'");
        Path ofDriver = program.getParent();
        Files.setPosixFilePermissions(ofDriver, PosixFilePermissions.fromString("rwxrwxrwx"));

        try (FlexVolumes drivers = start()) {
            assertThat(registry.byName("example.com/disk")).isEmpty();
            assertThat(drivers.problems())
                    .singleElement()
                    .satisfies(problem -> assertThat(problem.reason())
                            .contains("other users could exchange", ofDriver + " can be written by other users"));
        }
    }

    @Test
    void aProgramThatHangsIsKilledAtItsLimitAndNoProcessIsLeft() throws IOException {
        Path pids = directory.resolve("pid");
        Path program = program(
                "example.com~disk",
                "disk",
                "echo $$ > " + pids + ".new; mv " + pids + ".new " + pids + "; sleep 1000 & sleep 1000");

        VolumeException failure = catchThrowableOfType(
                VolumeException.class,
                () -> registry.add(FlexVolumes.plugin(
                        "example.com/disk",
                        program,
                        FlexVolumes.Options.defaults().withCallLimit(Duration.ofSeconds(1)))));

        assertThat(failure).hasMessageContaining("init: timeout");
        if (Files.exists(pids)) {
            long pid = Long.parseLong(Files.readString(pids).strip());
            assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
        }
    }

    @Test
    void aDriverThatHangsWhenItComesDelaysNoReaderAndIsKilledByClosing() throws IOException {
        Path pids = directory.resolve("pid");
        long pid;
        try (FlexVolumes drivers = start()) {
            program(
                    "example.com~disk",
                    "disk",
                    "echo $$ > " + pids + ".new; mv " + pids + ".new " + pids + "; sleep 1000");
            eventually(() -> Files.exists(pids));
            pid = Long.parseLong(Files.readString(pids).strip());

            assertThat(drivers.problems()).isEmpty();
            assertThat(drivers).hasToString("FlexVolumes[" + directory + " {}]");
        }
        eventually(() -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
    }

    @Test
    void aListenerMayStopFollowingTheDirectory() throws IOException {
        CompletableFuture<FlexVolumes> following = new CompletableFuture<>();
        CompletableFuture<Void> stopped = new CompletableFuture<>();
        registry.addListener(name -> {
            following.join().close();
            stopped.complete(null);
        });
        try (FlexVolumes drivers = start()) {
            following.complete(drivers);
            program("example.com~disk", "disk", "echo '{\"status\":\"Success\"}'");

            eventually(stopped::isDone);
        }
    }

    @Test
    void aProgramThatPrintsWithoutEndIsNotBelieved() throws IOException {
        Path program = program(
                "example.com~disk", "disk", "head -c 100000 /dev/zero | tr '\\0' ' '; echo '{\"status\":\"Success\"}'");

        VolumeException failure = catchThrowableOfType(
                VolumeException.class,
                () -> registry.add(FlexVolumes.plugin("example.com/disk", program, FlexVolumes.Options.defaults())));

        assertThat(failure).hasMessageContaining("it printed more than is read");
    }

    private FlexVolumes start() {
        return FlexVolumes.start(registry, FlexVolumes.Options.defaults().withDirectory(directory));
    }

    private Path program(String vendor, String name, String script) throws IOException {
        Path own = Files.createDirectories(directory.resolve(vendor));
        Path hidden = own.resolve(".new");
        Files.writeString(hidden, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(hidden, PosixFilePermissions.fromString("rwxr-xr-x"));
        return Files.move(
                hidden, own.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void eventually(Callable<Boolean> condition) {
        await().atMost(Duration.ofSeconds(60)).until(condition);
    }
}
