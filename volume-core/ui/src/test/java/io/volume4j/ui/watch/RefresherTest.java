package io.volume4j.ui.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.volume4j.core.explain.Health;
import io.volume4j.core.worlds.JournalReading;
import io.volume4j.ui.feed.StepFeed;
import io.volume4j.ui.rows.RowTable;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** When sources are read, and that reading goes on. */
class RefresherTest {
    private static final int MANY = Refresher.MOST_WAITING + 500;

    private long nanos;
    private final StepFeed feed = new StepFeed(() -> nanos);
    private final AtomicInteger healthAsked = new AtomicInteger();
    private final AtomicInteger published = new AtomicInteger();

    /** A node that answers at once. */
    private final Readings readings = new Readings() {
        @Override
        public String name() {
            return "n1";
        }

        @Override
        public StepFeed feed() {
            return feed;
        }

        @Override
        public CompletableFuture<Integer> refresh(Shown shown, int most) {
            return CompletableFuture.completedFuture(
                    feed.take(Math.min(most, AT_ONCE)).size());
        }

        @Override
        public CompletableFuture<Map<String, Instant>> deadlines() {
            return CompletableFuture.completedFuture(Map.of());
        }

        @Override
        public Health health() {
            healthAsked.incrementAndGet();
            throw new InternalError("unable to create native thread");
        }

        @Override
        public CompletableFuture<Optional<JournalReading>> journal() {
            return CompletableFuture.completedFuture(Optional.empty());
        }

        @Override
        public String plugin(Object key) {
            return "";
        }
    };

    private final InstantSource clock = InstantSource.fixed(Instant.EPOCH);
    private final Shown shown = new Shown(new RowTable(), Runnable::run, clock);
    private final Live live = new Live(readings);

    private Refresher refresher(Runnable publish) {
        return new Refresher(() -> List.of(live), shown, Runnable::run, publish, () -> 0);
    }

    private void touch(int keys) {
        for (int i = 0; i < keys; i++) {
            feed.giveBack(i);
        }
    }

    @Test
    void withoutViewersOnlySourcesWithTooManyWaitingKeysAreRead() {
        Refresher refresher = refresher(published::incrementAndGet);
        touch(MANY);

        refresher.turn();
        int left = feed.waiting();
        refresher.turn();

        assertThat(left).isLessThanOrEqualTo(Refresher.MOST_WAITING).isPositive();
        assertThat(feed.waiting()).as("few keys wait for a viewer").isEqualTo(left);
        assertThat(published).hasValue(0);
        assertThat(healthAsked).hasValue(0);
    }

    @Test
    void aQueryWithoutAnAnswerIsShownWithItsElapsedTimeWhateverTheWallClockShows() {
        live.refresh(shown, neverRuns -> {});
        nanos += Duration.ofSeconds(5).toNanos();

        for (Instant now : List.of(Instant.EPOCH, Instant.EPOCH.plus(Duration.ofHours(10)))) {
            JsonNode source = new SummaryTree()
                    .of("t", false, List.of(live), new RowTable(), now)
                    .path("sources")
                    .get(0);
            assertThat(now.toEpochMilli() - source.path("unansweredSince").asLong())
                    .isEqualTo(5000);
        }
    }

    @Test
    void aTurnThatFailsForWantOfAThreadDoesNotEndTheTurns() {
        Refresher refresher = refresher(() -> {
            published.incrementAndGet();
            throw new InternalError("unable to create native thread");
        });
        refresher.streamOpened();
        touch(1);

        refresher.turn();
        refresher.turn();

        assertThat(published).hasValue(2);
        assertThat(feed.waiting()).isZero();
    }
}
