package io.volume4j.core.linux.sys;

/** A failed system call. Never leaves the backend: {@link Failures} maps it to a failure kind for the caller. */
public final class SyscallException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int number;
    private final String call;

    /**
     * @param call the system call with its operands, such as {@code umount2 /var/lib/x}
     */
    public SyscallException(int number, String call) {
        // Callers branch on these. Their own exception has a stack trace.
        super(call + ": " + Errno.describe(number), null, false, false);
        this.number = number;
        this.call = call;
    }

    /** The call and its error. */
    public String text() {
        return call + ": " + Errno.describe(number);
    }

    public Errno errno() {
        return Errno.of(number);
    }

    public boolean is(Errno errno) {
        return errno() == errno;
    }

    /** The same failure, with a description of the call in the caller's terms. */
    public SyscallException of(String betterCall) {
        return new SyscallException(number, betterCall);
    }

    public String call() {
        return call;
    }
}
