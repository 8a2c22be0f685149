package io.volume4j.examples.agent.http;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The client for the requests. It compares the files of its {@link Access} before each request. After a change it creates a new
 * client with its own connections and TLS sessions. So no request uses an earlier user or a server that is no longer trusted.
 * Thread-safe.
 */
final class Connections implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(10);

    /** The shortest time after which an exec plugin is asked for another certificate. */
    private static final Duration ASKED_AGAIN = Duration.ofSeconds(10);

    private final Access access;
    private final LongSupplier nanos;
    private boolean refused;
    private long askedAt;

    private @Nullable Opened opened;

    /**
     * A client with its configuration.
     *
     * @param address the beginning of every URL
     * @param content of the files, in their order
     */
    private record Opened(
            Access.Settings settings, String address, HttpClient client, List<Path> files, List<String> content) {
        @Override
        public String toString() {
            return "Opened" + files;
        }
    }

    /**
     * @param nanos a monotonic clock
     * @throws IOException with the unusable file, but without its content
     */
    Connections(Access access, LongSupplier nanos) throws IOException {
        this.access = access;
        this.nanos = nanos;
        askedAt = nanos.getAsLong();
        opened = open();
    }

    /**
     * The server does not know the user. The certificate of an exec plugin may have ended, and the plugin may give another one. The client
     * library does this only for tokens.
     */
    synchronized void refused() {
        refused = opened != null && opened.settings().certified();
    }

    /** @throws IOException with the unusable file, but without its content */
    synchronized HttpClient client() throws IOException {
        return current().client();
    }

    /** The beginning of every URL. */
    synchronized String address() {
        return opened == null ? "" : opened.address();
    }

    /** The secrets of the user in the configuration; no message may contain them. */
    synchronized List<String> secrets() {
        if (opened == null) {
            return List.of();
        }
        Config config = opened.settings().config();
        return Stream.of(config.getOauthToken(), config.getAutoOAuthToken(), config.getPassword())
                .filter(each -> each != null && !each.isEmpty())
                .toList();
    }

    /** The token that the next request sends, from its file; null without such a file. */
    synchronized @Nullable BearerToken token() {
        Path file = opened == null ? null : opened.settings().token();
        return file == null ? null : new BearerToken(file);
    }

    private Opened current() throws IOException {
        Opened known = opened;
        boolean asks = refused && nanos.getAsLong() - askedAt >= ASKED_AGAIN.toNanos();
        if (known == null || asks || !read(known.files()).equals(known.content())) {
            refused = false;
            askedAt = nanos.getAsLong();
            Opened anew = open();
            if (known != null) {
                known.client().close();
            }
            opened = anew;
            return anew;
        }
        return known;
    }

    private Opened open() throws IOException {
        // Reads the files before the configuration: the next request detects a change in between.
        List<String> given = read(access.files());
        Access.Settings settings = access.settings();
        Config config = settings.config();
        List<Path> files = new ArrayList<>(access.files());
        List<String> content = new ArrayList<>(given);
        for (String named :
                new String[] {config.getCaCertFile(), config.getClientCertFile(), config.getClientKeyFile()}) {
            if (named != null && !named.isEmpty() && !files.contains(Path.of(named))) {
                files.add(Path.of(named));
                content.add(SmallFile.read(Path.of(named)));
            }
        }
        String address = config.getMasterUrl().replaceAll("/+$", "");
        return new Opened(settings, address, client(config), files, content);
    }

    private HttpClient client(Config config) throws IOException {
        boolean tls = config.getMasterUrl().startsWith("https:");
        KeyManager @Nullable [] keys = Identity.of(config);
        TrustManager @Nullable [] trust = tls ? Authorities.of(config) : null;
        // The adapter has read these files; the client library supports fewer formats.
        config.setClientCertFile(null);
        config.setClientCertData(null);
        config.setClientKeyFile(null);
        config.setClientKeyData(null);
        config.setCaCertFile(null);
        config.setCaCertData(null);
        ServerName name = ServerName.of(config);
        // With this transport the client library would only warn that it does not support the name.
        config.setTlsServerName(null);
        HttpClient.Builder builder = builder(new Transport(name, tls), config);
        builder.connectTimeout(CONNECT.toMillis(), TimeUnit.MILLISECONDS);
        if (tls) {
            builder.sslContext(keys, trust);
        }
        return builder.build();
    }

    /**
     * The client library reads all authorities of the JDK for each configuration, which takes a tenth of the program's start, and
     * this client does not need them. So it creates a configuration only if that may contain more than an address: proxies, or a
     * server that the user trusts without a check.
     */
    private HttpClient.Builder builder(Transport transport, Config config) {
        if (access.isKubeconfig()) {
            return transport.newBuilder(config);
        }
        HttpClient.Builder builder = transport.newBuilder();
        builder.tag(config.getRequestConfig());
        HttpClientUtils.createApplicableInterceptors(config, transport).forEach(builder::addOrReplaceInterceptor);
        return builder;
    }

    private static List<String> read(List<Path> files) throws IOException {
        List<String> content = new ArrayList<>();
        for (Path file : files) {
            content.add(SmallFile.read(file));
        }
        return content;
    }

    @Override
    public synchronized void close() {
        if (opened != null) {
            opened.client().close();
        }
    }
}
