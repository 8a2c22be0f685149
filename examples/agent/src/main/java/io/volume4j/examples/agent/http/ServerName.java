package io.volume4j.examples.agent.http;

import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import okhttp3.Dns;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * The name in the server's certificate and in the TLS handshake, if it differs from the server's address
 * ({@code tls-server-name} of a kubeconfig). The HTTP library takes both from the request's URL. So a request to the server
 * gets a URL with this name, which resolves to the server's own host, and keeps its {@code Host} header.
 *
 * @param server the configured address
 */
record ServerName(HttpUrl server, String name) implements Interceptor {
    /**
     * Null if the server's certificate has the name of its address.
     *
     * @throws IOException if this client does not support the configuration
     */
    static @Nullable ServerName of(Config config) throws IOException {
        String name = config.getTlsServerName();
        HttpUrl server = HttpUrl.parse(config.getMasterUrl());
        if (name == null || name.isEmpty() || server == null || !server.isHttps()) {
            return null;
        }
        if (config.getHttpsProxy() != null) {
            // The proxy's address may contain a password.
            throw new IOException("tls-server-name " + name + " and a proxy: this client can do one of them; leave"
                    + " tls-server-name out and give the server's address that name");
        }
        return new ServerName(server, name);
    }

    @Override
    public Response intercept(Chain chain) throws IOException {
        Request request = chain.request();
        HttpUrl url = request.url();
        if (!url.host().equals(server.host()) || url.port() != server.port()) {
            return chain.proceed(request);
        }
        return chain.proceed(request.newBuilder()
                .header("Host", server.port() == 443 ? inUrl(server) : inUrl(server) + ":" + server.port())
                .url(url.newBuilder().host(name).build())
                .build());
    }

    private static String inUrl(HttpUrl url) {
        return url.host().contains(":") ? "[" + url.host() + "]" : url.host();
    }

    List<InetAddress> lookup(String host) throws UnknownHostException {
        return Dns.SYSTEM.lookup(host.equals(name) ? server.host() : host);
    }
}
