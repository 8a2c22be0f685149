package io.volume4j.ui.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.host.Instrumentation.StepStart;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a feed keeps until the view takes it. */
class StepFeedTest {
    private final StepFeed feed = new StepFeed(() -> 0);

    @Test
    void aKeyWaitsOnceUntilItIsTaken() {
        feed.plan("a");
        feed.plan("a");
        assertThat(feed.take(10)).containsExactly("a");
        assertThat(feed.waiting()).isZero();
    }

    @Test
    void aClosedFeedGrowsNoMore() {
        record("a");
        assertThat(feed.waiting()).isEqualTo(1);
        assertThat(feed.open()).hasSize(1);
        assertThat(syncs()).isEqualTo(1);

        feed.close();
        record("b");
        feed.giveBack("c");
        assertThat(feed.take(10)).isEmpty();
        assertThat(feed.open()).hasSize(1);
        assertThat(syncs()).isEqualTo(1);
    }

    private void record(String key) {
        feed.plan(key);
        var unused = feed.step(StepStart.builder(key, "MOUNT", key).build());
        feed.journalSync().close();
    }

    private long syncs() {
        // A second later: a span has no second that has not ended.
        return feed.syncs()
                .spans(TimeUnit.SECONDS.toNanos(1), 1, 1)
                .get(0)
                .took()
                .count();
    }
}
