package io.volume4j.core.linux.sys;

/**
 * What this kernel (or its seccomp filter) lets a process use. Tests switch features off to walk the older ways.
 *
 * @param openat2 Linux 5.6
 * @param mountApi open_tree, move_mount and, youngest of them, mount_setattr; Linux 5.12
 * @param mountIds statx tells mount ids; Linux 5.8
 * @param loopConfigure may be tried on loop devices; Linux 5.8 knows it
 * @param mountEvents may be tried: fanotify(7) that names each mount which came, went or moved; Linux 6.15 knows it
 * @param renameToFree may be tried: filesystems that cannot promise to replace nothing refuse it, NFS among them
 */
public record KernelFeatures(
        boolean openat2,
        boolean mountApi,
        boolean mountIds,
        boolean loopConfigure,
        boolean mountEvents,
        boolean renameToFree) {
    public static final KernelFeatures NONE = new KernelFeatures(false, false, false, false, false, false);
}
