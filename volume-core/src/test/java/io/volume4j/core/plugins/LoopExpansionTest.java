package io.volume4j.core.plugins;

import static io.volume4j.core.plugins.Failing.failureOf;
import static io.volume4j.core.plugins.LoopLife.IMAGE;
import static io.volume4j.core.plugins.LoopLife.MEBI;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.mount.DeviceContent;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How an image grows, and what is on it. */
class LoopExpansionTest {
    private final LoopLife life = new LoopLife();
    private final FakeMachine machine = life.machine;

    @Test
    void expandsTheImageThenTheDeviceThenTheFilesystem() {
        life.provision(Given.provision(Map.of(), 64 * MEBI, 0));
        life.attach();
        life.mountDevice();
        machine.effects.clear();

        assertThat(life.expand(128 * MEBI)).isEqualTo(128 * MEBI);
        assertThat(life.expand(100 * MEBI)).isEqualTo(128 * MEBI);
        assertThat(life.expandOnNode(128 * MEBI, Given.DEVICE_TARGET)).isEqualTo(128 * MEBI);

        assertThat(machine.effects).containsExactly("refresh", "grow ext4");
    }

    @Test
    void aMountThatIsThereButCouldNotGrowIsADoubt() {
        life.provision(Given.provision(Map.of(), 64 * MEBI, 0));
        life.attach();
        machine.put(IMAGE + ".grow", FileStatus.Type.FILE);
        machine.removalFails = VolumeException.transientFailure("unlinkat: EIO");

        assertThat(failureOf(life::mountDevice).kind()).isEqualTo(FailureKind.UNCERTAIN);
        assertThat(machine.mounts).hasSize(1);

        machine.removalFails = null;
        life.mountDevice();
        assertThat(machine.mounts).hasSize(1);
    }

    /** An xfs grows only where it is mounted writable: the call would fail for ever, and the pod wait. */
    @Test
    void aCopyThatIsOnlyReadDoesNotGrow() {
        life.provision(Given.provision(Map.of(), 64 * MEBI, 0));
        life.attach();
        machine.put(IMAGE + ".grow", FileStatus.Type.FILE);
        machine.content = () -> new DeviceContent(DeviceContent.Kind.FILESYSTEM, "xfs", "superblock");
        CsiSource source = CsiSource.of(LoopPlugin.NAME, "pvc-1", "xfs", Map.of());
        machine.effects.clear();

        life.mountDevice(Given.volume(source, VolumeMode.FILESYSTEM, "ro"), "");

        assertThat(machine.effects).containsExactly("mount xfs ro");
        assertThat(machine.fileNames()).as("for the day when it is written").contains(IMAGE + ".grow");
    }

    @Test
    void expandsNoFilesystemBeforeItsDevice() {
        life.provision(Given.provision(Map.of(), 64 * MEBI, 0));
        life.attach();
        life.mountDevice();
        machine.effects.clear();

        assertThat(failureOf(() -> life.expandOnNode(128 * MEBI, Given.DEVICE_TARGET))
                        .kind())
                .isEqualTo(FailureKind.TRANSIENT);
        assertThat(machine.effects).isEmpty();
    }

    @Test
    void growsNoFileBeyondTheRoomThereIs() {
        life.provision(Given.provision(Map.of(), 64 * MEBI, 0));
        machine.available = 32 * MEBI;

        assertThat(failureOf(() -> life.expand(128 * MEBI)).kind()).isEqualTo(FailureKind.EXHAUSTED);
        assertThat(life.expand(96 * MEBI)).isEqualTo(96 * MEBI);
    }
}
