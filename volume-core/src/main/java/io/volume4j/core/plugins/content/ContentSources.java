package io.volume4j.core.plugins.content;

import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.core.plugins.content.ContentWatch.Origin;
import io.volume4j.core.plugins.content.ContentWatch.Thing;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ConfigResolver.TokenRequest;
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.plugin.PluginHost;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Collects the files of a content volume: reads what the manifest requests from the host's resolvers. Thread-safe. */
public final class ContentSources {
    private static final int DEFAULT_MODE = 0644;
    /** The mode of a credential if the pod has one user or a group, which then alone can read it. */
    private static final int OWN_CREDENTIAL_MODE = 0600;
    /** The mode bits that make a read-only volume readable for its owner and group. */
    private static final int GROUP_READS = 0440;

    private static final long DEFAULT_TOKEN_SECONDS = 3600;
    private static final long SHORTEST_TOKEN_SECONDS = 600;
    private static final List<String> PROJECTIONS = List.of(
            "secret", "configMap", "downwardAPI", "serviceAccountToken", "clusterTrustBundle", "podCertificate");

    private final PluginHost host;
    private final DownwardFields downward;

    public ContentSources(PluginHost host, DownwardFields downward) {
        this.host = host;
        this.downward = downward;
    }

    /**
     * All files, resolved now. Fails if one of them cannot be resolved.
     *
     * @param reads called with each object that may change, before it is read
     */
    Payload collect(ContentKind kind, SourceFields source, Pod pod, Renewals renewals, Consumer<Origin> reads) {
        Integer defaultMode = source.mode("defaultMode");
        Collection files = new Collection(pod, renewals, reads, defaultMode == null ? DEFAULT_MODE : defaultMode);
        switch (kind) {
            case SECRET -> files.secret(source, "secretName");
            case CONFIG_MAP -> files.configMap(source);
            case DOWNWARD_API -> files.downward(source);
            case PROJECTED -> source.objects("sources").forEach(files::projection);
        }
        return files.payload;
    }

    private final class Collection {
        private final Payload payload = new Payload();
        private final Pod pod;
        private final Renewals renewals;
        private final Consumer<Origin> reads;
        private final int defaultMode;
        private final @Nullable Long group;
        private final @Nullable Long user;

        Collection(Pod pod, Renewals renewals, Consumer<Origin> reads, int defaultMode) {
            this.pod = pod;
            this.renewals = renewals;
            this.reads = reads;
            this.defaultMode = defaultMode;
            this.group = pod.spec().securityContext().fsGroup();
            this.user = FsUser.of(pod.spec());
        }

        private void add(String from, String path, byte[] content, int mode) {
            add(from, path, content, mode, null);
        }

        /** Mode and owner are those of the kubelet (1.37), also for trust bundles. */
        private void addCredential(String from, String path, byte[] content) {
            add(from, path, content, user == null && group == null ? defaultMode : OWN_CREDENTIAL_MODE, user);
        }

        private void add(String from, String path, byte[] content, int mode, @Nullable Long owner) {
            payload.add(from, path, content, group == null ? mode : mode | GROUP_READS, owner);
        }

        void projection(SourceFields projection) {
            List<String> there = PROJECTIONS.stream().filter(projection::has).toList();
            if (there.size() != 1) {
                throw VolumeException.finalFailure(projection.place() + " must be exactly one of " + PROJECTIONS
                        + "; other projections are not known here");
            }
            SourceFields source = projection.object(there.get(0)).orElseThrow();
            switch (there.get(0)) {
                case "secret" -> secret(source, "name");
                case "configMap" -> configMap(source);
                case "downwardAPI" -> downward(source);
                case "serviceAccountToken" -> token(source);
                case "clusterTrustBundle" -> trustBundle(source);
                default -> certificate(source);
            }
        }

        void secret(SourceFields source, String nameKey) {
            String name = source.requiredText(nameKey);
            String namespace = pod.metadata().namespace();
            reads.accept(new Origin(Thing.SECRET, namespace, name));
            Optional<Map<String, byte[]>> content = host.secrets().content(new SecretRef(namespace, name));
            entries(source, "secret " + namespace + "/" + OneLine.name(name), content);
        }

        void configMap(SourceFields source) {
            String name = source.requiredText("name");
            String namespace = pod.metadata().namespace();
            reads.accept(new Origin(Thing.CONFIG_MAP, namespace, name));
            entries(
                    source,
                    "config map " + namespace + "/" + OneLine.name(name),
                    host.configs().configMap(namespace, name));
        }

        private void entries(SourceFields source, String what, Optional<Map<String, byte[]>> found) {
            boolean optional = source.flag("optional");
            if (found.isEmpty() && !optional) {
                throw VolumeException.transientFailure(what + " does not exist, which " + source.place() + " names")
                        .withAdvice("create it, or mark it as optional");
            }
            Map<String, byte[]> entries = new TreeMap<>(found.orElse(Map.of()));
            List<SourceFields> items = source.objects("items");
            if (items.isEmpty()) {
                entries.forEach((key, content) -> add(source.place(), key, content, defaultMode));
            }
            for (SourceFields item : items) {
                String key = item.requiredText("key");
                byte[] content = entries.get(key);
                if (content != null) {
                    add(item.place(), item.requiredPath("path"), content, mode(item));
                } else if (!optional) {
                    throw VolumeException.transientFailure(what + " has no key " + MessageText.text(key) + ", which "
                                    + item.place() + " names")
                            .withAdvice("add the key, or mark the source as optional");
                }
            }
        }

        void downward(SourceFields source) {
            for (SourceFields item : source.objects("items")) {
                byte[] content = downward.value(item, pod).getBytes(StandardCharsets.UTF_8);
                add(item.place(), item.requiredPath("path"), content, mode(item));
            }
        }

        private void token(SourceFields source) {
            String path = source.requiredPath("path");
            long seconds = source.number("expirationSeconds", DEFAULT_TOKEN_SECONDS);
            if (seconds < SHORTEST_TOKEN_SECONDS) {
                throw source.wrong("expirationSeconds", "must be at least " + SHORTEST_TOKEN_SECONDS);
            }
            TokenRequest request = new TokenRequest(
                    pod.metadata().namespace(),
                    pod.metadata().uid(),
                    serviceAccount(),
                    source.text("audience"),
                    seconds);
            byte[] token = new ServiceAccountTokens(host.configs(), renewals).token(path, request);
            addCredential(source.place(), path, token);
        }

        private void trustBundle(SourceFields source) {
            TrustBundles bundles = TrustBundles.of(source);
            reads.accept(Origin.trustBundles());
            addCredential(source.place(), source.requiredPath("path"), bundles.anchors(host.certificates()));
        }

        private void certificate(SourceFields source) {
            new PodCertificates(host.certificates(), renewals)
                    .files(CertificateFields.of(source, pod, serviceAccount(), host.nodeName()))
                    .forEach((path, content) -> addCredential(source.place(), path, content));
        }

        private String serviceAccount() {
            String account = pod.spec().serviceAccountName();
            return account.isEmpty() ? "default" : account;
        }

        private int mode(SourceFields item) {
            Integer own = item.mode("mode");
            return own == null ? defaultMode : own;
        }
    }
}
