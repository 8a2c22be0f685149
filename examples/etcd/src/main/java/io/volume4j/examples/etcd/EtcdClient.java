package io.volume4j.examples.etcd;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.ClientBuilder;
import io.volume4j.spi.host.ClusterException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to the members of one etcd, which cluster and election of a process share. It calls the members in turn. While a
 * call or a watch is in progress, it sends pings and so finds within seconds a member that does not answer. When a call has no answer
 * because it waits for a connection that no member refuses, the client connects anew, at most once in the time of a call: gRPC sends
 * pings only on connections that a member has begun to use, and would wait for good. Thread-safe.
 */
public final class EtcdClient implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EtcdClient.class);
    private static final Duration RETIRES_AFTER = Duration.ofSeconds(1);

    private final ClientBuilder settings;
    private final @Nullable PasswordFile password;
    private final EtcdKeys keys;
    private final Duration callTimeout;
    private final ScheduledExecutorService timer;
    private volatile Connected connected;

    /** Was replaced, and is closed a moment later: another thread may be about to use it. */
    private @Nullable Client retired;

    private boolean closed;

    /** @param since {@link System#nanoTime} of the start */
    private record Connected(Client client, ConnectionProbe probe, long since) {}

    /** @param password null if no file holds the password */
    private EtcdClient(ClientBuilder settings, @Nullable PasswordFile password, EtcdKeys keys, Duration callTimeout) {
        ScheduledThreadPoolExecutor threads = new ScheduledThreadPoolExecutor(1, task -> {
            Thread made = new Thread(task, "etcd-watches");
            made.setDaemon(true);
            return made;
        });
        // Now: if a watch breaks when the machine has no thread, it must be opened again all the same.
        threads.prestartCoreThread();
        timer = threads;
        this.settings = settings;
        this.password = password;
        this.keys = keys;
        this.callTimeout = callTimeout;
        try {
            connected = connect();
        } catch (RuntimeException | Error noThread) {
            timer.shutdownNow();
            throw noThread;
        }
    }

    private Connected connect() {
        ConnectionProbe probe = new ConnectionProbe();
        ClientBuilder client = settings.copy().interceptor(probe);
        if (password == null) {
            return new Connected(client.build(), probe, System.nanoTime());
        }
        String present = password.read();
        Connected made = new Connected(client.password(EtcdKeys.bytes(present)).build(), probe, System.nanoTime());
        // only now: without a thread there is no connection, and the next call tries again
        password.use(present);
        return made;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** For the next call or watch; not to be kept. */
    Client client() {
        return connected.client();
    }

    EtcdKeys keys() {
        return keys;
    }

    /**
     * Waits for the answer of a call.
     *
     * @param what describes the call, for messages
     * @throws ClusterException unavailable, if no answer arrives within the call's timeout or etcd cannot do it now; forbidden or
     *     invalid, if a retry cannot help
     */
    <T> T await(String what, CompletableFuture<T> answer) {
        return await(what, answer, callTimeout);
    }

    /** The same with the caller's timeout. */
    <T> T await(String what, CompletableFuture<T> answer, Duration timeout) {
        try {
            return answer(what, answer, timeout);
        } catch (EtcdFailure failed) {
            throw failed.refusal();
        }
    }

    /**
     * The same for a caller that handles some failures itself.
     *
     * @throws EtcdFailure if etcd does not answer, or refuses
     */
    <T> T answer(String what, CompletableFuture<T> answer) {
        return answer(what, answer, callTimeout);
    }

    private <T> T answer(String what, CompletableFuture<T> answer, Duration timeout) {
        Connected used = connected;
        try {
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            answer.cancel(true);
            ConnectionProbe.Finding found = used.probe().look();
            if (found.silent() && System.nanoTime() - used.since() >= callTimeout.toNanos()) {
                replace(used, () -> true);
            }
            throw found.tls() == null
                    ? EtcdFailure.late(what, timeout.toSeconds())
                    : EtcdFailure.ofTls(what, found.tls());
        } catch (InterruptedException interrupted) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw EtcdFailure.interrupted(what);
        } catch (ExecutionException failed) {
            EtcdFailure refused = EtcdFailure.of(what, failed.getCause() == null ? failed : failed.getCause());
            boolean renewed = refused.refusal().reason() == ClusterException.Reason.FORBIDDEN
                    && password != null
                    && replace(used, password::changed);
            throw renewed ? EtcdFailure.ofOldPassword(what) : refused;
        }
    }

    /**
     * Connects anew if that is necessary. Calls of the earlier connection fail or time out, and its watches end; their callers repeat
     * them. False if nothing has changed.
     */
    private boolean replace(Connected earlier, BooleanSupplier necessary) {
        Client replaced = earlier.client();
        @Nullable Client before;
        synchronized (this) {
            if (closed) {
                return false;
            }
            if (!connected.equals(earlier)) {
                // another thread has connected anew
                return true;
            }
            if (!necessary.getAsBoolean()) {
                return false;
            }
            try {
                connected = connect();
            } catch (RuntimeException | Error noThread) {
                LOG.atDebug().setCause(noThread).log("cannot connect anew; the next call that fails tries again");
                return false;
            }
            before = retired;
            retired = replaced;
        }
        LOG.atDebug().log("connected anew to etcd");
        if (before != null) {
            before.close();
        }
        if (!later(RETIRES_AFTER, replaced::close)) {
            replaced.close();
        }
        return true;
    }

    /** Runs the task later on the client's thread. False if the client is closed. */
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
        @Nullable Client before;
        synchronized (this) {
            closed = true;
            before = retired;
        }
        connected.client().close();
        if (before != null) {
            before.close();
        }
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
        private @Nullable Path passwordFile;
        private @Nullable Path authorities;
        private @Nullable Path certificate;
        private @Nullable Path key;

        private Builder() {}

        /** The members' client addresses, such as {@code https://etcd-1:2379}; at least one. */
        public Builder endpoints(List<URI> members) {
            endpoints = List.copyOf(members);
            return this;
        }

        /** The prefix of all keys of this cluster; default {@code /volume4j}. Clusters that share an etcd need different prefixes. */
        public Builder prefix(String newPrefix) {
            prefix = newPrefix;
            return this;
        }

        /** The timeout of one call; default 10 s. */
        public Builder callTimeout(Duration timeout) {
            callTimeout = timeout;
            return this;
        }

        /** How long a connection is idle before the client pings its member, and how long it waits for the answer. */
        Builder pings(Duration after, Duration within) {
            pingAfter = after;
            pingWithin = within;
            return this;
        }

        /**
         * The largest answer, in bytes, that this client accepts; default 64 MiB. If one answer of a watch is larger, the library
         * lists instead. Listings reduce their page size by themselves.
         */
        public Builder largestAnswer(int bytes) {
            largestAnswer = bytes;
            return this;
        }

        /** A user for etcd's own authentication; default none. Without TLS only for members on this machine. */
        public Builder user(String name, String itsPassword) {
            user = name;
            password = itsPassword;
            passwordFile = null;
            return this;
        }

        /**
         * The same with a file that holds the password, without the blanks around it. An administrator may change the password: when
         * etcd refuses a call, the client reads the file again.
         */
        public Builder user(String name, Path file) {
            user = name;
            passwordFile = file;
            return this;
        }

        /**
         * A PEM file with the certificates of the authorities that sign the members' certificates; for https endpoints. The client
         * compares this file, and those of {@link #certificate}, before each connection: another program may renew them.
         */
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
         * @throws IllegalArgumentException if endpoints are missing, a value is not valid, or the client cannot read a file
         */
        public EtcdClient build() {
            if (endpoints.isEmpty()) {
                throw new IllegalArgumentException(
                        "needs the address of a member of etcd: endpoints(List.of(URI.create(\"http://…:2379\")))");
            }
            if (callTimeout.isNegative() || callTimeout.isZero()) {
                throw new IllegalArgumentException("a call needs time, but callTimeout is " + callTimeout);
            }
            boolean tls = requireSafe();
            EtcdKeys keys = new EtcdKeys(prefix);
            ClientBuilder client = Client.builder()
                    .endpoints(endpoints)
                    .maxInboundMessageSize(largestAnswer)
                    // each call goes to the next member, so a member that hangs or is isolated does not block all calls
                    .loadBalancerPolicy("round_robin")
                    .keepaliveTime(pingAfter)
                    .keepaliveTimeout(pingWithin)
                    // etcd closes a connection that sends pings without a call or a watch
                    .keepaliveWithoutCalls(false)
                    .retryMaxDuration(callTimeout);
            PasswordFile file = passwordFile == null ? null : new PasswordFile(passwordFile);
            if (user != null) {
                client.user(EtcdKeys.bytes(user)).password(EtcdKeys.bytes(password));
            }
            if (tls) {
                secure(client);
            }
            return new EtcdClient(client, file, keys, callTimeout);
        }

        /** Whether the members use TLS. A mistyped address must not send in the clear what was meant to be encrypted. */
        private boolean requireSafe() {
            long secured = endpoints.stream()
                    .filter(uri -> "https".equals(uri.getScheme()))
                    .count();
            if (secured != 0 && secured != endpoints.size()) {
                throw new IllegalArgumentException(
                        "some members of etcd are https:// and others http://; give the addresses of one kind");
            }
            if (secured == 0 && (authorities != null || certificate != null)) {
                throw new IllegalArgumentException("certificates are for members at https://, not " + endpoints.get(0));
            }
            for (URI member : endpoints) {
                if (secured == 0 && user != null && !isThisMachine(member)) {
                    throw new IllegalArgumentException(
                            "a password is not sent to " + member.getHost() + " in the clear: use https://");
                }
            }
            return secured > 0;
        }

        private static boolean isThisMachine(URI member) {
            String host = String.valueOf(member.getHost());
            return host.equals("localhost") || host.equals("[::1]") || host.matches("127(\\.[0-9]{1,3}){3}");
        }

        private void secure(ClientBuilder client) {
            try {
                client.sslContext(new RenewedTls(authorities, certificate, key));
            } catch (IOException | GeneralSecurityException wrong) {
                throw new IllegalArgumentException("no TLS with these certificates: " + wrong.getMessage(), wrong);
            }
        }
    }
}
