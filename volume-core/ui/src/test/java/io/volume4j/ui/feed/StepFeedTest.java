package io.volume4j.ui.feed;

import static org.assertj.core.api.Assertions.assertThat;

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
        feed.plan("a");
        feed.close();
        feed.plan("b");
        feed.giveBack("c");
        feed.journalSync().close();
        assertThat(feed.take(10)).isEmpty();
        assertThat(feed.syncs().spans(0, 10, 1).get(0).took().count()).isZero();
    }
}
