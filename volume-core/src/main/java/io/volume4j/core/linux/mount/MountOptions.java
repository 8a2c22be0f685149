package io.volume4j.core.linux.mount;

import io.volume4j.core.linux.sys.MountCalls;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.FilesystemMount;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Options of {@code /etc/fstab}, sorted by their meaning: flags of mount(2), flags of the new mount API, options of
 * the filesystem itself, and options for the programs that read fstab. mount(8), "filesystem-independent mount
 * options".
 *
 * @param flags of mount(2)
 * @param attributes of fsmount(2), for those flags that belong to the mount
 * @param superblockFlags those flags that belong to the filesystem, as words for fsconfig(2)
 * @param data the filesystem's own options, each {@code key} or {@code key=value}
 */
record MountOptions(long flags, long attributes, List<String> superblockFlags, List<String> data) {
    private static final long MS_LAZYTIME = 1L << 25;
    private static final long ATTR_ATIME = 0x70;

    /** A word and the flags that it sets or clears. */
    private enum Word {
        RO(1, 1, 0, "ro", false),
        RW(1, 1, 0, "ro", true),
        NOSUID(2, 2, 0, "", false),
        SUID(2, 2, 0, "", true),
        NODEV(4, 4, 0, "", false),
        DEV(4, 4, 0, "", true),
        NOEXEC(8, 8, 0, "", false),
        EXEC(8, 8, 0, "", true),
        SYNC(0x10, 0, 0, "sync", false),
        ASYNC(0x10, 0, 0, "sync", true),
        DIRSYNC(0x80, 0, 0, "dirsync", false),
        NOSYMFOLLOW(0x100, 0x200000, 0, "", false),
        NOATIME(0x400, 0x10, ATTR_ATIME, "", false),
        ATIME(0x400, 0x10, 0, "", true),
        NODIRATIME(0x800, 0x80, 0, "", false),
        DIRATIME(0x800, 0x80, 0, "", true),
        RELATIME(1 << 21, 0, ATTR_ATIME, "", false),
        NORELATIME(1 << 21, 0, 0, "", true),
        STRICTATIME(1 << 24, 0x20, ATTR_ATIME, "", false),
        NOSTRICTATIME(1 << 24, 0x20, 0, "", true),
        LAZYTIME(MS_LAZYTIME, 0, 0, "lazytime", false),
        NOLAZYTIME(MS_LAZYTIME, 0, 0, "lazytime", true),
        SILENT(1 << 15, 0, 0, "", false),
        LOUD(1 << 15, 0, 0, "", true);

        private final long flag;
        private final long attribute;
        private final long replacedAttributes;
        private final String superblockFlag;
        private final boolean clears;

        Word(long flag, long attribute, long replacedAttributes, String superblockFlag, boolean clears) {
            this.flag = flag;
            this.attribute = attribute;
            this.replacedAttributes = replacedAttributes;
            this.superblockFlag = superblockFlag;
            this.clears = clears;
        }
    }

    /** Options for the programs that read fstab; the kernel does not know them. */
    private static final List<String> NOT_FOR_THE_KERNEL =
            List.of("defaults", "auto", "noauto", "nofail", "_netdev", "user", "nouser", "users", "owner", "group");

    /** Options that select another operation instead of a mount of this filesystem, or one that mount(8) adds to it. */
    private static final List<String> OTHER_OPERATIONS = List.of(
            "bind",
            "rbind",
            "move",
            "remount",
            "private",
            "rprivate",
            "shared",
            "rshared",
            "slave",
            "rslave",
            "unbindable",
            "runbindable",
            "loop",
            "X-mount.subdir",
            "X-mount.idmap",
            "X-mount.owner",
            "X-mount.group",
            "X-mount.mode");

    static MountOptions of(FilesystemMount mount) {
        long flags = 0;
        long attributes = 0;
        List<String> superblock = new ArrayList<>();
        List<String> data = new ArrayList<>();
        List<String> words = FilesystemMount.words(mount.options());
        if (mount.readOnly()) {
            words.add("ro");
        }
        for (String word : words) {
            String name = word.contains("=") ? word.substring(0, word.indexOf('=')) : word;
            if (OTHER_OPERATIONS.contains(name)) {
                throw VolumeException.finalFailure("mount option \"" + name + "\" is not an option of a filesystem")
                        .withAdvice("remove it from the volume's mount options");
            }
            Word known = known(word);
            if (known == null) {
                if (!isForPrograms(word, name)) {
                    data.add(word);
                }
            } else if (known.clears) {
                flags &= ~known.flag;
                attributes &= ~known.attribute;
                superblock.remove(known.superblockFlag);
            } else {
                flags |= known.flag;
                attributes = (attributes & ~known.replacedAttributes) | known.attribute;
                if (!known.superblockFlag.isEmpty() && !superblock.contains(known.superblockFlag)) {
                    superblock.add(known.superblockFlag);
                }
            }
        }
        return new MountOptions(
                flags, attributes, Collections.unmodifiableList(superblock), Collections.unmodifiableList(data));
    }

    private static boolean isForPrograms(String word, String name) {
        return NOT_FOR_THE_KERNEL.contains(word)
                || name.startsWith("x-")
                || name.startsWith("X-")
                || name.equals("comment");
    }

    boolean readOnly() {
        return (flags & MountCalls.MS_RDONLY) != 0;
    }

    /** The filesystem's own options in one string, for mount(2). */
    String joinedData() {
        return String.join(",", data);
    }

    private static @Nullable Word known(String word) {
        for (Word candidate : Word.values()) {
            if (candidate.name().toLowerCase(Locale.ROOT).equals(word)) {
                return candidate;
            }
        }
        return null;
    }
}
