package io.volume4j.core.linux.sys;

/** A system call failed. Never leaves the backend: {@link Failures} says what it means for the caller. */
public final class SyscallException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int number;
    private final String call;

    /**
     * @param call the system call with its operands, such as {@code umount2 /var/lib/x}
     */
    public SyscallException(int number, String call) {
        // Callers branch on these, and what they make of them has a stack trace of its own.
        super(call + ": " + Errno.describe(number), null, false, false);
        this.number = number;
        this.call = call;
    }

    /** The call and what became of it. */
    public String text() {
        return call + ": " + Errno.describe(number);
    }

    public Errno errno() {
        return Errno.of(number);
    }

    public boolean is(Errno errno) {
        return errno() == errno;
    }

    /** The same failure, of a call whose operands are better told in the caller's words. */
    public SyscallException of(String betterCall) {
        return new SyscallException(number, betterCall);
    }

    public String call() {
        return call;
    }
}
