package io.volume4j.inmemory.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.fault.CallGate;
import io.volume4j.inmemory.fault.CallSite;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.plugin.EffectModel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A backend that does not keep the order of calls: a call without an answer takes effect after a later call. */
class LateEffectTest extends AttachBench {
    private static final Duration HORIZON = Duration.ofMinutes(5);
    private static final Duration LATE = Duration.ofMinutes(2);

    @BeforeEach
    void anUnansweredCall() {
        cluster = new AttachHarness(
                1,
                InMemoryStorage.builder().gate(new Later()).build(),
                builder -> builder.effectModel(EffectModel.unordered(HORIZON)));
        cluster.foreignNode("n1").foreignNode("n2").volume("v", RWO).controller();
        cluster.storage
                .faults()
                .add(Fault.on("attach").of("h-v").at("n1").times(1).lateBy(LATE));
        cluster.pod("a", "n1", "v");
        for (int i = 0; i < 1000 && cluster.controlCalls().isEmpty(); i++) {
            cluster.world.step();
        }
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");
    }

    @Test
    void leavesNoVolumeOnANodeThatNoPodWantsItOnAnyMore() {
        cluster.deletePod("a");
        cluster.settle();

        assertGone();
    }

    @Test
    void bringsNoVolumeToTwoNodes() {
        cluster.deletePod("a");
        cluster.pod("b", "n2", "v").settle();

        assertThat(cluster.attached("v")).containsExactly("n2");
        assertThat(cluster.storage.violations()).isEmpty();
    }

    /** The second call succeeds at once; the first one takes effect after the detach. */
    @Test
    void leavesNoVolumeAfterARepeatedCallEither() {
        cluster.run();
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1", "attach h-v n1");
        cluster.deletePod("a");
        cluster.settle();

        assertGone();
    }

    /** The next leader does not know which calls the one before made. */
    @Test
    void leavesNoVolumeUnderTheNextLeaderEither() {
        cluster.killController("c");
        cluster.deletePod("a");
        cluster.controller().settle();

        assertGone();
    }

    private final class Later implements CallGate {
        @Override
        public void hang(CallSite site, @Nullable CallContext context) {}

        @Override
        public void pause(CallSite site, Duration delay, @Nullable CallContext context) {}

        @Override
        public void later(CallSite site, Duration delay, Runnable effect) {
            cluster.world.later(delay, effect);
        }
    }
}
