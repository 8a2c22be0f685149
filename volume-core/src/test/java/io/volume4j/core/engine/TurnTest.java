package io.volume4j.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class TurnTest {
    private final Turn turn = new Turn();

    @Test
    void onlyTheFirstCallerHasToWakeAThread() {
        assertThat(turn.call()).isTrue();
        assertThat(turn.call()).isFalse();
        assertThat(turn.called()).isTrue();
        assertThat(turn.free()).isFalse();
    }

    @Test
    void whoeverTakesItAnswersTheCall() {
        turn.call();

        assertThat(turn.take()).isTrue();
        assertThat(turn.called()).isFalse();
    }

    @Test
    void isHadByOneThreadAndNoOther() throws InterruptedException {
        AtomicBoolean othersToo = new AtomicBoolean();
        assertThat(turn.take()).isTrue();
        Thread other = new Thread(() -> othersToo.set(turn.take() || turn.mine()));
        other.start();
        other.join();

        assertThat(othersToo).isFalse();
        assertThat(turn.mine()).isTrue();
    }

    @Test
    void noThreadIsCalledWhileAnotherHasIt() {
        turn.take();

        assertThat(turn.call()).isFalse();
        turn.leave();
        assertThat(turn.called()).isFalse();
        assertThat(turn.mine()).isFalse();
        assertThat(turn.free()).isTrue();
    }

    @Test
    void endsWhenNoThreadHasItAndIsNeverTakenAgain() {
        turn.take();
        assertThat(turn.end()).isFalse();
        turn.leave();
        turn.call();

        assertThat(turn.end()).isTrue();
        assertThat(turn.take()).isFalse();
        assertThat(turn.call()).isFalse();
        assertThat(turn.called()).isFalse();
    }
}
