package io.volume4j.examples.agent.http;

import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.okhttp.OkHttpClientFactory;
import io.fabric8.kubernetes.client.okhttp.OkHttpClientImpl;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import okhttp3.ConnectionPool;
import okhttp3.ConnectionSpec;
import okhttp3.Dispatcher;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the HTTP library: HTTP/2 over TLS, with all requests and watches on one connection, whose pings detect within seconds that
 * the server is gone.
 */
final class Transport extends OkHttpClientFactory {
    private static final Duration PING = Duration.ofSeconds(5);

    /**
     * Connections that stay open without a request, for servers without HTTP/2: as many as two controllers have calls to the cluster at
     * the same time. With the HTTP library's five, one request of nine opened a new connection.
     */
    private static final int IDLE_CONNECTIONS = 32;

    private final @Nullable ServerName name;
    private final boolean tls;

    /**
     * @param name null if the server's certificate has the name of its address
     * @param tls whether the connection uses TLS
     */
    Transport(@Nullable ServerName name, boolean tls) {
        this.name = name;
        this.tls = tls;
    }

    /** @param client of a transport; the client library creates further clients from it, each with its own threads */
    static ClientThreads threadsOf(HttpClient client) {
        return (ClientThreads)
                ((OkHttpClientImpl) client).getOkHttpClient().dispatcher().executorService();
    }

    @Override
    protected void additionalConfig(OkHttpClient.Builder builder) {
        ConnectionPool connections = new ConnectionPool(IDLE_CONNECTIONS, 5, TimeUnit.MINUTES);
        builder.connectionPool(connections)
                .addInterceptor(new BodyEnd())
                .addInterceptor(new SecondReading(connections))
                .pingInterval(PING)
                // A watch may be silent for long; each exchange has its own deadline.
                .readTimeout(Duration.ZERO)
                .writeTimeout(Duration.ZERO)
                // A redirect could send the token, or a write, to another server.
                .followRedirects(false)
                .followSslRedirects(false)
                // The HTTP library must not repeat a write that may have been sent: the caller must know that its
                // outcome is uncertain.
                .retryOnConnectionFailure(false);
        if (!tls) {
            builder.connectionSpecs(List.of(ConnectionSpec.CLEARTEXT));
        }
        if (name != null) {
            builder.addInterceptor(name).dns(name::lookup);
        }
    }

    /** The library limits the requests; with a queue here, the renewal of a lease could wait behind watches. */
    @Override
    protected Dispatcher initDispatcher() {
        Dispatcher dispatcher = new Dispatcher(new ClientThreads());
        dispatcher.setMaxRequests(Integer.MAX_VALUE);
        dispatcher.setMaxRequestsPerHost(Integer.MAX_VALUE);
        return dispatcher;
    }
}
