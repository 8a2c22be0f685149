package io.volume4j.core.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.LocalSource;
import io.volume4j.spi.model.NfsSource;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.plugin.DeviceMounter.DeviceMountRequest;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Plugins whose volumes are filesystems of their own mount them with the SELinux context of the pod. */
class SeLinuxMountsTest {
    private static final String LABEL = "system_u:object_r:container_file_t:s0:c1,c2";
    private static final String OPTION = "context=\"" + LABEL + "\"";

    @Test
    void anExportIsMountedWithTheContextOfThePod() {
        NfsNode node = new NfsNode(Runnable::run);
        VolumeSpec spec = Given.volume(new NfsSource("files", "/e", false), VolumeMode.FILESYSTEM, "vers=4");

        node.plugin
                .mounter(spec)
                .orElseThrow()
                .mount(
                        Given.mount(node.plugin, spec, false).toBuilder()
                                .seLinuxLabel(LABEL)
                                .build(),
                        TestContext.first());

        assertThat(node.plugin.mountsWithSeLinuxLabel(spec)).isTrue();
        assertThat(node.machine.mountOptions).containsExactly("vers=4", OPTION, "addr=192.0.2.7");
    }

    @Test
    void aLocalDeviceIsMountedWithTheContextOfThePod() {
        FakeMachine machine = new FakeMachine();
        machine.put("/dev/sdb", FileStatus.Type.BLOCK_DEVICE);
        LocalPlugin plugin = Given.ready(new LocalPlugin(), machine);
        VolumeSpec spec = Given.volume(new LocalSource("/dev/sdb", "xfs"), VolumeMode.FILESYSTEM, "noatime");

        mountDevice(plugin, spec, machine);

        assertThat(plugin.mountsWithSeLinuxLabel(spec)).isTrue();
        assertThat(machine.mountOptions).containsExactly("noatime", OPTION);
    }

    /** A bind has no context of its own, so pods with different contexts may share a directory. */
    @Test
    void aLocalDirectoryHasNoContext() {
        FakeMachine machine = new FakeMachine();
        machine.put("/mnt/disk", FileStatus.Type.DIRECTORY);
        LocalPlugin plugin = Given.ready(new LocalPlugin(), machine);
        VolumeSpec spec = Given.volume(new LocalSource("/mnt/disk", ""), VolumeMode.FILESYSTEM);

        assertThat(plugin.mountsWithSeLinuxLabel(spec)).isFalse();
    }

    @Test
    void aLoopVolumeIsMountedWithTheContextOfThePod() {
        LoopLife life = new LoopLife();
        life.provision(Given.provision(Map.of(), 64 * LoopLife.MEBI, 0));
        life.attach();

        mountDevice(life.plugin, LoopLife.SPEC, life.machine);

        assertThat(life.plugin.mountsWithSeLinuxLabel(LoopLife.SPEC)).isTrue();
        assertThat(life.machine.mountOptions).containsExactly(OPTION);
    }

    private static void mountDevice(VolumePlugin plugin, VolumeSpec spec, FakeMachine machine) {
        plugin.deviceMounter(spec)
                .orElseThrow()
                .mountDevice(
                        DeviceMountRequest.builder(
                                        spec,
                                        VolumeId.shared(plugin.name(), plugin.volumeName(spec)),
                                        Given.DEVICE_TARGET,
                                        new FakeLedger(machine.effects))
                                .seLinuxLabel(LABEL)
                                .build(),
                        TestContext.first());
    }
}
