package io.volume4j.core.node.call;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.RootedPath;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Verifies a plugin's reports against the mount table, and makes failures after an effect uncertain. */
final class Effects {
    private final @Nullable MountBackend machine;

    /** @param machine null for an agent that mounts nothing itself */
    Effects(@Nullable MountBackend machine) {
        this.machine = machine;
    }

    /** Runs the rest of a call that already had an effect: a failure makes the outcome of the whole call uncertain. */
    static <T> T afterEffect(Supplier<T> rest) {
        try {
            return rest.get();
        } catch (VolumeException failure) {
            throw failure.afterEffect();
        }
    }

    static void afterEffect(Runnable rest) {
        afterEffect(() -> {
            rest.run();
            return true;
        });
    }

    /** Whether the kernel has a mount at the path. */
    boolean inKernel(RootedPath target) {
        return machine != null && machine.table().at(target.absolute()).isPresent();
    }

    /**
     * Runs an unmount. A plugin that fails after the unmount may report that it had no effect. With such a report, the
     * node would rely on a mount that is gone: pods would get a bare directory, or wait forever.
     */
    void takeAway(boolean wasInKernel, RootedPath target, Runnable undo) {
        try {
            undo.run();
        } catch (VolumeException failure) {
            boolean claimsNothing = !failure.provesAbsent() && failure.kind() != FailureKind.UNCERTAIN;
            throw wasInKernel && claimsNothing ? heldAgainstTheTable(failure, target) : failure;
        }
    }

    /** An unreadable table does not contradict the plugin. */
    private VolumeException heldAgainstTheTable(VolumeException failure, RootedPath target) {
        try {
            return inKernel(target) ? failure : failure.afterEffect();
        } catch (VolumeException unreadable) {
            failure.addSuppressed(unreadable);
            return failure;
        }
    }

    /** A backend may report an unmount although the kernel still has the mount. */
    void requireGone(RootedPath target) {
        if (inKernel(target)) {
            throw VolumeException.uncertain("the plugin reported success, but " + target + " is still mounted");
        }
    }
}
