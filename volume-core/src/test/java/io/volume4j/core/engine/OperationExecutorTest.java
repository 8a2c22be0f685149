package io.volume4j.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OperationExecutorTest {
    private static final Duration DEADLINE = Duration.ofMinutes(10);

    private final ManualLoop loop = new ManualLoop();
    private final ManualWorkers workers = new ManualWorkers();
    private OperationExecutor executor =
            new OperationExecutor(loop, workers, new OperationExecutor.Limits(8, 100, 100));
    private final List<String> ended = new ArrayList<>();

    @Test
    void oneLaneGetsNoMoreThanHalfOfThePlacesForAll() {
        submit("stuck", 100, 20);

        assertThat(workers.waiting()).isEqualTo(4);

        submit("healthy", 100, 3);
        assertThat(workers.waiting()).isEqualTo(4 + 3);
    }

    @Test
    void callsThatTakeLongDoNotKeepTheirPlaceFromOthers() {
        for (String lane : List.of("stuck-1", "stuck-2")) {
            submit(lane, 4, 4);
        }
        hangAll();
        submit("healthy", 4, 1);
        assertThat(workers.waiting()).as("all places are taken").isZero();

        loop.advance(Duration.ofSeconds(1));
        assertThat(workers.waiting()).isEqualTo(1);
        workers.runAll();
        loop.run();
        assertThat(ended).containsExactly("healthy-0 done");
        assertThat(executor.load()).isEqualTo(new OperationExecutor.Load(8, 0, 0));
    }

    @Test
    void aCallThatTakesLongStillCountsInItsOwnLane() {
        submit("stuck", 2, 3);
        hangAll();
        loop.advance(Duration.ofMinutes(5));

        assertThat(workers.waiting()).as("the lane runs two at a time").isZero();
    }

    @Test
    void aCallThatTakesLongIsWrittenOffAtItsOwnDeadline() {
        submit("stuck", 2, 1);
        Runnable late = workers.hang();
        loop.advance(DEADLINE.minusMillis(1));
        assertThat(ended).isEmpty();

        loop.advance(Duration.ofMillis(1));
        assertThat(ended).containsExactly("stuck-0 written off");
        assertThat(executor.load()).isEqualTo(new OperationExecutor.Load(0, 1, 0));

        late.run();
        loop.run();
        assertThat(ended).containsExactly("stuck-0 written off", "stuck-0 returned late");
        assertThat(executor.load()).isEqualTo(new OperationExecutor.Load(0, 0, 0));
    }

    @Test
    void saysWhatACallThatWaitsIsWaitingFor() {
        submit("full", 1, 2);
        assertThat(executor.waitsFor("full-0")).as("it runs").isEmpty();
        assertThat(executor.waitsFor("full-1")).isEqualTo("as many calls of full run as may, 1");

        submit("busy", 100, 20);
        assertThat(executor.waitsFor("busy-19")).isEqualTo("as many calls run as may");
    }

    @Test
    void saysThatALaneHasTooManyCallsThatHaveNotReturned() {
        executor = new OperationExecutor(loop, workers, new OperationExecutor.Limits(8, 1, 1));
        submit("stuck", 1, 2);
        hangAll();
        loop.advance(DEADLINE);

        assertThat(executor.waitsFor("stuck-1"))
                .isEqualTo("1 calls of stuck have not returned since their deadlines; no more are made until one does");
    }

    private void submit(String lane, int limit, int calls) {
        for (int i = 0; i < calls; i++) {
            String name = lane + "-" + i;
            executor.submit(name, 1, new Call(lane, limit, DEADLINE, context -> null), progress -> {}, new Told(name));
        }
    }

    private void hangAll() {
        while (workers.waiting() > 0) {
            workers.hang();
        }
    }

    private final class Told implements OperationExecutor.Reports {
        private final String name;
        private boolean writtenOff;

        Told(String name) {
            this.name = name;
        }

        @Override
        public void ended(Outcome outcome) {
            writtenOff = outcome.failure() != null;
            ended.add(name + (writtenOff ? " written off" : " done"));
        }

        @Override
        public void returned() {
            if (writtenOff) {
                ended.add(name + " returned late");
            }
        }
    }
}
