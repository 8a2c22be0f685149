package io.volume4j.inmemory.fault;

import static io.volume4j.inmemory.fault.CallGate.Phase.HALF_DONE;
import static io.volume4j.inmemory.fault.CallGate.Phase.ISSUED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.volume4j.inmemory.host.ManualCallContext;
import io.volume4j.inmemory.host.ManualClock;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScriptedCallsTest {
    private static final CallSite SITE = new CallSite("attach", "v1", "n1");

    private final ManualClock clock = new ManualClock();
    private final BlockingGate gate = new BlockingGate(clock);
    private final FaultScript script = new FaultScript();
    private final ScriptedCalls calls = new ScriptedCalls(script, gate);
    private final ManualCallContext context = new ManualCallContext();
    private final List<String> effects = new ArrayList<>();
    private final ExecutorService worker = Executors.newSingleThreadExecutor();

    @AfterEach
    void stop() {
        gate.releaseAll();
        worker.shutdownNow();
    }

    @ParameterizedTest(name = "{0}: fails as {1}, effects: {2}")
    @CsvSource({
        "TRANSIENT,             TRANSIENT,  0",
        "UNCERTAIN_BEFORE,      UNCERTAIN,  0",
        "UNCERTAIN_AFTER,       UNCERTAIN,  1",
        "PARTIAL,               UNCERTAIN,  0",
        "FINAL,                 FINAL,      0",
        "FINAL_PROVING_ABSENCE, FINAL,      0",
        "IN_USE,                IN_USE,     0",
        "EXHAUSTED,             EXHAUSTED,  0",
        "INFEASIBLE,            INFEASIBLE, 0",
        "LATE_SUCCESS,          UNCERTAIN,  0",
    })
    void eachKindFailsAsItSaysAndHasTheEffectThatItSays(FaultKind kind, FailureKind failure, int effectsNow) {
        script.add(Fault.on("attach").as(kind).saying("by test"));

        VolumeException thrown = catchThrowableOfType(VolumeException.class, this::attach);

        assertThat(thrown.kind()).isEqualTo(failure);
        assertThat(thrown.provesAbsent()).isEqualTo(kind == FaultKind.FINAL_PROVING_ABSENCE);
        assertThat(thrown).hasMessageContaining("attach v1 n1").hasMessageContaining("by test");
        assertThat(effects).hasSize(effectsNow);
    }

    @ParameterizedTest(name = "{0}: effects: {1}")
    @CsvSource({"UNCLASSIFIED_BEFORE, 0", "UNCLASSIFIED_AFTER, 1"})
    void anUnclassifiedFailureSaysNothing(FaultKind kind, int effectsNow) {
        script.add(Fault.on("attach").as(kind));

        assertThatThrownBy(this::attach).isInstanceOf(IllegalStateException.class);
        assertThat(effects).hasSize(effectsNow);
    }

    @Test
    void aDanglingAttachmentNamesItsHolder() {
        script.add(Fault.on("attach").dangling("n2"));

        VolumeException thrown = catchThrowableOfType(VolumeException.class, this::attach);

        assertThat(thrown.kind()).isEqualTo(FailureKind.DANGLING);
        assertThat(thrown.holder()).isEqualTo("n2");
    }

    @Test
    void aLateSuccessTakesEffectAfterItsDelayAlthoughTheCallFailedLongAgo() {
        script.add(Fault.on("attach").lateBy(Duration.ofSeconds(30)));
        assertThatThrownBy(this::attach).isInstanceOf(VolumeException.class);

        clock.advance(Duration.ofSeconds(29));
        assertThat(effects).isEmpty();
        clock.advance(Duration.ofSeconds(1));
        assertThat(effects).containsExactly("done");
    }

    @Test
    void aLateEffectThatIsRefusedByThenIsNoFailure() {
        script.add(Fault.on("attach").as(FaultKind.LATE_SUCCESS));
        assertThatThrownBy(() -> calls.run(SITE, context, () -> {
                    throw VolumeException.finalFailure("no longer there");
                }))
                .hasMessageContaining("lateSuccess");

        assertThat(catchThrowable(() -> clock.advance(Duration.ZERO))).isNull();
    }

    @Test
    void aHangingCallHasItsEffectWhenItIsReleased() throws Exception {
        script.add(Fault.on("attach").as(FaultKind.HANG));
        Future<String> call = worker.submit(this::attach);
        await().atMost(Duration.ofMinutes(1)).until(() -> gate.hanging().equals(List.of(SITE)));
        assertThat(effects).isEmpty();

        assertThat(gate.releaseAll()).isEqualTo(1);

        assertThat(call.get()).isEqualTo("done");
        assertThat(effects).containsExactly("done");
        assertThat(gate.hanging()).isEmpty();
    }

    @Test
    void aCallThatHangsAfterItsEffectHasItAlready() {
        script.add(Fault.on("attach").as(FaultKind.HANG_AFTER));
        Future<String> call = worker.submit(this::attach);

        await().atMost(Duration.ofMinutes(1)).until(() -> gate.hanging().equals(List.of(SITE)));

        assertThat(effects).containsExactly("done");
        assertThat(call).isNotDone();
    }

    @Test
    void aCancelledHangEndsAsUncertainWithoutEffect() {
        script.add(Fault.on("attach").as(FaultKind.HANG));
        Future<String> call = worker.submit(this::attach);
        await().atMost(Duration.ofMinutes(1)).until(() -> !gate.hanging().isEmpty());

        context.cancel();

        assertThatThrownBy(call::get)
                .cause()
                .isInstanceOfSatisfying(
                        VolumeException.class,
                        thrown -> assertThat(thrown.kind()).isEqualTo(FailureKind.UNCERTAIN));
        assertThat(effects).isEmpty();
        assertThat(gate.hanging()).isEmpty();
    }

    @Test
    void anInterruptedHangLeavesNothingBehindAndKeepsTheInterrupt() throws Exception {
        script.add(Fault.on("attach").as(FaultKind.HANG));
        Future<Boolean> interrupted = worker.submit(() -> {
            Thread.currentThread().interrupt();
            assertThatThrownBy(this::attach).hasMessageContaining("interrupted");
            return Thread.interrupted();
        });

        assertThat(interrupted.get()).isTrue();
        assertThat(gate.hanging()).isEmpty();
    }

    @Test
    void aDelayedCallSucceedsWhenTheTimeHasPassed() throws Exception {
        script.add(Fault.on("attach").delayed(Duration.ofSeconds(5)));
        Future<String> call = worker.submit(this::attach);
        await().atMost(Duration.ofMinutes(1)).until(() -> clock.untilNext().isPresent());
        assertThat(effects).isEmpty();

        clock.advance(Duration.ofSeconds(5));

        assertThat(call.get()).isEqualTo("done");
    }

    @Test
    void aKilledCallLeavesTheHalfThatWasDone() {
        for (CallGate.Phase death : CallGate.Phase.values()) {
            effects.clear();
            ScriptedCalls dying = new ScriptedCalls(script, new Reaper(death));

            assertThatThrownBy(() -> dying.run(SITE, context, () -> effects.add("begun"), () -> effects.add("done")))
                    .isInstanceOf(Killed.class);

            assertThat(effects)
                    .isEqualTo(
                            death == ISSUED
                                    ? List.of()
                                    : death == HALF_DONE ? List.of("begun") : List.of("begun", "done"));
        }
    }

    private String attach() {
        return calls.run(SITE, context, () -> {
            effects.add("done");
            return "done";
        });
    }

    private static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }

    private record Reaper(Phase death) implements CallGate {
        @Override
        public void reached(CallSite site, Phase phase) {
            if (phase == death) {
                throw new Killed();
            }
        }

        @Override
        public void hang(CallSite site, @Nullable CallContext context) {}

        @Override
        public void pause(CallSite site, Duration delay, @Nullable CallContext context) {}

        @Override
        public void later(CallSite site, Duration delay, Runnable effect) {}
    }
}
