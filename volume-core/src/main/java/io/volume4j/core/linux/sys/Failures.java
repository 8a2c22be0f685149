package io.volume4j.core.linux.sys;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;

/** Maps errors of the kernel to failure kinds. The only place that does so. */
public final class Failures {
    private static final String NEEDS_ADMIN = "needs CAP_SYS_ADMIN in the mount namespace; run as root";

    private Failures() {}

    /** The possible effect of the failed call. */
    public enum Effect {
        /** The kernel performs the call completely or not at all. */
        NONE,
        /** After an input/output error, it is unknown how much was done. */
        POSSIBLE
    }

    public static VolumeException of(SyscallException e) {
        return of(e, Effect.NONE);
    }

    public static VolumeException of(SyscallException e, Effect effect) {
        return VolumeException.of(kind(e.errno(), effect), e.text())
                .withAdvice(advice(e.errno()))
                .withCause(e);
    }

    static FailureKind kind(Errno errno, Effect effect) {
        switch (errno) {
            case EBUSY:
            case ETXTBSY:
                return FailureKind.IN_USE;
            case ENOSPC:
            case EDQUOT:
                return FailureKind.EXHAUSTED;
            case ENOENT:
            case EAGAIN:
            case EINTR:
            case ENOMEM:
            case ENFILE:
            case EMFILE:
            case ENOMEDIUM:
                return FailureKind.TRANSIENT;
            case EPERM:
            case EACCES:
            case E2BIG:
            case EBADF:
            case EFAULT:
            case ENOTBLK:
            case ESRCH:
            case EEXIST:
            case EXDEV:
            case ENODEV:
            case ENOTDIR:
            case EISDIR:
            case EINVAL:
            case ENOTTY:
            case EFBIG:
            case EROFS:
            case EMLINK:
            case ENAMETOOLONG:
            case ENOSYS:
            case ENOTEMPTY:
            case ELOOP:
            case EOVERFLOW:
            case EUCLEAN:
            case EOPNOTSUPP:
            case EMEDIUMTYPE:
                return FailureKind.FINAL;
            case EIO:
            case ENXIO:
            case ENODATA:
            case EPROTO:
            case EBADMSG:
            case ENETDOWN:
            case ENETUNREACH:
            case ECONNRESET:
            case ENOTCONN:
            case ESHUTDOWN:
            case ETIMEDOUT:
            case ECONNREFUSED:
            case EHOSTDOWN:
            case EHOSTUNREACH:
            case ESTALE:
            case EREMOTEIO:
            case OTHER:
                return effect == Effect.NONE ? FailureKind.TRANSIENT : FailureKind.UNCERTAIN;
        }
        throw new AssertionError(errno);
    }

    private static String advice(Errno errno) {
        switch (errno) {
            case EPERM:
                return NEEDS_ADMIN;
            case EBUSY:
                return "find who uses it, with fuser -vm or lsof";
            case ELOOP:
            case EXDEV:
                return "the library follows no link and leaves no mount below its root; find out who put it there";
            case ENOSPC:
                return "make room on the filesystem of the library's directory; df -h and df -i show which is full, of bytes or of files";
            case EDQUOT:
                return "raise the quota of the user or the project, or make room";
            case EMFILE:
            case ENFILE:
                return "raise the limit of open files";
            case EUCLEAN:
                return "check the filesystem by hand";
            default:
                return "";
        }
    }
}
