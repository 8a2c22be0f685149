package io.volume4j.csi.internal.metadata;

import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Starts the server of the service. */
public final class MetadataListener {
    /** Enough for a token and two names. */
    private static final int LARGEST_REQUEST = 64 * 1024;

    private static final Duration CERTIFICATES_READ_EVERY = Duration.ofMinutes(1);

    private MetadataListener() {}

    /**
     * Starts a server without TLS.
     *
     * @param calls most concurrent calls of one connection
     */
    public static Server plaintext(InetSocketAddress address, SnapshotMetadataService service, int calls)
            throws IOException {
        return start(address, InsecureServerCredentials.create(), service, calls);
    }

    /**
     * Starts a server with TLS.
     *
     * @param renewals reads certificate and key again each minute
     * @throws IOException if the address is taken, or the certificate or key cannot be read
     */
    public static Server tls(
            InetSocketAddress address,
            Path certificate,
            Path key,
            ScheduledExecutorService renewals,
            SnapshotMetadataService service,
            int calls)
            throws IOException {
        requireReadable("certificate", certificate);
        requireReadable("key", key);
        ServerIdentity identity = new ServerIdentity(certificate, key);
        try {
            identity.read();
        } catch (GeneralSecurityException | IOException | RuntimeException unusable) {
            throw new IOException(
                    "certificate " + certificate + " and key " + key + " cannot be used: " + unusable.getMessage(),
                    unusable);
        }
        Server server = start(
                address,
                TlsServerCredentials.newBuilder().keyManager(identity.manager()).build(),
                service,
                calls);
        long pause = CERTIFICATES_READ_EVERY.toMillis();
        var unused = renewals.scheduleWithFixedDelay(identity::readAgain, pause, pause, TimeUnit.MILLISECONDS);
        return server;
    }

    /** The key manager's own message about missing files does not help users. */
    private static void requireReadable(String what, Path file) throws IOException {
        if (!Files.isReadable(file)) {
            throw new IOException(what + " " + file + " is not there or may not be read by this process");
        }
    }

    private static Server start(
            InetSocketAddress address, ServerCredentials credentials, SnapshotMetadataService service, int calls)
            throws IOException {
        return NettyServerBuilder.forAddress(address, credentials)
                .maxInboundMessageSize(LARGEST_REQUEST)
                .maxConcurrentCallsPerConnection(calls)
                .addService(service)
                .build()
                .start();
    }
}
