package io.volume4j.core.linux.sys;

/** An open file. Closed at the end of its try block. Belongs to one thread. */
public final class Descriptor implements AutoCloseable {
    private final Kernel kernel;
    private final int number;
    private boolean open = true;

    Descriptor(Kernel kernel, int number) {
        this.kernel = kernel;
        this.number = number;
    }

    public int number() {
        return number;
    }

    /** A path that opens exactly this file, whatever was renamed or mounted since; proc(5). */
    public String magicLink() {
        return "/proc/self/fd/" + number;
    }

    @Override
    public void close() {
        if (open) {
            open = false;
            kernel.close(number);
        }
    }
}
