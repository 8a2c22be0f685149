package io.volume4j.spi.mount;

/**
 * The group and mode bits that the files of a volume get.
 *
 * @param group its id, from 0 to 4294967294; see chown(2)
 * @param addToFiles mode bits that every file gets in addition to its own; not for links, which have none
 * @param addToDirectories the same for directories, including the topmost
 * @since 0.1.0
 */
public record OwnershipChange(long group, int addToFiles, int addToDirectories) {
    private static final int READ = 0440;
    private static final int READ_AND_WRITE = 0660;
    private static final int ENTER = 0110;
    /** What is made in the directory belongs to its group; inode(7). */
    private static final int SET_GROUP = 02000;

    public OwnershipChange {
        if (group < 0 || group >= 0xFFFFFFFFL) {
            throw new IllegalArgumentException("no group has the id " + group);
        }
        if ((addToFiles & ~07777) != 0 || (addToDirectories & ~07777) != 0) {
            throw new IllegalArgumentException("mode bits must be within 07777");
        }
    }

    /**
     * The change that Kubernetes makes for a pod's {@code fsGroup}: the group can read, write unless
     * {@code readOnly}, and enter directories.
     */
    public static OwnershipChange ofFsGroup(long group, boolean readOnly) {
        int bits = readOnly ? READ : READ_AND_WRITE;
        return new OwnershipChange(group, bits, bits | ENTER | SET_GROUP);
    }

    /** Whether a directory with this group and mode needs no change. */
    public boolean fitsDirectory(long itsGroup, int mode) {
        return itsGroup == group && (mode & addToDirectories) == addToDirectories;
    }

    /** Whether a file with this group and mode needs no change. Not for links and directories. */
    public boolean fitsFile(long itsGroup, int mode) {
        return itsGroup == group && (mode & addToFiles) == addToFiles;
    }
}
