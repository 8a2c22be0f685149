package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.volume4j.core.VolumeManager;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.worlds.PodVolumes;
import io.volume4j.core.worlds.RetryBackoff;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The log says what happens to a volume, each thing once, and nothing when nothing happens. */
@Timeout(120)
class StepLogTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(1);

    private final Logger logger = (Logger) LoggerFactory.getLogger("io.volume4j.core");
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final InMemoryMountBackend machine = InMemoryMountBackend.create();
    private final InMemoryStorage storage = InMemoryStorage.create();
    private final InMemoryPlugin plugin = InMemoryPlugin.on(storage);

    @TempDir
    Path root;

    @BeforeEach
    void listen() {
        machine.files().createRoot(root);
        storage.add("vol-1", 1 << 30);
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void restore() {
        logger.detachAppender(lines);
        logger.setLevel(null);
    }

    /** Mounts a volume for a job and takes it down again. */
    private void life(Level level) {
        logger.setLevel(level);
        PluginRegistry plugins = PluginRegistry.builder(DefaultPluginHost.builder(root)
                        .nodeName("n1")
                        .mounts(machine)
                        .build())
                .plugins(List.of(plugin))
                .build();
        try (VolumeManager volumes = VolumeManager.builder()
                .plugins(plugins)
                .backoff(new RetryBackoff(SHORT, SHORT, SHORT))
                .closeTimeout(SOON)
                .build()) {
            volumes.start();
            volumes.desiredState()
                    .put(
                            "job-1",
                            PodVolumes.builder().csi("data", "mem", "vol-1").build());
            volumes.desiredState().complete();
            volumes.awaitMounted("job-1", SOON);
            volumes.desiredState().remove("job-1");
            volumes.awaitUnmounted("job-1", SOON);
            volumes.actualState().whenEmpty().join();
        }
    }

    private List<ILoggingEvent> at(Level level) {
        return List.copyOf(lines.list).stream()
                .filter(line -> line.getLevel() == level)
                .toList();
    }

    private static Map<String, String> pairs(ILoggingEvent line) {
        Map<String, String> pairs = new TreeMap<>();
        if (line.getKeyValuePairs() != null) {
            line.getKeyValuePairs().forEach(pair -> pairs.put(pair.key, String.valueOf(pair.value)));
        }
        return pairs;
    }

    @Test
    void aHealthyLifeIsItsStartAndItsEnd() {
        life(Level.INFO);

        assertThat(at(Level.WARN)).isEmpty();
        assertThat(at(Level.INFO))
                .extracting(ILoggingEvent::getFormattedMessage)
                .satisfiesExactly(
                        first -> assertThat(first).startsWith("node started"),
                        last -> assertThat(last).startsWith("node stopped"));
        assertThat(pairs(at(Level.INFO).get(0)))
                .containsEntry("node", "n1")
                .containsEntry("attachMode", "SELF")
                .containsEntry("volumes", "0");
    }

    @Test
    void eachStepBeginsAndEndsWithItsKeysAndItsDuration() {
        life(Level.DEBUG);

        List<Map<String, String>> done = at(Level.DEBUG).stream()
                .filter(line -> line.getFormattedMessage().equals("step done"))
                .map(StepLogTest::pairs)
                .toList();
        assertThat(done)
                .extracting(pairs -> pairs.get("action"))
                .containsSubsequence("ATTACH", "MOUNT_DEVICE", "MOUNT", "UNMOUNT", "UNMOUNT_DEVICE", "DETACH");
        assertThat(done)
                .filteredOn(pairs -> "MOUNT".equals(pairs.get("action")))
                .singleElement()
                .satisfies(pairs -> assertThat(pairs)
                        .containsEntry("pod", "job-1")
                        .containsEntry("volume", "mem^vol-1")
                        .containsEntry("attempt", "1")
                        .containsKey("tookMs"));
        assertThat(at(Level.DEBUG))
                .extracting(ILoggingEvent::getFormattedMessage)
                .contains("step begins");
    }

    @Test
    void aFailureWarnsAtItsFirstSecondAndFourthTryAndItsEndIsTold() {
        for (int i = 0; i < 5; i++) {
            plugin.faults().add(Fault.on("attach").as(FaultKind.TRANSIENT));
        }
        life(Level.INFO);

        assertThat(at(Level.WARN))
                .map(StepLogTest::pairs)
                .satisfiesExactly(
                        first -> assertThat(first)
                                .containsEntry("action", "ATTACH")
                                .containsEntry("attempt", "1")
                                .containsEntry("kind", "TRANSIENT")
                                .containsKeys("reason", "nextTryMs"),
                        second -> assertThat(second).containsEntry("attempt", "2"),
                        fourth -> assertThat(fourth).containsEntry("attempt", "4"));
        assertThat(at(Level.INFO))
                .filteredOn(line -> line.getFormattedMessage().equals("step works again"))
                .singleElement()
                .satisfies(line -> assertThat(pairs(line)).containsEntry("attempt", "6"));
    }
}
