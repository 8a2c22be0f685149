package io.volume4j.inmemory.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.plugin.Expander.ExpandResult;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who makes a flexvolume larger, at the backend and on the node. */
class FlexExpansionTest extends FlexBench {
    @Test
    void growingIsTheDriversWordAtTheBackendAndOnTheNode() {
        supports("mountdevice", "unmountdevice", "expandfs");
        driver.says("expandvolume", "{\"status\":\"Success\",\"volumeNewSize\":3221225472}");
        mountDevice(attach());
        driver.calls.clear();

        ExpandResult grown = expandVolume();
        long seen = expandOnNode(DEVICE);

        String volume = "{\"kubernetes.io/fsType\":\"xfs\",\"kubernetes.io/pvOrVolumeName\":\"data\","
                + "\"kubernetes.io/readwrite\":\"rw\",\"volumeID\":\"v1\"}";
        assertThat(driver.calls)
                .containsExactly(
                        List.of("expandvolume", volume, "", "2147483648", "1073741824"),
                        List.of("expandfs", volume, "/dev/flex", DEVICE.toString(), "2147483648", "1073741824"));
        assertThat(grown.capacityBytes()).as("what the driver made of it").isEqualTo(3L << 30);
        assertThat(grown.nodeExpansionRequired()).isTrue();
        assertThat(seen).isEqualTo(2L << 30);
        unmountDevice();
    }

    @Test
    void aDriverThatDoesNotGrowGetsTheSizeAskedForAndOurTools() {
        machine.addDisk(Path.of("/dev/flex"), "serial-1", 1L << 30);
        mountDevice(attach());
        machine.resizeDisk(Path.of("/dev/flex"), 2L << 30);

        assertThat(expandVolume().capacityBytes()).isEqualTo(2L << 30);
        assertThat(expandOnNode(DEVICE)).isEqualTo(2L << 30);

        assertThat(machine.usage(DEVICE.absolute()).totalBytes()).isEqualTo(2L << 30);
        assertThat(driver.commands()).contains("expandvolume", "expandfs");
        unmountDevice();
    }

    /** The volume has grown at its backend; this node's kernel has not read the new size of its device. */
    @Test
    void aDeviceThatHasNotGrownOnTheNodeIsNotReportedAsGrown() {
        machine.addDisk(Path.of("/dev/flex"), "serial-1", 1L << 30);
        mountDevice(attach());

        VolumeException failure = catchThrowableOfType(VolumeException.class, () -> expandOnNode(DEVICE));

        assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(failure).hasMessageContaining("/dev/flex has 1073741824 bytes on this node, not 2147483648");
        machine.resizeDisk(Path.of("/dev/flex"), 2L << 30);
        assertThat(expandOnNode(DEVICE)).isEqualTo(2L << 30);
        unmountDevice();
    }

    /** Partition tables, headers of encryption and rounding take a part of the volume. */
    @Test
    void aDeviceMayBeSomewhatSmallerThanItsVolume() {
        machine.addDisk(Path.of("/dev/flex"), "serial-1", 1L << 30);
        mountDevice(attach());
        long smaller = (2L << 30) - (16 << 20);
        machine.resizeDisk(Path.of("/dev/flex"), smaller);

        assertThat(expandOnNode(DEVICE)).isEqualTo(2L << 30);

        assertThat(machine.usage(DEVICE.absolute()).totalBytes()).isEqualTo(smaller);
        unmountDevice();
    }

    @Test
    void aDriverThatFailsToGrowMayHaveGrown() {
        plugin();
        driver.says("expandvolume", "{\"status\":\"Failure\",\"message\":\"no room\"}");
        driver.says("expandfs", "{\"status\":\"Failure\",\"message\":\"busy\"}");

        VolumeException atBackend = catchThrowableOfType(VolumeException.class, this::expandVolume);
        VolumeException onNode = catchThrowableOfType(VolumeException.class, () -> expandOnNode(DEVICE));

        assertThat(atBackend.kind()).isEqualTo(FailureKind.UNCERTAIN);
        assertThat(atBackend).hasMessageContaining("expandvolume: it says: \"no room\"");
        assertThat(onNode.kind()).isEqualTo(FailureKind.UNCERTAIN);
    }

    /** Otherwise the claim would say that the filesystem is larger, and it is not. */
    @Test
    void whatCannotGrowIsNotReportedAsGrown() {
        VolumeException failure = catchThrowableOfType(VolumeException.class, () -> expandOnNode(null));

        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(failure.advice()).contains("requiresFSResize");
    }
}
