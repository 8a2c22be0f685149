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
 * What a {@link LiveView} is made of. Everything has a default. No argument may be null. Not thread-safe.
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

    /** Another view: where it listens, and a viewer's token for it. */
    record Joins(URI address, String token) {
        @Override
        public String toString() {
            return address.toString();
        }
    }

    LiveViewBuilder() {}

    /** What the page is called, such as the name of the machine; {@code volume4j} by default. */
    public LiveViewBuilder title(String value) {
        title = Objects.requireNonNull(value, "title");
        return this;
    }

    /** Where it listens; by default a free port of the loopback address. */
    public LiveViewBuilder address(InetSocketAddress value) {
        address = Objects.requireNonNull(value, "address");
        return this;
    }

    /**
     * Lets it listen at an address that other machines reach, and answer requests that name any host, as those that a proxy passes on do:
     * call it also if the proxy is on this machine. The view has no encryption: put it behind a proxy that has:
     * a program that reads the traffic reads the tokens.
     */
    public LiveViewBuilder allowRemote() {
        remote = true;
        return this;
    }

    /**
     * Lets operators act: look at a volume again now, release or adopt a volume, assert that a node is fenced. By default the view only
     * shows. Each action needs {@link LiveView#operatorToken()} and a confirmation, and is logged by the logger {@code
     * io.volume4j.ui.audit} before it is made and when it has ended; tokens that were refused are logged, too.
     */
    public LiveViewBuilder actions() {
        actions = true;
        return this;
    }

    /**
     * Where claims, volumes and pods are read from when an operator opens a volume: live, one object each, never listed. Without it the
     * page shows what the node itself knows.
     */
    public LiveViewBuilder cluster(ClusterSource value) {
        cluster = Objects.requireNonNull(value, "cluster");
        return this;
    }

    /**
     * What a viewer shows to look, in place of a token that is made anew at each start: for views that others {@link #join}. Each who
     * knows it may look.
     *
     * @throws IllegalArgumentException if it has fewer than 16 characters, or others than letters, digits, {@code -} and {@code _}
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
     * Shows what the live view of another process shows as well, so that one page has all nodes of a cluster. It is asked once a second
     * while a viewer looks here, and its sources are called by the name and a slash. Actions stay with the view that has the volume.
     *
     * @param name that the page shows, such as the node's
     * @param address where it listens, {@code http} or {@code https}
     * @param token a viewer's, {@link #viewerToken}
     * @throws IllegalArgumentException if another view has the name, or the address is none of HTTP
     */
    public LiveViewBuilder join(String name, URI address, String token) {
        boolean http = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
        if (!http || address.getHost() == null) {
            throw new IllegalArgumentException(
                    "a live view listens at an address such as http://10.0.0.1:8990/, not at " + address);
        }
        if (name.isEmpty() || name.contains("/") || joined.putIfAbsent(name, new Joins(address, token)) != null) {
            throw new IllegalArgumentException(
                    "each joined view needs a name of its own without a slash, and '" + name + "' is none");
        }
        return this;
    }

    /**
     * A view that does not listen yet.
     *
     * @throws IllegalStateException if the address is not one of the loopback interface, and {@link #allowRemote()} was not called
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
                            + ", which other machines reach: give 127.0.0.1, or call allowRemote() and put a proxy with TLS before it");
        }
        return new LiveView(title, address, remote, actions, cluster, viewerToken, joined);
    }
}
