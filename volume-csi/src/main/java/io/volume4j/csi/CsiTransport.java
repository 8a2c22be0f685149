package io.volume4j.csi;

import io.volume4j.csi.internal.transport.UnixSocketChannels;

/**
 * The threads that serve the sockets of all drivers together. A host with several drivers shares one; a plugin that is
 * given none has its own. Thread-safe. Close the plugins before it.
 *
 * @since 0.1.0
 */
public final class CsiTransport implements AutoCloseable {
    private final UnixSocketChannels channels;

    private CsiTransport(UnixSocketChannels channels) {
        this.channels = channels;
    }

    /** Its threads start when the first driver is connected to. */
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
