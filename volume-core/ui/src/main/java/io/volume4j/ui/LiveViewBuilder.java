package io.volume4j.ui;

import io.volume4j.spi.host.ClusterSource;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link LiveView}. Everything has a default. No argument may be null. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class LiveViewBuilder {
    private String title = "volume4j";
    private InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private boolean remote;
    private boolean actions;
    private @Nullable ClusterSource cluster;
    private String viewerToken = "";
    private final Map<String, Joins> joined = new LinkedHashMap<>();

    /** Another view: its address, and a viewer's token for it. */
    record Joins(URI address, String token) {
        @Override
        public String toString() {
            return address.toString();
        }
    }

    LiveViewBuilder() {}

    /** The title of the page, such as the name of the machine; {@code volume4j} by default. */
    public LiveViewBuilder title(String value) {
        title = Objects.requireNonNull(value, "title");
        return this;
    }

    /** The address to listen at; by default a free port of the loopback address. */
    public LiveViewBuilder address(InetSocketAddress value) {
        address = Objects.requireNonNull(value, "address");
        return this;
    }

    /**
     * Permits an address that other machines can reach, and requests with any host name, as a proxy forwards them.
     * Call it also if the proxy is on this machine. The view has no encryption, so a program that reads the traffic
     * can read the tokens. Put the view behind a proxy with TLS.
     */
    public LiveViewBuilder allowRemote() {
        remote = true;
        return this;
    }

    /**
     * Permits actions of operators: reconcile a volume now, release or adopt a volume, and assert that a node is
     * fenced. By default the view permits no actions. Each action needs {@link LiveView#operatorToken()} and a
     * confirmation. The logger {@code io.volume4j.ui.audit} logs each action before it begins and after it ends, and
     * also each refused token.
     */
    public LiveViewBuilder actions() {
        actions = true;
        return this;
    }

    /**
     * The source from which the view reads the claim, volume and pod when an operator opens a volume. It reads single
     * objects live and never lists. Without a source the page shows what the node knows.
     */
    public LiveViewBuilder cluster(ClusterSource value) {
        cluster = Objects.requireNonNull(value, "cluster");
        return this;
    }

    /**
     * A fixed viewer's token, for views that others {@link #join}. By default each start creates a new token. Every
     * person with the token can see the view.
     *
     * @throws IllegalArgumentException if it has fewer than 16 characters, or characters other than letters, digits,
     *     {@code -} and {@code _}
     */
    public LiveViewBuilder viewerToken(String value) {
        if (!value.matches("[A-Za-z0-9_-]{16,200}")) {
            throw new IllegalArgumentException(
                    "a viewer's token has 16 to 200 letters, digits, '-' and '_'; make one with: openssl rand -hex 24");
        }
        viewerToken = value;
        return this;
    }

    /**
     * Also shows the contents of another process's live view, so that one page can have all nodes of a cluster. While
     * this view has viewers, it reads the other view once a second. The names of the other view's sources get this
     * name and a slash as prefix. Actions are possible only in the other view itself.
     * @param name the name on the page, such as the node's name
     * @param address the address of the other view, {@code http} or {@code https}, with nothing after host and port but a
     *     slash. The page shows it
     * @param token a viewer's token of the other view, see {@link #viewerToken}
     * @throws IllegalArgumentException if another view has the name, or if the address is not such an address; the
     *     message contains no user, path or token of it
     */
    public LiveViewBuilder join(String name, URI address, String token) {
        boolean http = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
        if (!http || address.getHost() == null) {
            throw new IllegalArgumentException(
                    "the address of " + name + " is not one of a live view, such as http://10.0.0.1:8990/");
        }
        if (!isRoot(address)) {
            throw new IllegalArgumentException("a live view is at the root of its server: give the address of " + name
                    + " as " + address.getScheme() + "://HOST:PORT/, without a user, a path and a token");
        }
        if (name.isEmpty() || name.contains("/") || joined.putIfAbsent(name, new Joins(address, token)) != null) {
            throw new IllegalArgumentException(
                    "each joined view needs a unique name without a slash, not '" + name + "'");
        }
        return this;
    }

    /** Requests leave out a path, and viewers of the page see the address, with a user or a token in it. */
    private static boolean isRoot(URI address) {
        String path = address.getRawPath();
        return (path.isEmpty() || path.equals("/"))
                && address.getRawUserInfo() == null
                && address.getRawQuery() == null
                && address.getRawFragment() == null;
    }

    /**
     * Builds the view. It does not listen yet.
     *
     * @throws IllegalStateException if the address is not one of the loopback interface, and {@link #allowRemote()} was
     *     not called
     */
    public LiveView build() {
        if (address.isUnresolved()) {
            throw new IllegalStateException("the live view cannot listen at " + address.getHostString()
                    + ": the name has no address; give an address such as 127.0.0.1");
        }
        if (!remote && !address.getAddress().isLoopbackAddress()) {
            throw new IllegalStateException(
                    "the live view does not listen at "
                            + address.getAddress().getHostAddress()
                            + ", which other machines can reach: give 127.0.0.1, or call allowRemote() and put a proxy with TLS before it");
        }
        return new LiveView(title, address, remote, actions, cluster, viewerToken, joined);
    }
}
