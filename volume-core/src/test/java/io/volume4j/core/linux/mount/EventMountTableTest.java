package io.volume4j.core.linux.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.volume4j.core.linux.Machine;
import io.volume4j.core.linux.sys.Descriptor;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.MountCalls;
import io.volume4j.core.linux.sys.SyscallException;
import io.volume4j.core.testing.Privileged;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.UnmountMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The table that is kept by looking at changes must say what the kernel's own text says, whichever program changed what. */
@Privileged
class EventMountTableTest {
    private static final long MS_NOEXEC = 8;
    private static final long MS_NOATIME = 0x400;
    private static final long MS_MOVE = 0x2000;
    private static final long MS_STRICTATIME = 1 << 24;
    private static final int CHANGES = 120;

    private final Machine machine = new Machine();

    @BeforeEach
    void needsAKernelThatNamesChanges() {
        assumeTrue(machine.table.follows(), "fanotify of mounts needs Linux 6.15");
    }

    @AfterEach
    void close() {
        machine.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void saysWhatTheKernelsTextSaysAfterAnyChanges(long seed) {
        Random random = new Random(seed);
        List<String> names = List.of("top", "top/a", "top/a/b", "top/a-b", "top/c", "top/c/d e");
        machine.directory("top");
        mount("tmpfs", "top", 0, "");
        try {
            for (int i = 0; i < CHANGES; i++) {
                change(random, names.get(random.nextInt(names.size())), names.get(random.nextInt(names.size())));
                if (random.nextInt(4) > 0) {
                    assertSameAsText();
                }
            }
            assertSameAsText();
        } finally {
            while (!machine.table.read().mountsAt(machine.path("top")).isEmpty()) {
                unmount("top", MountCalls.UMOUNT_DETACH);
            }
        }
        assertSameAsText();
    }

    /** Some are not possible there: what counts is that the table says what became of it. */
    private void change(Random random, String name, String other) {
        try {
            Files.createDirectories(machine.path(name));
            Files.createDirectories(machine.path(other));
            tryToChange(random, name, other);
        } catch (IOException | SyscallException e) {
            assertThat(e).hasMessageNotContaining("too many");
        }
    }

    private void tryToChange(Random random, String name, String other) {
        switch (random.nextInt(10)) {
            case 0:
                mount("tmpfs", name, random.nextBoolean() ? MS_NOEXEC : MountCalls.MS_RDONLY, "size=1m");
                break;
            case 1:
                mount("tmpfs", name, random.nextBoolean() ? MS_NOATIME : MS_STRICTATIME, "");
                break;
            case 2:
                bind(other, name, MountCalls.MS_BIND);
                break;
            case 3:
                bind(other, name, MountCalls.MS_BIND | MountCalls.MS_REC);
                break;
            case 4:
                bind(other, name, MS_MOVE);
                break;
            case 5:
                bind("none", name, MountCalls.MS_REMOUNT | MountCalls.MS_BIND | MountCalls.MS_RDONLY);
                break;
            case 6:
                bind("none", name, MountCalls.MS_REMOUNT | MountCalls.MS_BIND | MS_NOEXEC);
                break;
            case 7:
                bind("none", name, random.nextBoolean() ? MountCalls.MS_SHARED : MountCalls.MS_PRIVATE);
                break;
            case 8:
                unmount(name, 0);
                break;
            default:
                unmount(name, MountCalls.UMOUNT_DETACH);
                break;
        }
    }

    @Test
    void looksAtEverythingOnceAndThenOnlyAtWhatChanged() {
        machine.directory("source");
        machine.directory("target");
        mount("tmpfs", "source", 0, "");
        machine.table.read();
        long readings = machine.table.readings();
        for (int i = 0; i < 100; i++) {
            machine.binds.bind(machine.path("source"), machine.at("target"), BindOptions.readWrite());
            assertThat(machine.table.read().at(machine.path("target"))).isPresent();
            machine.unmounts.unmount(machine.at("target"), UnmountMode.NORMAL);
            assertThat(machine.table.read().at(machine.path("target"))).isEmpty();
        }
        assertThat(machine.table.readings()).isEqualTo(readings);
    }

    @Test
    void aTableThatWasReadKeepsItsPlacesWhateverBecomesOfThem() {
        machine.directory("a");
        MountSnapshot before = machine.table.read();
        mount("tmpfs", "a", 0, "");
        MountSnapshot with = machine.table.read();
        unmount("a", 0);

        assertThat(before.at(machine.path("a"))).isEmpty();
        assertThat(with.at(machine.path("a"))).isPresent();
        assertThat(machine.table.read().at(machine.path("a"))).isEmpty();
        assertThat(with.at(machine.path("a"))).isPresent();
    }

    @Test
    void findsAMountAgainOfWhichADirectoryAboveWasRenamed() throws IOException {
        machine.directory("old/a");
        machine.directory("b");
        mount("tmpfs", "old/a", 0, "");
        assertThat(machine.table.read().at(machine.path("old/a"))).isPresent();
        Files.move(machine.path("old"), machine.path("new"));
        // The kernel reports no rename; a caller that asks for that mount learns of it with the next change.
        mount("tmpfs", "b", 0, "");
        assertThat(machine.table.read().at(machine.path("old/a"))).isPresent();
        assertThat(machine.table.read().at(machine.path("old/a"))).isEmpty();
        assertThat(machine.table.read().at(machine.path("new/a"))).isPresent();
    }

    @Test
    void manyMoreChangesThanTheKernelKeepsForUsAreNoneTooMany() {
        machine.directory("source");
        machine.directory("target");
        mount("tmpfs", "source", 0, "");
        machine.table.read();
        for (int i = 0; i < 10_000; i++) {
            bind("source", "target", MountCalls.MS_BIND);
            unmount("target", 0);
        }
        bind("source", "target", MountCalls.MS_BIND);
        assertSameAsText();
    }

    private void assertSameAsText() {
        MountSnapshot kept = machine.table.read();
        MountSnapshot text = MountSnapshot.ofTable(MountInfoParser.parse(bytes(Path.of("/proc/self/mountinfo"))));
        List<MountEntry> below = text.below(machine.root);
        assertThat(kept.below(machine.root)).isEqualTo(below);
        for (MountEntry each : below) {
            assertThat(kept.at(each.mountPoint())).isEqualTo(text.at(each.mountPoint()));
            assertThat(kept.withId(each.id())).contains(each);
            assertThat(kept.ofDevice(each.majorMinor())).isEqualTo(text.ofDevice(each.majorMinor()));
            assertThat(kept.ofSource(each.source())).containsAll(text.ofSource(each.source()));
        }
    }

    private static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void mount(String type, String name, long flags, String data) {
        try (Descriptor target = machine.kernel.open(machine.path(name), Kernel.O_PATH)) {
            machine.calls.mount("a so\\urce", target, type, flags, data, name);
        }
    }

    private void bind(String source, String name, long flags) {
        try (Descriptor target = machine.kernel.open(machine.path(name), Kernel.O_PATH)) {
            machine.calls.mount(machine.path(source), target, "", flags, "", name);
        }
    }

    private void unmount(String name, int flags) {
        Path path = machine.path(name);
        try (Descriptor parent = machine.kernel.open(Objects.requireNonNull(path.getParent()), Kernel.O_PATH)) {
            machine.calls.unmount(parent, path.getFileName().toString(), flags, name);
        }
    }
}
