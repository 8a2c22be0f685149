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
 * Programs that calls of this controller's plugins run on this machine. Those of a killed process live on, and could attach
 * what the next one detaches; so the next one ends them before it asks the first such plugin for anything. They are known by
 * the operation in their environment, whose name begins alike in every process that does the same under the same root.
 * Thread-safe.
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
     * Of one controller. A process without a machine runs no programs, and asks for none.
     *
     * @param duty what the controller does, and for which driver if it is for one; at most one process does it at a time
     */
    public static LeftoverProcesses of(PluginHost host, String duty) {
        Optional<MountBackend> machine = host.mounts();
        return machine.isEmpty()
                ? new LeftoverProcesses(null, "")
                : new LeftoverProcesses(machine.get(), "volume4j-control-" + digest(host.root() + "\0" + duty) + "-");
    }

    /** What the names of all operations have to begin with that call plugins. */
    public String prefix() {
        return prefix;
    }

    /**
     * Returns when nothing of an earlier process, or of this one's earlier terms, runs that could disturb calls of the plugin.
     * Blocks while they are ended; for workers, before the call.
     *
     * @param term in which this process leads; programs are looked for once in each
     * @throws io.volume4j.spi.VolumeException transient, if a program cannot be ended
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
