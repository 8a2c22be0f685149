package io.volume4j.core.journal;

import static io.volume4j.core.journal.AppendPriority.NORMAL;
import static io.volume4j.core.journal.AppendPriority.TEARDOWN;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Holds format version 1 to a file that was written once and is never written again. If a test here fails, the format has
 * changed: give the new one a new version, keep reading this one, and leave the file alone.
 */
class JournalFormatOneTest {
    private static final JournalIdentity FIRST_BOOT = new JournalIdentity("node-é", "boot-1", "root-1");
    private static final JournalIdentity SECOND_BOOT = new JournalIdentity("node-é", "boot-2", "root-1");
    private static final RandomGenerator SALT = () -> 0x0123456789ABCDEFL;
    private static final JournalOptions OPTIONS =
            JournalOptions.builder().reserveBytes(32).build();

    @TempDir
    Path root;

    private final ManualExecutor executor = new ManualExecutor();

    private static byte[] released() throws IOException {
        try (InputStream in = JournalFormatOneTest.class.getResourceAsStream("format-1.journal")) {
            return Objects.requireNonNull(in, "format-1.journal").readAllBytes();
        }
    }

    private static byte[] allBytes() {
        byte[] bytes = new byte[256];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        return bytes;
    }

    private static JournalEntry entry(int type, String text) {
        return new JournalEntry(type, text.getBytes(StandardCharsets.UTF_8));
    }

    private OpenedJournal open(JournalDirectory directory, JournalIdentity identity) {
        return new FileJournalStore(directory, OPTIONS, executor, SALT, "test").open(identity, reason -> {});
    }

    private void close(Journal journal) {
        executor.runAll();
        journal.close();
    }

    @Test
    void isReplayed() throws IOException {
        Files.write(root.resolve("journal"), released());

        OpenedJournal opened = open(new DiskDirectory(root), SECOND_BOOT);
        close(opened.journal());

        Replayed replayed = opened.replayed();
        assertThat(replayed.report()).isEqualTo(new ReplayReport(false, 0, List.of(), false, false, 5));
        assertThat(replayed.previous()).isEqualTo(SECOND_BOOT);
        assertThat(replayed.records()).hasSize(4);
        assertRecord(replayed.records().get(0), 2, 1, "a snapshot of ü".getBytes(StandardCharsets.UTF_8));
        assertRecord(replayed.records().get(1), 3, 2, new byte[0]);
        assertRecord(replayed.records().get(2), 4, 127, allBytes());
        assertRecord(replayed.records().get(3), 6, 7, "after the boot".getBytes(StandardCharsets.UTF_8));
        assertThat(replayed.records().stream().map(replayed::writtenInThisBoot))
                .containsExactly(false, false, false, true);
    }

    private static void assertRecord(JournalRecord record, long sequence, int type, byte[] payload) {
        assertThat(record.sequence()).isEqualTo(sequence);
        assertThat(record.type()).isEqualTo(type);
        assertThat(record.payload()).isEqualTo(payload);
    }

    @Test
    void isGoneOnWith() throws IOException {
        MemoryDirectory directory = new MemoryDirectory();
        directory.put("journal", released());
        OpenedJournal opened = open(directory, SECOND_BOOT);
        opened.journal().append(entry(1, "more"), NORMAL, outcome -> {});
        close(opened.journal());

        Replayed replayed = open(directory, SECOND_BOOT).replayed();

        assertThat(replayed.report().damaged()).isFalse();
        assertRecord(replayed.records().get(4), 7, 1, "more".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void isWrittenByteForByteAsItWasReleased() throws IOException {
        MemoryDirectory directory = new MemoryDirectory();
        Journal first = open(directory, FIRST_BOOT).journal();
        first.append(entry(9, "gone with the compaction"), NORMAL, outcome -> {});
        first.compact(List.of(entry(1, "a snapshot of ü"), entry(2, "")), outcome -> {});
        first.append(new JournalEntry(127, allBytes()), TEARDOWN, outcome -> {});
        close(first);
        Journal second = open(directory, SECOND_BOOT).journal();
        second.append(entry(7, "after the boot"), NORMAL, outcome -> {});
        close(second);

        byte[] written = directory.content("journal");
        byte[] released = released();

        // How much space is allocated ahead is not part of the format.
        assertThat(trimmed(written)).isEqualTo(trimmed(released));
    }

    private static byte[] trimmed(byte[] file) {
        int end = file.length;
        while (end > 0 && file[end - 1] == 0) {
            end--;
        }
        return Arrays.copyOf(file, end);
    }
}
