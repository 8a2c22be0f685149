package io.volume4j.core.journal;

import static io.volume4j.core.journal.JournalTexts.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.volume4j.core.journal.JournalException.Kind;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a journal on files does before its first record: it holds its root alone, or leaves nothing open. */
class FileJournalOpeningTest {
    private static final JournalIdentity NODE = new JournalIdentity("node-a", "boot-1", "root-1");
    private static final JournalIdentity OTHER_NODE = new JournalIdentity("node-b", "boot-1", "root-1");
    private static final JournalOptions OPTIONS =
            JournalOptions.builder().reserveBytes(4096).build();

    @TempDir
    Path root;

    private final MemoryDirectory disk = new MemoryDirectory();
    private final FaultyDirectory directory = new FaultyDirectory(disk);
    private final ManualExecutor executor = new ManualExecutor();
    private final Outcomes outcomes = new Outcomes();
    private final List<SnapshotReason> asked = new ArrayList<>();

    private OpenedJournal open(JournalOptions options, JournalIdentity identity) {
        return new FileJournalStore(directory, options, executor, new SplittableRandom(1), "test")
                .open(identity, asked::add);
    }

    private void leaveAJournal() {
        Journal journal = open(OPTIONS, NODE).journal();
        journal.append(entry("a"), AppendPriority.NORMAL, outcomes.expect("a"));
        executor.runAll();
        journal.close();
    }

    private enum Refusal {
        NEW_FILE_CANNOT_BE_RENAMED,
        NEW_NAME_CANNOT_BE_MADE_DURABLE,
        OTHER_NODES_JOURNAL,
        NO_JOURNAL
    }

    @ParameterizedTest
    @EnumSource
    void aRefusedStartLeavesNoFileOpenAndLetsGoOfTheRoot(Refusal refusal) throws IOException {
        switch (refusal) {
            case NEW_FILE_CANNOT_BE_RENAMED -> directory.failNextRename = true;
            case NEW_NAME_CANNOT_BE_MADE_DURABLE -> directory.failNextDirectorySync = true;
            case OTHER_NODES_JOURNAL -> leaveAJournal();
            case NO_JOURNAL -> disk.put("journal", "not a journal".getBytes(StandardCharsets.UTF_8));
        }

        assertThatExceptionOfType(JournalException.class).isThrownBy(() -> open(OPTIONS, OTHER_NODE));

        assertThat(directory.openFiles()).isZero();
        directory.deleteIfExists("journal");
        assertThat(open(OPTIONS, NODE).replayed().report().created()).isTrue();
    }

    @Test
    void aRootThatCannotBeLetGoOfIsToldBesideTheRefusal() {
        leaveAJournal();
        directory.failNextUnlock = true;

        assertThatExceptionOfType(JournalException.class)
                .isThrownBy(() -> open(OPTIONS, OTHER_NODE))
                .satisfies(refusal -> {
                    assertThat(refusal.kind()).isEqualTo(Kind.WRONG_NODE);
                    assertThat(refusal.getSuppressed()).hasSize(1);
                });
    }

    /** The marker spoke of a file that was taken away. */
    @Test
    void aNewJournalIsNotSuspectForWhatAnOlderOneWas() {
        disk.put("journal.suspect", new byte[0]);

        assertThat(open(OPTIONS, NODE).journal().status().awaitingSnapshot()).isFalse();

        assertThat(disk.names()).containsExactly("journal");
    }

    @Test
    void aNameThatCannotBeMadeDurableStartsTheJournalNotDurable() {
        leaveAJournal();
        directory.failNextDirectorySync = true;

        OpenedJournal opened = open(OPTIONS, NODE);

        assertThat(JournalTexts.texts(opened.replayed())).containsExactly("a");
        assertThat(opened.journal().status().awaitingSnapshot()).isTrue();
        assertThat(asked).containsExactly(SnapshotReason.WRITE_FAILED);
    }

    /** Or a node that writes little would read it all at each start. */
    @Test
    void aSnapshotIsAskedForWhenTheJournalThatWasFoundHasOutgrownTheLastOne() {
        leaveAJournal();

        open(JournalOptions.builder().compactAfterBytes(1).compactAfterRatio(0).build(), NODE);

        assertThat(asked).containsExactly(SnapshotReason.SIZE);
    }

    @Test
    void aJournalThatIsClosedTwiceLetsGoOfTheRootOnce() {
        Journal journal = open(OPTIONS, NODE).journal();

        journal.close();
        journal.close();

        assertThat(directory.unlocks).isEqualTo(1);
        assertThat(directory.openFiles()).isZero();
    }

    @Test
    void theLockSaysWhichProcessAndWhichNodeHaveTheRoot() {
        Journal journal = new FileJournalStore(root, OPTIONS, executor, new SplittableRandom(1))
                .open(NODE, asked::add)
                .journal();

        assertThat(root.resolve("journal.lock"))
                .hasContent("pid " + ProcessHandle.current().pid() + ", node node-a\n");
        journal.close();
    }

    @Test
    void aFailureToOpenNamesTheJournal() {
        Path missing = root.resolve("missing");
        FileJournalStore store = new FileJournalStore(missing, OPTIONS, executor, new SplittableRandom(1));

        assertThatExceptionOfType(JournalException.class)
                .isThrownBy(() -> store.open(NODE, asked::add))
                .withMessageStartingWith("journal " + missing.resolve("journal") + " could not be opened");
    }

    @Test
    void whatIsDoneAloneHasTheRootToItselfUntilItsEnd() {
        FileJournalStore store = new FileJournalStore(root, OPTIONS, executor, new SplittableRandom(1));

        String result = FileJournalStore.alone(root, "node-a", () -> {
            assertThatExceptionOfType(JournalException.class)
                    .isThrownBy(() -> store.open(NODE, asked::add))
                    .satisfies(refusal -> assertThat(refusal.kind()).isEqualTo(Kind.LOCKED));
            return "done";
        });

        assertThat(result).isEqualTo("done");
        Journal journal = store.open(NODE, asked::add).journal();
        assertThatExceptionOfType(VolumeException.class)
                .isThrownBy(() -> FileJournalStore.alone(root, "node-a", () -> "not done"))
                .satisfies(refusal -> assertThat(refusal.kind()).isEqualTo(FailureKind.TRANSIENT));
        journal.close();
    }
}
