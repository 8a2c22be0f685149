package io.volume4j.core.linux;

/** An open file, closed when its block ends. Belongs to one thread. */
final class Descriptor implements AutoCloseable {
    private final Kernel kernel;
    private final int number;
    private boolean open = true;

    Descriptor(Kernel kernel, int number) {
        this.kernel = kernel;
        this.number = number;
    }

    int number() {
        return number;
    }

    /** A name that leads to exactly this file, whatever was renamed or mounted since; proc(5). */
    String magicLink() {
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
