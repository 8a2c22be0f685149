package io.volume4j.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.observe.WorkerLogContext;
import io.volume4j.core.report.GuardedListeners;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.Instrumentation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MDC;

/** What an instrumentation hears, and that it can do no harm. */
class InstrumentationTest {
    private final List<String> heard = new ArrayList<>();

    private final Instrumentation hears = new Instrumentation() {
        @Override
        public Step step(StepStart start) {
            heard.add(start.kind() + " of " + start.key() + " begins, attempt " + start.attempt());
            return new Step() {
                @Override
                public Scope call() {
                    heard.add("call");
                    return () -> heard.add("called");
                }

                @Override
                public void ended(@Nullable VolumeException failure) {
                    heard.add(failure == null ? "done" : "failed");
                }
            };
        }

        @Override
        public Scope plan(Object key) {
            heard.add("plan " + key);
            return () -> heard.add("planned");
        }
    };

    /** Throws in the named method, and does nothing in the others. */
    private record Broken(String method) implements Instrumentation {
        @Override
        public Step step(StepStart start) {
            fail("step");
            return new Step() {
                @Override
                public Scope call() {
                    fail("call");
                    return () -> fail("the close of a call");
                }

                @Override
                public void ended(@Nullable VolumeException failure) {
                    fail("ended");
                }
            };
        }

        @Override
        public Scope plan(Object key) {
            fail("plan");
            return () -> fail("the close of a plan");
        }

        private void fail(String here) {
            if (here.equals(method)) {
                throw new IllegalStateException(here);
            }
        }
    }

    /** Returns null where the contract says that it returns an object. */
    @SuppressWarnings("NullAway")
    private record ReturnsNull(@Nullable Step step) implements Instrumentation {
        @Override
        public Step step(StepStart start) {
            return step;
        }

        @Override
        public Scope plan(Object key) {
            return null;
        }

        @Override
        public Scope journalSync() {
            return null;
        }
    }

    @SuppressWarnings("NullAway")
    private record NoScope() implements Instrumentation.Step {
        @Override
        public Instrumentation.Scope call() {
            return null;
        }
    }

    /** Has the counter go from 0 to 1. */
    private static Counters count(Instrumentation instrumentation) {
        ManualLoop loop = new ManualLoop().instrumentation(instrumentation);
        ManualWorkers workers = new ManualWorkers();
        Counters world = new Counters(loop);
        begin(loop, workers, world);
        while (workers.waiting() > 0) {
            workers.runNext();
            loop.run();
        }
        return world;
    }

    /** The call is with the workers. */
    private static Engine<String, Counters.View, Counters.Move> begin(
            ManualLoop loop, ManualWorkers workers, Counters world) {
        Engine<String, Counters.View, Counters.Move> engine = new Engine<>(
                loop,
                world,
                Counters::plan,
                new HeldIntents(),
                new OperationExecutor(loop, workers, new OperationExecutor.Limits(8, 2, 4)),
                new Random(1),
                new Engine.Options("test", "1", Backoff.standard(), 10),
                new Engine.Observer<>() {});
        world.want("a", 1);
        engine.dirty("a");
        loop.run();
        return engine;
    }

    @Test
    void hearsOfDecisionsStepsAndCallsInTheirOrder() {
        count(hears);

        assertThat(heard)
                .containsSubsequence(
                        "plan a",
                        "planned",
                        "MOVE of a begins, attempt 1",
                        "call",
                        "called",
                        "done",
                        "plan a",
                        "planned");
    }

    @ParameterizedTest
    @ValueSource(strings = {"step", "call", "the close of a call", "ended", "plan", "the close of a plan"})
    void oneThatThrowsHarmsNeitherTheWorkNorTheOthers(String method) {
        count(hears);
        List<String> alone = List.copyOf(heard);

        for (List<Instrumentation> each : List.<List<Instrumentation>>of(
                List.of(new Broken(method)), List.of(new Broken(method), hears), List.of(hears, new Broken(method)))) {
            heard.clear();
            Counters world = count(GuardedListeners.instrumentation(each));

            assertThat(world.view("a"))
                    .isNotNull()
                    .extracting(Counters.View::missing)
                    .isEqualTo(0);
            assertThat(heard).isEqualTo(each.contains(hears) ? alone : List.of());
        }
    }

    @Test
    void oneThatReturnsNullHarmsNeitherTheWorkNorTheOthers() {
        count(hears);
        List<String> alone = List.copyOf(heard);
        for (Instrumentation broken : List.of(new ReturnsNull(null), new ReturnsNull(new NoScope()))) {
            heard.clear();
            Counters world = count(GuardedListeners.instrumentation(List.of(broken, hears)));

            assertThat(world.view("a"))
                    .isNotNull()
                    .extracting(Counters.View::missing)
                    .isEqualTo(0);
            assertThat(heard).isEqualTo(alone);
        }
    }

    @Test
    void hearsOfTheEndOfAStepThatIsUnderWayWhenItsEngineIsClosed() {
        ManualLoop loop = new ManualLoop().instrumentation(hears);
        ManualWorkers workers = new ManualWorkers();
        Engine<String, Counters.View, Counters.Move> engine = begin(loop, workers, new Counters(loop));
        Runnable call = workers.hang();

        engine.close();
        assertThat(heard).last().isEqualTo("failed");

        call.run();
        loop.run();
        assertThat(heard).containsOnlyOnce("failed").doesNotContain("done");
    }

    @Test
    void severalHearTheSame() {
        count(Instrumentation.all(List.of(hears, hears)));

        assertThat(heard).containsSubsequence("call", "call", "called", "called", "done", "done");
    }

    @Test
    void theLogContextOfAWorkerSaysWhatItWorksOn() {
        AtomicReference<Map<String, String>> within = new AtomicReference<>(Map.of());
        Instrumentation reads = new Instrumentation() {
            @Override
            public Step step(StepStart start) {
                return new Step() {
                    @Override
                    public Scope call() {
                        within.set(MDC.getCopyOfContextMap());
                        return Scope.none();
                    }
                };
            }
        };

        count(Instrumentation.all(List.of(new WorkerLogContext(), reads)));

        assertThat(within.get())
                .containsEntry(WorkerLogContext.STEP, "MOVE")
                .containsEntry(WorkerLogContext.KEY, "a")
                .containsEntry(WorkerLogContext.STORY, "a")
                .containsKey(WorkerLogContext.OPERATION);
        assertThat(MDC.get(WorkerLogContext.STEP)).isNull();
    }
}
