package io.volume4j.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.worlds.PodVolumes;
import io.volume4j.core.worlds.RetryBackoff;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.jfr.EventType;
import jdk.jfr.Recording;
import jdk.jfr.SettingDescriptor;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a recording holds of a volume's life on a node. */
@Timeout(120)
class JfrInstrumentationTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(1);
    private static final List<EventType> TYPES = List.of(
            EventType.getEventType(StepEvent.class),
            EventType.getEventType(CallEvent.class),
            EventType.getEventType(PlanEvent.class),
            EventType.getEventType(JournalSyncEvent.class));
    private static final Set<String> STANDARD = Set.of("startTime", "duration", "eventThread", "stackTrace");

    private final InMemoryMountBackend machine = InMemoryMountBackend.create();
    private final InMemoryStorage storage = InMemoryStorage.create();

    @TempDir
    Path root;

    @TempDir
    Path recordings;

    @BeforeEach
    void makeRoot() {
        machine.files().createRoot(root);
        storage.add("vol-1", 1 << 30);
    }

    private List<RecordedEvent> life(boolean enabled) throws IOException {
        try (Recording recording = new Recording()) {
            if (enabled) {
                TYPES.forEach(type -> recording.enable(type.getName()).withoutThreshold());
            }
            recording.start();
            PluginRegistry plugins = PluginRegistry.builder(DefaultPluginHost.builder(root)
                            .nodeName("n1")
                            .mounts(machine)
                            .build())
                    .plugins(List.of(InMemoryPlugin.on(storage)))
                    .build();
            try (VolumeManager volumes = VolumeManager.builder()
                    .plugins(plugins)
                    .backoff(new RetryBackoff(SHORT, SHORT, SHORT))
                    .instrumentation(new JfrInstrumentation())
                    .closeTimeout(SOON)
                    .build()) {
                volumes.start();
                volumes.desiredState()
                        .put(
                                "job-1",
                                PodVolumes.builder().csi("data", "mem", "vol-1").build());
                volumes.desiredState().complete();
                volumes.awaitMounted("job-1", SOON);
            }
            recording.stop();
            Path file = recordings.resolve(enabled ? "on.jfr" : "off.jfr");
            recording.dump(file);
            return RecordingFile.readAllEvents(file).stream()
                    .filter(event -> event.getEventType().getName().startsWith("io.volume4j."))
                    .toList();
        }
    }

    @Test
    void recordsStepsCallsDecisionsAndSyncs() throws IOException {
        storage.faults().add(Fault.on("mount").times(1));

        List<RecordedEvent> events = life(true);

        List<RecordedEvent> mounts = of(events, "io.volume4j.Step").stream()
                .filter(event -> "MOUNT".equals(event.getString("kind")))
                .toList();
        assertThat(mounts).extracting(event -> event.getInt("attempt")).contains(1, 2);
        assertThat(mounts)
                .filteredOn(event -> event.getString("failure") != null)
                .hasSize(1);
        assertThat(mounts).allSatisfy(event -> {
            assertThat(event.getString("key")).isEqualTo("mem^vol-1");
            assertThat(event.getDuration()).isPositive();
            assertThat(of(events, "io.volume4j.Call"))
                    .anyMatch(call -> call.getString("operation").equals(event.getString("operation")));
        });
        assertThat(of(events, "io.volume4j.Plan"))
                .anyMatch(event -> event.getString("key").equals("mem^vol-1"));
        assertThat(of(events, "io.volume4j.JournalSync")).isNotEmpty();
    }

    @Test
    void recordsNothingUnlessARecordingAsksForIt() throws IOException {
        assertThat(life(false)).isEmpty();
        assertThat(TYPES)
                .allSatisfy(type -> assertThat(type.getSettingDescriptors())
                        .filteredOn(setting -> setting.getName().equals("enabled"))
                        .extracting(SettingDescriptor::getDefaultValue)
                        .containsExactly("false"));
    }

    /** docs/observability.md has a row for each event, with its fields. */
    @Test
    void theDocumentHasARowForEachEvent() throws IOException {
        Path project = Path.of(Objects.requireNonNull(System.getProperty("volume4j.root"), "volume4j.root"));
        Matcher row = Pattern.compile("(?m)^\\| `(io\\.volume4j\\.[A-Za-z]+)` \\| ([^|]*)\\|")
                .matcher(Files.readString(project.resolve("docs/observability.md")));
        Set<String> documented = new TreeSet<>();
        while (row.find()) {
            documented.add(row.group(1) + " " + new TreeSet<>(words(row.group(2))));
        }
        Set<String> actual = new TreeSet<>();
        for (EventType type : TYPES) {
            Set<String> fields = new TreeSet<>();
            type.getFields().stream()
                    .map(ValueDescriptor::getName)
                    .filter(name -> !STANDARD.contains(name))
                    .forEach(fields::add);
            actual.add(type.getName() + " " + fields);
        }
        assertThat(documented).isEqualTo(actual);
    }

    private static Set<String> words(String cell) {
        Set<String> words = new TreeSet<>();
        Matcher word = Pattern.compile("`([a-zA-Z]+)`").matcher(cell);
        while (word.find()) {
            words.add(word.group(1));
        }
        return words;
    }

    private static List<RecordedEvent> of(List<RecordedEvent> events, String name) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals(name))
                .toList();
    }
}
