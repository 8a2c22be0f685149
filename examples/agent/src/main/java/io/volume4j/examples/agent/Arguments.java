package io.volume4j.examples.agent;

import io.volume4j.core.volumes.AttachMode;
import io.volume4j.csi.CsiEndpoint;
import io.volume4j.examples.agent.http.Access;
import io.volume4j.examples.agent.http.HttpCluster;
import io.volume4j.spi.model.ObjectKey;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The words of a command line: options with their values, in any order, and what is no option. */
final class Arguments {
    private static final Set<String> FLAGS = Set.of("--in-memory", "--provision", "--in-cluster", "--once");
    private static final Set<String> OF_SERVER = Set.of(
            "--server",
            "--kubeconfig",
            "--context",
            "--in-cluster",
            "--token-file",
            "--ca-file",
            "--cert-file",
            "--key-file");

    /** Options that may be given several times. */
    private static final Set<String> LISTS = Set.of("--only", "--csi");

    private final Map<String, String> options = new LinkedHashMap<>();
    private final Map<String, List<String>> lists = new LinkedHashMap<>();
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
                if (LISTS.contains(word)) {
                    lists.computeIfAbsent(word, key -> new ArrayList<>()).add(line.get(i));
                } else if (options.put(word, line.get(i)) != null) {
                    throw new Usage(word + " is given twice; leave one out");
                }
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

    /** The values of an option that may be given several times. */
    List<String> all(String option) {
        return lists.getOrDefault(option, List.of());
    }

    /** The parts of the control plane that are to run alone; empty for all of it. */
    List<Part> parts() {
        List<Part> parts = new ArrayList<>();
        for (String text : all("--only")) {
            Part part = Part.parse(text);
            if (parts.contains(part)) {
                throw new Usage("--only " + part + " is given twice; leave one out");
            }
            parts.add(part);
        }
        return parts;
    }

    /** The sockets of CSI drivers, by driver. */
    Map<String, CsiEndpoint> csi() {
        Map<String, CsiEndpoint> endpoints = new LinkedHashMap<>();
        for (String text : all("--csi")) {
            int equals = text.indexOf('=');
            if (equals < 1) {
                throw new Usage(
                        "--csi is DRIVER=unix:///PATH, such as hostpath.csi.k8s.io=unix:///csi/csi.sock, not " + text);
            }
            try {
                if (endpoints.put(text.substring(0, equals), CsiEndpoint.parse(text.substring(equals + 1))) != null) {
                    throw new Usage("--csi names " + text.substring(0, equals) + " twice; leave one out");
                }
            } catch (IllegalArgumentException noSocket) {
                throw new Usage("--csi " + text + ": " + noSocket.getMessage());
            }
        }
        return endpoints;
    }

    /** Whether the node only tells of its CSI drivers. */
    boolean registrarOnly() {
        for (String text : all("--only")) {
            if (!text.equals("registrar")) {
                throw new Usage("a node has one part that runs alone, --only registrar, not " + text
                        + "; the others are for the command controllers");
            }
        }
        return !all("--only").isEmpty();
    }

    /** How long {@code --once} waits. */
    Duration timeout() {
        String text = options.getOrDefault("--timeout", "120");
        if (!text.matches("[1-9][0-9]{0,5}")) {
            throw new Usage("--timeout is a number of seconds, such as 120, not " + text);
        }
        return Duration.ofSeconds(Long.parseLong(text));
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

    /** Where to listen. */
    InetSocketAddress address(String option) {
        String value = needed(option);
        int colon = value.lastIndexOf(':');
        try {
            if (colon > 0) {
                int port = Integer.parseInt(value.substring(colon + 1));
                return new InetSocketAddress(InetAddress.getByName(value.substring(0, colon)), port);
            }
        } catch (IllegalArgumentException | UnknownHostException wrong) {
            // Told below, as what has no port.
        }
        throw new Usage(option + " is ADDRESS:PORT, such as 127.0.0.1:8001, not " + value);
    }
}
