package io.volume4j.core.subpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.core.linux.Machine;
import io.volume4j.core.testing.Privileged;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.BindOptions.Propagation;
import io.volume4j.spi.mount.IdMapping;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The node repeats a bind whose end it does not know, also if a filesystem is mounted below the source. */
@Privileged
class SubPathBindsTest {
    private static final IdMapping IDS = new IdMapping(
            List.of(new IdMapping.Range(0, 100_000, 65_536)), List.of(new IdMapping.Range(0, 100_000, 65_536)));

    private final Machine machine = new Machine();
    private final LinuxMountBackend backend = LinuxMountBackend.create();
    private final SubPathBinds binds = new SubPathBinds(backend);

    @BeforeEach
    void aFilesystemBelowTheVolume() {
        machine.directory("volume/logs/disk");
        Machine.run(
                "mount", "-t", "tmpfs", "disk", machine.path("volume/logs/disk").toString());
        machine.file("volume/logs/disk/f", "kept");
    }

    @AfterEach
    void close() {
        backend.close();
        machine.close();
    }

    @Test
    void aSubPathIsBoundAgain() {
        SubPath part =
                new SubPath(Path.of("logs"), machine.at("parts/0"), new BindOptions(false, true, Propagation.PRIVATE));
        binds.bind(machine.at("volume"), part);
        binds.bind(machine.at("volume"), part);

        assertBoundOnce("parts/0", "parts/0/disk");
        binds.removeAll(machine.at("parts"));
        assertNothingLost();
    }

    @Test
    void aVolumeIsBoundAgainWithMappedIds() {
        assumeTrue(machine.kernel.features().mountApi());
        binds.bindMapped(machine.at("volume"), machine.at("parts/0"), IDS);
        binds.bindMapped(machine.at("volume"), machine.at("parts/0"), IDS);

        assertBoundOnce("parts/0", "parts/0/logs/disk");
        binds.removeAll(machine.at("parts"));
        assertNothingLost();
    }

    private void assertBoundOnce(String... mounts) {
        assertThat(machine.table.read().below(machine.path("parts")))
                .extracting(mount -> machine.root.relativize(mount.mountPoint()).toString())
                .containsExactly(mounts);
    }

    private void assertNothingLost() {
        assertThat(machine.path("parts")).doesNotExist();
        assertThat(machine.read("volume/logs/disk/f")).isEqualTo("kept");
    }
}
