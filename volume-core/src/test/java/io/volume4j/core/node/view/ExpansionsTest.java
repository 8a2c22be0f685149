package io.volume4j.core.node.view;

import static io.volume4j.spi.model.ResizeStatus.CONTROLLER_INFEASIBLE;
import static io.volume4j.spi.model.ResizeStatus.CONTROLLER_IN_PROGRESS;
import static io.volume4j.spi.model.ResizeStatus.NODE_INFEASIBLE;
import static io.volume4j.spi.model.ResizeStatus.NODE_IN_PROGRESS;
import static io.volume4j.spi.model.ResizeStatus.NODE_PENDING;
import static io.volume4j.spi.model.ResizeStatus.NONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.volume4j.core.engine.Outcome;
import io.volume4j.core.node.Growth;
import io.volume4j.core.node.Transitions;
import io.volume4j.core.node.VolumeView.Expansion;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ResizeStatus;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeMode;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** When a node makes a volume larger, and what it tells the claim, as tables. Sizes are in bytes: 10 is now, 20 is wanted. */
class ExpansionsTest {
    private static final Growth TEN = Growth.unknown().startingAt(10);
    private static final Growth TWENTY = TEN.grown(20);
    private static final Growth BEGUN = TEN.begun(20);
    private static final Growth REFUSED = TEN.refused(20, "never");

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void decides(String rule, Growth growth, ResizeStatus status, boolean writable, Expansion.State expected) {
        assertThat(Expansions.decide(growth, 20, status, writable, true, true, false, false)
                        .state())
                .isEqualTo(expected);
    }

    static Stream<Arguments> decides() {
        return Stream.of(
                arguments("grows what is too small", TEN, NONE, true, Expansion.State.NEEDED),
                arguments("grows when it is its turn", TEN, NODE_PENDING, true, Expansion.State.NEEDED),
                arguments("goes on where it was", TEN, NODE_IN_PROGRESS, true, Expansion.State.NEEDED),
                arguments("does again what may not have ended", BEGUN, NONE, true, Expansion.State.NEEDED),
                arguments(
                        "ends what was begun although less is wanted by now",
                        TWENTY.begun(30),
                        NONE,
                        true,
                        Expansion.State.NEEDED),
                arguments("leaves what is large enough", TWENTY, NODE_PENDING, true, Expansion.State.NONE),
                arguments("needs both sizes", Growth.unknown(), NODE_PENDING, true, Expansion.State.NONE),
                arguments("never grows what it only reads", TEN, NODE_PENDING, false, Expansion.State.NONE),
                arguments("lets the control plane go first", TEN, CONTROLLER_IN_PROGRESS, true, Expansion.State.NONE),
                arguments("lets the control plane fail", TEN, CONTROLLER_INFEASIBLE, true, Expansion.State.NONE),
                arguments("believes the claim that it cannot", TEN, NODE_INFEASIBLE, true, Expansion.State.REFUSED),
                arguments("keeps to a refusal", REFUSED, NODE_IN_PROGRESS, true, Expansion.State.REFUSED),
                arguments("tries again when asked again", REFUSED, NODE_PENDING, true, Expansion.State.NEEDED),
                arguments(
                        "tries another size than the refused one",
                        TEN.refused(15, "never"),
                        NODE_IN_PROGRESS,
                        true,
                        Expansion.State.NEEDED));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void tells(String rule, Growth growth, ResizeStatus status, long capacity, List<String> expected) {
        assertThat(ClaimSize.changes(claim(status, capacity), growth, 20))
                .extracting(ExpansionsTest::text)
                .isEqualTo(expected);
    }

    static Stream<Arguments> tells() {
        String state = "status.allocatedResourceStatuses.storage=";
        return Stream.of(
                arguments("that it begins", TEN, NODE_PENDING, 10, List.of(state + "NodeResizeInProgress")),
                arguments("that it begins again", REFUSED, NODE_PENDING, 10, List.of(state + "NodeResizeInProgress")),
                arguments("nothing while it is under way", BEGUN, NODE_IN_PROGRESS, 10, List.of()),
                arguments(
                        "that it is done",
                        TWENTY,
                        NODE_IN_PROGRESS,
                        10,
                        List.of("status.capacity.storage=20", state + "null", "status.conditions=[{type=Other}]")),
                arguments(
                        "the size if the claim has no resize status",
                        TWENTY,
                        NONE,
                        10,
                        List.of("status.capacity.storage=20", "status.conditions=[{type=Other}]")),
                arguments("nothing twice", TWENTY, NONE, 20, List.of()),
                arguments("nothing to the control plane's own step", TEN, CONTROLLER_IN_PROGRESS, 10, List.of()),
                arguments(
                        "that it cannot",
                        REFUSED,
                        NODE_IN_PROGRESS,
                        10,
                        List.of(
                                state + "NodeResizeInfeasible",
                                "status.conditions=[{type=Other}, {type=NodeResizeError, status=True, message=never}]")),
                arguments("only once that it cannot", REFUSED, NODE_INFEASIBLE, 10, List.of()));
    }

    @Test
    void saysNothingOfBeingDoneWhileTheClaimIsPromisedMore() {
        PersistentVolumeClaim claim = claim(NODE_PENDING, 20);
        PersistentVolumeClaim promised = new PersistentVolumeClaim(
                claim.metadata(),
                claim.spec(),
                new PersistentVolumeClaim.Status(
                        claim.status().phase(),
                        claim.status().accessModes(),
                        claim.status().capacity(),
                        Map.of("storage", Quantity.ofBytes(40)),
                        claim.status().allocatedResourceStatuses(),
                        ""),
                claim.unmodeled());

        assertThat(ClaimSize.changes(promised, TWENTY, 20))
                .as("the node has not heard of the larger volume yet")
                .isEmpty();
    }

    @Test
    void whatComesOfATry() {
        assertThat(after(FailureKind.INFEASIBLE)).isEqualTo(TEN.refused(20, "no"));
        assertThat(after(FailureKind.FINAL)).isEqualTo(TEN.refused(20, "no"));
        assertThat(after(FailureKind.UNCERTAIN)).isEqualTo(BEGUN);
        assertThat(after(FailureKind.TRANSIENT)).isEqualTo(TEN);
        assertThat(after(FailureKind.IN_USE)).isEqualTo(TEN);
        assertThat(Transitions.afterExpansion(BEGUN, 20, Outcome.success(null))).isEqualTo(TWENTY);
    }

    private static Growth after(FailureKind kind) {
        return Transitions.afterExpansion(TEN, 20, Outcome.failure(VolumeException.of(kind, "no")));
    }

    private static String text(FieldChange change) {
        return String.join(".", change.path()) + "=" + change.value();
    }

    private static PersistentVolumeClaim claim(ResizeStatus status, long capacity) {
        Map<String, Object> document = Map.of(
                "status",
                Map.of("conditions", List.of(Map.of("type", "FileSystemResizePending"), Map.of("type", "Other"))));
        return new PersistentVolumeClaim(
                ObjectMeta.named("default", "data"),
                new PersistentVolumeClaim.Spec(
                        List.of(AccessMode.READ_WRITE_ONCE),
                        Quantity.ofBytes(20),
                        "",
                        VolumeMode.FILESYSTEM,
                        "pv",
                        null,
                        null,
                        null,
                        ""),
                new PersistentVolumeClaim.Status(
                        ClaimPhase.BOUND,
                        List.of(),
                        Quantity.ofBytes(capacity),
                        Map.of(),
                        status == NONE ? Map.of() : Map.of("storage", status.word()),
                        ""),
                new Unmodeled(new java.util.LinkedHashMap<>(document)));
    }
}
