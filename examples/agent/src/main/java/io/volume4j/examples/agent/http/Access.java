package io.volume4j.examples.agent.http;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.api.model.NamedCluster;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The server, the user, and the trusted certificates of the server. Immutable.
 *
 * <p>An administrator may replace the files of an access while the process runs. The adapter compares their content before
 * each request, and a changed file takes effect with the next request.
 */
public final class Access {
    /** The directory with the token and the authorities of a pod's service account in Kubernetes. */
    private static final Path SERVICE_ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    private static final Pattern PROXY = Pattern.compile("(http|socks5)://[^/?#]+:[0-9]+/?");

    private final @Nullable URI server;
    private final @Nullable Path kubeconfig;
    private final String context;
    private final @Nullable Path token;
    private final @Nullable Path authorities;
    private final @Nullable Path certificate;
    private final @Nullable Path key;

    private Access(
            @Nullable URI server,
            @Nullable Path kubeconfig,
            String context,
            @Nullable Path token,
            @Nullable Path authorities,
            @Nullable Path certificate,
            @Nullable Path key) {
        this.server = server;
        this.kubeconfig = kubeconfig;
        this.context = context;
        this.token = token;
        this.authorities = authorities;
        this.certificate = certificate;
        this.key = key;
    }

    /**
     * The server at this address, without a user. An authority of the JDK must have signed its certificate.
     *
     * @param server such as {@code https://10.0.0.1:6443}
     */
    public static Access to(URI server) {
        return new Access(Objects.requireNonNull(server, "server"), null, "", null, null, null, null);
    }

    /**
     * The content of a kubeconfig: server, authorities, proxy, TLS server name, and the user by token, certificate, password,
     * OIDC or exec plugin, also on behalf of another user.
     *
     * @param context the context to use; {@code ""} is the file's current context
     */
    public static Access kubeconfig(Path file, String context) {
        return new Access(
                null,
                Objects.requireNonNull(file, "file"),
                Objects.requireNonNull(context, "context"),
                null,
                null,
                null,
                null);
    }

    /**
     * The service account of this process's pod.
     *
     * @param environment the process's environment variables
     * @throws IllegalArgumentException if this process does not run in a pod of Kubernetes
     */
    public static Access inCluster(Map<String, String> environment) {
        return inCluster(environment, SERVICE_ACCOUNT);
    }

    static Access inCluster(Map<String, String> environment, Path serviceAccount) {
        String host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
        String port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "443");
        if (host.isEmpty()) {
            throw new IllegalArgumentException(
                    "KUBERNETES_SERVICE_HOST is not set, so this process runs in no pod of Kubernetes: name a server or a kubeconfig");
        }
        String literal = host.contains(":") ? "[" + host + "]" : host;
        return to(URI.create("https://" + literal + ":" + port))
                .authorities(serviceAccount.resolve("ca.crt"))
                .token(serviceAccount.resolve("token"));
    }

    /** Sends the bearer token in the file, which contains nothing else. */
    public Access token(Path file) {
        return new Access(
                server, kubeconfig, context, Objects.requireNonNull(file, "file"), authorities, certificate, key);
    }

    /** The only authorities (PEM) that may sign the server's certificate, instead of the JDK's. */
    public Access authorities(Path pem) {
        return new Access(server, kubeconfig, context, token, Objects.requireNonNull(pem, "pem"), certificate, key);
    }

    /**
     * The user's certificate, followed by the intermediate certificates, and its private key (PEM, without a password;
     * PKCS#8, PKCS#1 or SEC 1). One file may contain both.
     */
    public Access certificate(Path pem, Path keyPem) {
        return new Access(
                server,
                kubeconfig,
                context,
                token,
                authorities,
                Objects.requireNonNull(pem, "pem"),
                Objects.requireNonNull(keyPem, "keyPem"));
    }

    /** Whether the access is a kubeconfig, which may name proxies and more. */
    boolean isKubeconfig() {
        return kubeconfig != null;
    }

    /**
     * What the files contain.
     *
     * @param token the file with the bearer token, which each request reads; null without such a token
     * @param certified whether an exec plugin gave the user's certificate
     */
    record Settings(Config config, @Nullable Path token, boolean certified) {
        @Override
        public String toString() {
            return "Settings[" + config.getMasterUrl() + "]";
        }
    }

    /**
     * The current content of the files, for the client library.
     *
     * @throws IOException with the unusable file, but without its content
     */
    Settings settings() throws IOException {
        Settings settings = kubeconfig == null ? new Settings(ofServer(), token, false) : ofKubeconfig(kubeconfig);
        // The library that embeds this adapter decides about retries.
        settings.config().setRequestRetryBackoffLimit(0);
        settings.config().setUserAgent("volume4j-agent");
        return settings;
    }

    private Config ofServer() {
        ConfigBuilder builder = new ConfigBuilder(Config.empty())
                .withMasterUrl(ServerAddress.checked(Objects.requireNonNull(server), token != null));
        if (authorities != null) {
            builder.withCaCertFile(authorities.toString());
        }
        if (certificate != null && key != null) {
            builder.withClientCertFile(certificate.toString()).withClientKeyFile(key.toString());
        }
        return builder.build();
    }

    private Settings ofKubeconfig(Path file) throws IOException {
        if (!Files.isReadable(file)) {
            throw new IOException(
                    file + (Files.exists(file) ? ": this process may not read it" : ": there is no such file"));
        }
        Config config;
        try {
            config = Config.fromKubeconfig(context.isEmpty() ? null : context, file.toFile());
        } catch (RuntimeException unreadable) {
            // Without the cause, whose message may contain parts of the file.
            throw new IOException(file + ": it is no kubeconfig that can be read");
        }
        NamedContext current = config.getCurrentContext();
        if (current == null) {
            throw new IOException(file + ": it has no current context; name one");
        }
        // For an unknown context the client library would use a cluster at a default address.
        String wanted = context.isEmpty() ? current.getName() : context;
        if (config.getContexts().stream().noneMatch(each -> each.getName().equals(wanted))) {
            throw new IOException(file + ": it has no context \"" + wanted + "\"");
        }
        var read = Serialization.unmarshal(Files.readString(file), io.fabric8.kubernetes.api.model.Config.class);
        String cluster = String.valueOf(current.getContext().getCluster());
        if (!hasServer(read, cluster)) {
            // The client library would use a server at a default address, and send it the token.
            throw new IOException(
                    file + ": context \"" + wanted + "\" names cluster \"" + cluster + "\", which has no server there");
        }
        Optional<AuthInfo> user = user(read, current.getContext().getUser());
        try {
            boolean identified =
                    token != null || user.filter(Access::identifies).isPresent();
            var unused = ServerAddress.checked(new URI(config.getMasterUrl()), identified);
        } catch (URISyntaxException wrong) {
            // Without the cause, whose message may contain a password.
            throw new IOException(file + ": the address of its server is none");
        } catch (IllegalArgumentException wrong) {
            throw new IOException(file + ": " + wrong.getMessage());
        }
        String proxy = proxy(file, read, cluster);
        if (!proxy.isEmpty()) {
            // The client library selects by the proxy's scheme whether the proxy is for servers with or without TLS.
            config.setHttpProxy(proxy);
            config.setHttpsProxy(proxy);
            config.setNoProxy(new String[0]);
        }
        if (user.isPresent()) {
            actAs(file, user.get(), config);
        }
        Path named = user.map(AuthInfo::getTokenFile)
                .filter(each -> !each.isEmpty())
                .map(file.toAbsolutePath()::resolveSibling)
                .orElse(null);
        if (named != null) {
            // As for kubectl, the file counts, and not a token beside its name.
            config.setAutoOAuthToken(null);
        }
        boolean certified = config.getClientCertData() != null
                && user.map(AuthInfo::getExec).isPresent();
        return new Settings(config, token == null ? named : token, certified);
    }

    private static boolean hasServer(io.fabric8.kubernetes.api.model.Config read, String cluster) {
        return Stream.ofNullable(read.getClusters())
                .flatMap(List::stream)
                .filter(each -> each.getName().equals(cluster))
                .map(NamedCluster::getCluster)
                .filter(Objects::nonNull)
                .anyMatch(each -> each.getServer() != null && !each.getServer().isEmpty());
    }

    private static Optional<AuthInfo> user(io.fabric8.kubernetes.api.model.Config read, @Nullable String name) {
        // In a file without users, the list is null.
        return Stream.ofNullable(read.getUsers())
                .flatMap(List::stream)
                .filter(each -> each.getName().equals(name))
                .map(NamedAuthInfo::getUser)
                .filter(Objects::nonNull)
                .findFirst();
    }

    /** Whether the user in the file sends more than a certificate, which TLS would have to protect. */
    private static boolean identifies(AuthInfo user) {
        return user.getExec() != null
                || user.getAuthProvider() != null
                || Stream.of(user.getToken(), user.getTokenFile(), user.getPassword())
                        .anyMatch(word -> word != null && !word.isEmpty());
    }

    /**
     * Acts on behalf of the user that the file names with {@code as}. The client library ignores these fields of a kubeconfig, and all
     * requests would have the rights of the file's own user.
     */
    private static void actAs(Path file, AuthInfo user, Config config) throws IOException {
        String as = Objects.requireNonNullElse(user.getAs(), "");
        List<String> groups = Objects.requireNonNullElse(user.getAsGroups(), List.of());
        Map<String, List<String>> extra = Objects.requireNonNullElse(user.getAsUserExtra(), Map.of());
        if (user.getAsUid() != null && !user.getAsUid().isEmpty()) {
            throw new IOException(file + ": this client cannot send as-uid; leave it out");
        }
        if (as.isEmpty() && !(groups.isEmpty() && extra.isEmpty())) {
            throw new IOException(file + ": as-groups and as-user-extra need as, the name of a user");
        }
        if (!as.isEmpty()) {
            config.getRequestConfig().setImpersonateUsername(as);
            config.getRequestConfig().setImpersonateGroups(groups.toArray(new String[0]));
            config.getRequestConfig().setImpersonateExtras(extra);
        }
    }

    /** The proxy of the cluster in the file, {@code ""} if there is none. */
    private static String proxy(Path file, io.fabric8.kubernetes.api.model.Config read, String cluster)
            throws IOException {
        String proxy = read.getClusters().stream()
                .filter(each -> each.getName().equals(cluster))
                .map(each -> each.getCluster().getProxyUrl())
                .filter(Objects::nonNull)
                .findFirst()
                .orElse("");
        if (!proxy.isEmpty() && !PROXY.matcher(proxy).matches()) {
            throw new IOException(file + ": proxy-url of cluster \"" + cluster
                    + "\" is none that this client can use: give http://HOST:PORT or socks5://HOST:PORT");
        }
        return proxy;
    }

    /** The files that determine {@link #settings}, as far as they are known before it is read. */
    List<Path> files() {
        List<Path> files = new ArrayList<>();
        for (Path file : new Path[] {kubeconfig, authorities, certificate, key}) {
            if (file != null) {
                files.add(file);
            }
        }
        return files;
    }
}
