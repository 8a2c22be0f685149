package io.volume4j.inmemory.mount;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;

/** Errors of system calls, with their meaning for the caller, as in the Linux backend. */
enum KernelError {
    EBUSY(FailureKind.IN_USE),
    ENOSPC(FailureKind.EXHAUSTED),
    EDQUOT(FailureKind.EXHAUSTED),
    ENOENT(FailureKind.TRANSIENT),
    EIO(FailureKind.TRANSIENT),
    ENXIO(FailureKind.TRANSIENT),
    EPERM(FailureKind.FINAL),
    EEXIST(FailureKind.FINAL),
    EXDEV(FailureKind.FINAL),
    ENODEV(FailureKind.FINAL),
    ENOTDIR(FailureKind.FINAL),
    EISDIR(FailureKind.FINAL),
    EINVAL(FailureKind.FINAL),
    ENOTBLK(FailureKind.FINAL),
    EROFS(FailureKind.FINAL),
    ENOTEMPTY(FailureKind.FINAL),
    ELOOP(FailureKind.FINAL),
    EOVERFLOW(FailureKind.FINAL);

    private final FailureKind kind;

    KernelError(FailureKind kind) {
        this.kind = kind;
    }

    /** @param call the system call and its operands */
    VolumeException of(String call) {
        return VolumeException.of(kind, call + ": " + this);
    }

    VolumeException of(String call, String more) {
        return VolumeException.of(kind, call + ": " + more + " (" + this + ")");
    }
}
