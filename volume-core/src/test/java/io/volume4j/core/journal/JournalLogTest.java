package io.volume4j.core.journal;

import static io.volume4j.core.journal.AppendPriority.NORMAL;
import static io.volume4j.core.journal.AppendPriority.TEARDOWN;
import static io.volume4j.core.journal.JournalTexts.entry;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.volume4j.core.testing.ScarceThreads;
import io.volume4j.core.testing.ScarceThreads.Fate;
import io.volume4j.core.testing.ScarceThreads.Says;
import io.volume4j.core.testing.ScarceThreads.Shortage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/** The log tells of each outage once, however many records it refuses, and of nothing that goes well. */
class JournalLogTest {
    private static final JournalIdentity NODE = new JournalIdentity("node-a", "boot-1", "root-1");
    private static final String OUT_OF_SPACE = "out of space";
    private static final String NO_THREAD = "no thread to write with";
    private static final String CLOSED_EARLY = "closed before the disk answered";

    private final Logger logger = (Logger) LoggerFactory.getLogger(GroupCommitJournal.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final ManualExecutor executor = new ManualExecutor();
    private final Outcomes outcomes = new Outcomes();

    @BeforeEach
    void listen() {
        logger.setLevel(Level.WARN);
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(lines);
        logger.setLevel(null);
    }

    private long told(String what) {
        return lines.list.stream()
                .filter(line -> line.getFormattedMessage().contains(what))
                .count();
    }

    private InMemoryJournalStore store(Executor threads) {
        JournalOptions options = JournalOptions.builder()
                .reserveBytes(1000)
                .closeTimeout(Duration.ZERO)
                .build();
        return new InMemoryJournalStore(options, threads);
    }

    private void append(Journal journal, AppendPriority priority, String name) {
        journal.append(entry(name), priority, outcomes.expect(name));
        executor.runAll();
    }

    @Test
    void eachTimeThatSpaceEndsIsToldOnce() {
        InMemoryJournalStore store = store(executor);
        Journal journal = store.open(NODE, reason -> {}).journal();
        append(journal, NORMAL, "before");
        assertThat(lines.list).isEmpty();

        store.setFull(true);
        append(journal, NORMAL, "refused");
        assertThat(told(OUT_OF_SPACE)).isEqualTo(1);
        assertThat(journal.status().outOfSpace()).isTrue();
        append(journal, NORMAL, "refused too");
        assertThat(told(OUT_OF_SPACE)).isEqualTo(1);

        store.setFull(false);
        append(journal, NORMAL, "after");
        assertThat(journal.status().outOfSpace()).isFalse();
        assertThat(told(OUT_OF_SPACE)).isEqualTo(1);

        store.setFull(true);
        append(journal, NORMAL, "refused again");
        assertThat(told(OUT_OF_SPACE)).isEqualTo(2);
        assertThat(outcomes.durable()).containsExactly("before", "after");
    }

    /** A record that found room in the reserve is no sign of room for the others. */
    @Test
    void aGroupWithARefusedRecordIsOutOfSpaceThoughTeardownWasWritten() {
        InMemoryJournalStore store = store(executor);
        Journal journal = store.open(NODE, reason -> {}).journal();
        store.setFull(true);

        journal.append(entry("normal"), NORMAL, outcomes.expect("normal"));
        append(journal, TEARDOWN, "teardown");

        assertThat(outcomes.durable()).containsExactly("teardown");
        assertThat(journal.status().outOfSpace()).isTrue();
    }

    @Test
    void eachOutageOfThreadsIsToldOnce() {
        Journal journal = store(new ScarceThreads(executor, new Shortage(Says.NO_NATIVE_THREAD, Fate.LOST, 1, 2)))
                .open(NODE, reason -> {})
                .journal();

        append(journal, NORMAL, "first");
        assertThat(told(NO_THREAD)).isEqualTo(1);
        append(journal, NORMAL, "second");
        assertThat(told(NO_THREAD)).isEqualTo(1);

        append(journal, NORMAL, "third");
        assertThat(outcomes.durable()).containsExactly("third");
        executor.refuse();
        append(journal, NORMAL, "fourth");
        assertThat(told(NO_THREAD)).as("another outage").isEqualTo(2);
    }

    @Test
    void aCloseTellsOfRecordsThatWereNotAcknowledgedAndOnlyThen() {
        InMemoryJournalStore store = store(executor);
        Journal journal = store.open(NODE, reason -> {}).journal();
        append(journal, NORMAL, "written");
        journal.close();
        assertThat(lines.list).isEmpty();

        Journal second = store.open(NODE, reason -> {}).journal();
        List.of("a", "b").forEach(name -> second.append(entry(name), NORMAL, outcomes.expect(name)));
        second.close();

        assertThat(told(CLOSED_EARLY)).isEqualTo(1);
        assertThat(lines.list.get(0).getKeyValuePairs()).containsExactly(new KeyValuePair("unacknowledged", 2));
    }
}
