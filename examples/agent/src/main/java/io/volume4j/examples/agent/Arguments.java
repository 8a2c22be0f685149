package io.volume4j.examples.agent;

import io.volume4j.core.volumes.AttachMode;
import io.volume4j.examples.agent.http.Access;
import io.volume4j.examples.agent.http.HttpCluster;
import io.volume4j.spi.model.ObjectKey;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The words of a command line: options with their values, in any order, and what is no option. */
final class Arguments {
    static final String USAGE = """
            usage: java -jar agent.jar COMMAND [OPTION]...

              node         mounts volumes for the pods of one node
                --server URL       the API server
                --name NAME        the node's name; its object is made if it is not there
                --root DIR         where volumes and mounts live
                --in-memory        touch nothing on this machine
                --provision        also make and delete this node's loop volumes (loop.volume4j.io)
                --attach self|controller   who attaches volumes to this node, default self
              controllers  binds claims, makes, grows, protects and deletes volumes and snapshots, attaches volumes to nodes
                --server URL
                --lease NAMESPACE/NAME     by which several of them elect the one that works, default
                                           kube-system/volume4j-controllers
              store        an API server of our own, to try the others on
                --listen 127.0.0.1:PORT    only this machine's loopback
                --dir DIR          where to keep the objects; otherwise they go with the process
              apply        writes manifests to the API server
                -f FILE --server URL
              get KIND     prints all objects of a kind, such as pods
                --server URL
              delete KIND [NAMESPACE/]NAME
                --server URL

              in place of --server:
                --kubeconfig FILE  server and user as kubectl has them, also by exec plugins and OIDC
                --context NAME     of that file, default its current one
                --in-cluster       the service account of the pod that this runs in
              with every --server:
                --token-file FILE  holds a bearer token
                --ca-file FILE     certificates (PEM) to trust instead of Java's
                --cert-file FILE   our own certificate (PEM), for servers that ask for one
                --key-file FILE    its private key (PEM), if that is not in the same file
              All of them are read anew whenever they are needed, and may be exchanged meanwhile.

            Ends with 0 when it is done or was asked to stop, 1 when it failed, 2 when it was asked wrongly. node,
            controllers and store run until they are interrupted (SIGTERM, Ctrl-C), and log to standard error.
            """;

    private static final Set<String> FLAGS = Set.of("--in-memory", "--provision", "--in-cluster");
    private static final Set<String> OF_SERVER = Set.of(
            "--server",
            "--kubeconfig",
            "--context",
            "--in-cluster",
            "--token-file",
            "--ca-file",
            "--cert-file",
            "--key-file");

    private final Map<String, String> options = new LinkedHashMap<>();
    private final List<String> words = new ArrayList<>();

    /** @param known what the command takes beside what says which server to ask */
    Arguments(List<String> line, Set<String> known) {
        for (int i = 0; i < line.size(); i++) {
            String word = line.get(i);
            if (!word.startsWith("-")) {
                words.add(word);
            } else if (!known.contains(word) && !(OF_SERVER.contains(word) && known.contains("--server"))) {
                throw new Usage("unknown option " + word + "; --help lists the known ones");
            } else if (FLAGS.contains(word)) {
                options.put(word, "yes");
            } else if (i + 1 == line.size()) {
                throw new Usage(word + " needs a value");
            } else {
                i++;
                options.put(word, line.get(i));
            }
        }
    }

    boolean has(String option) {
        return options.containsKey(option);
    }

    String needed(String option) {
        String value = options.get(option);
        if (value == null) {
            throw new Usage("needs " + option + "; --help tells more");
        }
        return value;
    }

    /** The words that are no options; refused unless there are so many. */
    List<String> words(int count, String what) {
        if (words.size() != count) {
            throw new Usage("needs " + what + ", not " + words);
        }
        return words;
    }

    @Nullable
    Path path(String option) {
        String value = options.get(option);
        return value == null ? null : Path.of(value).toAbsolutePath().normalize();
    }

    AttachMode attachMode() {
        return switch (options.getOrDefault("--attach", "self")) {
            case "self" -> AttachMode.SELF;
            case "controller" -> AttachMode.CONTROLLER;
            default -> throw new Usage("--attach is self or controller");
        };
    }

    ObjectKey lease() {
        String text = options.getOrDefault("--lease", "kube-system/volume4j-controllers");
        int slash = text.indexOf('/');
        if (slash < 1 || slash == text.length() - 1 || text.indexOf('/', slash + 1) >= 0) {
            throw new Usage("--lease is NAMESPACE/NAME, such as kube-system/volume4j-controllers, not " + text);
        }
        return ObjectKey.lease(text.substring(0, slash), text.substring(slash + 1));
    }

    /** By the option that names it; without any, as other tools find it: a kubeconfig, or the pod's service account. */
    private Access server() {
        if (has("--kubeconfig") && has("--server")) {
            throw new Usage("--server and --kubeconfig exclude each other");
        }
        if (has("--kubeconfig")) {
            return Access.kubeconfig(Path.of(needed("--kubeconfig")), options.getOrDefault("--context", ""));
        }
        if (has("--context")) {
            throw new Usage("--context needs --kubeconfig");
        }
        if (has("--in-cluster")) {
            return Access.inCluster(System.getenv());
        }
        try {
            return Access.to(URI.create(needed("--server")));
        } catch (IllegalArgumentException noUri) {
            throw new Usage("--server is http://HOST:PORT or https://HOST:PORT");
        }
    }

    HttpCluster cluster() {
        try {
            return HttpCluster.of(access());
        } catch (IllegalArgumentException wrong) {
            throw new Usage(String.valueOf(wrong.getMessage()));
        }
    }

    private Access access() {
        Access access = server();
        Path token = path("--token-file");
        access = token == null ? access : access.token(token);
        Path authorities = path("--ca-file");
        access = authorities == null ? access : access.authorities(authorities);
        Path certificate = path("--cert-file");
        Path key = path("--key-file");
        if (certificate == null && key != null) {
            throw new Usage("--key-file needs --cert-file");
        }
        return certificate == null ? access : access.certificate(certificate, key == null ? certificate : key);
    }

    InetSocketAddress listen() {
        String value = needed("--listen");
        int colon = value.lastIndexOf(':');
        try {
            if (colon > 0) {
                int port = Integer.parseInt(value.substring(colon + 1));
                return new InetSocketAddress(InetAddress.getByName(value.substring(0, colon)), port);
            }
        } catch (IllegalArgumentException | UnknownHostException wrong) {
            // Told below, as what has no port.
        }
        throw new Usage("--listen is ADDRESS:PORT, such as 127.0.0.1:8001");
    }
}
