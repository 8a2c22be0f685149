package io.volume4j.core.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.linux.sys.Architecture;
import io.volume4j.core.linux.sys.Capability;
import io.volume4j.core.node.NodeOptions;
import io.volume4j.core.testing.Privileged;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.mount.Abilities;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.FilesystemUsage;
import io.volume4j.spi.mount.UnmountMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LinuxMountBackendTest {
    private final Machine machine = new Machine();
    private final LinuxMountBackend backend = LinuxMountBackend.create();

    @AfterEach
    void close() {
        backend.close();
        machine.close();
    }

    @Test
    void canBeMadeWithoutAnyRightAndSaysWhatItMayDo() {
        Abilities abilities = backend.abilities();
        assertThat(abilities.mayMount()).isEqualTo(abilities.reason().isEmpty());
        if (!Capability.CAP_SYS_ADMIN.isEffective()) {
            assertThat(abilities.reason()).contains("CAP_SYS_ADMIN");
        }
        assertThat(abilities.filesystems()).contains("proc", "tmpfs");
        assertThat(abilities.formats()).contains("ext4");
        assertThat(LinuxMountBackend.create(
                                LinuxMountBackend.Options.defaults().withToolDirectories(List.of(machine.root)))
                        .abilities()
                        .formats())
                .isEmpty();
    }

    @Test
    void withoutTheRightEveryMountSaysWhatIsMissing() {
        if (Capability.CAP_SYS_ADMIN.isEffective()) {
            return;
        }
        machine.directory("a");
        machine.directory("b");
        assertThat(Refusal.of(
                                FailureKind.FINAL,
                                () -> backend.bind(machine.path("a"), machine.at("b"), BindOptions.readWrite()))
                        .advice())
                .contains("CAP_SYS_ADMIN");
        assertThat(Refusal.of(
                                FailureKind.FINAL,
                                () -> backend.mount(
                                        new FilesystemMount("tmpfs", "t", false, List.of()), machine.at("b")))
                        .advice())
                .contains("CAP_SYS_ADMIN");
    }

    @Test
    @Privileged
    void doesWhatItsPartsDo() {
        machine.directory("m");
        machine.directory("b");
        backend.mount(new FilesystemMount("tmpfs", "t", false, List.of("size=1m", "nr_inodes=100")), machine.at("m"));
        FilesystemUsage usage = backend.usage(machine.path("m"));
        assertThat(usage.totalBytes()).isEqualTo(1 << 20);
        assertThat(usage.totalInodes()).isEqualTo(100);
        machine.file("m/f", "x".repeat(10_000));
        FilesystemUsage filled = backend.usage(machine.path("m"));
        assertThat(filled.usedBytes()).isBetween(10_000L, 20_000L);
        assertThat(filled.availableBytes()).isEqualTo(filled.totalBytes() - filled.usedBytes());
        assertThat(filled.availableInodes()).isLessThan(usage.availableInodes());
        backend.bind(machine.at("m"), machine.at("b"), BindOptions.onlyRead());
        assertThat(machine.read("b/f")).hasSize(10_000);
        assertThat(backend.table().below(machine.root)).hasSize(2);
        backend.unmount(machine.at("b"), UnmountMode.NORMAL);
        backend.unmount(machine.at("m"), UnmountMode.NORMAL);
        assertThat(backend.table().below(machine.root)).isEmpty();
    }

    @Test
    @Privileged
    void aRootedSourceFollowsNoLink() {
        machine.directory("outside");
        machine.directory("b");
        machine.link("l", "outside");
        assertThat(Refusal.of(
                        FailureKind.FINAL,
                        () -> backend.bind(machine.at("l"), machine.at("b"), BindOptions.readWrite())))
                .hasMessageContaining("ELOOP");
        backend.bind(machine.path("l"), machine.at("b"), BindOptions.readWrite());
        backend.unmount(machine.at("b"), UnmountMode.NORMAL);
    }

    @Test
    void aPathOfTheMachineIsResolvedThroughItsLinks() {
        machine.directory("d/e");
        machine.link("l", "d");
        assertThat(backend.files().resolve(machine.path("l/e"))).contains(machine.path("d/e"));
        assertThat(backend.files().resolve(machine.path("l/none"))).isEmpty();
    }

    @Test
    void byDefaultACheckAndAFormatOrAGrowthEndWithinTheDeadlineOfTheCallThatRunsThem() {
        LinuxMountBackend.Options options = LinuxMountBackend.Options.defaults();
        Duration deadline = NodeOptions.standard().deviceDeadline();

        assertThat(options.checkLimit().plus(options.formatLimit())).isLessThan(deadline);
        assertThat(options.checkLimit().plus(options.growLimit())).isLessThan(deadline);
    }

    @Test
    void optionsAreCheckedAndNotRepaired() {
        LinuxMountBackend.Options options = LinuxMountBackend.Options.defaults();
        assertThatThrownBy(() -> options.withFormatLimit(Duration.ZERO)).hasMessageContaining("formatLimit");
        assertThatThrownBy(() -> options.withCheckLimit(Duration.ofSeconds(-1))).hasMessageContaining("checkLimit");
        assertThatThrownBy(() -> options.withGrowLimit(Duration.ZERO)).hasMessageContaining("growLimit");
        assertThatThrownBy(() -> options.withToolDirectories(List.of(Path.of("bin"))))
                .hasMessageContaining("absolute");
        assertThatThrownBy(() -> backend.endLeftovers("", Duration.ofSeconds(1)))
                .hasMessageContaining("prefix");
        assertThatThrownBy(() -> backend.bind(Path.of("x"), machine.at("b"), BindOptions.readWrite()))
                .hasMessageContaining("absolute");
    }

    @Test
    void anUnknownMachineIsRefusedInOneLine() {
        assertThat(Refusal.of(FailureKind.FINAL, () -> Architecture.of("Mac OS X", "aarch64")))
                .hasMessageStartingWith("the Linux mount backend does not know Mac OS X on aarch64");
        Refusal.of(FailureKind.FINAL, () -> Architecture.of("Linux", "sparc"));
        assertThat(Architecture.of("Linux", "amd64")).isEqualTo(Architecture.X86_64);
    }
}
