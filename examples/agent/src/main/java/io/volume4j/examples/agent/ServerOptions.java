package io.volume4j.examples.agent;

import io.volume4j.examples.agent.cluster.HostCluster;
import io.volume4j.examples.agent.http.Access;
import io.volume4j.examples.agent.http.HttpCluster;
import io.volume4j.examples.agent.http.RequestRate;
import io.volume4j.examples.commandline.Usage;
import io.volume4j.examples.etcd.EtcdClient;
import io.volume4j.spi.model.ObjectKey;
import java.net.URI;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for the API server and the user. */
final class ServerOptions {
    @Option(
            names = "--server",
            paramLabel = "URL",
            description = "the API server: http://HOST:PORT or https://HOST:PORT")
    private @Nullable String server;

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "in place of --server: server and user as kubectl has them, also by exec plugins and OIDC")
    private @Nullable Path kubeconfig;

    @Option(names = "--context", paramLabel = "NAME", description = "of that file, default its current one")
    private @Nullable String context;

    @Option(
            names = "--in-cluster",
            description = "in place of --server: the service account of the pod that this runs in")
    private boolean inCluster;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "holds a bearer token; this and the next three files are read anew whenever they are needed")
    private @Nullable Path token;

    @Option(names = "--ca-file", paramLabel = "FILE", description = "certificates (PEM) to trust instead of Java's")
    private @Nullable Path authorities;

    @Option(
            names = "--cert-file",
            paramLabel = "FILE",
            description = "our own certificate (PEM), for servers that ask for one")
    private @Nullable Path certificate;

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description = "its private key (PEM), if that is not in the same file")
    private @Nullable Path key;

    @Option(
            names = "--kube-api-qps",
            paramLabel = "N",
            description = "requests a second to the API server in the long run (50); requests for leases do not count")
    private @Nullable Double perSecond;

    @Option(
            names = "--kube-api-burst",
            paramLabel = "N",
            description = "requests to the API server at once after a rest (300)")
    private @Nullable Integer burst;

    @Mixin
    private EtcdOptions etcd = new EtcdOptions();

    /** The cluster, for a node, a part of the control plane, or a user. */
    HostCluster cluster() {
        if (!etcd.given()) {
            return apiServer();
        }
        try {
            return new EtcdHost(etcdClient(), etcd.keys(), null);
        } catch (IllegalArgumentException wrong) {
            throw new Usage(String.valueOf(wrong.getMessage()));
        }
    }

    /** The cluster, for commands that need an API server. */
    HttpCluster apiServer() {
        if (etcd.given()) {
            throw new Usage("needs an API server, which reviews tokens: --etcd has none");
        }
        etcd.requireNone();
        try {
            return HttpCluster.of(access(), rate());
        } catch (IllegalArgumentException wrong) {
            throw new Usage(String.valueOf(wrong.getMessage()));
        }
    }

    /**
     * The cluster for the whole control plane; etcd or a Lease elects the leader.
     *
     * @param lease its name, or the name of the election in etcd
     * @param fencing whether nodes' leases in etcd are used as evidence
     */
    ControlPlane controlPlane(ObjectKey lease, ControllersCommand.Fencing fencing) {
        if (!etcd.given()) {
            HostCluster cluster = cluster();
            return new ControlPlane(cluster, Leadership.byLease(cluster, lease));
        }
        try {
            return ControlPlane.inEtcd(etcdClient(), etcd.keys(), lease.namespace() + "-" + lease.name(), fencing);
        } catch (IllegalArgumentException wrong) {
            throw new Usage(String.valueOf(wrong.getMessage()));
        }
    }

    /** Whether the cluster is in etcd. */
    boolean inEtcd() {
        return etcd.given();
    }

    private EtcdClient etcdClient() {
        if (server != null || kubeconfig != null || context != null || inCluster || token != null) {
            throw new Usage("--etcd excludes --server, --kubeconfig, --context, --in-cluster and --token-file");
        }
        if (perSecond != null || burst != null) {
            throw new Usage("--kube-api-qps and --kube-api-burst are for an API server: leave them out with --etcd");
        }
        return etcd.client(authorities, certificate, key);
    }

    /** The server that the options name: a kubeconfig, the pod's service account, or an address. */
    private Access server() {
        if (Stream.of(kubeconfig != null, server != null, inCluster)
                        .filter(given -> given)
                        .count()
                > 1) {
            throw new Usage("--server, --kubeconfig and --in-cluster exclude each other");
        }
        if (kubeconfig != null) {
            return Access.kubeconfig(kubeconfig, context == null ? "" : context);
        }
        if (context != null) {
            throw new Usage("--context needs --kubeconfig");
        }
        if (inCluster) {
            return Access.inCluster(System.getenv());
        }
        if (server == null) {
            throw new Usage("needs --server, --kubeconfig, --in-cluster or --etcd");
        }
        try {
            return Access.to(URI.create(server));
        } catch (IllegalArgumentException noUri) {
            throw new Usage("--server is http://HOST:PORT or https://HOST:PORT");
        }
    }

    private RequestRate rate() {
        RequestRate standard = RequestRate.standard();
        return new RequestRate(
                perSecond == null ? standard.perSecond() : perSecond, burst == null ? standard.burst() : burst);
    }

    private Access access() {
        Access access = server();
        access = token == null ? access : access.token(absolute(token));
        access = authorities == null ? access : access.authorities(absolute(authorities));
        if (certificate == null && key != null) {
            throw new Usage("--key-file needs --cert-file");
        }
        return certificate == null
                ? access
                : access.certificate(absolute(certificate), absolute(key == null ? certificate : key));
    }

    private static Path absolute(Path path) {
        return path.toAbsolutePath().normalize();
    }
}
