package io.volume4j.examples.etcd;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.ClientBuilder;
import io.etcd.jetcd.common.exception.ErrorCode;
import io.etcd.jetcd.common.exception.EtcdException;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A connection to the members of one etcd, shared by the cluster and the election of a process. Thread-safe. It finds a member
 * that does not answer within some seconds by pings, also while no call is under way, and goes on with another one.
 */
public final class EtcdClient implements AutoCloseable {
    private static final int LARGEST_ANSWER = 64 << 20;

    private final Client client;
    private final EtcdKeys keys;
    private final Duration callTimeout;

    private EtcdClient(Client client, EtcdKeys keys, Duration callTimeout) {
        this.client = client;
        this.keys = keys;
        this.callTimeout = callTimeout;
    }

    public static Builder builder() {
        return new Builder();
    }

    Client client() {
        return client;
    }

    EtcdKeys keys() {
        return keys;
    }

    /**
     * Waits for the answer of a call.
     *
     * @param what the call in words, for a refusal
     * @throws ClusterException unavailable, if no answer came within the call's timeout or etcd could not do it now; forbidden or
     *     invalid, if it never will
     */
    <T> T await(String what, CompletableFuture<T> answer) {
        try {
            return answer.get(callTimeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            answer.cancel(true);
            throw new ClusterException(
                    Reason.UNAVAILABLE,
                    what + ": no member of etcd answered within " + callTimeout.toSeconds()
                            + " s; check that a majority of the members runs and can be reached");
        } catch (InterruptedException interrupted) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new ClusterException(Reason.UNAVAILABLE, what + ": interrupted");
        } catch (ExecutionException failed) {
            throw refusal(what, failed.getCause() == null ? failed : failed.getCause());
        }
    }

    /** What etcd's error says about the call. */
    static ClusterException refusal(String what, Throwable cause) {
        String said = String.valueOf(cause.getMessage());
        ErrorCode code = cause instanceof EtcdException etcd ? etcd.getErrorCode() : ErrorCode.UNKNOWN;
        if (said.contains("too large") || said.contains("too many operations")) {
            return new ClusterException(
                    Reason.INVALID,
                    what + ": etcd takes no request of this size (" + said
                            + "); make the object smaller, or start etcd with a larger --max-request-bytes");
        }
        if (said.contains("database space exceeded")) {
            return new ClusterException(
                    Reason.UNAVAILABLE,
                    what
                            + ": etcd's database is full (NOSPACE), so it takes no writes until an operator compacts and defragments"
                            + " it and disarms the alarm (etcdctl compact, defrag, alarm disarm); the call is tried again");
        }
        return switch (code) {
            case PERMISSION_DENIED, UNAUTHENTICATED ->
                new ClusterException(
                        Reason.FORBIDDEN,
                        what + ": etcd does not let this user do that (" + said
                                + "); check user, password and the user's roles for the prefix");
            case INVALID_ARGUMENT -> {
                boolean account = said.contains("authentication failed") || said.contains("user name is empty");
                yield new ClusterException(account ? Reason.FORBIDDEN : Reason.INVALID, what + ": " + said);
            }
            default -> new ClusterException(Reason.UNAVAILABLE, what + ": etcd could not do it now: " + said);
        };
    }

    @Override
    public void close() {
        client.close();
    }

    /** Not thread-safe. */
    public static final class Builder {
        private List<URI> endpoints = List.of();
        private String prefix = "/volume4j";
        private Duration callTimeout = Duration.ofSeconds(10);
        private @Nullable String user;
        private String password = "";
        private @Nullable Path authorities;
        private @Nullable Path certificate;
        private @Nullable Path key;

        private Builder() {}

        /** The members' client addresses, such as {@code https://etcd-1:2379}; at least one. */
        public Builder endpoints(List<URI> members) {
            endpoints = List.copyOf(members);
            return this;
        }

        /** Where everything of this cluster stands; default {@code /volume4j}. Two clusters share an etcd by two prefixes. */
        public Builder prefix(String newPrefix) {
            prefix = newPrefix;
            return this;
        }

        /** How long one call may take; default 10 s. */
        public Builder callTimeout(Duration timeout) {
            callTimeout = timeout;
            return this;
        }

        /** A user of etcd's own authentication; default none. */
        public Builder user(String name, String itsPassword) {
            user = name;
            password = itsPassword;
            return this;
        }

        /** A file with the certificates, in PEM, of who may sign the members' certificates; for endpoints of https. */
        public Builder authorities(Path file) {
            authorities = file;
            return this;
        }

        /** The client's certificate chain and its private key (PKCS #8), both in PEM; default none. */
        public Builder certificate(Path chain, Path privateKey) {
            certificate = chain;
            key = privateKey;
            return this;
        }

        /**
         * Opens no connection yet: the first call does.
         *
         * @throws IllegalArgumentException if something is missing or no such file can be read
         */
        public EtcdClient build() {
            if (endpoints.isEmpty()) {
                throw new IllegalArgumentException(
                        "needs the address of a member of etcd: endpoints(List.of(URI.create(\"http://…:2379\")))");
            }
            if (callTimeout.isNegative() || callTimeout.isZero()) {
                throw new IllegalArgumentException("a call needs time, but callTimeout is " + callTimeout);
            }
            EtcdKeys keys = new EtcdKeys(prefix);
            ClientBuilder client = Client.builder()
                    .endpoints(endpoints)
                    .maxInboundMessageSize(LARGEST_ANSWER)
                    .keepaliveTime(Duration.ofSeconds(10))
                    .keepaliveTimeout(Duration.ofSeconds(5))
                    .keepaliveWithoutCalls(true)
                    .retryMaxDuration(callTimeout);
            if (user != null) {
                client.user(EtcdKeys.bytes(user)).password(EtcdKeys.bytes(password));
            }
            if (endpoints.stream().anyMatch(uri -> "https".equals(uri.getScheme()))) {
                secure(client);
            }
            return new EtcdClient(client.build(), keys, callTimeout);
        }

        private void secure(ClientBuilder client) {
            Path trusted = authorities;
            Path chain = certificate;
            Path itsKey = key;
            try {
                client.sslContext(tls -> {
                    if (trusted != null) {
                        tls.trustManager(trusted.toFile());
                    }
                    if (chain != null && itsKey != null) {
                        tls.keyManager(chain.toFile(), itsKey.toFile());
                    }
                });
            } catch (SSLException wrong) {
                throw new IllegalArgumentException("no TLS with these certificates: " + wrong.getMessage(), wrong);
            }
        }
    }
}
