package io.volume4j.csi;

import java.time.Duration;
import java.util.Objects;

/**
 * The options of connections to drivers' sockets.
 *
 * @param maxInboundBytes the maximum size of an answer; 4 MiB by default, between 4 KiB and 64 MiB. If an answer is
 *     larger, the outcome of the call is uncertain
 * @param ioThreads the number of threads that serve all sockets; 1 by default. With more threads, another thread than
 *     the socket's may keep a call's deadline, and waking that thread costs time. One thread was tried beside drivers
 *     that hang, send pages of 4 MiB and large compressed streams, and break off their connections again and again: all
 *     calls to another driver end, but later than with a thread of its own. Take more threads if several drivers send
 *     much all the time. If an Error ends a thread, the library replaces all threads
 * @param closeTimeout how long closing waits for running calls before it cancels them; 2 s by default
 * @param trust the users whose sockets are trusted
 * @since 0.1.0
 */
public record ChannelOptions(int maxInboundBytes, int ioThreads, Duration closeTimeout, SocketTrust trust) {
    private static final int SMALLEST = 4 << 10;
    private static final int LARGEST = 64 << 20;
    private static final ChannelOptions DEFAULTS =
            new ChannelOptions(4 << 20, 1, Duration.ofSeconds(2), SocketTrust.strict());

    /** @throws IllegalArgumentException if a value is out of range */
    public ChannelOptions {
        if (maxInboundBytes < SMALLEST || maxInboundBytes > LARGEST) {
            throw new IllegalArgumentException(
                    "maxInboundBytes must be between %d and %d, not %d".formatted(SMALLEST, LARGEST, maxInboundBytes));
        }
        if (ioThreads < 1) {
            throw new IllegalArgumentException("ioThreads must be at least 1, not " + ioThreads);
        }
        if (closeTimeout.isNegative()) {
            throw new IllegalArgumentException("closeTimeout must not be negative: " + closeTimeout);
        }
        Objects.requireNonNull(trust, "trust");
    }

    public static ChannelOptions defaults() {
        return DEFAULTS;
    }

    public ChannelOptions withMaxInboundBytes(int bytes) {
        return new ChannelOptions(bytes, ioThreads, closeTimeout, trust);
    }

    public ChannelOptions withIoThreads(int threads) {
        return new ChannelOptions(maxInboundBytes, threads, closeTimeout, trust);
    }

    public ChannelOptions withCloseTimeout(Duration timeout) {
        return new ChannelOptions(maxInboundBytes, ioThreads, timeout, trust);
    }

    public ChannelOptions withTrust(SocketTrust newTrust) {
        return new ChannelOptions(maxInboundBytes, ioThreads, closeTimeout, newTrust);
    }
}
