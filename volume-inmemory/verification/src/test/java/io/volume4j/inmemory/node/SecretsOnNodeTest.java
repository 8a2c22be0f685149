package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import io.volume4j.core.journal.JournalRecord;
import io.volume4j.core.plugins.VolumePlugins;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.core.volumes.VolumeTransition;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.CertificateResolver.CertificateRequest;
import io.volume4j.spi.host.CertificateResolver.KeyType;
import io.volume4j.spi.host.EventSink.Event;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.plugin.Mounter;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.Unmounter;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** A plugin in the same process that tells its secret wherever it can: the secret reaches no log, event or caller. */
class SecretsOnNodeTest {
    private static final SecretRef REFERENCE = new SecretRef("default", "login");
    private static final String SECRET = "hunter2-hunter2";
    private static final VolumeId ID = VolumeId.ofPod("tells.example.com", "v", "a");

    private final NodeHarness node = NodeHarness.withMachine(1);
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final @Nullable Level before = root.getLevel();
    /** The module's own configuration switches this one off. */
    private final Logger library = (Logger) LoggerFactory.getLogger("io.volume4j");

    private final @Nullable Level libraryBefore = library.getLevel();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final List<String> told = new ArrayList<>();

    @BeforeEach
    void listen() {
        log.start();
        root.addAppender(log);
        root.setLevel(Level.TRACE);
        library.setLevel(Level.TRACE);
    }

    @AfterEach
    void stopListening() {
        root.detachAppender(log);
        root.setLevel(before);
        library.setLevel(libraryBefore);
    }

    /** How the plugin tells it. */
    enum Way {
        TRANSIENT,
        FINAL,
        UNCLASSIFIED,
        ERROR,
        /** A checked exception, as a plugin in another language throws it. */
        UNDECLARED;

        RuntimeException failure(String secret) {
            RuntimeException deep = new IllegalStateException("mount -o password=" + secret);
            deep.addSuppressed(new RuntimeException(
                    "Basic " + Base64.getEncoder().encodeToString(secret.getBytes(StandardCharsets.UTF_8))));
            return switch (this) {
                case TRANSIENT ->
                    VolumeException.transientFailure("login with " + secret + " refused")
                            .withAdvice("is " + secret + " right?")
                            .withCause(deep);
                case FINAL ->
                    VolumeException.finalFailure("login with " + secret + " refused")
                            .withAdvice("is " + secret + " right?")
                            .withCause(deep);
                case UNCLASSIFIED -> new IllegalArgumentException("bad password " + secret, deep);
                case ERROR -> throw new AssertionError("bad password " + secret, deep);
                case UNDECLARED -> Way.<RuntimeException>undeclared(new IOException("bad password " + secret, deep));
            };
        }

        @SuppressWarnings("unchecked")
        private static <T extends Throwable> RuntimeException undeclared(Throwable failure) throws T {
            throw (T) failure;
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void isHeardNowhere(Way way) {
        node.secrets.put(REFERENCE, Map.of("password", SECRET));
        node.plugin(new TellTale(way, SecretsOnNodeTest::password));
        run(new PodVolume("v", CsiSource.of("tells.example.com", "", "", Map.of())));

        assertThat(told)
                .as("the failure itself is told")
                .anySatisfy(text -> assertThat(text).contains("***"));
        assertThat(told)
                .noneSatisfy(text -> assertThat(text).contains(SECRET))
                .noneSatisfy(text -> assertThat(text).contains("aHVudGVyMi1odW50ZXIy"));
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void noPrivateKeyIsHeardAnywhere(Way way) {
        node.plugin(new TellTale(way, SecretsOnNodeTest::privateKey));
        run(new PodVolume("v", CsiSource.of("tells.example.com", "", "", Map.of())));

        assertThat(told)
                .as("the failure itself is told")
                .anySatisfy(text -> assertThat(text).contains("***"));
        noKeyIsTold();
    }

    @Test
    void noPrivateKeyOfARunningPodIsHeardAnywhere() {
        Map<String, Object> certificate =
                Map.of("signerName", "example.com/pods", "keyType", "ECDSAP256", "credentialBundlePath", "tls");
        node.pluginsAnew(VolumePlugins.defaultPlugins());
        run(new PodVolume(
                "v", new OtherSource("projected", Map.of("sources", List.of(Map.of("podCertificate", certificate))))));

        assertThat(node.mounted("a").volumes()).containsKey("v");
        noKeyIsTold();
    }

    private void noKeyIsTold() {
        assertThat(node.certificates.everyKey()).isNotEmpty();
        for (String key : node.certificates.everyKey()) {
            key.lines()
                    .filter(line -> !line.startsWith("-----"))
                    .forEach(line -> assertThat(told)
                            .noneSatisfy(text -> assertThat(text).contains(line)));
        }
    }

    private static String password(PluginHost host) {
        return Objects.requireNonNull(host.secrets().resolve(REFERENCE).values().get("password"));
    }

    /** One line of it, as a message may show it. */
    private static String privateKey(PluginHost host) {
        CertificateRequest request = new CertificateRequest(
                "default", "a", "a", "default", "n1", "example.com/pods", KeyType.ED25519, 3600, Map.of());
        return host.certificates()
                .podCertificate(request)
                .privateKey()
                .lines()
                .toList()
                .get(1);
    }

    /** Runs a pod with the volume, restarts its node, and collects all that is told anywhere. */
    private void run(PodVolume volume) {
        Pod pod = node.pod("a", List.of(volume), Pod.SecurityContext.none());
        node.cluster.apply(pod);
        node.start();
        CompletableFuture<MountedPod> waiter = node.agent().whenMounted("a");
        node.world.advance(Duration.ofMinutes(5));

        told.add(node.explainPod("a").text());
        told.add(node.get(node.agent().explainVolume(ID)).text());
        told.add(node.get(node.agent().timedOut("a")));
        told.add(node.get(node.agent().timeline(ID)).toString());
        told.add(node.get(node.agent().snapshotNow()).toJson());
        told.add(node.get(node.agent().plan()).toString());
        if (waiter.isCompletedExceptionally()) {
            told.add(printed(catchThrowable(waiter::join)));
        }
        for (Event event : node.events.withReason("FailedMount")) {
            told.add(event.message());
        }
        for (VolumeTransition transition : node.transitions) {
            told.add(transition.toString());
            if (transition.failure() != null) {
                told.add(printed(transition.failure()));
                told.add(transition.failure().advice());
            }
        }
        node.kill();
        node.harmJournal(replayed -> {
            for (JournalRecord record : replayed.records()) {
                told.add(new String(record.payload(), StandardCharsets.ISO_8859_1));
            }
            return replayed;
        });
        node.start().settle();
        assertThat(log.list)
                .as("the library's own lines")
                .anyMatch(line -> line.getLoggerName().startsWith("io.volume4j"));
        for (ILoggingEvent line : new ArrayList<>(log.list)) {
            told.add(line.getFormattedMessage());
            if (line.getKeyValuePairs() != null) {
                line.getKeyValuePairs().forEach(pair -> told.add(String.valueOf(pair.value)));
            }
            if (line.getThrowableProxy() != null) {
                told.add(ThrowableProxyUtil.asString(line.getThrowableProxy()));
            }
        }
    }

    private static String printed(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    /** Resolves its secret as plugins do, and tells it. */
    private static final class TellTale implements VolumePlugin {
        private final Way way;
        private final Function<PluginHost, String> resolved;
        private @Nullable PluginHost host;

        TellTale(Way way, Function<PluginHost, String> resolved) {
            this.way = way;
            this.resolved = resolved;
        }

        @Override
        public void init(PluginHost newHost) {
            host = newHost;
        }

        @Override
        public String name() {
            return "tells.example.com";
        }

        @Override
        public boolean supports(VolumeSpec spec) {
            return spec.source() instanceof CsiSource csi && csi.driver().equals(name());
        }

        @Override
        public String volumeName(VolumeSpec spec) {
            return spec.name();
        }

        @Override
        public boolean shared(VolumeSpec spec) {
            return false;
        }

        @Override
        public Optional<Mounter> mounter(VolumeSpec spec) {
            return Optional.of((Mounter.MountRequest request, CallContext context) -> {
                String secret = resolved.apply(Objects.requireNonNull(host));
                context.progress("logging in with " + secret);
                throw way.failure(secret);
            });
        }

        @Override
        public Optional<Unmounter> unmounter(VolumeId volume) {
            return Optional.of((Unmounter.UnmountRequest request, CallContext context) -> {});
        }
    }
}
