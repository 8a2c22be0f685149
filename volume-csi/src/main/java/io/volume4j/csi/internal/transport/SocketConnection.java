package io.volume4j.csi.internal.transport;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.volume4j.csi.CsiEndpoint;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One long-lived channel to the socket at a path. Each call first checks the socket (one stat). If the socket was replaced,
 * calls go to the new one, and running calls end on the old one. While a driver is connected, the result of a check is valid
 * for one millisecond: a call can be late by that time anyway. Without a connection each call checks, because it may connect.
 * A failed connection closes the channel: the next call connects at once instead of waiting for gRPC's backoff, and no
 * attempt runs while no call needs one.
 */
public final class SocketConnection implements CsiConnection {
    private static final Logger log = LoggerFactory.getLogger(SocketConnection.class);

    /** A check costs a twentieth of a call. */
    private static final Duration LOOK_HOLDS = Duration.ofMillis(1);

    private final CsiEndpoint endpoint;
    private final UnixSocketChannels channels;
    private final LongSupplier nanoClock;
    private final long lookHoldsNanos;
    private final Object lock = new Object();
    private final AtomicLong connections = new AtomicLong();

    private volatile @Nullable Current current;

    @GuardedBy("lock")
    private final List<ManagedChannel> draining = new ArrayList<>();

    @GuardedBy("lock")
    private boolean closed;

    /** Connects at the first call and checks the socket before each. The channels' threads must outlive this connection. */
    public SocketConnection(CsiEndpoint endpoint, UnixSocketChannels channels) {
        this(endpoint, channels, () -> 0, Duration.ZERO);
    }

    /**
     * The same for frequent calls: a check is valid for a millisecond.
     *
     * @param nanoClock measures the age of a check
     */
    public SocketConnection(CsiEndpoint endpoint, UnixSocketChannels channels, LongSupplier nanoClock) {
        this(endpoint, channels, nanoClock, LOOK_HOLDS);
    }

    private SocketConnection(
            CsiEndpoint endpoint, UnixSocketChannels channels, LongSupplier nanoClock, Duration lookHolds) {
        this.endpoint = endpoint;
        this.channels = channels;
        this.nanoClock = nanoClock;
        this.lookHoldsNanos = lookHolds.toNanos();
    }

    @Override
    public Lease lease() throws DriverUnreachableException {
        try {
            Current seen = current;
            long now = nanoClock.getAsLong();
            if (seen != null && (fresh(seen, now) || seen.serves(SocketIdentity.of(endpoint.socket()), now))) {
                return lease(seen);
            }
            return renew(now);
        } catch (UntrustedSocketException e) {
            throw new DriverUnreachableException(e.getMessage(), true, e);
        } catch (NoSuchFileException e) {
            throw new DriverUnreachableException("no driver listens at " + endpoint.socket(), false, e);
        } catch (IOException e) {
            throw new DriverUnreachableException(
                    "cannot look at %s: %s".formatted(endpoint.socket(), reason(e)), false, e);
        }
    }

    /** In words: of some failures, the JDK's text is only the path or the name of an exception. */
    private static String reason(IOException failure) {
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        String why = failure instanceof FileSystemException file ? file.getReason() : failure.getMessage();
        return why == null ? failure.toString() : why;
    }

    private Lease renew(long now) throws IOException {
        synchronized (lock) {
            if (closed) {
                throw new IOException("the connection is closed");
            }
            SocketIdentity identity = channels.guard().check(endpoint.socket());
            Current seen = current;
            if (seen != null && seen.serves(identity, now)) {
                return lease(seen);
            }
            AtomicBoolean connected = new AtomicBoolean();
            UnixSocketChannels.Opened opened = channels.open(endpoint.socket(), () -> {
                connections.incrementAndGet();
                connected.set(true);
            });
            retire();
            connections.incrementAndGet();
            Current next = new Current(identity, opened.channel(), opened.threads(), connected, now);
            current = next;
            return lease(next);
        }
    }

    /** Whether the last check of the socket is still valid for a call. */
    private boolean fresh(Current seen, long now) {
        return now - seen.lookedAt < lookHoldsNanos
                && seen.channel.getState(false) == ConnectivityState.READY
                && !seen.threads.lost();
    }

    private Lease lease(Current from) {
        return new Lease(from.channel, connections.get(), true);
    }

    @Override
    public void neverSent(Lease lease) {
        synchronized (lock) {
            Current seen = current;
            if (seen != null && seen.channel.equals(lease.channel()) && !seen.usable()) {
                retire();
            }
        }
    }

    @GuardedBy("lock")
    private void retire() {
        Current old = current;
        current = null;
        draining.removeIf(ManagedChannel::isTerminated);
        if (old != null) {
            old.channel.shutdown();
            // without its thread a channel does not terminate, and closing would wait for it in vain
            if (!old.threads.lost()) {
                draining.add(old.channel);
            }
        }
    }

    @Override
    public long generation() {
        return connections.get();
    }

    @Override
    public String describe() {
        return endpoint.toString();
    }

    @Override
    public void close() {
        List<ManagedChannel> open;
        synchronized (lock) {
            closed = true;
            retire();
            open = List.copyOf(draining);
            draining.clear();
        }
        boolean interrupted = false;
        long millis = channels.options().closeTimeout().toMillis() / Math.max(1, open.size());
        for (ManagedChannel channel : open) {
            interrupted |= !endsInTime(channel, millis);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** False if the thread was interrupted while it waited; the channel is closed in any case. */
    private boolean endsInTime(ManagedChannel channel, long millis) {
        try {
            if (!channel.awaitTermination(millis, TimeUnit.MILLISECONDS)
                    && !channel.shutdownNow().awaitTermination(millis, TimeUnit.MILLISECONDS)) {
                log.atWarn().addKeyValue("endpoint", endpoint).log("connection is still open after it was closed");
            }
            return true;
        } catch (InterruptedException e) {
            channel.shutdownNow();
            return false;
        }
    }

    /** A channel, its threads, and the identity of its socket. */
    private static final class Current {
        private final SocketIdentity identity;
        private final ManagedChannel channel;
        private final IoThreads threads;
        private final AtomicBoolean connected;
        private volatile long lookedAt;

        Current(
                SocketIdentity identity,
                ManagedChannel channel,
                IoThreads threads,
                AtomicBoolean connected,
                long lookedAt) {
            this.identity = identity;
            this.channel = channel;
            this.threads = threads;
            this.connected = connected;
            this.lookedAt = lookedAt;
        }

        boolean serves(SocketIdentity seen, long now) {
            if (identity.equals(seen) && usable()) {
                lookedAt = now;
                return true;
            }
            return false;
        }

        /**
         * Whether calls may use the channel. Behind a socket that stays, as with socket activation or a proxy, another process may
         * serve the next connection. So a channel that has lost its connection makes no other one: the caller of a new channel asks for the
         * capabilities first.
         */
        boolean usable() {
            ConnectivityState state = channel.getState(false);
            return !(state == ConnectivityState.IDLE && connected.get())
                    && state != ConnectivityState.TRANSIENT_FAILURE
                    && state != ConnectivityState.SHUTDOWN
                    && !threads.lost();
        }
    }
}
