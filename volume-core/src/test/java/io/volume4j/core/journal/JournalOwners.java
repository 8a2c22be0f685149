package io.volume4j.core.journal;

import static io.volume4j.core.journal.JournalTexts.entry;
import static io.volume4j.core.journal.JournalTexts.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.journal.JournalException.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A journal is of one node, one root and one process at a time, and knows of boots. */
interface JournalOwners extends JournalBench {
    @Test
    default void aBootIsNoticedOnceAndOlderRecordsAreTold() {
        Journal journal = openJournal();
        append(journal, "old");
        closeWritten(journal);
        JournalIdentity rebooted = new JournalIdentity("node-a", "boot-2", "root-1");

        OpenedJournal second = store(options().build()).open(rebooted, asked()::add);
        assertThat(second.replayed().report().bootIdChanged()).isTrue();
        assertThat(second.replayed().previous()).isEqualTo(NODE_A);
        append(second.journal(), "new");
        closeWritten(second.journal());

        Replayed third = store(options().build()).open(rebooted, asked()::add).replayed();
        assertThat(third.report().bootIdChanged()).isFalse();
        assertThat(third.previous()).isEqualTo(rebooted);
        assertThat(texts(third)).containsExactly("old", "new");
        assertThat(third.records().stream().map(third::writtenInThisBoot)).containsExactly(false, true);
    }

    @Test
    default void aSnapshotIsStampedWithTheCurrentBoot() {
        Journal journal = openJournal();
        append(journal, "old");
        closeWritten(journal);
        JournalIdentity rebooted = new JournalIdentity("node-a", "boot-2", "root-1");
        Journal second = store(options().build()).open(rebooted, asked()::add).journal();
        second.compact(List.of(entry("confirmed")), outcomes().expect("compaction"));
        closeWritten(second);

        Replayed third = store(options().build()).open(rebooted, asked()::add).replayed();

        assertThat(third.records().stream().map(third::writtenInThisBoot)).containsExactly(true);
    }

    @Test
    default void theJournalOfAnotherNodeOrRootIsRefusedAndLeftAsItIs() {
        Journal journal = openJournal();
        append(journal, "a");
        closeWritten(journal);

        assertThatThrownBy(() ->
                        store(options().build()).open(new JournalIdentity("node-b", "boot-1", "root-1"), asked()::add))
                .isInstanceOfSatisfying(JournalException.class, e -> {
                    assertThat(e.kind()).isEqualTo(Kind.WRONG_NODE);
                    assertThat(e).hasMessageContaining("node-a").hasMessageContaining("node-b");
                });
        assertThatThrownBy(() ->
                        store(options().build()).open(new JournalIdentity("node-a", "boot-1", "root-2"), asked()::add))
                .isInstanceOfSatisfying(JournalException.class, e -> {
                    assertThat(e.kind()).isEqualTo(Kind.WRONG_ROOT);
                    assertThat(e).hasMessageContaining("root-1").hasMessageContaining("root-2");
                });
        assertThat(replay()).containsExactly("a");
    }

    @Test
    default void aSecondOwnerIsRefusedUntilTheFirstHasClosed() {
        Journal journal = openJournal();

        assertThatThrownBy(this::openJournal)
                .isInstanceOfSatisfying(
                        JournalException.class, e -> assertThat(e.kind()).isEqualTo(Kind.LOCKED));

        closeWritten(journal);
        closeWritten(openJournal());
    }

    @Test
    default void aBootIsNoticedOnceThoughNothingIsWrittenInIt() {
        Journal journal = openJournal();
        append(journal, "old");
        closeWritten(journal);
        JournalIdentity rebooted = new JournalIdentity("node-a", "boot-2", "root-1");
        assertThat(store(options().build())
                        .open(rebooted, asked()::add)
                        .replayed()
                        .report()
                        .bootIdChanged())
                .isTrue();
        crash();

        Replayed second = store(options().build()).open(rebooted, asked()::add).replayed();

        assertThat(second.report().bootIdChanged()).isFalse();
        assertThat(second.records().stream().map(second::writtenInThisBoot)).containsExactly(false);
    }
}
