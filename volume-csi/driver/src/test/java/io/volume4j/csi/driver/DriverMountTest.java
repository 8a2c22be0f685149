package io.volume4j.csi.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.csi.driver.options.MountStyle;
import io.volume4j.csi.internal.proto.CapacityRange;
import io.volume4j.csi.internal.proto.ControllerExpandVolumeRequest;
import io.volume4j.csi.internal.proto.NodeExpandVolumeRequest;
import io.volume4j.csi.internal.proto.NodePublishVolumeRequest;
import io.volume4j.csi.internal.proto.NodeStageVolumeRequest;
import io.volume4j.csi.internal.proto.Volume;
import io.volume4j.csi.internal.proto.VolumeCapability.AccessMode.Mode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On the real kernel: bind mounts and loop devices, and that none outlives the driver. */
@Timeout(60)
class DriverMountTest {
    @AutoClose
    private final Fixture fixture = new Fixture(options -> options.mounts(MountStyle.KERNEL));

    @BeforeAll
    static void needsTheRightToMount() {
        try (LinuxMountBackend machine = LinuxMountBackend.create()) {
            if (machine.abilities().mayMount()) {
                return;
            }
        }
        if ("required".equals(System.getProperty("volume4j.privileged"))) {
            throw new AssertionError("this test must run, and may not mount");
        }
        abort("may not mount");
    }

    @Test
    void whatIsWrittenAtOneTargetIsReadAtTheNext() throws IOException {
        Fixture.Staged staged = fixture.staged("pvc-1", Mode.SINGLE_NODE_MULTI_WRITER);
        fixture.client().node().nodePublishVolume(staged.publish(fixture, "a").build());
        fixture.client()
                .node()
                .nodePublishVolume(
                        staged.publish(fixture, "b").setReadonly(true).build());

        Files.writeString(Path.of(fixture.place().target("a"), "file"), "hello");

        Path readOnly = Path.of(fixture.place().target("b"), "file");
        assertThat(readOnly).hasContent("hello");
        assertThatThrownBy(() -> Files.writeString(readOnly, "more")).isInstanceOf(FileSystemException.class);
        assertThat(fixture.driver().inventory().mounts()).hasSize(3);
    }

    @Test
    void aBlockVolumeIsADeviceThatGrows() throws IOException {
        Volume volume = block("pvc-1");
        Path target = Path.of(fixture.place().target("device"));
        assertThat(Files.readAttributes(target, "unix:mode").get("mode"))
                .asInstanceOf(InstanceOfAssertFactories.INTEGER)
                .satisfies(mode -> assertThat(mode & 0170000).isEqualTo(0060000));
        assertThat(size(target)).isEqualTo(8 * Fixture.MI);

        fixture.client()
                .controller()
                .controllerExpandVolume(ControllerExpandVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(16 * Fixture.MI))
                        .build());
        fixture.client()
                .node()
                .nodeExpandVolume(NodeExpandVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .setVolumePath(target.toString())
                        .build());

        assertThat(size(target)).isEqualTo(16 * Fixture.MI);
    }

    @Test
    void aDriverThatEndsLeavesNoMountAndNoDevice() {
        block("pvc-1");
        Fixture.Staged staged = fixture.staged("pvc-2", Mode.SINGLE_NODE_WRITER);
        fixture.client().node().nodePublishVolume(staged.publish(fixture, "a").build());
        assertThat(left()).isNotEmpty();

        fixture.driver().close();

        assertThat(left()).isEmpty();
        assertThat(fixture.place().socket()).doesNotExist();
    }

    @Test
    void evenADriverThatLostItsStateLeavesNone() {
        block("pvc-1");
        fixture.driver().crashLosingState();
        fixture.driver().revive();
        assertThat(left()).as("as after a real crash").isNotEmpty();

        fixture.driver().close();

        assertThat(left()).isEmpty();
    }

    @Test
    void mountsOutliveACrashAndNotAReboot() throws IOException {
        Fixture.Staged staged = fixture.staged("pvc-1", Mode.SINGLE_NODE_WRITER);
        fixture.client().node().nodePublishVolume(staged.publish(fixture, "a").build());
        Path file = Path.of(fixture.place().target("a"), "file");
        Files.writeString(file, "kept");

        fixture.driver().crash();
        assertThat(file).hasContent("kept");
        fixture.driver().revive();
        fixture.reconnect();
        fixture.driver().reboot("node-1");

        assertThat(file).doesNotExist();
        assertThat(fixture.driver().inventory().uses()).isEmpty();
        assertThat(fixture.driver().inventory().attachments()).hasSize(1);
        fixture.client()
                .node()
                .nodeStageVolume(fixture.stage(staged.volume(), staged.context(), staged.mode())
                        .build());
        fixture.client().node().nodePublishVolume(staged.publish(fixture, "a").build());
        assertThat(file).hasContent("kept");
    }

    private Volume block(String name) {
        Volume volume =
                fixture.volume(Fixture.create(name).clearVolumeCapabilities().addVolumeCapabilities(Fixture.block()));
        Map<String, String> context = fixture.client()
                .controller()
                .controllerPublishVolume(fixture.attach(volume, "node-1", Mode.SINGLE_NODE_WRITER)
                        .setVolumeCapability(Fixture.block())
                        .build())
                .getPublishContextMap();
        NodeStageVolumeRequest stage = fixture.stage(volume, context, Mode.SINGLE_NODE_WRITER)
                .setVolumeCapability(Fixture.block())
                .build();
        fixture.client().node().nodeStageVolume(stage);
        NodePublishVolumeRequest publish = fixture.publish(volume, context, Mode.SINGLE_NODE_WRITER, "device")
                .setVolumeCapability(Fixture.block())
                .build();
        fixture.client().node().nodePublishVolume(publish);
        return volume;
    }

    private static long size(Path device) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(device.toFile(), "r")) {
            return open.length();
        }
    }

    /** Mounts and loop devices of the fixture that the machine has. */
    private List<String> left() {
        try (LinuxMountBackend machine = LinuxMountBackend.create()) {
            List<String> left = new ArrayList<>();
            machine.table().below(fixture.place().path()).forEach(mount -> left.add(mount.toString()));
            machine.loops().below(fixture.place().path()).forEach(loop -> left.add(loop.toString()));
            return left;
        }
    }
}
