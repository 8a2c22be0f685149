package io.volume4j.inmemory.mount;

import io.volume4j.inmemory.oracle.Violation;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.Abilities;
import io.volume4j.spi.mount.BlockDevices;
import io.volume4j.spi.mount.DeviceContent;
import io.volume4j.spi.mount.DeviceIdentity;
import java.nio.file.Path;
import java.util.List;

/** Block devices. A format over possible data of a user succeeds, as with mkfs, and is recorded as a violation. */
final class MemoryDevices implements BlockDevices {
    /** The end of the superblock of btrfs; a shorter device cannot be proved blank. */
    private static final long SHORTEST = 68 * 1024;

    /** The size that is always read. */
    private static final long READ_ANYHOW = 16 << 20;

    private final Machine machine;
    private final MachineCalls calls;
    private final Abilities abilities;

    MemoryDevices(Machine machine, MachineCalls calls, Abilities abilities) {
        this.machine = machine;
        this.calls = calls;
        this.abilities = abilities;
    }

    @Override
    public DeviceIdentity identify(Path device) {
        return calls.get("identify", device, () -> identityOf(transientDevice(device, "identify " + device)));
    }

    @Override
    public DeviceContent probe(Path device) {
        return look(device, READ_ANYHOW);
    }

    @Override
    public DeviceContent probe(Path device, long readAtMost, CallContext context) {
        return look(device, Math.max(readAtMost, READ_ANYHOW));
    }

    private DeviceContent look(Path device, long readAtMost) {
        return calls.get("probe", device, () -> {
            String call = "pread " + device;
            Disk disk = transientDevice(device, call);
            disk.image.seen = !disk.image.unreadable;
            if (disk.image.unreadable) {
                throw KernelError.EIO.of(call);
            }
            if (disk.bytes < SHORTEST) {
                throw VolumeException.transientFailure(
                        call + ": a device of " + disk.bytes + " bytes is too short to tell what is on it");
            }
            // The holes of a file are known without reading; a real disk must be read.
            return disk.image.content(disk.backing != null || disk.bytes <= readAtMost);
        });
    }

    @Override
    public void format(Path device, DeviceIdentity expected, String fsType, List<String> options, CallContext context) {
        String call = "mkfs." + fsType + " " + device;
        calls.make("format", device, context, () -> begin(device, expected, fsType, call), () -> {
            Disk disk = machine.device(device, call);
            disk.image.becomeFilesystem(new Filesystem(fsType, disk.majorMinor, disk.bytes));
        });
    }

    private void begin(Path device, DeviceIdentity expected, String fsType, String call) {
        Disk disk = machine.device(device, call);
        if (!identityOf(disk).equals(expected)) {
            throw VolumeException.finalFailure(
                    call + ": it is another device now: " + identityOf(disk) + " instead of " + expected);
        }
        if (!abilities.formats().contains(fsType)) {
            throw VolumeException.finalFailure(call + ": mkfs." + fsType + " was not found")
                    .withAdvice("install it");
        }
        if (disk.readOnly) {
            throw KernelError.EROFS.of(call);
        }
        if (machine.isInUse(disk)) {
            throw KernelError.EBUSY.of(call, "the device is mounted");
        }
        boolean blind = disk.image.unreadable && !disk.image.seen;
        if (blind || disk.image.holdsData()) {
            machine.violations.add(new Violation(
                    "S6",
                    call,
                    blind
                            ? "the device could not be read"
                            : "it held " + disk.image.content().evidence()));
        } else if (disk.image.unreadable) {
            // The device was seen before, and mkfs reads too.
            throw KernelError.EIO.of(call);
        }
        disk.image.becomeHalfFormatted();
    }

    @Override
    public void check(Path device, String fsType, CallContext context) {
        calls.make("check", device, context, () -> {
            String call = "fsck." + fsType + " " + device;
            Disk disk = machine.device(device, call);
            Filesystem filesystem = disk.image.filesystem();
            if (filesystem == null || !filesystem.fsType.equals(fsType)) {
                throw VolumeException.finalFailure(call + ": no " + fsType + " is on it");
            }
            if (machine.isInUse(disk)) {
                throw KernelError.EBUSY.of(call, "the device is mounted");
            }
            if (disk.image.damaged) {
                throw VolumeException.finalFailure(call + ": errors are left")
                        .withAdvice("check the filesystem by hand");
            }
        });
    }

    @Override
    public void grow(Path device, Path mountPoint, String fsType, CallContext context) {
        calls.make("grow", device, context, () -> {
            String call = "grow " + fsType + " on " + device;
            Disk disk = machine.device(device, call);
            Filesystem filesystem = disk.image.filesystem();
            if (filesystem == null || !filesystem.fsType.equals(fsType)) {
                throw VolumeException.finalFailure(call + ": no " + fsType + " is on it");
            }
            boolean mountedThere = machine.mounts().all().stream()
                    .anyMatch(mount -> mount.filesystem == filesystem && mount.point.equals(mountPoint));
            if (!mountedThere && !fsType.startsWith("ext")) {
                throw KernelError.EINVAL.of(call, "it is not mounted on " + mountPoint);
            }
            filesystem.bytes = Math.max(filesystem.bytes, disk.bytes);
        });
    }

    /** A missing device may appear later. */
    private Disk transientDevice(Path device, String call) {
        try {
            return machine.device(device, call);
        } catch (VolumeException notThere) {
            throw VolumeException.transientFailure(notThere.reason()).withAdvice(notThere.advice());
        }
    }

    private static DeviceIdentity identityOf(Disk disk) {
        return new DeviceIdentity(disk.serial, disk.bytes);
    }
}
