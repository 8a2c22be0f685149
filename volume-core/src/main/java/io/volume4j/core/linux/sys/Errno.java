package io.volume4j.core.linux.sys;

import java.util.Locale;

/** Error numbers of system calls; errno(3). They are the same on all processors of {@link Architecture}. */
public enum Errno {
    EPERM(1, "operation not permitted"),
    ENOENT(2, "no such file or directory"),
    ESRCH(3, "no such process, or no such quota"),
    EINTR(4, "interrupted"),
    EIO(5, "input/output error"),
    ENXIO(6, "no such device or address"),
    E2BIG(7, "too long"),
    EBADF(9, "bad descriptor"),
    EAGAIN(11, "try again"),
    ENOMEM(12, "out of memory"),
    EACCES(13, "permission denied"),
    EFAULT(14, "bad address"),
    ENOTBLK(15, "not a block device"),
    EBUSY(16, "busy"),
    EEXIST(17, "exists already"),
    EXDEV(18, "on another mount, or a way out of the root"),
    ENODEV(19, "no such device"),
    ENOTDIR(20, "not a directory"),
    EISDIR(21, "is a directory"),
    EINVAL(22, "invalid argument"),
    ENFILE(23, "too many open files in the system"),
    EMFILE(24, "too many open files in this process"),
    ENOTTY(25, "not supported by this device"),
    ETXTBSY(26, "text file busy"),
    EFBIG(27, "file too large"),
    ENOSPC(28, "no space left"),
    EROFS(30, "read-only filesystem"),
    EMLINK(31, "too many links"),
    ENAMETOOLONG(36, "name too long"),
    ENOSYS(38, "unknown to this kernel"),
    ENOTEMPTY(39, "not empty"),
    ELOOP(40, "a symbolic link lies on the way"),
    ENODATA(61, "no data"),
    EPROTO(71, "protocol error"),
    EBADMSG(74, "bad message"),
    EOVERFLOW(75, "value too large"),
    EUCLEAN(117, "filesystem is damaged"),
    EOPNOTSUPP(95, "not supported"),
    ENETDOWN(100, "network is down"),
    ENETUNREACH(101, "network is unreachable"),
    ECONNRESET(104, "connection reset"),
    ENOTCONN(107, "not connected"),
    ESHUTDOWN(108, "shut down"),
    ETIMEDOUT(110, "timed out"),
    ECONNREFUSED(111, "connection refused"),
    EHOSTDOWN(112, "host is down"),
    EHOSTUNREACH(113, "host is unreachable"),
    ESTALE(116, "stale file handle"),
    EREMOTEIO(121, "remote input/output error"),
    EDQUOT(122, "quota exceeded"),
    ENOMEDIUM(123, "no medium"),
    EMEDIUMTYPE(124, "wrong medium"),
    /** Any other number; the exception contains it. */
    OTHER(-1, "");

    private final int number;
    private final String text;

    Errno(int number, String text) {
        this.number = number;
        this.text = text;
    }

    public int number() {
        return number;
    }

    static Errno of(int number) {
        for (Errno errno : values()) {
            if (errno.number == number) {
                return errno;
            }
        }
        return OTHER;
    }

    /** {@code EBUSY (busy)}, or {@code errno 133}. */
    static String describe(int number) {
        Errno errno = of(number);
        return errno == OTHER ? "errno " + number : String.format(Locale.ROOT, "%s (%s)", errno.name(), errno.text);
    }
}
