package io.volume4j.core.journal;

import static io.volume4j.core.journal.AppendPriority.NORMAL;
import static io.volume4j.core.journal.JournalTexts.entry;
import static io.volume4j.core.journal.JournalTexts.texts;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.journal.JournalException.Kind;
import io.volume4j.core.testing.ScarceThreads;
import io.volume4j.core.testing.ScarceThreads.Fate;
import io.volume4j.core.testing.ScarceThreads.Says;
import io.volume4j.core.testing.ScarceThreads.Shortage;
import io.volume4j.spi.FailureKind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A journal whose writer gets no thread for a while answers each command, and goes on when there are threads again. */
@Timeout(60)
class ScarceWritersTest {
    private static final JournalIdentity NODE = new JournalIdentity("node-a", "boot-1", "root-1");

    private final ManualExecutor threads = new ManualExecutor();
    private final Outcomes outcomes = new Outcomes();
    private final List<SnapshotReason> asked = new ArrayList<>();

    static Stream<Shortage> shortages() {
        return Shortage.all(9);
    }

    private InMemoryJournalStore store(ScarceThreads scarce) {
        return new InMemoryJournalStore(JournalOptions.defaults(), scarce);
    }

    @ParameterizedTest
    @MethodSource("shortages")
    void everyCommandIsAnsweredOnceAndWhatIsTriedAgainGetsDurable(Shortage shortage) {
        ScarceThreads scarce = new ScarceThreads(threads, shortage);
        InMemoryJournalStore store = store(scarce);
        Journal journal = store.open(NODE, asked::add).journal();
        List<String> expected = new ArrayList<>();
        int tries = 0;
        for (int i = 0; i < 6 || !scarce.over(); i++) {
            String name = "r" + i;
            String attempt = name;
            journal.append(entry(name), NORMAL, outcomes.expect(attempt));
            threads.runAll();
            while (!outcomes.durable().contains(attempt)) {
                assertThat(outcomes.failure(attempt).kind()).isEqualTo(Kind.NO_THREAD);
                assertThat(++tries).isLessThanOrEqualTo(shortage.count());
                attempt = name + " again " + tries;
                journal.append(entry(name), NORMAL, outcomes.expect(attempt));
                threads.runAll();
            }
            expected.add(name);
        }

        journal.compact(List.of(entry("snapshot")), outcomes.expect("compaction"));
        threads.runAll();
        journal.append(entry("last"), NORMAL, outcomes.expect("last"));
        threads.runAll();

        assertThat(outcomes.durable()).contains("compaction", "last");
        assertThat(outcomes.all().values()).isSubsetOf("durable", "NO_THREAD");
        assertThat(journal.status().lastDurableSequence()).isEqualTo(expected.size() + 2);
        assertThat(journal.status().queuedRecords()).isZero();
        journal.close();
        assertThat(texts(store.open(NODE, asked::add).replayed())).containsExactly("snapshot", "last");
        assertThat(asked).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("shortages")
    void aSnapshotIsPutInForceOrRefusedAndThenTakenAgain(Shortage shortage) {
        ScarceThreads scarce = new ScarceThreads(threads, shortage);
        InMemoryJournalStore store = store(scarce);
        Journal journal = store.open(NODE, asked::add).journal();
        for (int i = 0; i < 4 || !scarce.over(); i++) {
            journal.compact(List.of(entry("snapshot " + i)), outcomes.expect("compaction " + i));
            threads.runAll();
            assertThat(outcomes.all()).containsKey("compaction " + i);
        }
        journal.compact(List.of(entry("snapshot")), outcomes.expect("compaction"));
        threads.runAll();

        assertThat(outcomes.durable()).contains("compaction");
        assertThat(outcomes.all().values()).isSubsetOf("durable", "NO_THREAD");
        journal.close();
        assertThat(texts(store.open(NODE, asked::add).replayed())).containsExactly("snapshot");
    }

    @ParameterizedTest
    @MethodSource("shortages")
    void aJournalWithoutThreadsIsClosedWithoutAWait(Shortage shortage) {
        ScarceThreads scarce = new ScarceThreads(threads, shortage);
        InMemoryJournalStore store = store(scarce);
        Journal journal = store.open(NODE, asked::add).journal();
        while (scarce.submissions() < shortage.from()) {
            journal.append(entry("r"), NORMAL, outcomes.expect("r" + scarce.submissions()));
            threads.runAll();
        }

        journal.close();

        threads.runAll();
        assertThat(outcomes.all().values()).isSubsetOf("durable", "NO_THREAD");
        assertThat(store.open(NODE, asked::add).journal()).isNotNull();
    }

    @Test
    void theAnswerSaysWhatIsMissingAndThatItIsTriedAgain() {
        Journal journal = store(new ScarceThreads(threads, new Shortage(Says.NO_NATIVE_THREAD, Fate.LOST, 1, 1)))
                .open(NODE, asked::add)
                .journal();

        journal.append(entry("a"), NORMAL, outcomes.expect("a"));

        assertThat(outcomes.failure("a"))
                .hasMessageContaining("unable to create native thread")
                .hasMessageContaining("pids.max");
        assertThat(outcomes.failure("a").asVolumeException().kind()).isEqualTo(FailureKind.TRANSIENT);
    }

    @Test
    void whatWaitsBesideAFailedHandOverIsRefusedWithIt() {
        List<Kind> notes = new ArrayList<>();
        Journal journal = store(new ScarceThreads(threads, new Shortage(Says.NO_NATIVE_THREAD, Fate.LOST, 1, 2)))
                .open(NODE, asked::add)
                .journal();
        journal.note(entry("note"), NORMAL, failed -> notes.add(failed.kind()));
        journal.append(entry("a"), NORMAL, outcomes.expect("a"));
        journal.append(entry("b"), NORMAL, outcomes.expect("b"));
        threads.runAll();

        assertThat(notes).containsExactly(Kind.NO_THREAD);
        assertThat(outcomes.all()).containsEntry("a", "NO_THREAD").containsEntry("b", "durable");
    }
}
