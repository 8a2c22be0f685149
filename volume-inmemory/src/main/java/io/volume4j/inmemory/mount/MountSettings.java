package io.volume4j.inmemory.mount;

import io.volume4j.spi.mount.Abilities;
import io.volume4j.spi.mount.FilesystemMount;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The mount options as the in-memory kernel interprets them. */
final class MountSettings {
    private static final Set<String> FLAGS = Set.of("nosuid", "nodev", "noexec", "noatime", "nodiratime", "sync");
    private static final Set<String> ON_DEVICES = Set.of("ext2", "ext3", "ext4", "xfs", "btrfs", "vfat");

    private static final Set<String> MAPPING_IDS = Set.of("ext2", "ext3", "ext4", "xfs", "btrfs", "vfat", "tmpfs");

    private final List<String> flags = new ArrayList<>();
    private final List<String> data = new ArrayList<>();
    private final boolean readOnly;

    MountSettings(FilesystemMount filesystem) {
        boolean only = filesystem.readOnly();
        for (String option : filesystem.options()) {
            if (option.equals("ro")) {
                only = true;
            } else if (FLAGS.contains(option)) {
                flags.add(option);
            } else if (!option.equals("rw") && !option.equals("defaults")) {
                data.add(option);
            }
        }
        readOnly = only;
    }

    static boolean needsDevice(String fsType) {
        return ON_DEVICES.contains(fsType);
    }

    /** As in Linux; no network filesystem supports it. */
    static boolean mapsIds(String fsType) {
        return MAPPING_IDS.contains(fsType);
    }

    static boolean known(Abilities abilities, String fsType) {
        return abilities.filesystems().contains(fsType);
    }

    boolean readOnly() {
        return readOnly;
    }

    List<String> flags() {
        return List.copyOf(flags);
    }

    List<String> superOptions() {
        List<String> all = new ArrayList<>();
        all.add(readOnly ? "ro" : "rw");
        all.addAll(data);
        return List.copyOf(all);
    }

    /** The size of a tmpfs, 0 for none. */
    long bytes(String call) {
        for (String option : data) {
            if (option.startsWith("size=")) {
                return bytesOf(option.substring("size=".length()).toLowerCase(Locale.ROOT), call);
            }
        }
        return 0;
    }

    private static long bytesOf(String text, String call) {
        int power = text.isEmpty() ? -1 : "kmg".indexOf(text.charAt(text.length() - 1));
        try {
            return power < 0
                    ? Long.parseLong(text)
                    : Long.parseLong(text.substring(0, text.length() - 1)) << (10 * (power + 1));
        } catch (NumberFormatException notANumber) {
            throw KernelError.EINVAL.of(call, "Bad value for 'size'");
        }
    }
}
