package io.volume4j.core.linux.path;

import io.volume4j.core.linux.sys.Descriptor;
import io.volume4j.core.linux.sys.DirectoryEntries;
import io.volume4j.core.linux.sys.Errno;
import io.volume4j.core.linux.sys.IoctlRequest;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.SyscallException;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.RootedPath;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Limits the size of a directory tree by a project quota. The directory has a project number, all files created in it
 * inherit the number, and a quota limits all files with it. Decision 040. Thread-safe.
 *
 * <p>The number on the directory is the only record. It is set before the limit, and the limit is removed before the
 * directory. So a crash leaves no limit without its directory.
 */
final class ProjectQuotas {
    /** The library uses numbers from here to {@code 0x7fffffff}. It changes no quota of another number. */
    static final int FIRST = 0x4000_0000;

    private static final int TRIES = 64;

    // struct fsxattr, ioctl_xfs_fsgetxattr(2).
    private static final int ATTRIBUTES = 28;
    private static final int FLAGS = 0;
    private static final int PROJECT = 12;
    private static final int PROJECT_INHERITED = 0x200;

    // struct if_dqblk, quotactl(2).
    private static final int GET_QUOTA = 0x800007;
    private static final int SET_QUOTA = 0x800008;
    private static final int QUOTA = 72;
    private static final int HARD_LIMIT = 0;
    private static final int USED_BYTES = 16;
    private static final int USED_INODES = 40;
    private static final int VALID = 64;
    private static final int SPACE_LIMITS = 1;
    private static final long UNIT = 1024;

    // struct fs_quota_stat, quotactl(2), with room for what later kernels may add.
    private static final int GET_STATE = 0x5805;
    private static final int STATE = 128;
    private static final int STATE_FLAGS = 2;
    private static final int PROJECTS_ENFORCED = 1 << 5;

    private static final Set<Errno> NO_QUOTAS = EnumSet.of(
            Errno.ENOSYS, Errno.ENOTTY, Errno.EOPNOTSUPP, Errno.ESRCH, Errno.EINVAL, Errno.ENODEV, Errno.ENOTBLK);

    /** The caller then removes the directory, which reports these errors. */
    private static final Set<Errno> NO_DIRECTORY = EnumSet.of(Errno.ENOENT, Errno.ENOTDIR, Errno.ELOOP, Errno.EXDEV);

    private final Kernel kernel;
    private final SafePaths paths;

    ProjectQuotas(Kernel kernel, SafePaths paths) {
        this.kernel = kernel;
        this.paths = paths;
    }

    boolean set(RootedPath path, long bytes) {
        try (Descriptor directory = open(path)) {
            if (!enforced(directory)) {
                return false;
            }
            int project = project(directory);
            if (project == 0 && isEmpty(directory)) {
                project = choose(path, directory);
            } else if (!isOurs(path, project, directory)) {
                return false;
            }
            limit(directory, project, (bytes - 1) / UNIT + 1);
            return true;
        } catch (SyscallException e) {
            // A process without the right to set quotas may still create directories.
            if (e.is(Errno.EPERM)) {
                return false;
            }
            throw e;
        }
    }

    void remove(RootedPath path) {
        try (Descriptor directory = open(path)) {
            int project = project(directory);
            if (isOurs(path, project, directory)) {
                limit(directory, project, 0);
            }
        } catch (SyscallException e) {
            if (!NO_DIRECTORY.contains(e.errno()) && !NO_QUOTAS.contains(e.errno())) {
                throw e;
            }
        }
    }

    private Descriptor open(RootedPath path) {
        try (Descriptor root = paths.root(path.root())) {
            int flags = Kernel.O_RDONLY | kernel.architecture().openDirectory;
            return paths.open(root, path.relative(), flags, SafePaths.Reach.ACROSS_MOUNTS);
        }
    }

    private boolean enforced(Descriptor directory) {
        byte[] state = new byte[STATE];
        try {
            kernel.projectQuota(directory, GET_STATE, 0, state);
        } catch (SyscallException e) {
            if (NO_QUOTAS.contains(e.errno())) {
                return false;
            }
            throw e;
        }
        return (view(state).getShort(STATE_FLAGS) & PROJECTS_ENFORCED) != 0;
    }

    /**
     * Whether the library gave the directory its number. The number must follow from the directory's path: if a pod
     * sets another number on its directory, the library must not change that number's limit. An inherited number
     * belongs to the directory above, whose limit has another owner.
     */
    private boolean isOurs(RootedPath path, int project, Descriptor directory) {
        if (project < FIRST || IntStream.range(0, TRIES).noneMatch(attempt -> candidate(path, attempt) == project)) {
            return false;
        }
        int flags = Kernel.O_RDONLY | kernel.architecture().openDirectory;
        try (Descriptor above = kernel.openAt(directory, "..", flags, 0)) {
            return project(above) != project;
        }
    }

    private boolean isEmpty(Descriptor directory) {
        byte[] buffer = new byte[DirectoryEntries.BUFFER];
        int length = kernel.entries(directory, buffer);
        while (length > 0) {
            if (!DirectoryEntries.names(buffer, length).isEmpty()) {
                return false;
            }
            length = kernel.entries(directory, buffer);
        }
        return true;
    }

    /** Synchronized, so that two directories never get the same free number. */
    private synchronized int choose(RootedPath path, Descriptor directory) {
        for (int attempt = 0; attempt < TRIES; attempt++) {
            int candidate = candidate(path, attempt);
            if (isFree(directory, candidate)) {
                byte[] attributes = attributes(directory);
                ByteBuffer view = view(attributes);
                view.putInt(FLAGS, view.getInt(FLAGS) | PROJECT_INHERITED).putInt(PROJECT, candidate);
                kernel.control(directory, IoctlRequest.FS_IOC_FSSETXATTR, attributes);
                return candidate;
            }
        }
        throw VolumeException.transientFailure("no free project number for the quota of " + path + " in " + TRIES
                        + " tries between " + FIRST + " and " + Integer.MAX_VALUE)
                .withAdvice("let other programs use project numbers outside of that range");
    }

    /**
     * The number for a try. It depends only on the relative path and the try, and different paths are spread over the
     * whole range.
     */
    static int candidate(RootedPath path, int attempt) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest((attempt + " " + path.relative()).getBytes(StandardCharsets.UTF_8));
            return FIRST | (ByteBuffer.wrap(digest).getInt() & (FIRST - 1));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("each Java has SHA-256", e);
        }
    }

    private boolean isFree(Descriptor directory, int project) {
        ByteBuffer quota = quota(directory, project);
        return quota == null
                || (quota.getLong(HARD_LIMIT) == 0
                        && quota.getLong(USED_BYTES) == 0
                        && quota.getLong(USED_INODES) == 0);
    }

    private void limit(Descriptor directory, int project, long units) {
        ByteBuffer now = quota(directory, project);
        if ((now == null ? 0 : now.getLong(HARD_LIMIT)) == units) {
            return;
        }
        byte[] wanted = new byte[QUOTA];
        view(wanted).putLong(HARD_LIMIT, units).putInt(VALID, SPACE_LIMITS);
        kernel.projectQuota(directory, SET_QUOTA, project, wanted);
    }

    /** The quota, null if the number was never used. XFS reports this as an error, ext4 as zeros. */
    private @Nullable ByteBuffer quota(Descriptor directory, int project) {
        byte[] quota = new byte[QUOTA];
        try {
            kernel.projectQuota(directory, GET_QUOTA, project, quota);
            return view(quota);
        } catch (SyscallException e) {
            if (e.is(Errno.ENOENT)) {
                return null;
            }
            throw e;
        }
    }

    private int project(Descriptor directory) {
        return view(attributes(directory)).getInt(PROJECT);
    }

    private byte[] attributes(Descriptor directory) {
        byte[] attributes = new byte[ATTRIBUTES];
        kernel.control(directory, IoctlRequest.FS_IOC_FSGETXATTR, attributes);
        return attributes;
    }

    private static ByteBuffer view(byte[] structure) {
        return ByteBuffer.wrap(structure).order(ByteOrder.nativeOrder());
    }
}
