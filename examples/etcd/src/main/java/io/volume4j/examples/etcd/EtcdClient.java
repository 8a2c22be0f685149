package io.volume4j.examples.etcd;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.ClientBuilder;
import io.volume4j.spi.host.ClusterException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A connection to the members of one etcd, shared by the cluster and the election of a process. Thread-safe. It finds a member
 * that does not answer within some seconds by pings, also while no call is under way, and asks the members in turn.
 */
public final class EtcdClient implements AutoCloseable {
    private final Client client;
    private final EtcdKeys keys;
    private final Duration callTimeout;

    private final ScheduledExecutorService timer;

    private EtcdClient(Client client, EtcdKeys keys, Duration callTimeout) {
        timer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread made = new Thread(task, "etcd-watches");
            made.setDaemon(true);
            return made;
        });
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
        return await(what, answer, callTimeout);
    }

    /** The same with a time of the caller's. */
    <T> T await(String what, CompletableFuture<T> answer, Duration timeout) {
        try {
            return answer(what, answer, timeout);
        } catch (EtcdFailure failed) {
            throw failed.refusal();
        }
    }

    /**
     * The same for a caller that knows what to do about some failures.
     *
     * @throws EtcdFailure if there is no answer or a refusal
     */
    <T> T answer(String what, CompletableFuture<T> answer) {
        return answer(what, answer, callTimeout);
    }

    private static <T> T answer(String what, CompletableFuture<T> answer, Duration timeout) {
        try {
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            answer.cancel(true);
            throw EtcdFailure.late(what, timeout.toSeconds());
        } catch (InterruptedException interrupted) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw EtcdFailure.interrupted(what);
        } catch (ExecutionException failed) {
            throw EtcdFailure.of(what, failed.getCause() == null ? failed : failed.getCause());
        }
    }

    /** Runs the task later on a thread of the client's; false if the client is closed. */
    boolean later(Duration delay, Runnable task) {
        try {
            var unused = timer.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (RejectedExecutionException closed) {
            return false;
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
        client.close();
    }

    /** Not thread-safe. */
    public static final class Builder {
        private List<URI> endpoints = List.of();
        private String prefix = "/volume4j";
        private Duration callTimeout = Duration.ofSeconds(10);
        private Duration pingAfter = Duration.ofSeconds(10);
        private Duration pingWithin = Duration.ofSeconds(5);
        private int largestAnswer = 64 << 20;
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

        /** How long a connection is quiet before its member is asked whether it lives, and how long that has for an answer. */
        Builder pings(Duration after, Duration within) {
            pingAfter = after;
            pingWithin = within;
            return this;
        }

        /**
         * The largest answer, in bytes, that this client takes; default 64 MiB. What a watch is told at once must fit in, or the
         * library lists instead; listings ask for smaller pages by themselves.
         */
        public Builder largestAnswer(int bytes) {
            largestAnswer = bytes;
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
                    .maxInboundMessageSize(largestAnswer)
                    // each call asks the next member: one that hangs, or lost the others, does not keep all of them
                    .loadBalancerPolicy("round_robin")
                    .keepaliveTime(pingAfter)
                    .keepaliveTimeout(pingWithin)
                    // etcd ends a connection that sends pings while it has no call and no watch
                    .keepaliveWithoutCalls(false)
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
