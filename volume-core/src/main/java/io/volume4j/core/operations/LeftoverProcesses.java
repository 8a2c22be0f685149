package io.volume4j.core.operations;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.VolumePlugin;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Programs that calls of this node's or controller's plugins run on this machine. The programs of a killed process
 * continue to run. They could attach a volume that the next process detaches, or format a device that it mounts. So the
 * next process ends them before its first call to such a plugin. It finds them by the operation name in their
 * environment: in every process with the same duty and the same root, the names have the same prefix. The kernel ends
 * no program whose device does not answer. Then only calls of plugins that may run programs fail, and each tries again.
 * Thread-safe.
 */
public final class LeftoverProcesses {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration PATIENCE_AGAIN = Duration.ofSeconds(1);
    private static final int BYTES = 8;

    private final @Nullable MountBackend machine;
    private final String prefix;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable String endedIn;
    /** Why the last attempt ended no program or not all; null after a success. */
    private volatile @Nullable VolumeException running;

    private LeftoverProcesses(@Nullable MountBackend machine, String prefix) {
        this.machine = machine;
        this.prefix = prefix;
    }

    /**
     * The leftover programs of a node.
     *
     * @param machine null for a node that runs no programs, and looks for none
     * @param prefix the prefix of the names of all its operations, also in earlier processes
     */
    public static LeftoverProcesses ofNode(@Nullable MountBackend machine, String prefix) {
        return new LeftoverProcesses(machine, prefix);
    }

    /**
     * The leftover programs of one controller. A process without a machine runs no programs, and looks for none.
     *
     * @param duty the controller's task, and its driver if it has one; at most one process has this duty at a time
     */
    public static LeftoverProcesses of(PluginHost host, String duty) {
        return host.mounts()
                .map(machine ->
                        new LeftoverProcesses(machine, "volume4j-control-" + digest(host.root() + "\0" + duty) + "-"))
                .orElseGet(() -> new LeftoverProcesses(null, ""));
    }

    /** The prefix of the names of all operations that call plugins. */
    public String prefix() {
        return prefix;
    }

    /**
     * Blocks until no program runs that could disturb calls of the plugin. Such programs come from an earlier
     * process, or from an earlier term of this process. Worker threads call this before the call.
     *
     * @param plugin null if the plugin is not known: it may run programs
     * @param term the term in which this process leads, always the same for a node. This class looks for programs
     *     until it has once found none in a term: later ones are those of this process
     * @throws VolumeException transient, if this process cannot end a program
     */
    public void mustHaveEnded(@Nullable VolumePlugin plugin, String term) {
        if (machine == null || (plugin != null && !plugin.runsPrograms()) || term.equals(endedIn)) {
            return;
        }
        @Nullable VolumeException last = running;
        if (last == null) {
            lock.lock();
        } else if (!lock.tryLock()) {
            // Another call tries. If all of them waited, a program that never ends would occupy every worker.
            throw last;
        }
        try {
            if (!term.equals(endedIn)) {
                machine.endLeftovers(prefix, running == null ? PATIENCE : PATIENCE_AGAIN);
                running = null;
                endedIn = term;
            }
        } catch (VolumeException stillRunning) {
            running = stillRunning;
            throw stillRunning;
        } finally {
            lock.unlock();
        }
    }

    private static String digest(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
