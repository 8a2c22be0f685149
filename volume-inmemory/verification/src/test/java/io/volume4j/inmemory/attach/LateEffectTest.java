package io.volume4j.inmemory.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.control.attach.AttachOptions;
import io.volume4j.inmemory.fault.CallGate;
import io.volume4j.inmemory.fault.CallSite;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.inmemory.virtual.VirtualScheduler;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.plugin.EffectModel;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A backend that does not keep the order of calls: a call without an answer takes effect after a later call. */
class LateEffectTest extends AttachBench {
    private static final Duration HORIZON = Duration.ofMinutes(5);
    private static final Duration LATE = Duration.ofMinutes(2);

    private VirtualScheduler.@Nullable VirtualLoop attacherLoop;

    @BeforeEach
    void anUnansweredCall() {
        start(Set.of());
        unanswered();
    }

    private void startWithAttacher() {
        start(Set.of("mem"));
        attacher();
        unanswered();
    }

    private void start(Set<String> externalAttachers) {
        cluster = new AttachHarness(
                1,
                InMemoryStorage.builder().gate(new Later()).build(),
                builder -> builder.effectModel(EffectModel.unordered(HORIZON)));
        cluster.options = cluster.options.withExternalAttachers(externalAttachers);
        cluster.foreignNode("n1").foreignNode("n2").volume("v", RWO).controller();
    }

    private void unanswered() {
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

    /** The controller sees only VolumeAttachments then, and knows of no call. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void leavesNoVolumeBehindAnExternalAttacherEither(boolean nextAttacher) {
        startWithAttacher();
        if (nextAttacher) {
            killAttacher();
            attacher();
        }
        cluster.deletePod("a");
        cluster.settle();
        assertGone();

        cluster.pod("b", "n2", "v").settle();
        assertThat(cluster.attached("v")).containsExactly("n2");
    }

    @Test
    void leavesNoVolumeAfterARepeatedCallOfAnExternalAttacherEither() {
        startWithAttacher();
        cluster.run();
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1", "attach h-v n1");
        cluster.deletePod("a");
        cluster.settle();

        assertGone();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLateDetachTakesNoVolumeFromTheNextPodOfItsNode(boolean externalAttacher) {
        start(externalAttacher ? Set.of("mem") : Set.of());
        if (externalAttacher) {
            attacher();
        }
        cluster.storage.faults().add(Fault.on("detach").of("h-v").times(1).lateBy(LATE));
        cluster.pod("a", "n1", "v").settle();
        cluster.deletePod("a");
        cluster.run();
        cluster.pod("b", "n1", "v").settle();

        assertThat(cluster.controlCalls())
                .containsExactly("attach h-v n1", "detach h-v n1", "detach h-v n1", "attach h-v n1");
        assertThat(cluster.attached("v")).containsExactly("n1");
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

    private void attacher() {
        attacherLoop =
                cluster.attacher(cluster.cluster, AttachOptions.standard().withResyncPerSecond(0), step -> {});
    }

    private void killAttacher() {
        if (attacherLoop != null) {
            attacherLoop.kill();
        }
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
