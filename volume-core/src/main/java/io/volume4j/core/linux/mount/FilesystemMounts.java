package io.volume4j.core.linux.mount;

import io.volume4j.core.linux.path.SafePaths;
import io.volume4j.core.linux.sys.Descriptor;
import io.volume4j.core.linux.sys.Errno;
import io.volume4j.core.linux.sys.Failures;
import io.volume4j.core.linux.sys.FileFacts;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.MountCalls;
import io.volume4j.core.linux.sys.PathText;
import io.volume4j.core.linux.sys.SyscallException;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Mounts filesystems. Thread-safe. */
public final class FilesystemMounts {
    /** The maximum length of options for mount(2): a page, minus the final zero. */
    private static final int DATA_LIMIT = 4095;
    /** The maximum length of a value for fsconfig(2). */
    private static final int VALUE_LIMIT = 255;

    private static final int MESSAGES_SHOWN = 5;
    /** By filesystem, the option with which the kernel does not replay its journal. */
    private static final Map<String, String> WITHOUT_JOURNAL =
            Map.of("ext3", "noload", "ext4", "noload", "xfs", "norecovery");

    private final Kernel kernel;
    private final MountCalls calls;
    private final SafePaths paths;
    private final SharedMountTable table;

    public FilesystemMounts(Kernel kernel, MountCalls calls, SafePaths paths, SharedMountTable table) {
        this.kernel = kernel;
        this.calls = calls;
        this.paths = paths;
        this.table = table;
    }

    public void mount(FilesystemMount filesystem, RootedPath target) {
        MountOptions options = MountOptions.of(filesystem);
        String tried = "mount " + filesystem.fsType() + " " + filesystem.source() + " on " + target;
        if (PathText.bytes(options.joinedData()).length > DATA_LIMIT) {
            throw VolumeException.finalFailure(tried + ": the mount options are longer than " + DATA_LIMIT + " bytes");
        }
        try (MountPlace place = MountPlace.open(kernel, paths, target)) {
            if (!place.isFree()) {
                acceptIfSame(filesystem, options, place, tried);
            } else if (kernel.features().mountApi() && fitsNewApi(filesystem, options)) {
                mountDetached(filesystem, options, place, tried);
            } else {
                calls.mount(
                        filesystem.source(),
                        place.descriptor(),
                        filesystem.fsType(),
                        options.flags(),
                        options.joinedData(),
                        place);
            }
        } catch (SyscallException e) {
            throw refused(e, filesystem, tried);
        }
    }

    private static boolean fitsNewApi(FilesystemMount filesystem, MountOptions options) {
        List<String> values = new ArrayList<>(options.data());
        values.add(filesystem.source());
        return values.stream().allMatch(value -> PathText.bytes(value).length <= VALUE_LIMIT);
    }

    /** Mounts with the new API, which reports errors as text. */
    private void mountDetached(FilesystemMount filesystem, MountOptions options, MountPlace place, String tried) {
        try (Descriptor context = calls.openFilesystem(filesystem.fsType())) {
            try {
                calls.configure(context, "source", filesystem.source());
                for (String flag : options.superblockFlags()) {
                    calls.configure(context, flag);
                }
                configure(context, options);
                calls.create(context);
            } catch (SyscallException e) {
                throw e.of(tried + messages(context) + ": " + e.call());
            }
            try (Descriptor mount = calls.mountFilesystem(context, options.attributes())) {
                calls.attach(mount, place.descriptor(), place);
            }
        }
    }

    private void configure(Descriptor context, MountOptions options) {
        for (String option : options.data()) {
            int equals = option.indexOf('=');
            if (equals < 0) {
                calls.configure(context, option);
            } else {
                calls.configure(context, option.substring(0, equals), unquoted(option.substring(equals + 1)));
            }
        }
    }

    /** Changes the filesystem's own options, which mount(2) calls data. The flags of the mount stay. */
    public void reconfigure(FilesystemMount filesystem, RootedPath target) {
        MountOptions options = MountOptions.of(filesystem);
        String tried = "change " + String.join(",", options.data()) + " of " + filesystem.fsType() + " on " + target;
        try (MountPlace place = MountPlace.open(kernel, paths, target)) {
            if (place.isFree()) {
                throw VolumeException.transientFailure(tried + ": nothing is mounted there");
            }
            MountEntry there = ExistingMount.at(table.read(), place);
            if (!there.fsType().equals(filesystem.fsType()) || !sameSource(filesystem.source(), there)) {
                throw ExistingMount.foreign(tried, there);
            }
            try (Descriptor top = ExistingMount.open(paths, target, there.id())) {
                if (kernel.features().mountApi()) {
                    reconfigurePicked(top, options, place, tried);
                } else {
                    long flags = MountCalls.MS_REMOUNT | flagsOf(there);
                    calls.mount(there.source(), top, there.fsType(), flags, options.joinedData(), place);
                }
            } finally {
                // The kernel does not notify readers of the mount table of this.
                table.optionsChanged();
            }
        } catch (SyscallException e) {
            throw refused(e, filesystem, tried);
        }
    }

    private void reconfigurePicked(Descriptor top, MountOptions options, MountPlace place, String tried) {
        try (Descriptor context = calls.pickFilesystem(top, place)) {
            try {
                configure(context, options);
                calls.reconfigure(context);
            } catch (SyscallException e) {
                throw e.of(tried + messages(context) + ": " + e.call());
            }
        }
    }

    /** mount(2) with MS_REMOUNT also sets the flags of the mount, so the call must pass the present ones. */
    private static long flagsOf(MountEntry there) {
        return MountOptions.of(new FilesystemMount(there.fsType(), there.source(), there.readOnly(), there.options()))
                .flags();
    }

    /** The kernel's messages. The first letter of each line marks it as error, warning or information. */
    private String messages(Descriptor context) {
        StringBuilder text = new StringBuilder();
        byte[] buffer = new byte[1024];
        try {
            for (int i = 0; i < MESSAGES_SHOWN; i++) {
                int length = kernel.read(context, buffer);
                String line = new String(buffer, 0, length, StandardCharsets.UTF_8).trim();
                if (line.startsWith("e ") || line.startsWith("w ")) {
                    text.append(text.length() == 0 ? ": the kernel says \"" : "; ")
                            .append(line.substring(2));
                }
            }
        } catch (SyscallException e) {
            // ENODATA: no more lines.
        }
        return text.length() == 0 ? "" : text.append('"').toString();
    }

    private void acceptIfSame(FilesystemMount filesystem, MountOptions options, MountPlace place, String tried) {
        MountEntry there = ExistingMount.at(table.read(), place);
        boolean same = there.fsType().equals(filesystem.fsType())
                && sameSource(filesystem.source(), there)
                // A bind of a directory of the same filesystem is another mount. Btrfs may mount a subvolume.
                && (there.rootInFilesystem().equals("/") || filesystem.fsType().equals("btrfs"));
        if (!same) {
            throw ExistingMount.foreign(tried, there);
        }
        // Some filesystems are always read-only, or become read-only after an error: then the mount itself is not.
        boolean rightMode =
                options.readOnly() ? there.readOnly() : !there.options().contains("ro");
        if (!rightMode) {
            throw VolumeException.finalFailure(tried + ": it is mounted there already, but "
                            + (there.readOnly() ? "read-only" : "read-write"))
                    .withAdvice("unmount it first");
        }
    }

    private boolean sameSource(String source, MountEntry there) {
        if (!source.startsWith("/")) {
            return source.equals(there.source());
        }
        String device = deviceAt(source);
        if (device.isEmpty()) {
            return source.equals(there.source());
        }
        // Filesystems with several devices, such as btrfs, have their own device number, and show the path of one
        // device.
        return there.majorMinor().equals(device)
                || (there.majorMinor().startsWith("0:") && device.equals(deviceAt(there.source())));
    }

    /** The number of the block device at the path, {@code ""} if it is no block device. */
    private String deviceAt(String path) {
        try {
            FileFacts facts = kernel.facts(Path.of(path));
            return facts.type() == FileStatus.Type.BLOCK_DEVICE ? facts.represents() : "";
        } catch (SyscallException e) {
            return "";
        }
    }

    private static VolumeException refused(SyscallException e, FilesystemMount filesystem, String tried) {
        if (e.is(Errno.ENODEV)) {
            return VolumeException.finalFailure(
                            tried + ": this kernel does not know the filesystem " + filesystem.fsType() + " (ENODEV)")
                    .withAdvice("load the kernel module for " + filesystem.fsType() + ", or use another kernel")
                    .withCause(e);
        }
        VolumeException failure = Failures.of(e);
        String withoutJournal = WITHOUT_JOURNAL.getOrDefault(filesystem.fsType(), "");
        return e.is(Errno.EROFS) && !withoutJournal.isEmpty()
                ? failure.withAdvice("the device is write-protected and its filesystem was not unmounted cleanly: mount"
                        + " it once where it can be written, or give the volume the mount option " + withoutJournal
                        + ", which shows the files without the last changes in the journal")
                : failure;
    }

    private static String unquoted(String value) {
        boolean quoted = value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"");
        return quoted ? value.substring(1, value.length() - 1) : value;
    }
}
