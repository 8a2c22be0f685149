package io.volume4j.core.control.host.lead;

import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.VolumePlugin;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Programs that calls of this controller's plugins run on this machine. The programs of a killed process continue to
 * run. They could attach a volume that the next process detaches. So the next process ends them before its first call
 * to such a plugin. It finds them by the operation name in their environment: in every process with the same duty and
 * the same root, the names have the same prefix. Thread-safe.
 */
public final class LeftoverProcesses {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int BYTES = 8;

    private final @Nullable MountBackend machine;
    private final String prefix;
    private @Nullable String endedIn;

    private LeftoverProcesses(@Nullable MountBackend machine, String prefix) {
        this.machine = machine;
        this.prefix = prefix;
    }

    /**
     * The leftover programs of one controller. A process without a machine runs no programs, and looks for none.
     *
     * @param duty the controller's task, and its driver if it has one; at most one process has this duty at a time
     */
    public static LeftoverProcesses of(PluginHost host, String duty) {
        Optional<MountBackend> machine = host.mounts();
        return machine.isEmpty()
                ? new LeftoverProcesses(null, "")
                : new LeftoverProcesses(machine.get(), "volume4j-control-" + digest(host.root() + "\0" + duty) + "-");
    }

    /** The prefix of the names of all operations that call plugins. */
    public String prefix() {
        return prefix;
    }

    /**
     * Blocks until no program runs that could disturb calls of the plugin. Such programs come from an earlier
     * process, or from an earlier term of this process. Worker threads call this before the call.
     *
     * @param term the term in which this process leads; this class looks for programs once in each term
     * @throws io.volume4j.spi.VolumeException transient, if this process cannot end a program
     */
    public synchronized void mustHaveEnded(VolumePlugin plugin, String term) {
        if (machine == null || !plugin.runsPrograms() || term.equals(endedIn)) {
            return;
        }
        machine.endLeftovers(prefix, PATIENCE);
        endedIn = term;
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
