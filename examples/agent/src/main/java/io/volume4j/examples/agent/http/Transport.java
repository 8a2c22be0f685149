package io.volume4j.examples.agent.http;

import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.okhttp.OkHttpClientFactory;
import io.fabric8.kubernetes.client.okhttp.OkHttpClientImpl;
import java.time.Duration;
import java.util.List;
import okhttp3.ConnectionPool;
import okhttp3.ConnectionSpec;
import okhttp3.Dispatcher;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;

/**
 * What the adapter asks of the HTTP library beyond its defaults. HTTP/2 over TLS, with all requests and watches on one
 * connection, whose pings notice within seconds that the server is gone.
 */
final class Transport extends OkHttpClientFactory {
    private static final Duration PING = Duration.ofSeconds(5);

    private final @Nullable ServerName name;
    private final boolean tls;

    /**
     * @param name null if the server's certificate has the name of its address
     * @param tls whether the server is asked over TLS
     */
    Transport(@Nullable ServerName name, boolean tls) {
        this.name = name;
        this.tls = tls;
    }

    /** @param client that a transport has made; the client library makes others with it, such as for tokens, each with its own threads */
    static ClientThreads threadsOf(HttpClient client) {
        return (ClientThreads)
                ((OkHttpClientImpl) client).getOkHttpClient().dispatcher().executorService();
    }

    @Override
    protected void additionalConfig(OkHttpClient.Builder builder) {
        ConnectionPool connections = new ConnectionPool();
        builder.connectionPool(connections)
                .addInterceptor(new BodyEnd())
                .addInterceptor(new SecondReading(connections))
                .pingInterval(PING)
                // A watch may be silent for long; each exchange has its own deadline.
                .readTimeout(Duration.ZERO)
                .writeTimeout(Duration.ZERO)
                // A redirection could send the token, or a write, to another server.
                .followRedirects(false)
                .followSslRedirects(false)
                // A write that may have been sent is not sent again in silence: the caller must know about the doubt.
                .retryOnConnectionFailure(false);
        if (!tls) {
            builder.connectionSpecs(List.of(ConnectionSpec.CLEARTEXT));
        }
        if (name != null) {
            builder.addInterceptor(name).dns(name::lookup);
        }
    }

    /** The library's lanes bound the requests; a queue here would let a renewal of a lease wait behind watches. */
    @Override
    protected Dispatcher initDispatcher() {
        Dispatcher dispatcher = new Dispatcher(new ClientThreads());
        dispatcher.setMaxRequests(Integer.MAX_VALUE);
        dispatcher.setMaxRequestsPerHost(Integer.MAX_VALUE);
        return dispatcher;
    }
}
