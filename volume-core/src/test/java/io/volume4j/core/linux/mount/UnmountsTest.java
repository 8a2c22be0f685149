package io.volume4j.core.linux.mount;

import static io.volume4j.spi.FailureKind.IN_USE;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.linux.Machine;
import io.volume4j.core.linux.Refusal;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.testing.Privileged;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Privileged
@ParameterizedClass
@MethodSource("io.volume4j.core.linux.Machine#kernels")
class UnmountsTest {
    private final Machine machine;

    UnmountsTest(Kernel kernel) {
        machine = new Machine(kernel);
        machine.directory("target");
    }

    @AfterEach
    void close() {
        machine.close();
    }

    @ParameterizedTest
    @EnumSource
    void takesTheMountAway(UnmountMode mode) {
        tmpfs("target", "t");
        machine.unmounts.unmount(machine.at("target"), mode);
        assertThat(machine.table.read().at(machine.path("target"))).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void whatIsNotMountedOrNotThereIsUnmounted(UnmountMode mode) {
        machine.unmounts.unmount(machine.at("target"), mode);
        machine.unmounts.unmount(machine.at("missing"), mode);
        machine.unmounts.unmount(machine.at("missing/deeper"), mode);
        machine.unmounts.unmount(RootedPath.of(machine.path("no-root"), "x"), mode);
    }

    @Test
    void onlyTheTopmostOfTwoGoes() {
        tmpfs("target", "lower");
        tmpfs("target", "upper");
        machine.unmounts.unmount(machine.at("target"), UnmountMode.NORMAL);
        assertThat(machine.table.read().at(machine.path("target")).orElseThrow().source())
                .isEqualTo("lower");
    }

    @Test
    void busyIsInUseAndChangesNothing() throws Exception {
        tmpfs("target", "t");
        Path file = machine.file("target/f", "x");
        try (InputStream user = Files.newInputStream(file)) {
            assertThat(user.read()).isEqualTo('x');
            assertThat(Refusal.of(IN_USE, () -> unmount(UnmountMode.NORMAL)))
                    .hasMessageStartingWith("umount2 " + machine.path("target") + ": EBUSY (busy)");
            assertThat(machine.table.read().at(machine.path("target"))).isPresent();
            unmount(UnmountMode.LAZY);
            assertThat(machine.table.read().at(machine.path("target"))).isEmpty();
        }
    }

    @Test
    void whatIsMountedBelowIsNamedAndNeverTakenAlong() {
        tmpfs("target", "t");
        machine.directory("target/inner");
        tmpfs("target/inner", "foreign");
        for (UnmountMode mode : UnmountMode.values()) {
            assertThat(Refusal.of(IN_USE, () -> unmount(mode)))
                    .hasMessageContaining(machine.path("target/inner").toString());
        }
        assertThat(machine.table.read().below(machine.path("target"))).hasSize(2);
    }

    @Test
    void aLinkIsNotFollowedToAnotherMount() {
        machine.directory("outside");
        tmpfs("outside", "precious");
        machine.link("trap", "outside");
        machine.unmounts.unmount(machine.at("trap"), UnmountMode.NORMAL);
        assertThat(machine.table.read().at(machine.path("outside"))).isPresent();
    }

    @Test
    void aMountThatIsHiddenBelowAnotherIsNotReportedGone() {
        machine.directory("outer/target");
        tmpfs("outer/target", "hidden");
        tmpfs("outer", "cover");
        assertThat(Refusal.of(
                        io.volume4j.spi.FailureKind.FINAL,
                        () -> machine.unmounts.unmount(machine.at("outer/target"), UnmountMode.NORMAL)))
                .hasMessageContaining("tmpfs from hidden");
        Machine.run("umount", machine.path("outer").toString());
    }

    /** As below a hostPath, which brings the machine's mounts along. The table shows the byte as an escape. */
    @ParameterizedTest
    @ValueSource(strings = {"d\\377", "d\\377/e \\376"})
    void aNameThatIsNoTextInThisProcessIsUnmountedToo(String place) {
        tmpfs("target", "t");
        String directory = "\"" + machine.path("target") + "/$(printf '" + place + "')\"";
        Machine.run("sh", "-c", "mkdir -p " + directory + " && mount -t tmpfs inner " + directory);
        Path shown = machine.table.read().below(machine.path("target")).stream()
                .filter(entry -> entry.source().equals("inner"))
                .findFirst()
                .orElseThrow()
                .mountPoint();

        machine.unmounts.unmount(new RootedPath(machine.root, machine.root.relativize(shown)), UnmountMode.NORMAL);

        assertThat(machine.table.read().below(machine.path("target"))).hasSize(1);
    }

    @Test
    void suchANameIsFoundBelowADirectoryWithNonAsciiLetters() {
        Assumptions.assumeTrue("UTF-8".equals(System.getProperty("sun.jnu.encoding")), "names are not UTF-8 here");
        machine.directory("\u00e4");
        tmpfs("\u00e4", "t");
        String directory = "\"" + machine.path("\u00e4") + "/$(printf 'd\\377')\"";
        Machine.run("sh", "-c", "mkdir " + directory + " && mount -t tmpfs inner " + directory);

        List<MountEntry> found = machine.table.read().below(machine.path("\u00e4"));
        assertThat(found).extracting(MountEntry::source).containsExactly("t", "inner");
        Path inner = found.get(1).mountPoint();
        machine.unmounts.unmount(new RootedPath(machine.root, machine.root.relativize(inner)), UnmountMode.NORMAL);

        assertThat(machine.table.read().below(machine.path("\u00e4"))).hasSize(1);
    }

    @Test
    void aNameThatLooksLikeSuchANameIsUnmountedUnderIt() {
        machine.directory("target/d\\377");
        tmpfs("target/d\\377", "inner");

        machine.unmounts.unmount(machine.at("target/d\\377"), UnmountMode.NORMAL);

        assertThat(machine.table.read().below(machine.path("target"))).isEmpty();
    }

    private void unmount(UnmountMode mode) {
        machine.unmounts.unmount(machine.at("target"), mode);
    }

    private void tmpfs(String at, String source) {
        Machine.run("mount", "-t", "tmpfs", source, machine.path(at).toString());
    }
}
