package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.GivenClaim.claim;
import static io.volume4j.inmemory.control.GivenClaim.key;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.volume4j.core.control.PersistentVolumeController;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.model.PersistentVolume;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** The log says what a controller does to claims and volumes, each thing once, and nothing when nothing happens. */
@Timeout(120)
class ControlLogTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    private final Logger logger = (Logger) LoggerFactory.getLogger("io.volume4j.core");
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final InMemoryCluster cluster = InMemoryCluster.create();
    private final InMemoryStorage storage = InMemoryStorage.create();
    private final InMemoryPlugin plugin = InMemoryPlugin.on(storage);
    private final PluginRegistry plugins = PluginRegistry.builder(
                    InMemoryPluginHost.named("").build())
            .plugin(plugin)
            .build();

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void restore() {
        logger.detachAppender(lines);
        logger.setLevel(null);
    }

    /** Makes a volume for a claim and reclaims it. */
    private void life(Level level) throws Exception {
        logger.setLevel(level);
        cluster.apply(Classes.storageClass("fast", "mem"));
        try (PersistentVolumeController controller = PersistentVolumeController.builder()
                .cluster(cluster, cluster)
                .plugins(plugins)
                .closeTimeout(SOON)
                .build()) {
            controller.start();
            cluster.apply(claim("c").ofClass("fast").made());
            PersistentVolume volume = controller.awaitBound(key("c"), SOON);
            cluster.remove(key("c"));
            controller.whenGone(volume.key()).get(60, TimeUnit.SECONDS);
        }
        assertThat(storage.volumes()).isEmpty();
    }

    private List<ILoggingEvent> at(Level level) {
        return List.copyOf(lines.list).stream()
                .filter(line -> line.getLevel() == level)
                .toList();
    }

    private List<String> messages(Level level) {
        return at(level).stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    private static Map<String, String> pairs(ILoggingEvent line) {
        Map<String, String> pairs = new TreeMap<>();
        if (line.getKeyValuePairs() != null) {
            line.getKeyValuePairs().forEach(pair -> pairs.put(pair.key, String.valueOf(pair.value)));
        }
        return pairs;
    }

    @Test
    void aHealthyLifeIsItsStartItsLeadershipAndItsEnd() throws Exception {
        life(Level.INFO);

        assertThat(at(Level.WARN)).isEmpty();
        assertThat(messages(Level.INFO))
                .containsExactlyInAnyOrder("controller started", "controller leads", "controller stopped");
        assertThat(at(Level.INFO)).allSatisfy(line -> assertThat(pairs(line)).containsKey("controller"));
    }

    @Test
    void eachStepIsToldWithItsKeysAndItsDuration() throws Exception {
        life(Level.DEBUG);

        assertThat(at(Level.DEBUG))
                .filteredOn(line -> line.getFormattedMessage().equals("step done"))
                .map(ControlLogTest::pairs)
                .anySatisfy(pairs -> assertThat(pairs)
                        .containsEntry("action", "PROVISION")
                        .containsEntry("object", key("c").toString())
                        .containsEntry("attempt", "1")
                        .containsKeys("controller", "tookMs"));
        assertThat(messages(Level.DEBUG)).contains("step begins");
    }

    @Test
    void aFailureWarnsWithItsNextTryAndItsEndIsTold() throws Exception {
        plugin.faults().add(Fault.on("provision").as(FaultKind.TRANSIENT));

        life(Level.INFO);

        assertThat(at(Level.WARN)).singleElement().satisfies(line -> {
            assertThat(line.getFormattedMessage()).isEqualTo("step failed");
            assertThat(pairs(line))
                    .containsEntry("action", "PROVISION")
                    .containsEntry("attempt", "1")
                    .containsEntry("kind", "TRANSIENT")
                    .containsKeys("controller", "object", "reason", "nextTryMs");
        });
        assertThat(messages(Level.INFO)).contains("step works again");
    }

    @Test
    void anIdleControllerLogsNothing() {
        logger.setLevel(Level.DEBUG);
        cluster.apply(Classes.storageClass("fast", "mem"));
        cluster.apply(claim("c").ofClass("fast").made());
        try (PersistentVolumeController controller = PersistentVolumeController.builder()
                .cluster(cluster, cluster)
                .plugins(plugins)
                .build()) {
            controller.start();
            controller.awaitBound(key("c"), SOON);
            Awaitility.await()
                    .atMost(SOON)
                    .until(() -> controller.explain(key("c")).join().settled()
                            && controller.reconciler().quiescence().join().quiescent());
            int before = lines.list.size();

            Awaitility.await().pollDelay(Duration.ofMillis(500)).until(() -> true);

            assertThat(lines.list).hasSize(before);
        }
    }

    @Test
    void pluginsThatComeAndGoAreTold() {
        logger.setLevel(Level.INFO);

        plugins.remove("mem");
        plugins.add(InMemoryPlugin.on(storage));

        assertThat(at(Level.INFO))
                .map(ControlLogTest::pairs)
                .containsExactly(Map.of("plugin", "mem", "here", "false"), Map.of("plugin", "mem", "here", "true"));
    }
}
