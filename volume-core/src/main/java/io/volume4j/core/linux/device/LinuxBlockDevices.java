package io.volume4j.core.linux.device;

import io.volume4j.core.linux.mount.MountSnapshot;
import io.volume4j.core.linux.mount.SharedMountTable;
import io.volume4j.core.linux.sys.Capability;
import io.volume4j.core.linux.sys.Descriptor;
import io.volume4j.core.linux.sys.Errno;
import io.volume4j.core.linux.sys.Failures;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.SyscallException;
import io.volume4j.core.linux.tool.FilesystemTools;
import io.volume4j.core.linux.tool.FilesystemTools.Command;
import io.volume4j.core.linux.tool.ToolOutput;
import io.volume4j.core.linux.tool.ToolProcesses;
import io.volume4j.core.linux.tool.ToolResult;
import io.volume4j.core.linux.tool.ToolRunner;
import io.volume4j.core.linux.tool.Tools;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.BlockDevices;
import io.volume4j.spi.mount.DeviceContent;
import io.volume4j.spi.mount.DeviceContent.Kind;
import io.volume4j.spi.mount.DeviceIdentity;
import io.volume4j.spi.mount.Programs.Ending;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@link BlockDevices}: probes devices itself, and runs the system's tools to make, check and expand filesystems. */
public final class LinuxBlockDevices implements BlockDevices {
    private static final Logger log = LoggerFactory.getLogger(LinuxBlockDevices.class);

    // Bits of fsck's exit code; fsck(8).
    private static final int FSCK_REPAIRED = 1;
    private static final int FSCK_REBOOT = 2;
    private static final int FSCK_ERRORS_LEFT = 4;

    private final Kernel kernel;
    private final SharedMountTable table;
    private final DeviceIdentities identities;
    private final BlankProbe probe;
    private final Tools tools;
    private final ToolRunner runner;
    private final Limits limits;

    /** How long each kind of tool may run before it is killed. */
    public record Limits(Duration format, Duration check, Duration grow) {}

    public LinuxBlockDevices(
            Kernel kernel, SharedMountTable table, Tools tools, ToolProcesses processes, Limits limits) {
        this.kernel = kernel;
        this.table = table;
        this.identities = new DeviceIdentities(kernel);
        this.probe = new BlankProbe(kernel, identities);
        this.tools = tools;
        this.runner = new ToolRunner(tools, processes);
        this.limits = limits;
    }

    @Override
    public DeviceIdentity identify(Path device) {
        try (Descriptor open = identities.open(device, Kernel.O_RDONLY)) {
            return identities.of(open, device);
        } catch (SyscallException e) {
            throw VolumeException.transientFailure("identify: " + e.text()).withCause(e);
        }
    }

    @Override
    public DeviceContent probe(Path device) {
        return probe.probe(device);
    }

    @Override
    public DeviceContent probe(Path device, long readAtMost, CallContext context) {
        return probe.probe(device, readAtMost, context);
    }

    @Override
    public void format(
            Path device, DeviceIdentity expected, String fsType, List<String> mkfsOptions, CallContext context) {
        FilesystemTools filesystem = FilesystemTools.toMake(fsType);
        try (Descriptor held = claim(device, expected)) {
            // mkfs gets this descriptor instead of a path, so it writes to the device that was checked.
            Path operand =
                    Path.of("/proc", Long.toString(ProcessHandle.current().pid()), "fd", "" + held.number());
            Command mkfs = filesystem.make(tools, operand, mkfsOptions);
            context.progress("making " + fsType + " on " + device);
            ToolResult result = runner.run(mkfs.tool(), mkfs.arguments(), limits.format(), context);
            judgeFormat(device, held, fsType, result);
        } catch (SyscallException e) {
            throw Failures.of(e);
        }
    }

    /** Opens the device. Verifies that it is the expected one and not in use. */
    private Descriptor claim(Path device, DeviceIdentity expected) {
        try (Descriptor exclusive = identities.open(device, Kernel.O_RDONLY | Kernel.O_EXCL)) {
            DeviceIdentity found = identities.of(exclusive, device);
            if (!found.equals(expected)) {
                throw VolumeException.finalFailure("format " + device + ": it is " + found.serial() + " of "
                                + found.bytes() + " bytes now and no longer " + expected.serial() + " of "
                                + expected.bytes() + " bytes")
                        .withAdvice("nothing was written; find out why the device changed");
            }
            // mkfs opens the device exclusively itself, so meanwhile only the plain descriptor stays open.
            return kernel.open(exclusive.magicLink(), Kernel.O_RDONLY);
        } catch (SyscallException e) {
            if (e.is(Errno.EBUSY)) {
                throw VolumeException.of(
                                FailureKind.IN_USE,
                                "format " + device + ": it is mounted or part of another device: EBUSY (busy)")
                        .withAdvice("nothing was written; look at lsblk " + device)
                        .withCause(e);
            }
            throw e;
        }
    }

    private void judgeFormat(Path device, Descriptor held, String fsType, ToolResult result) {
        String tried = "format " + device + " with " + fsType + ": ";
        if (result.ending() != Ending.EXITED) {
            throw VolumeException.uncertain(tried + result.describe());
        }
        DeviceContent now;
        try {
            now = probe.probe(held, device);
        } catch (VolumeException e) {
            throw VolumeException.uncertain(tried + result.describe() + "; then " + e.reason())
                    .withAdvice(e.advice())
                    .withCause(e);
        }
        boolean made = now.kind() == Kind.FILESYSTEM && now.type().equals(fsType);
        if (result.exitCode() == 0 && made) {
            return;
        }
        if (result.exitCode() != 0 && now.kind() == Kind.BLANK) {
            throw VolumeException.finalFailure(tried + result.describe())
                    .withAdvice("the device is still blank; see what mkfs says, and the mkfs options");
        }
        throw VolumeException.uncertain(tried + result.describe() + "; now " + now.evidence());
    }

    @Override
    public void check(Path device, String fsType, CallContext context) {
        Optional<FilesystemTools> filesystem = FilesystemTools.known(fsType);
        if (filesystem.isEmpty() || !filesystem.get().isChecked()) {
            return;
        }
        if (tools.find("fsck." + fsType).isEmpty()) {
            // As on a machine that boots without fsck, the kernel replays the journal, and refuses a badly damaged
            // filesystem.
            log.atWarn()
                    .addKeyValue("device", device)
                    .addKeyValue("fsType", fsType)
                    .addKeyValue("program", "fsck." + fsType)
                    .log("filesystem is not checked before it is mounted: its fsck program is not installed");
            return;
        }
        context.progress("checking " + fsType + " on " + device);
        Command fsck = filesystem.get().check(tools, device);
        judgeCheck(device, runner.run(fsck.tool(), fsck.arguments(), limits.check(), context));
    }

    private static void judgeCheck(Path device, ToolResult result) {
        String tried = "check " + device + ": " + result.describe();
        if (result.ending() == Ending.STUCK) {
            throw VolumeException.uncertain(tried);
        }
        if (result.ending() != Ending.EXITED) {
            throw VolumeException.transientFailure(tried);
        }
        if ((result.exitCode() & FSCK_ERRORS_LEFT) != 0) {
            throw VolumeException.finalFailure(tried).withAdvice("repair it by hand: fsck -f " + device);
        }
        if ((result.exitCode() & ~(FSCK_REPAIRED | FSCK_REBOOT)) != 0) {
            throw VolumeException.transientFailure(tried);
        }
        if (result.exitCode() != 0) {
            log.atInfo()
                    .addKeyValue("device", device)
                    .addKeyValue("output", ToolOutput.shown(result.output()))
                    .log("filesystem repaired");
        }
    }

    @Override
    public void grow(Path device, Path mountPoint, String fsType, CallContext context) {
        FilesystemTools filesystem = FilesystemTools.known(fsType)
                .orElseThrow(() -> VolumeException.of(
                                FailureKind.INFEASIBLE, "grow " + device + ": the library cannot grow " + fsType)
                        .withAdvice("the volume has its new size; grow the filesystem by hand"));
        boolean mounted = isMounted(device, mountPoint, filesystem);
        if (mounted && !filesystem.growsOnlyMounted() && !Capability.CAP_SYS_RESOURCE.isEffective()) {
            throw VolumeException.finalFailure(
                            "grow " + device + ": the kernel needs CAP_SYS_RESOURCE to grow a mounted " + fsType
                                    + ", and this process lacks it")
                    .withAdvice("give the process that capability, or grow the volume while it is not mounted");
        }
        context.progress("growing " + fsType + " on " + device);
        if (!mounted) {
            Command fsck = filesystem.checkFully(tools, device);
            judgeCheck(device, runner.run(fsck.tool(), fsck.arguments(), limits.check(), context));
        }
        Command grow = filesystem.grow(tools, device, mountPoint);
        ToolResult result = runner.run(grow.tool(), grow.arguments(), limits.grow(), context);
        if (!result.exitedWith(0)) {
            throw VolumeException.uncertain("grow " + device + ": " + result.describe());
        }
    }

    @Override
    public <T> Optional<T> await(
            List<Path> directories, Duration atMost, CallContext context, Supplier<Optional<T>> look) {
        return DeviceNodeWatch.await(directories, atMost, context, look);
    }

    private boolean isMounted(Path device, Path mountPoint, FilesystemTools filesystem) {
        String number;
        try {
            number = kernel.facts(device).represents();
        } catch (SyscallException e) {
            throw Failures.of(e);
        }
        MountSnapshot mounts = table.read();
        // Btrfs has its own device number in the mount table.
        boolean there = mounts.at(mountPoint)
                .filter(entry -> entry.majorMinor().equals(number)
                        || (filesystem == FilesystemTools.BTRFS
                                && entry.fsType().equals("btrfs")))
                .isPresent();
        if (!there && filesystem.growsOnlyMounted()) {
            throw VolumeException.transientFailure("grow " + device + ": " + filesystem.type()
                    + " grows only while mounted, and it is not mounted on " + mountPoint);
        }
        return there || !mounts.ofDevice(number).isEmpty();
    }
}
