package io.volume4j.core.journal;

import static io.volume4j.core.journal.AppendPriority.TEARDOWN;
import static io.volume4j.core.journal.JournalTexts.entry;
import static io.volume4j.core.journal.JournalTexts.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.journal.JournalException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract on real files, and what is special about files. */
class FileJournalStoreTest extends JournalContract {
    @TempDir
    Path root;

    private FaultyDirectory directory;
    private final List<GroupCommitJournal> opened = new ArrayList<>();

    @BeforeEach
    void directory() {
        directory = new FaultyDirectory(new DiskDirectory(root));
    }

    @AfterEach
    void closeAll() {
        opened.forEach(GroupCommitJournal::kill);
        executor.runAll();
    }

    @Override
    public JournalStore store(JournalOptions options) {
        FileJournalStore store =
                new FileJournalStore(directory, options, executor, new SplittableRandom(1), "pid of the test");
        return (identity, listener) -> {
            OpenedJournal result = store.open(identity, listener);
            opened.add((GroupCommitJournal) result.journal());
            return result;
        };
    }

    @Override
    public void crash() {
        opened.get(opened.size() - 1).kill();
    }

    @Override
    public long recordOverhead() {
        return JournalFormat.OVERHEAD;
    }

    @Override
    public void setFull(boolean full) {
        directory.full = full;
    }

    @Override
    public void failNextSync() {
        directory.failNextSync = true;
    }

    @Override
    public void failNextSnapshot() {
        directory.failNextSnapshot = true;
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(root)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void filesAreReadableByTheirOwnerOnly() throws IOException {
        closeWritten(openJournal());

        assertThat(files()).containsExactly("journal", "journal.guard", "journal.lock");
        for (String name : files()) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(root.resolve(name))))
                    .as(name)
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void aLinkInPlaceOfTheJournalIsNotFollowed() throws IOException {
        Path canary = Files.writeString(root.resolve("canary"), "untouched");
        Files.createSymbolicLink(root.resolve("journal"), canary);

        assertThatThrownBy(this::openJournal)
                .isInstanceOfSatisfying(
                        JournalException.class, e -> assertThat(e.kind()).isEqualTo(Kind.IO));
        assertThat(canary).hasContent("untouched");
    }

    @Test
    void aMissingRootIsNamed() {
        Path missing = root.resolve("missing");
        FileJournalStore store = new FileJournalStore(missing, options().build(), executor, new SplittableRandom(1));

        assertThatThrownBy(() -> store.open(NODE_A, asked::add)).isInstanceOfSatisfying(JournalException.class, e -> {
            assertThat(e.kind()).isEqualTo(Kind.IO);
            assertThat(e).hasMessageContaining(missing.toString()).hasMessageContaining("exists");
        });
    }

    @Test
    void aFailedOpenLetsGoOfTheRoot() throws IOException {
        Files.writeString(root.resolve("journal"), "not a journal");

        assertThatThrownBy(this::openJournal)
                .isInstanceOfSatisfying(
                        JournalException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNREADABLE));
        Files.delete(root.resolve("journal"));
        closeWritten(openJournal());
    }

    @Test
    void theReserveIsAllocatedAheadAndRefilledAtTheNextStart() throws IOException {
        Journal journal = openJournal();
        assertThat(Files.size(root.resolve("journal"))).isEqualTo(JournalFormat.RECORDS_START + 4096);
        setFull(true);
        journal.append(entry("t".repeat(3000)), TEARDOWN, outcomes.expect("teardown"));
        closeWritten(journal);
        assertThat(Files.size(root.resolve("journal"))).isEqualTo(JournalFormat.RECORDS_START + 4096);

        setFull(false);
        closeWritten(openJournal());

        assertThat(outcomes.durable()).containsExactly("teardown");
        assertThat(Files.size(root.resolve("journal"))).isEqualTo(JournalFormat.RECORDS_START + 3028 + 4096);
    }

    @Test
    void aFullDiskKeepsTheOldFileWithItsReserveRatherThanASnapshotWithout() {
        Journal journal = openJournal();
        append(journal, "a");
        executor.runAll();
        setFull(true);

        journal.compact(List.of(entry("snapshot")), outcomes.expect("compaction"));
        journal.append(entry("teardown"), TEARDOWN, outcomes.expect("teardown"));
        closeWritten(journal);

        assertThat(outcomes.failure("compaction").kind()).isEqualTo(Kind.IO);
        assertThat(outcomes.durable()).containsExactly("a", "teardown");
        assertThat(replay()).containsExactly("a", "teardown");
    }

    @Test
    void startingOnAFullDiskWorksAndTeardownGoesOn() {
        Journal journal = openJournal();
        append(journal, "a");
        closeWritten(journal);
        setFull(true);

        OpenedJournal second =
                store(options().build()).open(new JournalIdentity("node-a", "boot-2", "root-1"), asked::add);
        second.journal().append(entry("teardown"), TEARDOWN, outcomes.expect("teardown"));
        closeWritten(second.journal());

        assertThat(outcomes.durable()).containsExactly("a", "teardown");
        assertThat(replay()).containsExactly("a", "teardown");
    }

    @Test
    void theJournalNeverGrowsBeyondItsBound() throws IOException {
        JournalOptions bounded = options().maxJournalBytes(65_536).build();
        Journal journal = open(bounded).journal();
        for (int i = 0; i < 80; i++) {
            append(journal, i + "-" + "x".repeat(1000));
        }
        journal.append(entry("teardown"), TEARDOWN, outcomes.expect("teardown"));
        closeWritten(journal);

        assertThat(outcomes.durable()).hasSizeBetween(50, 56).endsWith("teardown");
        assertThat(outcomes.failure("79-" + "x".repeat(1000)))
                .hasMessageContaining("maxJournalBytes 65536")
                .extracting(JournalException::kind)
                .isEqualTo(Kind.NO_SPACE);
        assertThat(Files.size(root.resolve("journal"))).isLessThanOrEqualTo(65_536 + 4096);
    }

    @Test
    void aSnapshotBeyondTheBoundIsRefused() {
        Journal journal = open(options().maxJournalBytes(65_536).build()).journal();

        journal.compact(List.of(entry("x".repeat(60_000))), outcomes.expect("compaction"));
        append(journal, "a");
        closeWritten(journal);

        assertThat(outcomes.failure("compaction")).hasMessageContaining("maxJournalBytes");
        assertThat(replay()).containsExactly("a");
    }

    @Test
    void aSnapshotEntryLargerThanTheGroupIsWritten() {
        Journal journal = open(options().maxGroupBytes(64).build()).journal();
        journal.compact(List.of(entry("small"), entry("x".repeat(500)), entry("last")), outcomes.expect("compaction"));
        closeWritten(journal);

        assertThat(replay()).containsExactly("small", "x".repeat(500), "last");
    }

    @Test
    void anAbandonedTemporaryFileIsRemovedAtTheNextStart() throws IOException {
        Journal journal = openJournal();
        append(journal, "a");
        closeWritten(journal);
        Files.writeString(root.resolve("journal.new"), "half a snapshot");

        assertThat(replay()).containsExactly("a");
        assertThat(files()).doesNotContain("journal.new");
    }

    @Test
    void aFailedRenameMakesBothFilesSuspectUntilTheNextSnapshot() throws IOException {
        Journal journal = openJournal();
        append(journal, "a");
        executor.runAll();
        directory.failNextRename = true;
        journal.compact(List.of(entry("first")), outcomes.expect("first"));
        append(journal, "refused");
        executor.runAll();

        assertThat(outcomes.failure("first").kind()).isEqualTo(Kind.NOT_DURABLE);
        assertThat(outcomes.failure("refused").kind()).isEqualTo(Kind.NOT_DURABLE);
        assertThat(files()).contains("journal.suspect");

        journal.compact(List.of(entry("second")), outcomes.expect("second"));
        append(journal, "after");
        closeWritten(journal);

        assertThat(files()).doesNotContain("journal.suspect", "journal.new");
        assertThat(replay()).containsExactly("second", "after");
    }

    @Test
    void aFailedDirectorySyncMakesBothFilesSuspectUntilTheNextSnapshot() {
        Journal journal = openJournal();
        directory.failNextDirectorySync = true;
        journal.compact(List.of(entry("first")), outcomes.expect("first"));
        append(journal, "refused");
        executor.runAll();
        journal.compact(List.of(entry("second")), outcomes.expect("second"));
        append(journal, "after");
        closeWritten(journal);

        assertThat(outcomes.failed()).containsExactly("first", "refused");
        assertThat(outcomes.sequence("second")).isGreaterThan(1);
        assertThat(replay()).containsExactly("second", "after");
    }

    @Test
    void aSyncThatFailsWhileOpeningStartsTheJournalNotDurable() {
        Journal journal = openJournal();
        append(journal, "a");
        closeWritten(journal);
        failNextSync();

        OpenedJournal second = open(options().build());

        assertThat(texts(second.replayed())).containsExactly("a");
        assertThat(second.journal().status().awaitingSnapshot()).isTrue();
        assertThat(asked).containsExactly(SnapshotReason.WRITE_FAILED);
    }
}
