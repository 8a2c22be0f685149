package io.volume4j.examples.csilifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.volume4j.csi.driver.CsiTestDriver;
import io.volume4j.csi.driver.fault.FaultAction;
import io.volume4j.csi.driver.fault.FaultPoint;
import io.volume4j.csi.driver.fault.FaultRule;
import io.volume4j.csi.internal.client.RpcObserver;
import io.volume4j.csi.internal.rpc.Rpc;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Killed at any call, on either side, the lifecycle leaves nothing and makes nothing twice. */
@Timeout(300)
class KillTest {
    /** Also at the calls that change nothing. */
    private static final boolean NIGHTLY = Boolean.getBoolean("volume4j.nightly");

    private static final String[] EVERYTHING = {"--ephemeral", "--mutable", "iops=1"};

    /** What SIGKILL is to a thread: nothing runs after it, no clean-up either. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1L;

        Killed() {
            super("killed", null, false, false);
        }
    }

    private enum ClientDies {
        BEFORE_SENDING,
        AFTER_THE_EFFECT,
        AFTER_THE_REPLY
    }

    /** Dies at one of the calls. */
    private static final class Assassin implements RpcObserver {
        private final ClientDies when;
        private final int call;
        private int seen;

        Assassin(ClientDies when, int call) {
            this.when = when;
            this.call = call;
        }

        @Override
        public Span begin(Rpc rpc, Supplier<String> request) {
            boolean now = ++seen == call;
            if (now && when == ClientDies.BEFORE_SENDING) {
                throw new Killed();
            }
            return failure -> {
                if (now) {
                    throw new Killed();
                }
            };
        }
    }

    @ParameterizedTest
    @EnumSource(ClientDies.class)
    void aClientThatIsKilledAtAnyCallIsCleanedUpAfterByTheNext(ClientDies when) {
        try (Ground ground = new Ground();
                CsiTestDriver driver = CsiTestDriver.start(ground.driver().build())) {
            int calls = callsOfARun(ground, driver);
            List<String> names = driver.calls().names();
            for (int call = 1; call <= calls; call++) {
                if (reads(names.get(call - 1)) && !NIGHTLY) {
                    continue;
                }
                driver.faults().clear();
                if (when == ClientDies.AFTER_THE_EFFECT) {
                    // the work is done, and the answer never leaves the driver
                    driver.faults()
                            .add(FaultRule.on("*", FaultPoint.AFTER, FaultAction.of(FaultAction.Kind.RESET))
                                    .call(call));
                }
                Assassin assassin = new Assassin(when, call);
                assertThat(catchThrowable(() -> ground.run(assassin, EVERYTHING)))
                        .isInstanceOf(Killed.class);
                driver.faults().clear();

                ground.run("--clean").is(0);

                ground.assertClean(driver, when + " of call " + call);
            }
        }
    }

    @Test
    void theNextRunGoesItsWholeWayAfterCleaningUp() {
        try (Ground ground = new Ground();
                CsiTestDriver driver = CsiTestDriver.start(ground.driver().build())) {
            int calls = callsOfARun(ground, driver);
            for (int call = calls / 4; call <= calls; call += calls / 4) {
                Assassin assassin = new Assassin(ClientDies.AFTER_THE_REPLY, call);
                assertThat(catchThrowable(() -> ground.run(assassin, EVERYTHING)))
                        .isInstanceOf(Killed.class);

                Ground.Result next = ground.run(EVERYTHING).is(0);

                assertThat(next.out()).contains("nothing is left", "passed in");
                ground.assertClean(driver, "after call " + call);
            }
        }
    }

    @Test
    void aCleanUpThatIsKilledIsGoneOnWith() {
        try (Ground ground = new Ground();
                CsiTestDriver driver = CsiTestDriver.start(ground.driver().build())) {
            int calls = callsOfARun(ground, driver);
            Assassin assassin = new Assassin(ClientDies.AFTER_THE_REPLY, calls * 2 / 3);
            assertThat(catchThrowable(() -> ground.run(assassin, EVERYTHING))).isInstanceOf(Killed.class);
            List<Integer> survived = new ArrayList<>();
            for (int call = 1; survived.isEmpty(); call++) {
                int dies = call;
                Throwable killed = catchThrowable(() -> {
                    ground.run(new Assassin(ClientDies.AFTER_THE_REPLY, dies), "--clean")
                            .is(0);
                    survived.add(dies);
                });
                if (killed != null) {
                    assertThat(killed).isInstanceOf(Killed.class);
                }
            }
            assertThat(survived.get(0)).as("some clean-ups were cut off").isGreaterThan(3);
            ground.assertClean(driver, "after clean-ups that were cut off");
        }
    }

    /** In one run: each call kills the driver once, and passes when it is repeated. */
    @ParameterizedTest
    @EnumSource(FaultPoint.class)
    void aDriverThatIsKilledAtEveryCallAndComesBackIsCarriedThrough(FaultPoint point) {
        try (Ground ground = new Ground();
                CsiTestDriver driver =
                        CsiTestDriver.start(ground.driver().build()).revivesByItself()) {
            int calls = callsOfARun(ground, driver);
            for (Rpc rpc : Rpc.values()) {
                // the client asks again what a driver can do when it has come back: that must get through in the end
                int last = rpc.effect() == Rpc.Effect.READS ? 1 : 11;
                for (int call = 1; call <= last; call += 2) {
                    driver.faults()
                            .add(FaultRule.on(rpc.label(), point, FaultAction.of(FaultAction.Kind.CRASH))
                                    .call(call));
                }
            }

            ground.run(EVERYTHING).is(0);

            assertThat(driver.crashes())
                    .as("a crash for nearly each call of a quiet run")
                    .isGreaterThan(calls / 2);
            ground.assertClean(driver, point + " of every call");
        }
    }

    @ParameterizedTest
    @EnumSource(FaultPoint.class)
    @EnabledIfSystemProperty(named = "volume4j.nightly", matches = "true")
    void aDriverThatIsKilledAtAnyCallAndComesBackIsCarriedThrough(FaultPoint point) {
        try (Ground ground = new Ground();
                CsiTestDriver driver =
                        CsiTestDriver.start(ground.driver().build()).revivesByItself()) {
            int calls = callsOfARun(ground, driver);
            for (int call = 1; call <= calls; call++) {
                driver.faults().clear();
                driver.faults()
                        .add(FaultRule.on("*", point, FaultAction.of(FaultAction.Kind.CRASH))
                                .call(call));
                int crashes = driver.crashes();

                ground.run(EVERYTHING).is(0);

                assertThat(driver.crashes()).isEqualTo(crashes + 1);
                ground.assertClean(driver, point + " of call " + call);
            }
        }
    }

    /** Each reply is the last thing that a life of the driver does. */
    @Test
    void aDriverThatIsKilledAfterEveryReplyAndComesBackIsCarriedThrough() {
        try (Ground ground = new Ground();
                CsiTestDriver driver =
                        CsiTestDriver.start(ground.driver().build()).revivesByItself()) {
            int calls = callsOfARun(ground, driver);
            Map<String, Integer> ended = new ConcurrentHashMap<>();
            AtomicBoolean on = new AtomicBoolean(true);
            driver.calls().listen(call -> {
                int number = ended.merge(call.rpc(), 1, Integer::sum);
                if (on.get() && (number == 1 || (number % 2 == 1 && !reads(call.rpc())))) {
                    driver.crash();
                }
            });

            ground.run(EVERYTHING).is(0);
            on.set(false);

            assertThat(driver.crashes()).as("a crash for nearly every call").isGreaterThan(calls / 2);
            driver.revive();
            ground.assertClean(driver, "after every reply");
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "volume4j.nightly", matches = "true")
    void aDriverThatIsKilledAfterAnyReplyAndComesBackIsCarriedThrough() {
        try (Ground ground = new Ground();
                CsiTestDriver driver =
                        CsiTestDriver.start(ground.driver().build()).revivesByItself()) {
            int calls = callsOfARun(ground, driver);
            AtomicInteger left = new AtomicInteger();
            driver.calls().listen(call -> {
                if (left.decrementAndGet() == 0) {
                    driver.crash();
                }
            });
            for (int call = 1; call <= calls; call++) {
                left.set(call);

                ground.run(EVERYTHING).is(0);

                ground.assertClean(driver, "after reply " + call);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"before", "after"})
    void aDriverThatDoesNotComeBackIsCleanedUpAfterWhenItDoes(String point) {
        for (String rpc : List.of(
                "CreateVolume",
                "ControllerPublishVolume",
                "NodeStageVolume",
                "NodePublishVolume",
                "CreateSnapshot",
                "NodeUnpublishVolume",
                "DeleteVolume")) {
            try (Ground ground = new Ground();
                    CsiTestDriver driver = CsiTestDriver.start(ground.driver().build())) {
                driver.faults().add(rpc + " call=1 " + point + " crash");

                // Only a dead driver uses up its time, and a slow machine does not.
                RpcObserver anHourForEachCallToTheDead = (called, request) -> failure -> {
                    if (!driver.alive()) {
                        ground.standStill(Duration.ofHours(1));
                    }
                };
                ground.run(anHourForEachCallToTheDead).is(1);
                assertThat(driver.alive()).isFalse();
                driver.revive();
                ground.run().is(0);

                ground.assertClean(driver, rpc + " " + point);
            }
        }
    }

    /** What only reads leaves the same behind whenever it is cut off. */
    private static boolean reads(String name) {
        for (Rpc rpc : Rpc.values()) {
            if (rpc.label().equals(name)) {
                return rpc.effect() == Rpc.Effect.READS;
            }
        }
        throw new IllegalArgumentException(name);
    }

    private static int callsOfARun(Ground ground, CsiTestDriver driver) {
        driver.calls().clear();
        ground.run(EVERYTHING).is(0);
        int calls = driver.calls().names().size();
        assertThat(calls).as("a run that shows all").isGreaterThan(50);
        return calls;
    }
}
