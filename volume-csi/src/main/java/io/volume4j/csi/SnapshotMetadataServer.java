package io.volume4j.csi;

import io.grpc.Server;
import io.volume4j.core.control.SnapshotBlocks;
import io.volume4j.csi.internal.metadata.MetadataListener;
import io.volume4j.csi.internal.metadata.SnapshotMetadataService;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Reports to backup programs which blocks of a VolumeSnapshot contain data, and which blocks differ between two. It
 * is the service of Kubernetes' changed block tracking (KEP-3314), over gRPC with TLS. After a broken call, a client
 * continues with a new call whose {@code starting_offset} is behind the last block. Thread-safe.
 *
 * <p>Backup programs find the service by a {@code SnapshotMetadataService} object. An administrator creates it, with
 * the address, the certificate authority and the audience that {@link SnapshotAccess} checks.
 *
 * @since 0.1.0
 */
public final class SnapshotMetadataServer implements AutoCloseable {
    private static final Duration CALLS_END_WITHIN = Duration.ofSeconds(5);

    private final Server server;
    private final ThreadPoolExecutor workers;
    private final @Nullable ScheduledExecutorService certificates;

    private SnapshotMetadataServer(
            Server server, ThreadPoolExecutor workers, @Nullable ScheduledExecutorService certificates) {
        this.server = server;
        this.workers = workers;
        this.certificates = certificates;
    }

    /**
     *
     * @param blocks reads the blocks from the plugins of this process
     * @param access checks the permissions of callers
     */
    public static Builder builder(SnapshotBlocks blocks, SnapshotAccess access) {
        return new Builder(blocks, access);
    }

    /** The address where the server listens. */
    public InetSocketAddress address() {
        return (InetSocketAddress) server.getListenSockets().get(0);
    }

    /** Accepts no more calls, and ends running calls after five seconds. Idempotent. */
    @Override
    public void close() {
        server.shutdown();
        try {
            if (!server.awaitTermination(CALLS_END_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
                server.shutdownNow();
                server.awaitTermination(CALLS_END_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException stopped) {
            server.shutdownNow();
            Thread.currentThread().interrupt();
        }
        workers.shutdownNow();
        if (certificates != null) {
            certificates.shutdownNow();
        }
    }

    /** Builds a server. Not thread-safe. */
    public static final class Builder {
        private final SnapshotBlocks blocks;
        private final SnapshotAccess access;
        private InetSocketAddress address = new InetSocketAddress(50051);
        private int calls = 16;
        private Duration longestCall = Duration.ofHours(1);
        private @Nullable Path certificate;
        private @Nullable Path key;
        private boolean plaintext;

        private Builder(SnapshotBlocks blocks, SnapshotAccess access) {
            this.blocks = Objects.requireNonNull(blocks, "blocks");
            this.access = Objects.requireNonNull(access, "access");
        }

        /** The address to listen at. Port 50051 on all interfaces by default; port 0 means any free port. */
        public Builder address(InetSocketAddress where) {
            address = Objects.requireNonNull(where, "address");
            return this;
        }

        /**
         * The certificate with its chain, and the private key, as PEM files. The server reads them again each minute,
         * so that it uses renewed files.
         */
        public Builder tls(Path certificateChain, Path privateKey) {
            certificate = Objects.requireNonNull(certificateChain, "certificateChain");
            key = Objects.requireNonNull(privateKey, "privateKey");
            return this;
        }

        /** Listens without TLS, on a loopback address only, for a proxy that terminates TLS. */
        public Builder plaintextOnLoopback() {
            plaintext = true;
            return this;
        }

        /** The maximum number of concurrent calls; 16 by default. Each call uses a thread. */
        public Builder calls(int most) {
            if (most < 1) {
                throw new IllegalArgumentException("calls must be at least 1, not " + most);
            }
            calls = most;
            return this;
        }

        /** How long one call may take; an hour by default. */
        public Builder longestCall(Duration longest) {
            if (longest.isNegative() || longest.isZero()) {
                throw new IllegalArgumentException("longestCall must be positive, not " + longest);
            }
            longestCall = longest;
            return this;
        }

        /**
         * Starts the server.
         * @throws IllegalArgumentException if there is no certificate, and the address is not a loopback address or
         *     {@link #plaintextOnLoopback} was not called
         * @throws IOException if the address is in use, or if the certificate or key cannot be read
         */
        public SnapshotMetadataServer start() throws IOException {
            if (plaintext == (certificate != null)) {
                throw new IllegalArgumentException(
                        "give the service a certificate and key by tls(), or ask for plaintextOnLoopback()");
            }
            if (plaintext
                    && (address.getAddress() == null || !address.getAddress().isLoopbackAddress())) {
                throw new IllegalArgumentException("without TLS the service may listen on a loopback address only, and "
                        + address.getHostString() + " is not one");
            }
            ThreadPoolExecutor workers = new ThreadPoolExecutor(
                    0, calls, 1, TimeUnit.MINUTES, new SynchronousQueue<>(), daemons("volume4j-snapshot-blocks"));
            @Nullable ScheduledExecutorService renewals = null;
            try {
                SnapshotMetadataService service = new SnapshotMetadataService(
                        blocks,
                        access,
                        longestCall,
                        workers,
                        "snapshot-blocks-"
                                + Long.toString(InstantSource.system().millis(), 36) + "-");
                Server server;
                if (certificate != null && key != null) {
                    renewals = Executors.newSingleThreadScheduledExecutor(
                            daemons("volume4j-snapshot-blocks-certificates"));
                    server = MetadataListener.tls(address, certificate, key, renewals, service, calls);
                } else {
                    server = MetadataListener.plaintext(address, service, calls);
                }
                return new SnapshotMetadataServer(server, workers, renewals);
            } catch (IOException | RuntimeException failed) {
                workers.shutdownNow();
                if (renewals != null) {
                    renewals.shutdownNow();
                }
                throw failed;
            }
        }

        private static ThreadFactory daemons(String name) {
            AtomicLong threads = new AtomicLong();
            return task -> {
                Thread thread = new Thread(task, name + "-" + threads.incrementAndGet());
                thread.setDaemon(true);
                return thread;
            };
        }
    }
}
