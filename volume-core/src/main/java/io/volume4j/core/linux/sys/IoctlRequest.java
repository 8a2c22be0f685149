package io.volume4j.core.linux.sys;

/** Requests of ioctl(2); loop(4), sg(4), ioctl_xfs_fsgetxattr(2). The numbers are the same on all processors. */
public enum IoctlRequest {
    LOOP_SET_FD(0x4C00),
    LOOP_CLR_FD(0x4C01),
    SG_IO(0x2285),
    FICLONE(0x40049409L),
    FS_IOC_FSGETXATTR(0x801c581fL),
    FS_IOC_FSSETXATTR(0x401c5820L),
    LOOP_SET_STATUS64(0x4C04),
    LOOP_GET_STATUS64(0x4C05),
    LOOP_SET_CAPACITY(0x4C07),
    LOOP_CONFIGURE(0x4C0A),
    LOOP_CTL_GET_FREE(0x4C82);

    final long number;

    IoctlRequest(long number) {
        this.number = number;
    }
}
