package io.volume4j.core.linux.sys;

/**
 * The features that this kernel (or its seccomp filter) offers to a process. Tests switch features off to use the
 * older ways.
 *
 * @param openat2 Linux 5.6
 * @param mountApi open_tree, move_mount and, the newest of them, mount_setattr; Linux 5.12
 * @param mountIds statx returns mount ids; Linux 5.8
 * @param loopConfigure whether to try it on loop devices; Linux 5.8 supports it
 * @param mountEvents whether to try fanotify(7) events for each attached, detached or moved mount; Linux 6.15 supports
 *     them
 * @param renameToFree whether to try it; some filesystems, among them NFS, refuse it
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
