package io.volume4j.csi.internal.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.grpc.Status.Code;
import io.volume4j.csi.internal.proto.CsiProto;
import io.volume4j.csi.internal.rpc.Rpc.Effect;
import io.volume4j.csi.internal.transport.CallPhase;
import io.volume4j.spi.FailureKind;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ErrorTableTest {
    private static final Set<Code> FAILURES = EnumSet.complementOf(EnumSet.of(Code.OK));

    /** What the driver says that a change of the world met with, where no RPC has a row of its own. */
    @ParameterizedTest
    @CsvSource({
        "CANCELLED,           UNCERTAIN, REPLAY",
        "UNKNOWN,             UNCERTAIN, REPLAY",
        "INVALID_ARGUMENT,    FINAL,     FIX_REQUEST",
        "DEADLINE_EXCEEDED,   UNCERTAIN, REPLAY",
        "NOT_FOUND,           FINAL,     CHECK_ID",
        "ALREADY_EXISTS,      UNCERTAIN, UNDO_FIRST",
        "PERMISSION_DENIED,   FINAL,     ASK_OPERATOR",
        "RESOURCE_EXHAUSTED,  UNCERTAIN, FREE_CAPACITY",
        "ABORTED,             UNCERTAIN, WAIT_FOR_OTHER_CALL",
        "UNIMPLEMENTED,       FINAL,     REFRESH_CAPABILITIES",
        "INTERNAL,            UNCERTAIN, REPLAY",
        "UNAVAILABLE,         UNCERTAIN, REPLAY",
        "DATA_LOSS,           UNCERTAIN, REPLAY",
        "UNAUTHENTICATED,     FINAL,     RESOLVE_SECRETS",
    })
    void common(Code code, FailureKind kind, Advice advice) {
        assertThat(ErrorTable.verdict(Rpc.NODE_STAGE_VOLUME, CallPhase.ANSWERED, code))
                .isEqualTo(new Verdict(kind, advice, false));
    }

    @ParameterizedTest
    @CsvSource({
        "PROBE,                        FAILED_PRECONDITION, TRANSIENT,  CHECK_DRIVER",
        "CREATE_VOLUME,                NOT_FOUND,           FINAL,      CHECK_SOURCE",
        "CREATE_VOLUME,                ALREADY_EXISTS,      FINAL,      USE_ANOTHER_NAME",
        "CREATE_VOLUME,                RESOURCE_EXHAUSTED,  EXHAUSTED,  FREE_CAPACITY",
        "CREATE_VOLUME,                OUT_OF_RANGE,        INFEASIBLE, CHANGE_SIZE",
        "DELETE_VOLUME,                NOT_FOUND,           FINAL,      VERIFY_GONE",
        "DELETE_VOLUME,                FAILED_PRECONDITION, IN_USE,     STOP_USING",
        "CONTROLLER_PUBLISH_VOLUME,    NOT_FOUND,           FINAL,      CHECK_ID",
        "CONTROLLER_PUBLISH_VOLUME,    ALREADY_EXISTS,      UNCERTAIN,  UNDO_FIRST",
        "NODE_PUBLISH_VOLUME,          ALREADY_EXISTS,      UNCERTAIN,  UNDO_FIRST",
        "CONTROLLER_PUBLISH_VOLUME,    RESOURCE_EXHAUSTED,  EXHAUSTED,  REFRESH_NODE_INFO",
        "CONTROLLER_PUBLISH_VOLUME,    FAILED_PRECONDITION, IN_USE,     DETACH_ELSEWHERE",
        "CONTROLLER_UNPUBLISH_VOLUME,  NOT_FOUND,           FINAL,      VERIFY_GONE",
        "LIST_VOLUMES,                 ABORTED,             TRANSIENT,  RESTART_LISTING",
        "LIST_VOLUMES,                 RESOURCE_EXHAUSTED,  TRANSIENT,  RAISE_LIMIT",
        "LIST_SNAPSHOTS,               ABORTED,             TRANSIENT,  RESTART_LISTING",
        "CONTROLLER_LIST_VOLUME_HEALTH, ABORTED,            TRANSIENT,  RESTART_LISTING",
        "CONTROLLER_LIST_VOLUME_HEALTH, RESOURCE_EXHAUSTED, TRANSIENT,  RAISE_LIMIT",
        "CONTROLLER_GET_VOLUME_HEALTH, NOT_FOUND,           FINAL,      VERIFY_GONE",
        "CONTROLLER_GET_VOLUME_HEALTH, ABORTED,             TRANSIENT,  WAIT_FOR_OTHER_CALL",
        "NODE_GET_VOLUME_HEALTH,       NOT_FOUND,           FINAL,      VERIFY_GONE",
        "NODE_GET_VOLUME_HEALTH,       UNIMPLEMENTED,       FINAL,      REFRESH_CAPABILITIES",
        "NODE_GET_STORAGE_HEALTH,      UNIMPLEMENTED,       FINAL,      REFRESH_CAPABILITIES",
        "CREATE_SNAPSHOT,              NOT_FOUND,           FINAL,      CHECK_SOURCE",
        "CREATE_SNAPSHOT,              ALREADY_EXISTS,      FINAL,      USE_ANOTHER_NAME",
        "CREATE_SNAPSHOT,              RESOURCE_EXHAUSTED,  EXHAUSTED,  FREE_SNAPSHOTS",
        "CREATE_SNAPSHOT,              ABORTED,             UNCERTAIN,  WAIT_FOR_OTHER_CALL",
        "DELETE_SNAPSHOT,              INVALID_ARGUMENT,    FINAL,      FIX_REQUEST_OR_DELETE_GROUP",
        "DELETE_SNAPSHOT,              FAILED_PRECONDITION, IN_USE,     STOP_USING",
        "CREATE_VOLUME_GROUP_SNAPSHOT, FAILED_PRECONDITION, FINAL,      FIX_MEMBERS",
        "CREATE_VOLUME_GROUP_SNAPSHOT, RESOURCE_EXHAUSTED,  EXHAUSTED,  FREE_SNAPSHOTS",
        // printed as 13 before 1.13: a driver that keeps to the old number is in doubt
        "CREATE_VOLUME_GROUP_SNAPSHOT, INTERNAL,            UNCERTAIN,  REPLAY",
        "CREATE_VOLUME_GROUP_SNAPSHOT, ABORTED,             UNCERTAIN,  WAIT_FOR_OTHER_CALL",
        "CREATE_SNAPSHOT,              INTERNAL,            UNCERTAIN,  REPLAY",
        "DELETE_VOLUME_GROUP_SNAPSHOT, FAILED_PRECONDITION, IN_USE,     STOP_USING",
        "GET_METADATA_DELTA,           FAILED_PRECONDITION, FINAL,      SCAN_ALL",
        "GET_METADATA_ALLOCATED,       FAILED_PRECONDITION, FINAL,      SCAN_ALL",
        "CONTROLLER_EXPAND_VOLUME,     FAILED_PRECONDITION, IN_USE,     TAKE_OFFLINE",
        "CONTROLLER_EXPAND_VOLUME,     OUT_OF_RANGE,        INFEASIBLE, CHANGE_SIZE",
        "CONTROLLER_MODIFY_VOLUME,     INVALID_ARGUMENT,    INFEASIBLE, CHANGE_PARAMETERS",
        "CONTROLLER_MODIFY_VOLUME,     OUT_OF_RANGE,        INFEASIBLE, CHANGE_PARAMETERS",
        "NODE_STAGE_VOLUME,            FAILED_PRECONDITION, FINAL,      CHECK_USE",
        "NODE_PUBLISH_VOLUME,          FAILED_PRECONDITION, FINAL,      CHECK_USE",
        "NODE_PUBLISH_VOLUME,          OUT_OF_RANGE,        FINAL,      CHANGE_SIZE",
        "NODE_UNSTAGE_VOLUME,          NOT_FOUND,           FINAL,      VERIFY_GONE",
        "NODE_UNSTAGE_VOLUME,          FAILED_PRECONDITION, IN_USE,     STOP_USING",
        "NODE_UNPUBLISH_VOLUME,        NOT_FOUND,           FINAL,      VERIFY_GONE",
        "NODE_EXPAND_VOLUME,           FAILED_PRECONDITION, IN_USE,     DO_NOT_REPEAT",
        "NODE_EXPAND_VOLUME,           OUT_OF_RANGE,        INFEASIBLE, CHANGE_SIZE",
    })
    void special(Rpc rpc, Code code, FailureKind kind, Advice advice) {
        assertThat(ErrorTable.verdict(rpc, CallPhase.ANSWERED, code)).isEqualTo(new Verdict(kind, advice, false));
    }

    /** Asking for the thing itself is the only question whose NOT_FOUND settles that it is not there. */
    @ParameterizedTest
    @EnumSource(Rpc.class)
    void onlyLookUpsProveAbsence(Rpc rpc) {
        boolean lookUp = EnumSet.of(Rpc.CONTROLLER_GET_VOLUME, Rpc.GET_SNAPSHOT, Rpc.GET_VOLUME_GROUP_SNAPSHOT)
                .contains(rpc);
        for (CallPhase phase : CallPhase.values()) {
            for (Code code : FAILURES) {
                boolean proves = lookUp && phase == CallPhase.ANSWERED && code == Code.NOT_FOUND;
                assertThat(ErrorTable.verdict(rpc, phase, code).provesAbsent())
                        .as("%s %s", phase, code)
                        .isEqualTo(proves);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Rpc.class)
    void whatWasNeverSentDidNothing(Rpc rpc) {
        for (Code code : FAILURES) {
            assertThat(ErrorTable.verdict(rpc, CallPhase.NEVER_SENT, code).kind())
                    .isEqualTo(FailureKind.TRANSIENT);
        }
    }

    @ParameterizedTest
    @EnumSource(Rpc.class)
    void withoutAnAnswerNoCodeIsBelieved(Rpc rpc) {
        for (Code code : FAILURES) {
            assertThat(ErrorTable.verdict(rpc, CallPhase.SENT_WITHOUT_ANSWER, code)
                            .kind())
                    .isEqualTo(rpc.effect() == Effect.READS ? FailureKind.TRANSIENT : FailureKind.UNCERTAIN);
        }
    }

    @ParameterizedTest
    @EnumSource(Rpc.class)
    void strayExceptionsOfADriverLeaveDoubt(Rpc rpc) {
        for (Code code :
                Set.of(Code.INTERNAL, Code.UNKNOWN, Code.DATA_LOSS, Code.UNAVAILABLE, Code.DEADLINE_EXCEEDED)) {
            assertThat(ErrorTable.verdict(rpc, CallPhase.ANSWERED, code).kind())
                    .isEqualTo(rpc.effect() == Effect.READS ? FailureKind.TRANSIENT : FailureKind.UNCERTAIN);
        }
    }

    @ParameterizedTest
    @EnumSource(Rpc.class)
    void readingLeavesNoDoubtAndChangingNeverPretendsThatNothingHappenedAfterSending(Rpc rpc) {
        for (Code code : FAILURES) {
            FailureKind kind = ErrorTable.verdict(rpc, CallPhase.ANSWERED, code).kind();
            if (rpc.effect() == Effect.READS) {
                assertThat(kind).as("%s", code).isNotEqualTo(FailureKind.UNCERTAIN);
            } else {
                assertThat(kind).as("%s", code).isNotEqualTo(FailureKind.TRANSIENT);
            }
        }
    }

    @Test
    void anAnswerThatWasTooLargeAsksForALargerLimit() {
        assertThat(ErrorTable.verdict(Rpc.LIST_VOLUMES, CallPhase.SENT_WITHOUT_ANSWER, Code.RESOURCE_EXHAUSTED))
                .isEqualTo(new Verdict(FailureKind.TRANSIENT, Advice.RAISE_LIMIT, false));
    }

    @Test
    void successIsNoFailure() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ErrorTable.verdict(Rpc.PROBE, CallPhase.ANSWERED, Code.OK));
    }

    @Test
    void theListOfRpcsIsThatOfTheSchema() {
        Set<String> schema = CsiProto.getDescriptor().getServices().stream()
                .flatMap(service -> service.getMethods().stream())
                .map(method -> method.getName())
                .collect(Collectors.toSet());
        assertThat(Stream.of(Rpc.values()).map(Rpc::label)).containsExactlyInAnyOrderElementsOf(schema);
    }
}
