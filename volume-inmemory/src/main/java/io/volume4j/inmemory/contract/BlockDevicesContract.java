package io.volume4j.inmemory.contract;

import static io.volume4j.inmemory.contract.Refusals.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.volume4j.inmemory.host.ManualCallContext;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.mount.BlockDevices;
import io.volume4j.spi.mount.DeviceContent;
import io.volume4j.spi.mount.DeviceIdentity;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.LoopDevices;
import io.volume4j.spi.mount.LoopDevices.LoopDevice;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The contract of loop devices and the filesystems on them. The process needs the right to mount and to set up loop
 * devices. Tests that format are skipped if mkfs.ext4 is not installed.
 *
 * @since 0.1.0
 */
public abstract class BlockDevicesContract extends BackendContract {
    private static final long MIB = 1 << 20;
    private static final byte[] HELLO = "hello".getBytes(StandardCharsets.UTF_8);

    private final CallContext context = new ManualCallContext("contract");

    /** For the extending class. */
    protected BlockDevicesContract() {}

    @Test
    void aFileHasOneLoopDeviceHoweverOftenItIsAskedFor() {
        RootedPath image = image("image");
        Path device = loops().attach(image, false);

        assertEquals(device, loops().attach(image, false));
        assertEquals(Optional.of(device), loops().find(image));
        assertEquals(List.of(new LoopDevice(device, image.absolute())), loops().below(root()));
        assertEquals(16 * MIB, devices().identify(device).bytes());
    }

    @Test
    void takingDownALoopDeviceTwiceIsSuccess() {
        RootedPath image = image("image");
        loops().attach(image, false);

        loops().detach(image);
        loops().detach(image);

        assertEquals(Optional.empty(), loops().find(image));
        assertEquals(List.of(), loops().below(root()));
    }

    @Test
    void aMissingFileHasNoLoopDeviceAndGetsNone() {
        assertFails(FailureKind.TRANSIENT, () -> loops().attach(path("missing"), false));
        assertEquals(Optional.empty(), loops().find(path("missing")));
        loops().detach(path("missing"));
    }

    @Test
    void anotherFileIsAnotherDevice() {
        Path first = loops().attach(image("image"), false);
        Path second = loops().attach(image("other"), false);

        assertNotEquals(first, second);
        assertNotEquals(devices().identify(first), devices().identify(second));
    }

    @Test
    void theSameFileIsTheSameDeviceAfterItWasTakenDown() {
        RootedPath image = image("image");
        DeviceIdentity before = devices().identify(loops().attach(image, false));
        loops().detach(image);

        assertEquals(before, devices().identify(loops().attach(image, false)));
    }

    @Test
    void anEmptyDeviceIsBlankAndADeviceWithDataIsNot() {
        byte[] data = "precious".repeat(256 * 1024).getBytes(StandardCharsets.UTF_8);
        backend().files().writeAtomically(path("data"), data, 0600);

        assertEquals(DeviceContent.Kind.BLANK, kind(loops().attach(image("image"), false)));
        assertEquals(DeviceContent.Kind.FOREIGN, kind(loops().attach(path("data"), false)));
    }

    @Test
    void aDeviceThatIsTooShortToTellIsNotBlank() {
        backend().files().createSparseFile(path("tiny"), 4096, 0600);
        Path device = loops().attach(path("tiny"), false);

        assertFails(FailureKind.TRANSIENT, () -> devices().probe(device));
    }

    @Test
    void whatIsNoDeviceIsNotIdentified() {
        RootedPath image = image("image");

        assertFails(FailureKind.TRANSIENT, () -> devices().identify(root().resolve("missing")));
        assertFails(FailureKind.TRANSIENT, () -> devices().identify(image.absolute()));
    }

    @Test
    void aFormattedDeviceHoldsWhatItWasFormattedWith() {
        Path device = formatted(image("image"));
        DeviceContent content = devices().probe(device);

        assertEquals(DeviceContent.Kind.FILESYSTEM, content.kind());
        assertEquals("ext4", content.type());
        devices().check(device, "ext4", context);
    }

    @Test
    void anotherDeviceThanTheExpectedIsNotFormatted() {
        assumeFormats();
        Path device = loops().attach(image("image"), false);
        DeviceIdentity actual = devices().identify(device);
        DeviceIdentity otherSerial = new DeviceIdentity("another", actual.bytes());
        DeviceIdentity otherSize = new DeviceIdentity(actual.serial(), actual.bytes() + 512);

        for (DeviceIdentity wrong : List.of(otherSerial, otherSize)) {
            assertFails(FailureKind.FINAL, () -> devices().format(device, wrong, "ext4", List.of(), context));
        }

        assertEquals(DeviceContent.Kind.BLANK, kind(device));
    }

    @Test
    void aFilesystemWithoutMkfsIsRefusedAndNothingIsTouched() {
        Path device = loops().attach(image("image"), false);
        DeviceIdentity identity = devices().identify(device);

        assertFails(FailureKind.FINAL, () -> devices().format(device, identity, "nosuchfs", List.of(), context));

        assertEquals(DeviceContent.Kind.BLANK, kind(device));
    }

    @Test
    void filesOutliveTheirMountAndTheirDevice() {
        RootedPath image = image("image");
        RootedPath target = mounted(formatted(image));
        machine().write(target.absolute().resolve("f"), HELLO);
        backend().unmount(target, UnmountMode.NORMAL);
        loops().detach(image);

        RootedPath again = mounted(loops().attach(image, false));

        assertArrayEquals(HELLO, machine().read(again.absolute().resolve("f")));
    }

    @Test
    void theSameDeviceMountedThereAlreadyIsSuccess() {
        Path device = formatted(image("image"));

        RootedPath target = mounted(device);
        mounted(device);

        assertEquals(List.of(target.absolute()), pointsBelow(target));
    }

    @Test
    void aDeviceThatIsMountedIsBusy() {
        RootedPath image = image("image");
        Path device = formatted(image);
        RootedPath target = mounted(device);

        assertFails(FailureKind.IN_USE, () -> loops().detach(image));

        assertEquals(Optional.of(device), loops().find(image));
        backend().unmount(target, UnmountMode.NORMAL);
        loops().detach(image);
    }

    @Test
    void aDeviceWithoutThatFilesystemIsNotMounted() {
        Path device = loops().attach(image("image"), false);

        assertFails(FailureKind.FINAL, () -> mounted(device));

        assertEquals(List.of(), pointsBelow(path("target")));
    }

    @Test
    void aDeviceIsAsLargeAsItsFileOnceItIsTold() {
        RootedPath image = image("image");
        Path device = loops().attach(image, false);

        backend().files().growFile(image, 64 * MIB);
        assertEquals(16 * MIB, devices().identify(device).bytes());
        loops().refreshSize(image);

        assertEquals(64 * MIB, devices().identify(device).bytes());
    }

    @Test
    void aGrownFileMakesAGrownDeviceMakesAGrownFilesystem() {
        assumeTrue(machine().growsMounted(), "this process may not grow what is mounted");
        RootedPath image = image("image");
        Path device = formatted(image);
        Path target = mounted(device).absolute();
        long before = backend().usage(target).totalBytes();

        backend().files().growFile(image, 64 * MIB);
        loops().refreshSize(image);
        devices().grow(device, target, "ext4", context);
        devices().grow(device, target, "ext4", context);

        long after = backend().usage(target).totalBytes();
        assertTrue(after >= before + 32 * MIB, () -> "grew from " + before + " to " + after);
    }

    private BlockDevices devices() {
        return backend().devices();
    }

    private LoopDevices loops() {
        return backend().loops();
    }

    private DeviceContent.Kind kind(Path device) {
        return devices().probe(device).kind();
    }

    private RootedPath image(String name) {
        backend().files().createSparseFile(path(name), 16 * MIB, 0600);
        return path(name);
    }

    private void assumeFormats() {
        assumeTrue(backend().abilities().formats().contains("ext4"), "mkfs.ext4 is not installed");
    }

    private Path formatted(RootedPath image) {
        assumeFormats();
        Path device = loops().attach(image, false);
        devices().format(device, devices().identify(device), "ext4", List.of(), context);
        return device;
    }

    private RootedPath mounted(Path device) {
        RootedPath target = directory("target");
        backend().mount(new FilesystemMount("ext4", device.toString(), false, List.of()), target);
        return target;
    }
}
