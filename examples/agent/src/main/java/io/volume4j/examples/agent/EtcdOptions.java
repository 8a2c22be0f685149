package io.volume4j.examples.agent;

import io.volume4j.examples.commandline.TextFile;
import io.volume4j.examples.commandline.Usage;
import io.volume4j.examples.etcd.EtcdClient;
import io.volume4j.examples.etcd.SealingKeys;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for a cluster in etcd instead of an API server. */
final class EtcdOptions {
    @Option(
            names = "--etcd",
            paramLabel = "URL",
            split = ",",
            converter = Words.Member.class,
            description =
                    "in place of --server: the members of the etcd that holds the cluster, such as http://10.0.0.1:2379; separated"
                            + " by commas")
    private List<URI> members = new ArrayList<>();

    @Option(names = "--etcd-prefix", paramLabel = "/PREFIX", description = "where the cluster stands there (/volume4j)")
    private @Nullable String prefix;

    @Option(names = "--etcd-user", paramLabel = "USER", description = "of etcd's own authentication")
    private @Nullable String user;

    @Option(
            names = "--etcd-password-file",
            paramLabel = "FILE",
            description = "holds the user's password; read again when etcd refuses it")
    private @Nullable Path password;

    @Option(
            names = "--secrets-key",
            paramLabel = "FILE",
            description =
                    "with --etcd: the keys that decrypt secrets, one a line, as openssl rand -base64 32 prints them")
    private @Nullable Path secretsKey;

    /** Whether the cluster is in etcd. */
    boolean given() {
        return !members.isEmpty();
    }

    /** For a cluster behind an API server: an option that it ignores would deceive its user. */
    void requireNone() {
        boolean alone = prefix != null || user != null || password != null || secretsKey != null;
        if (alone) {
            throw new Usage("--etcd-prefix, --etcd-user, --etcd-password-file and --secrets-key need --etcd");
        }
    }

    @Nullable
    SealingKeys keys() {
        return secretsKey == null ? null : SealingKeys.read(secretsKey);
    }

    /** @param authorities trusted authorities, null for Java's; {@code certificate} and {@code key} are null for no certificate */
    EtcdClient client(@Nullable Path authorities, @Nullable Path certificate, @Nullable Path key) {
        if (user == null && password != null) {
            throw new Usage("--etcd-password-file needs --etcd-user");
        }
        if (certificate == null && key != null) {
            throw new Usage("--key-file needs --cert-file");
        }
        EtcdClient.Builder client = EtcdClient.builder().endpoints(members);
        if (prefix != null) {
            client.prefix(prefix);
        }
        if (authorities != null) {
            client.authorities(authorities);
        }
        if (certificate != null) {
            client.certificate(certificate, key == null ? certificate : key);
        }
        if (user != null) {
            client.user(user, passwordFile());
        }
        return client.build();
    }

    private Path passwordFile() {
        if (password == null) {
            throw new Usage("--etcd-user needs --etcd-password-file");
        }
        // the client reads it itself, but does not know the option that a failure must name
        TextFile.read("--etcd-password-file", password);
        return password;
    }
}
