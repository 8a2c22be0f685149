package io.volume4j.csi.driver;

import static io.volume4j.csi.driver.DriverClient.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Context;
import io.grpc.Status.Code;
import io.volume4j.csi.driver.fault.FaultAction;
import io.volume4j.csi.driver.fault.FaultPoint;
import io.volume4j.csi.driver.fault.FaultRule;
import io.volume4j.csi.driver.fault.FaultScript;
import io.volume4j.csi.driver.oracle.CallRecord;
import io.volume4j.csi.driver.oracle.Rule;
import io.volume4j.csi.internal.proto.DeleteVolumeRequest;
import io.volume4j.csi.internal.proto.ListVolumesRequest;
import io.volume4j.csi.internal.proto.ProbeRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class DriverFaultTest {
    @AutoClose
    private final Fixture fixture = new Fixture();

    private final FaultScript faults = fixture.driver().faults();

    @ParameterizedTest
    @EnumSource(
            value = Code.class,
            names = {"OK"},
            mode = EnumSource.Mode.EXCLUDE)
    void everyCodeComesAsItWasScriptedAndNothingIsDoneBefore(Code status) {
        faults.add("CreateVolume call=1 before " + status + " no luck");

        assertThat(code(() -> fixture.volume("pvc-1"))).isEqualTo(status);
        assertThat(fixture.driver().inventory().volumes()).isEmpty();
        assertThat(code(() -> fixture.volume("pvc-1"))).isEqualTo(Code.OK);
    }

    @Test
    void afterTheEffectOnlyTheAnswerIsLost() {
        faults.add("CreateVolume call=1 after UNAVAILABLE");

        assertThat(code(() -> fixture.volume("pvc-1"))).isEqualTo(Code.UNAVAILABLE);
        assertThat(fixture.driver().inventory().volumes()).containsExactly("vol-1");
        assertThat(fixture.volume("pvc-1").getVolumeId()).isEqualTo("vol-1");
    }

    @Test
    void rulesChooseByCallSubjectAndNumber() {
        faults.add("""
                # the third creation of anything, and any deletion of the first volume
                CreateVolume call=3 before ABORTED
                Delete* volume=vol-1 before INTERNAL
                """);

        assertThat(code(() -> fixture.volume("a"))).isEqualTo(Code.OK);
        assertThat(code(() -> fixture.volume("b"))).isEqualTo(Code.OK);
        assertThat(code(() -> fixture.volume("c"))).isEqualTo(Code.ABORTED);
        assertThat(code(() -> fixture.volume("c"))).isEqualTo(Code.OK);
        assertThat(code(() -> delete("vol-1"))).isEqualTo(Code.INTERNAL);
        assertThat(code(() -> delete("vol-2"))).isEqualTo(Code.OK);
        assertThat(faults.struck()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            CreateVolume                     | expected RPC
            CreateVolume before              | expected RPC
            CreateVolume sometimes ABORTED   | "sometimes" is none of
            CreateVolume before NONSENSE     | no action is called
            CreateVolume call=x before hang  | call=x
            CreateVolume before delay=soon   | no duration
            CreateVolume before delay=-2s    | no duration
            CreateVolum before hang          | no call of CSI is called CreateVolum
            Stage* before hang               | no call of CSI is called Stage*
            CreateVolume before oversize     | needs a value
            CreateVolume before hang now     | nothing is expected after hang
            """)
    void aRuleThatCannotBeReadIsNamed(String rule, String why) {
        assertThatThrownBy(() -> faults.add(rule))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(rule.strip())
                .hasMessageContaining(why);
    }

    @Test
    void aCallThatHangsEndsWithoutEffectWhenItIsGivenUp() throws Exception {
        faults.add("CreateVolume call=1 before hang");

        assertThat(givenUpOnceItRuns(() -> fixture.client()
                        .controller()
                        .createVolume(Fixture.create("pvc-1").build())))
                .isEqualTo(Code.CANCELLED);
        awaitEnded("CreateVolume", 1);

        assertThat(fixture.driver().inventory().volumes()).isEmpty();
        assertThat(fixture.driver().calls().records().get(0).outcome()).isEqualTo(CallRecord.LOST);
    }

    @Test
    void aLateEffectComesAfterTheCallerHasGivenUp() throws Exception {
        faults.add("CreateVolume call=1 during late");

        assertThat(givenUpOnceItRuns(() -> fixture.client()
                        .controller()
                        .createVolume(Fixture.create("pvc-1").build())))
                .isEqualTo(Code.CANCELLED);
        awaitEnded("CreateVolume", 1);

        assertThat(fixture.driver().inventory().volumes()).containsExactly("vol-1");
    }

    @Test
    void aDelayHoldsTheCallUpAndNoMore() {
        faults.add("CreateVolume during delay=50ms");

        fixture.volume("pvc-1");

        assertThat(fixture.driver().calls().records().get(0).took()).isGreaterThanOrEqualTo(Duration.ofMillis(50));
    }

    @ParameterizedTest
    @ValueSource(strings = {"before", "during", "after"})
    void aConnectionThatIsResetLeavesTheCallWithoutAnswer(String point) throws Exception {
        faults.add("CreateVolume call=1 " + point + " reset");

        assertThat(code(() -> fixture.volume("pvc-1"))).isEqualTo(Code.UNAVAILABLE);
        awaitEnded("CreateVolume", 1);

        assertThat(fixture.driver().inventory().volumes()).hasSize(point.equals("before") ? 0 : 1);
        assertThat(code(() -> fixture.volume("pvc-1")))
                .as("a new connection works")
                .isEqualTo(Code.OK);
    }

    @Test
    void aConnectionThatIsHalfClosedAnswersNoMore() {
        faults.add("CreateVolume call=1 after half-close");

        assertThat(code(() -> fixture.volume("pvc-1"))).isEqualTo(Code.UNAVAILABLE);
        assertThat(fixture.driver().inventory().volumes()).hasSize(1);
        assertThat(code(() -> fixture.volume("pvc-1")))
                .as("a new connection works")
                .isEqualTo(Code.OK);
    }

    @Test
    void anOversizedAnswerIsRefusedByTheCallerAfterTheWorkIsDone() {
        faults.add("CreateVolume call=1 after oversize=5Mi");

        assertThat(code(() -> fixture.volume("pvc-1"))).isEqualTo(Code.RESOURCE_EXHAUSTED);
        assertThat(fixture.driver().inventory().volumes()).hasSize(1);
    }

    @Test
    void aDrippingAnswerArrivesWhole() {
        faults.add(FaultRule.on("Probe", FaultPoint.BEFORE, FaultAction.drip(Duration.ofNanos(1000)))
                .call(1));

        assertThat(fixture.client()
                        .identity()
                        .probe(ProbeRequest.getDefaultInstance())
                        .getReady()
                        .getValue())
                .isTrue();
        assertThat(fixture.volume("pvc-1").getVolumeId()).isEqualTo("vol-1");
    }

    @ParameterizedTest
    @CsvSource({"before,0", "after,1"})
    void aCrashKeepsWhatWasDoneAndNothingElse(String point, int volumes) {
        fixture.driver().revivesByItself();
        faults.add("CreateVolume call=2 " + point + " crash");
        fixture.volume("a");

        assertThat(code(() -> fixture.volume("b"))).isEqualTo(Code.UNAVAILABLE);

        fixture.driver().revive();
        assertThat(fixture.driver().crashes()).isEqualTo(1);
        assertThat(fixture.driver().inventory().volumes()).hasSize(1 + volumes);
    }

    @Test
    void aCrashThatLosesTheStateForgetsEverything() {
        faults.add("DeleteVolume before crash-losing-state");
        fixture.volume("a");

        assertThat(code(() -> delete("vol-1"))).isEqualTo(Code.UNAVAILABLE);
        assertThat(fixture.driver().alive()).isFalse();
        fixture.driver().revive();

        assertThat(fixture.driver().inventory().volumes()).isEmpty();
    }

    @Test
    void twoCallsForOneVolumeAtOnceAreTheCallersMistake() throws Exception {
        fixture.volume("pvc-1");
        faults.add("DeleteVolume call=1 before hang");
        Context.CancellableContext patience = Context.current().withCancellation();
        CompletableFuture<Code> first = CompletableFuture.supplyAsync(() -> code(patience.wrap(() -> delete("vol-1"))));
        awaitHanging();

        assertThat(code(() -> delete("vol-1"))).isEqualTo(Code.ABORTED);
        assertThat(code(() -> fixture.client().controller().listVolumes(ListVolumesRequest.getDefaultInstance())))
                .as("reads and other volumes go on")
                .isEqualTo(Code.OK);

        assertThat(fixture.driver().oracle().violations())
                .extracting(violation -> violation.rule())
                .containsExactly(Rule.OVERLAP);
        patience.cancel(null);
        assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo(Code.CANCELLED);
    }

    @Test
    void aCallThatWasWrittenOffAndStillRunsIsNoMistake() throws Exception {
        fixture.volume("pvc-1");
        faults.add("DeleteVolume call=1 during delay=600s");
        assertThat(givenUpOnceItRuns(() -> delete("vol-1"))).isEqualTo(Code.CANCELLED);

        // the driver learns of the cancellation a moment after the caller has given up
        awaitViolationFreeAbort();
    }

    private void awaitViolationFreeAbort() {
        while (true) {
            fixture.driver().oracle().clear();
            assertThat(code(() -> delete("vol-1"))).isEqualTo(Code.ABORTED);
            List<?> noted = fixture.driver().oracle().violations();
            if (noted.isEmpty()) {
                return;
            }
        }
    }

    /** A deadline could end the call before the driver has it. */
    private Code givenUpOnceItRuns(Callable<?> call) throws Exception {
        Context.CancellableContext patience = Context.current().withCancellation();
        CompletableFuture<Code> ended = CompletableFuture.supplyAsync(() -> code(patience.wrap(call)));
        awaitHanging();
        patience.cancel(null);
        return ended.get(30, TimeUnit.SECONDS);
    }

    /** The first call holds the volume only when it is past the overlap's check, a moment after it was counted. */
    private void awaitHanging() {
        while (faults.struck() == 0) {
            Thread.onSpinWait();
        }
    }

    private void awaitEnded(String rpc, int calls) throws InterruptedException {
        assertThat(fixture.driver().calls().awaitEnded(rpc, calls, Duration.ofSeconds(30)))
                .isTrue();
    }

    private Object delete(String id) {
        return fixture.client()
                .controller()
                .deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(id).build());
    }
}
