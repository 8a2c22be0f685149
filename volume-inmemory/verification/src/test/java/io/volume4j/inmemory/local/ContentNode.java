package io.volume4j.inmemory.local;

import io.volume4j.core.plugins.ContentPlugin;
import io.volume4j.inmemory.host.InMemoryCertificates;
import io.volume4j.inmemory.host.InMemoryConfig;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.host.InMemorySecrets;
import io.volume4j.inmemory.host.ManualCallContext;
import io.volume4j.inmemory.host.ManualClock;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.CertificateResolver;
import io.volume4j.spi.host.CertificateResolver.Credential;
import io.volume4j.spi.host.ConfigResolver;
import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.LabelSelector;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.Mounter.MountRequest;
import io.volume4j.spi.plugin.Mounter.MountResult;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.Unmounter.UnmountRequest;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A node in memory whose pods get content of the API, and the pods' view of it. */
final class ContentNode {
    private static final Path ROOT = Path.of("/var/lib/volume4j");
    static final RootedPath TARGET = RootedPath.of(ROOT, "pods/uid-1/volumes/content/data");

    final InMemoryMountBackend machine = InMemoryMountBackend.create();
    final InMemorySecrets secrets = new InMemorySecrets();
    final ManualClock clock = new ManualClock();
    final InMemoryConfig configs = new InMemoryConfig(clock);
    final InMemoryCertificates certificates = new InMemoryCertificates(clock);

    @Nullable
    RuntimeException tokensFail;

    /** How far the clock of the token's issuer is ahead of this node's. */
    Duration ahead = Duration.ZERO;

    /** What the issuer makes of its certificates. */
    UnaryOperator<Credential> issue = UnaryOperator.identity();

    @Nullable
    Long fsGroup;

    @Nullable
    Long runAsUser;

    /** Debug containers that a user added to the pod. */
    List<Container> ephemeral = List.of();

    private final ContentPlugin plugin;
    private final OtherSource source;
    PluginState state = PluginState.none();

    ContentNode(ContentPlugin plugin, String type, Map<String, Object> fields) {
        this.plugin = plugin;
        this.source = new OtherSource(type, new LinkedHashMap<>(fields));
        machine.files().createRoot(ROOT);
        restart();
    }

    /** The process of the node starts again. */
    void restart() {
        plugin.init(InMemoryPluginHost.named("n1")
                .root(ROOT)
                .mounts(machine)
                .secrets(secrets)
                .configs(new ConfigResolver() {
                    @Override
                    public Optional<Map<String, byte[]>> configMap(String namespace, String name) {
                        return configs.configMap(namespace, name);
                    }

                    @Override
                    public Token token(TokenRequest request) {
                        if (tokensFail != null) {
                            throw tokensFail;
                        }
                        Token token = configs.token(request);
                        return new Token(token.value(), token.expires().plus(ahead));
                    }
                })
                .certificates(new AheadCertificates())
                .clock(clock)
                .build());
    }

    /** Of an issuer whose clock is ahead, and which may issue something else than was asked for. */
    private final class AheadCertificates implements CertificateResolver {
        @Override
        public Optional<String> trustBundle(String name) {
            return certificates.trustBundle(name);
        }

        @Override
        public List<String> trustBundles(String signerName, LabelSelector selector) {
            return certificates.trustBundles(signerName, selector);
        }

        @Override
        public Credential podCertificate(CertificateRequest request) {
            clock.step(ahead);
            Credential issued = certificates.podCertificate(request);
            clock.step(ahead.negated());
            return issue.apply(issued);
        }
    }

    static ContentNode secret(Map<String, Object> fields) {
        return new ContentNode(ContentPlugin.secret(), "secret", fields);
    }

    static ContentNode projected(List<Map<String, Object>> sources) {
        return new ContentNode(ContentPlugin.projected(Map.of()), "projected", Map.of("sources", sources));
    }

    void hold(String name, Map<String, String> values) {
        secrets.put(new SecretRef("default", name), values);
    }

    MountResult setUp() {
        MountResult result = plugin.mounter(spec())
                .orElseThrow()
                .mount(
                        new MountRequest(spec(), id(), pod(), "data", null, "", Map.of(), TARGET, false, 0, state),
                        new ManualCallContext());
        state = result.state();
        return result;
    }

    void tearDown() {
        plugin.unmounter(id())
                .orElseThrow()
                .unmount(
                        new UnmountRequest(id(), "uid-1", "data", TARGET, PluginState.none()), new ManualCallContext());
    }

    VolumeSpec spec() {
        return VolumeSpec.inline(new PodVolume("data", source));
    }

    private VolumeId id() {
        return VolumeId.ofPod(plugin.name(), "data", "uid-1");
    }

    private Pod pod() {
        ObjectMeta metadata = ObjectMeta.named("default", "web")
                .withUid("uid-1")
                .withLabels(Map.of("tier", "front", "app", "a\"b"))
                .withAnnotation("note", "two\nlines\t\\");
        Container container = new Container(
                "main",
                List.of(),
                List.of(),
                Map.of("cpu", Quantity.parse("250m")),
                Map.of("memory", Quantity.parse("65Mi"), "cpu", Quantity.parse("1500m")));
        return new Pod(
                metadata,
                Pod.Spec.builder()
                        .nodeName("n1")
                        .containers(List.of(container))
                        .ephemeralContainers(ephemeral)
                        .securityContext(new Pod.SecurityContext(fsGroup, "", List.of(), null, "", runAsUser))
                        .serviceAccountName("robot")
                        .build(),
                new Pod.Status(PodPhase.PENDING, List.of()),
                Unmodeled.none());
    }

    /** Names as a pod lists them, with those that begin with two dots. */
    List<String> allNames() {
        return machine.user().list(TARGET.absolute());
    }

    List<String> names() {
        return allNames().stream().filter(name -> !name.startsWith("..")).toList();
    }

    String read(String path) {
        return new String(machine.user().read(TARGET.absolute().resolve(path)), StandardCharsets.UTF_8);
    }

    /** The mode of what the pod sees, through its links. */
    int mode(String path) {
        Path real = machine.files().resolve(TARGET.absolute().resolve(path)).orElseThrow();
        return machine.files()
                .status(new RootedPath(Path.of("/"), Path.of("/").relativize(real)))
                .orElseThrow()
                .mode();
    }

    /** The owner, group and mode of what the pod sees, through its links. */
    String ownership(String path) {
        Path place = TARGET.absolute().resolve(path);
        return machine.user().owner(place) + ":" + machine.user().group(place) + " "
                + Integer.toOctalString(mode(path));
    }

    String shown() {
        return machine.files()
                .readLink(RootedPath.of(TARGET.absolute(), "..data"))
                .orElse("");
    }
}
