package io.volume4j.examples.agent.http;

import java.net.URI;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks the addresses of servers. */
final class ServerAddress {
    private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]");

    private ServerAddress() {}

    /**
     * The address as the beginning of every URL.
     *
     * @throws IllegalArgumentException with the error in the address
     */
    static String checked(URI server, boolean withToken) {
        @Nullable String scheme = server.getScheme();
        @Nullable String host = server.getHost();
        if (scheme == null || host == null || !Set.of("http", "https").contains(scheme.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("a server is http://HOST:PORT or https://HOST:PORT");
        }
        if (server.getRawUserInfo() != null || server.getRawQuery() != null || server.getRawFragment() != null) {
            throw new IllegalArgumentException("a server's address has no user, query or fragment");
        }
        if (withToken && scheme.equalsIgnoreCase("http") && !THIS_MACHINE.contains(host)) {
            throw new IllegalArgumentException("a token is not sent to " + host + " in the clear: use https");
        }
        return server.toString().replaceAll("/+$", "");
    }
}
