package io.volume4j.examples.agent;

import io.volume4j.core.volumes.AttachMode;
import io.volume4j.examples.agent.cluster.HostCluster;
import io.volume4j.examples.agent.machine.MachineName;
import io.volume4j.examples.commandline.Usage;
import io.volume4j.examples.etcd.EtcdNodeLease;
import io.volume4j.examples.etcd.NodeLife;
import io.volume4j.examples.etcd.SelfFencing;
import io.volume4j.examples.etcd.Watchdog;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for self-fencing: a node unmounts its volumes when it cannot reach etcd. */
final class LeaseOptions {
    private static final String LEASE = "--node-lease";

    @Option(
            names = LEASE,
            paramLabel = "SECONDS",
            arity = "0..1",
            fallbackValue = "60",
            converter = Words.Seconds.class,
            description =
                    "with --etcd and --attach controller: keep volumes only under a lease of this many seconds (default 60). A node that"
                            + " cannot renew it kills the processes that use volumes which controllers attached, and unmounts"
                            + " these, before it ends")
    private @Nullable Integer lease;

    @Option(
            names = "--time-to-fence",
            paramLabel = "SECONDS",
            converter = Words.Seconds.class,
            description = "with --node-lease: how long killing and unmounting may take (default: a sixth of the lease)")
    private @Nullable Integer timeToFence;

    @Option(
            names = "--watchdog",
            paramLabel = "/dev/watchdog",
            description =
                    "with --node-lease: resets this machine before its lease ends if it cannot unmount. Only then a lease that ended"
                            + " lets the controllers give its volumes to other nodes")
    private @Nullable Path watchdog;

    @Option(
            names = "--watchdog-timeout",
            paramLabel = "SECONDS",
            converter = Words.Seconds.class,
            description = "the time after which the watchdog resets the machine (default: what its driver says)")
    private @Nullable Integer watchdogTimeout;

    @Option(
            names = "--replaces-machine",
            description =
                    "with --etcd: says that the machine that last had this node's name is off or was reset. Only a person can know this")
    private boolean replaces;

    /** Whether the node has a lease for its volumes. */
    boolean given() {
        return lease != null;
    }

    /** Rejects invalid combinations before the program does anything. */
    void check(HostCluster cluster, AttachMode attach, boolean once) {
        requireWith(timeToFence != null, "--time-to-fence", LEASE, given());
        requireWith(watchdog != null, "--watchdog", LEASE, given());
        requireWith(watchdogTimeout != null, "--watchdog-timeout", "--watchdog", watchdog != null);
        boolean etcd = cluster instanceof EtcdHost;
        requireWith(given(), LEASE, "--etcd", etcd);
        requireWith(replaces, "--replaces-machine", "--etcd", etcd);
        requireWith(given(), LEASE, "--attach controller", attach == AttachMode.CONTROLLER);
        if (given() && once) {
            throw new Usage("--once ends and leaves its mounts, but --node-lease must watch them; leave one out");
        }
    }

    private static void requireWith(boolean asked, String option, String needed, boolean there) {
        if (asked && !there) {
            throw new Usage(option + " needs " + needed);
        }
    }

    /** For a node without a lease: before it mounts anything, it revokes the statements of an earlier agent. */
    void forget(EtcdHost cluster, String node, Path root) {
        lease(cluster, node, root, Duration.ofMinutes(1)).forget();
    }

    private EtcdNodeLease lease(EtcdHost cluster, String node, Path root, Duration time) {
        EtcdNodeLease made = new EtcdNodeLease(cluster.etcd(), node, MachineName.of(root), time);
        return replaces ? made.replacingAnotherMachine() : made;
    }

    /** @param lives creates lives of the node */
    SelfFencing fencing(EtcdHost cluster, String node, Path root, Supplier<NodeLife> lives) {
        Duration time = Duration.ofSeconds(seconds());
        try {
            return new SelfFencing(
                    lease(cluster, node, root, time),
                    () -> UUID.randomUUID().toString(),
                    lives,
                    timeToFence(),
                    watchdog == null ? null : watchdog(watchdog));
        } catch (IllegalArgumentException tooShort) {
            throw new Usage(LEASE + ": " + tooShort.getMessage()
                    + "; or shorten --time-to-fence, or the time of the watchdog's driver");
        }
    }

    private Watchdog watchdog(Path device) {
        try {
            return watchdogTimeout == null
                    ? Watchdog.ofDevice(device)
                    : Watchdog.ofDevice(device, Duration.ofSeconds(watchdogTimeout));
        } catch (IllegalStateException refused) {
            throw new Usage("--watchdog: " + refused.getMessage());
        }
    }

    private int seconds() {
        return lease == null ? 0 : lease;
    }

    private Duration timeToFence() {
        return Duration.ofSeconds(timeToFence == null ? Math.max(1, seconds() / 6) : timeToFence);
    }

    /** The time in which a process must end after SIGTERM; the rest of the time to fence is for unmounting. */
    Duration grace() {
        return timeToFence().dividedBy(4);
    }

    /** Whether a watchdog guards the lease. */
    boolean guarded() {
        return watchdog != null;
    }
}
