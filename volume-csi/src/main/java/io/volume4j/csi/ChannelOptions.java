package io.volume4j.csi;

import java.time.Duration;
import java.util.Objects;

/**
 * How the library talks over a driver's socket.
 *
 * @param maxInboundBytes the largest answer that is accepted; 4 MiB by default, between 4 KiB and 64 MiB. An answer that is
 *     larger counts as none: what the call did is uncertain
 * @param ioThreads threads that read and write all sockets together; 2 by default
 * @param closeTimeout how long closing waits for calls that are under way before it cuts them off; 2 s by default
 * @param trust whose sockets are used
 * @since 0.1.0
 */
public record ChannelOptions(int maxInboundBytes, int ioThreads, Duration closeTimeout, SocketTrust trust) {
    private static final int SMALLEST = 4 << 10;
    private static final int LARGEST = 64 << 20;
    private static final ChannelOptions DEFAULTS =
            new ChannelOptions(4 << 20, 2, Duration.ofSeconds(2), SocketTrust.strict());

    /** @throws IllegalArgumentException if a value is out of its range */
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
