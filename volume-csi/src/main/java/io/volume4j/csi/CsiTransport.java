package io.volume4j.csi;

import io.volume4j.csi.internal.transport.UnixSocketChannels;

/**
 * The threads that serve the sockets of drivers. A host with several drivers should share one transport. A plugin
 * without one creates its own. Thread-safe. Close the plugins before the transport.
 *
 * @since 0.1.0
 */
public final class CsiTransport implements AutoCloseable {
    private final UnixSocketChannels channels;

    private CsiTransport(UnixSocketChannels channels) {
        this.channels = channels;
    }

    /** A transport. Its threads start with the first connection. */
    public static CsiTransport create(ChannelOptions options) {
        return new CsiTransport(new UnixSocketChannels(options));
    }

    UnixSocketChannels channels() {
        return channels;
    }

    @Override
    public void close() {
        channels.close();
    }
}
