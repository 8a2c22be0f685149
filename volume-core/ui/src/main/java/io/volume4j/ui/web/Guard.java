package io.volume4j.ui.web;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The checks of each request before its answer, and the restrictions for the browser in each answer. Thread-safe. */
final class Guard {
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
                    + " form-action 'none'; base-uri 'none'; frame-ancestors 'none'";
    private static final String BEARER = "Bearer ";
    /** An address, in the form of {@link URI#getHost}: it needs no name resolution. */
    private static final Pattern ADDRESS = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}|\\[[0-9a-fA-F:.]+]");

    private final Tokens tokens;
    private final boolean anyHost;
    private final InetAddress own;
    private final String cookie;
    private final RefusedTokens refused = new RefusedTokens(System::nanoTime);

    /** @param anyHost whether requests may name any host, as a proxy forwards them */
    Guard(Tokens tokens, boolean anyHost, InetSocketAddress own) {
        this.tokens = tokens;
        this.anyHost = anyHost;
        this.own = own.getAddress();
        this.cookie = "volume4j-" + own.getPort();
    }

    static void protect(Headers answer) {
        answer.set("Content-Security-Policy", POLICY);
        answer.set("X-Content-Type-Options", "nosniff");
        answer.set("Referrer-Policy", "no-referrer");
        answer.set("Cross-Origin-Opener-Policy", "same-origin");
        answer.set("Cross-Origin-Resource-Policy", "same-origin");
        answer.set("Cache-Control", "no-store");
    }

    /** Refuses a request from a page of another origin whose name resolves to this server (DNS rebinding). */
    void requireHost(HttpExchange exchange) {
        String host = exchange.getRequestHeaders().getFirst("Host");
        if (!anyHost && (host == null || !ownName(host))) {
            throw new Refusal(
                    421,
                    "this server answers to its own address and to localhost only; a host that puts a proxy before it calls allowRemote()");
        }
        String origin = exchange.getRequestHeaders().getFirst("Origin");
        if (origin != null && !origin.equals("http://" + host) && !origin.equals("https://" + host)) {
            throw new Refusal(403, "requests of pages from elsewhere are refused");
        }
    }

    /** Another page's owner can make a name resolve to this server, but not an address. */
    private boolean ownName(String host) {
        try {
            String name = String.valueOf(URI.create("http://" + host).getHost());
            if (!ADDRESS.matcher(name).matches()) {
                return name.equalsIgnoreCase("localhost");
            }
            InetAddress address = InetAddress.getByName(name);
            return address.isLoopbackAddress() || address.equals(own);
        } catch (IllegalArgumentException | UnknownHostException noName) {
            return false;
        }
    }

    void requireViewer(HttpExchange exchange) {
        boolean known = bearer(exchange).filter(tokens::isViewer).isPresent()
                || sessions(exchange).stream().anyMatch(tokens::knows);
        if (!known) {
            throw new Refusal(401, "the token is missing or wrong: it was printed when the view started");
        }
    }

    void requireOperator(HttpExchange exchange) {
        if (bearer(exchange).filter(tokens::isOperator).isEmpty()) {
            refused.add(WebServer.peer(exchange), exchange.getRequestURI().getPath());
            throw new Refusal(401, "an action needs the operator's token: it was printed when the view started");
        }
    }

    /** Opens a session for a viewer with the right token. */
    void open(HttpExchange exchange, String token) {
        if (!tokens.isViewer(token)) {
            throw new Refusal(401, "the token is wrong: it was printed when the view started");
        }
        exchange.getResponseHeaders()
                .set("Set-Cookie", cookie + "=" + tokens.session() + "; HttpOnly; SameSite=Strict; Path=/");
    }

    private static Optional<String> bearer(HttpExchange exchange) {
        String header = exchange.getRequestHeaders().getFirst("Authorization");
        return header != null && header.startsWith(BEARER)
                ? Optional.of(header.substring(BEARER.length()))
                : Optional.empty();
    }

    private List<String> sessions(HttpExchange exchange) {
        List<String> values = new ArrayList<>();
        for (String header : exchange.getRequestHeaders().getOrDefault("Cookie", List.of())) {
            for (String part : header.split(";")) {
                String[] pair = part.trim().split("=", 2);
                if (pair.length == 2 && pair[0].equals(cookie)) {
                    values.add(pair[1]);
                }
            }
        }
        return values;
    }
}
