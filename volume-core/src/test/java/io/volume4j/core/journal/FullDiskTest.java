package io.volume4j.core.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.testing.Privileged;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real file system that another program has filled to the last block. */
@Privileged
class FullDiskTest {
    private static final JournalIdentity NODE = new JournalIdentity("node-a", "boot-1", "root-1");

    @TempDir
    Path mountPoint;

    private final ManualExecutor executor = new ManualExecutor();
    private final Outcomes outcomes = new Outcomes();

    @BeforeEach
    void mount() throws Exception {
        run("mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", mountPoint.toString());
    }

    @AfterEach
    void unmount() throws Exception {
        run("umount", mountPoint.toString());
    }

    private static void run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor()).as("%s", List.of(command)).isZero();
    }

    private void fill() throws IOException {
        Path hog = mountPoint.resolve("hog");
        try (OutputStream out = Files.newOutputStream(hog)) {
            byte[] block = new byte[4096];
            for (int i = 0; i < 1000; i++) {
                out.write(block);
            }
            throw new AssertionError("the disk does not fill up");
        } catch (IOException expected) {
            assertThat(Files.size(hog)).isPositive();
        }
    }

    /** Who was killed before it had named itself left a lock without a block, and the next one finds no room for its name. */
    @Test
    void aStartGoesOnWithoutRoomForTheNameOfTheHolder() throws IOException {
        JournalOptions options = JournalOptions.builder()
                .reserveBytes(64 << 10)
                .maxGroupBytes(32 << 10)
                .build();
        FileJournalStore store = new FileJournalStore(mountPoint, options, executor, new SplittableRandom(1));
        OpenedJournal first = store.open(NODE, reason -> {});
        append(first, "before", AppendPriority.NORMAL, 100);
        executor.runAll();
        first.journal().close();
        Files.write(mountPoint.resolve("journal.lock"), new byte[0]);
        fill();

        OpenedJournal second = store.open(NODE, reason -> {});
        assertThat(second.replayed().records()).hasSize(1);
        append(second, "teardown", AppendPriority.TEARDOWN, 100);
        executor.runAll();
        second.journal().close();
        assertThat(outcomes.durable()).containsExactly("before", "teardown");
    }

    @Test
    void teardownGoesOnInTheReserveAndNormalRecordsComeBackWithTheSpace() throws IOException {
        JournalOptions options = JournalOptions.builder()
                .reserveBytes(64 << 10)
                .maxGroupBytes(32 << 10)
                .build();
        OpenedJournal opened =
                new FileJournalStore(mountPoint, options, executor, new SplittableRandom(1)).open(NODE, reason -> {});
        fill();

        for (int i = 0; i < 10; i++) {
            append(opened, "normal" + i, AppendPriority.NORMAL, 16 << 10);
        }
        for (int i = 0; i < 3; i++) {
            append(opened, "teardown" + i, AppendPriority.TEARDOWN, 10 << 10);
        }
        executor.runAll();
        assertThat(outcomes.failure("normal9").kind()).isEqualTo(JournalException.Kind.NO_SPACE);
        assertThat(outcomes.durable()).endsWith("teardown0", "teardown1", "teardown2");

        Files.delete(mountPoint.resolve("hog"));
        append(opened, "again", AppendPriority.NORMAL, 16 << 10);
        executor.runAll();
        opened.journal().close();
        assertThat(outcomes.durable()).endsWith("again");

        OpenedJournal second =
                new FileJournalStore(mountPoint, options, executor, new SplittableRandom(2)).open(NODE, reason -> {});
        second.journal().close();
        assertThat(second.replayed().records()).hasSameSizeAs(outcomes.durable());
        assertThat(second.replayed().report().damaged()).isFalse();
    }

    private void append(OpenedJournal opened, String name, AppendPriority priority, int bytes) {
        opened.journal().append(new JournalEntry(1, new byte[bytes]), priority, outcomes.expect(name));
    }
}
