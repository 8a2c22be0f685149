package io.volume4j.csi.testing;

import java.util.ArrayDeque;
import java.util.Deque;

/** Closes what a test has opened, the last first, whatever becomes of the test. Meant for a field with {@code @AutoClose}. */
public final class Closing implements AutoCloseable {
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    /** Closes this when the test is over. */
    public synchronized <T extends AutoCloseable> T later(T resource) {
        open.push(resource);
        return resource;
    }

    @Override
    public synchronized void close() {
        IllegalStateException failure = null;
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                if (failure == null) {
                    failure = new IllegalStateException("cannot close what the test has opened", e);
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
