package io.volume4j.core.journal;

import static io.volume4j.core.journal.AppendPriority.NORMAL;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.journal.JournalException.Kind;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A disk with room for a snapshot, but not for the reserve beside it. */
class JournalSpaceTest {
    private static final JournalIdentity NODE = new JournalIdentity("node-a", "boot-1", "root-1");
    private static final int RESERVE = 4096;

    private final MemoryDirectory directory = new MemoryDirectory();
    private final ManualExecutor executor = new ManualExecutor();
    private final Outcomes outcomes = new Outcomes();
    private Journal journal = openJournal();

    private Journal openJournal() {
        JournalOptions options = JournalOptions.builder().reserveBytes(RESERVE).build();
        return new FileJournalStore(directory, options, executor, new SplittableRandom(1), "test")
                .open(NODE, reason -> {})
                .journal();
    }

    @BeforeEach
    void leaveLittleSpace() {
        journal.append(JournalTexts.entry("before"), NORMAL, outcomes.expect("before"));
        executor.runAll();
        directory.limitSpace(directory.content("journal").length + JournalFormat.RECORDS_START + 1000);
    }

    @Test
    void aTrustedFileIsNotGivenUpForOneWithoutReserve() {
        journal.compact(List.of(JournalTexts.entry("snapshot")), outcomes.expect("compaction"));
        executor.runAll();

        assertThat(outcomes.failure("compaction").kind()).isEqualTo(Kind.IO);
        assertThat(outcomes.failure("compaction"))
                .hasMessageContaining("No space left")
                .hasMessageContaining("free");
        assertThat(directory.names()).containsExactly("journal");
    }

    @Test
    void withoutATrustedFileASnapshotWithoutReserveIsBetterThanNone() {
        journal.append(JournalTexts.entry("lost"), NORMAL, outcomes.expect("lost"));
        executor.runOne();
        directory.failAt(directory.effects());
        executor.runAll();
        assertThat(journal.status().awaitingSnapshot()).isTrue();

        journal.compact(List.of(JournalTexts.entry("snapshot")), outcomes.expect("compaction"));
        executor.runAll();

        assertThat(outcomes.durable()).containsExactly("before", "compaction");
        assertThat(journal.status().awaitingSnapshot()).isFalse();
    }
}
