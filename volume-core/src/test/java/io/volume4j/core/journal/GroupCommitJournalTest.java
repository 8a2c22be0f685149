package io.volume4j.core.journal;

import static io.volume4j.core.journal.AppendPriority.NORMAL;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.journal.JournalException.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The queue with real threads around it and a disk that hangs or misbehaves. */
@Timeout(180)
class GroupCommitJournalTest {
    private final ExecutorService writer = Executors.newSingleThreadExecutor();
    private final Outcomes outcomes = new Outcomes();
    private final List<SnapshotReason> asked = Collections.synchronizedList(new ArrayList<>());
    private final FakeLog log = new FakeLog();

    @AfterEach
    void stopWriter() throws InterruptedException {
        log.mayContinue.countDown();
        writer.shutdown();
        assertThat(writer.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }

    private GroupCommitJournal journal(Duration closeTimeout) {
        JournalOptions options =
                JournalOptions.builder().closeTimeout(closeTimeout).build();
        return new GroupCommitJournal(log, options, writer, asked::add, 0);
    }

    private void append(Journal journal, String name) {
        journal.append(JournalTexts.entry(name), NORMAL, outcomes.expect(name));
    }

    @Test
    void closeWritesWhatWasAccepted() {
        Journal journal = journal(Duration.ofSeconds(30));
        for (int i = 0; i < 1000; i++) {
            append(journal, "r" + i);
        }

        journal.close();

        assertThat(outcomes.durable()).hasSize(1000);
        assertThat(outcomes.failed()).isEmpty();
        assertThat(log.closed.getCount()).isZero();
    }

    @Test
    void closeDoesNotWaitForADiskThatHangsAndLeavesTheLogToTheWriter() throws InterruptedException {
        log.hang = true;
        Journal journal = journal(Duration.ofMillis(1));
        append(journal, "in flight");
        log.hanging.await();
        append(journal, "queued");

        journal.close();

        assertThat(outcomes.all()).containsEntry("in flight", "CLOSED").containsEntry("queued", "CLOSED");
        assertThat(log.closed.getCount()).as("still in use").isEqualTo(1);
        log.mayContinue.countDown();
        log.closed.await();
        assertThat(outcomes.all())
                .containsEntry("in flight", "CLOSED")
                .containsEntry("queued", "CLOSED")
                .hasSize(2);
    }

    @Test
    void anInterruptedCloseGivesUpWaitingAndKeepsTheInterrupt() throws InterruptedException {
        log.hang = true;
        Journal journal = journal(Duration.ofHours(1));
        append(journal, "in flight");
        log.hanging.await();

        Thread.currentThread().interrupt();
        journal.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(outcomes.all()).containsEntry("in flight", "CLOSED");
    }

    @Test
    void appendsDuringASlowSyncFormOneGroup() throws InterruptedException {
        log.hang = true;
        Journal journal = journal(Duration.ofSeconds(30));
        append(journal, "first");
        log.hanging.await();
        for (int i = 0; i < 100; i++) {
            append(journal, "r" + i);
        }
        log.mayContinue.countDown();
        journal.close();

        assertThat(outcomes.durable()).hasSize(101);
        assertThat(log.syncs).hasValue(2);
    }

    @Test
    void aNoteIsWrittenAtOnceAndSyncedWithTheNextRecordThatACallerWaitsFor() {
        Journal journal = new GroupCommitJournal(log, JournalOptions.defaults(), Runnable::run, asked::add, 0);
        journal.note(JournalTexts.entry("ended"), NORMAL, failed -> asked.add(SnapshotReason.DAMAGE));
        assertThat(log.writes).hasValue(1);
        assertThat(log.syncs).hasValue(0);
        assertThat(journal.status().lastDurableSequence()).isZero();
        append(journal, "next");
        assertThat(log.syncs).hasValue(1);
        assertThat(journal.status().lastDurableSequence()).isEqualTo(2);
        assertThat(asked).isEmpty();
        journal.close();
    }

    @Test
    void aNoteThatIsRefusedIsToldOnce() {
        Journal journal = journal(Duration.ofSeconds(30));
        journal.close();
        List<Kind> kinds = new ArrayList<>();
        journal.note(JournalTexts.entry("late"), NORMAL, failed -> kinds.add(failed.kind()));
        assertThat(kinds).containsExactly(Kind.CLOSED);
    }

    @Test
    void aNoteThatCannotBeWrittenIsToldAndASnapshotAskedFor() {
        log.defective = true;
        Journal journal = new GroupCommitJournal(log, JournalOptions.defaults(), Runnable::run, asked::add, 0);
        List<Kind> kinds = new ArrayList<>();
        journal.note(JournalTexts.entry("a"), NORMAL, failed -> kinds.add(failed.kind()));
        assertThat(kinds).containsExactly(Kind.NOT_DURABLE);
        assertThat(asked).containsExactly(SnapshotReason.WRITE_FAILED);
        journal.close();
    }

    @Test
    void aDefectInTheLogAnswersEveryoneAndAsksForASnapshot() {
        log.defective = true;
        Journal journal = journal(Duration.ofSeconds(30));
        append(journal, "a");
        journal.close();

        assertThat(outcomes.failure("a").kind()).isEqualTo(Kind.NOT_DURABLE);
        assertThat(asked).containsExactly(SnapshotReason.WRITE_FAILED);
    }

    @Test
    void anInterruptOfTheWriterIsKeptAwayFromTheFileAndGivenBack() {
        Journal journal = new GroupCommitJournal(log, JournalOptions.defaults(), Runnable::run, asked::add, 0);

        Thread.currentThread().interrupt();
        append(journal, "a");

        assertThat(Thread.interrupted()).isTrue();
        assertThat(outcomes.durable()).containsExactly("a");
        assertThat(log.interruptedInside).isFalse();
    }

    @Test
    void whoeverAppendsWhileItIsClosedIsAnsweredExactlyOnce() throws InterruptedException {
        for (int round = 0; round < 50; round++) {
            ExecutorService owners = Executors.newFixedThreadPool(3);
            ExecutorService ownWriter = Executors.newSingleThreadExecutor();
            GroupCommitJournal journal =
                    new GroupCommitJournal(new FakeLog(), JournalOptions.defaults(), ownWriter, asked::add, 0);
            AtomicInteger answers = new AtomicInteger();
            CountDownLatch some = new CountDownLatch(20);
            for (int owner = 0; owner < 3; owner++) {
                owners.execute(() -> {
                    for (int i = 0; i < 100; i++) {
                        journal.append(JournalTexts.entry("x"), NORMAL, outcome -> answers.incrementAndGet());
                        some.countDown();
                    }
                });
            }
            some.await();
            journal.close();
            owners.shutdown();
            assertThat(owners.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
            ownWriter.shutdown();
            assertThat(ownWriter.awaitTermination(30, TimeUnit.SECONDS)).isTrue();

            assertThat(answers).hasValue(300);
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Counts, hangs in sync, or has a defect. */
    private static final class FakeLog implements RecordLog {
        final CountDownLatch hanging = new CountDownLatch(1);
        final CountDownLatch mayContinue = new CountDownLatch(1);
        final CountDownLatch closed = new CountDownLatch(1);
        volatile boolean hang;
        volatile boolean defective;
        volatile boolean interruptedInside;
        final AtomicInteger writes = new AtomicInteger();
        final AtomicInteger syncs = new AtomicInteger();
        private volatile boolean trusted = true;
        private long sequence;

        @Override
        public long add(JournalEntry entry, AppendPriority priority) {
            if (defective) {
                throw new IllegalStateException("a defect");
            }
            return ++sequence;
        }

        @Override
        public void write() {
            writes.incrementAndGet();
            interruptedInside |= Thread.currentThread().isInterrupted();
        }

        @Override
        public void sync() throws IOException {
            interruptedInside |= Thread.currentThread().isInterrupted();
            if (hang) {
                hanging.countDown();
                awaitUninterruptibly(mayContinue);
            }
            syncs.incrementAndGet();
        }

        @Override
        public void prepareSnapshot(Iterable<JournalEntry> snapshot) {}

        @Override
        public long installSnapshot() {
            return sequence;
        }

        @Override
        public void distrust() {
            trusted = false;
        }

        @Override
        public boolean trusted() {
            return trusted;
        }

        @Override
        public long size() {
            return 0;
        }

        @Override
        public boolean outgrown() {
            return false;
        }

        @Override
        public boolean worthCompacting() {
            return false;
        }

        @Override
        public void close() {
            closed.countDown();
        }
    }
}
