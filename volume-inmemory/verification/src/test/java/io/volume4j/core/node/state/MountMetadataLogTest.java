package io.volume4j.core.node.state;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.mount.RootedPath;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/** What the log tells of metadata files that fail, as a fixed text with pairs. */
class MountMetadataLogTest {
    private static final VolumeRow ROW = VolumeRow.unknown(VolumeId.shared("mem", "h-data"), "data", false);

    private final Logger logger = (Logger) LoggerFactory.getLogger(MountMetadataFiles.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final InMemoryMountBackend machine = InMemoryMountBackend.create();
    private final NodeLayout layout = new NodeLayout(Path.of("/volumes"));
    private final MountMetadataFiles files = new MountMetadataFiles(layout, machine, "boot");

    @BeforeEach
    void listen() {
        logger.setLevel(Level.DEBUG);
        lines.start();
        logger.addAppender(lines);
        machine.files().createRoot(Path.of("/volumes"));
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(lines);
        logger.setLevel(null);
    }

    private static Map<String, String> pairs(ILoggingEvent line) {
        return line.getKeyValuePairs().stream()
                .collect(Collectors.toMap((KeyValuePair pair) -> pair.key, pair -> String.valueOf(pair.value)));
    }

    @Test
    void aDamagedFileIsToldWithItsPlaceAndTheReason() {
        RootedPath place = layout.deviceMetadataFile(ROW.id());
        machine.files().createDirectory(layout.deviceDirectory(ROW.id()), 0750);
        machine.files().writeAtomically(place, "torn".getBytes(StandardCharsets.UTF_8), 0600);

        assertThat(files.volume(place)).isEmpty();

        assertThat(lines.list).singleElement().satisfies(line -> {
            assertThat(line.getLevel()).isEqualTo(Level.WARN);
            assertThat(line.getFormattedMessage()).isEqualTo("metadata file not readable");
            assertThat(pairs(line))
                    .containsOnly(
                            Map.entry("path", place.toString()), Map.entry("reason", "it is not a metadata file"));
        });
    }

    @Test
    void aFileThatCannotBeUpdatedIsToldWithItsVolumeAndTheReason() {
        files.note(ROW);

        assertThat(lines.list).singleElement().satisfies(line -> {
            assertThat(line.getLevel()).isEqualTo(Level.DEBUG);
            assertThat(line.getFormattedMessage()).isEqualTo("metadata file not written");
            assertThat(pairs(line)).containsEntry("volume", ROW.id().toString()).containsOnlyKeys("volume", "reason");
        });
    }
}
