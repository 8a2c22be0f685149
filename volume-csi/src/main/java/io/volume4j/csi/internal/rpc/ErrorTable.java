package io.volume4j.csi.internal.rpc;

import static io.volume4j.spi.FailureKind.EXHAUSTED;
import static io.volume4j.spi.FailureKind.FINAL;
import static io.volume4j.spi.FailureKind.INFEASIBLE;
import static io.volume4j.spi.FailureKind.IN_USE;
import static io.volume4j.spi.FailureKind.TRANSIENT;
import static io.volume4j.spi.FailureKind.UNCERTAIN;

import io.grpc.Status.Code;
import io.volume4j.csi.internal.rpc.Rpc.Effect;
import io.volume4j.csi.internal.transport.CallPhase;
import io.volume4j.spi.FailureKind;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * What each failure of each RPC means, as one table. Three rules come first:
 *
 * <ol>
 *   <li>A request that was not sent had no effect.
 *   <li>Without an answer of the driver the code says nothing about the volume.
 *   <li>A failed call that only reads leaves no doubt: it is at worst transient.
 * </ol>
 *
 * <p>Of the driver's own answers, INTERNAL, UNKNOWN and DATA_LOSS are uncertain: servers return them for any unexpected
 * exception, also after they did the work. Sources: the error tables of each RPC in the CSI specification; where it has
 * no row, the common table below.
 */
public final class ErrorTable {
    private static final Map<Code, Verdict> COMMON = common();
    private static final Map<Rpc, Map<Code, Verdict>> SPECIAL = special();

    private ErrorTable() {}

    /** The meaning of this failure of the RPC. */
    public static Verdict verdict(Rpc rpc, CallPhase phase, Code code) {
        if (code == Code.OK) {
            throw new IllegalArgumentException("OK is not a failure");
        }
        Verdict verdict = switch (phase) {
            case NEVER_SENT -> Verdict.of(TRANSIENT, Advice.REACH_DRIVER);
            case SENT_WITHOUT_ANSWER ->
                Verdict.of(UNCERTAIN, code == Code.RESOURCE_EXHAUSTED ? Advice.RAISE_LIMIT : Advice.REPLAY);
            case ANSWERED -> answered(rpc, code);
        };
        return rpc.effect() == Effect.READS && verdict.kind() == UNCERTAIN ? verdict.as(TRANSIENT) : verdict;
    }

    private static Verdict answered(Rpc rpc, Code code) {
        Verdict special = SPECIAL.getOrDefault(rpc, Map.of()).get(code);
        return special != null ? special : Objects.requireNonNull(COMMON.get(code), code.name());
    }

    private static Map<Code, Verdict> common() {
        Map<Code, Verdict> rows = new EnumMap<>(Code.class);
        row(rows, Code.CANCELLED, UNCERTAIN, Advice.REPLAY);
        row(rows, Code.UNKNOWN, UNCERTAIN, Advice.REPLAY);
        row(rows, Code.INVALID_ARGUMENT, FINAL, Advice.FIX_REQUEST);
        row(rows, Code.DEADLINE_EXCEEDED, UNCERTAIN, Advice.REPLAY);
        row(rows, Code.NOT_FOUND, FINAL, Advice.CHECK_ID);
        row(rows, Code.ALREADY_EXISTS, FINAL, Advice.UNDO_FIRST);
        row(rows, Code.PERMISSION_DENIED, FINAL, Advice.ASK_OPERATOR);
        row(rows, Code.RESOURCE_EXHAUSTED, UNCERTAIN, Advice.FREE_CAPACITY);
        row(rows, Code.FAILED_PRECONDITION, FINAL, Advice.CHECK_DRIVER);
        row(rows, Code.ABORTED, UNCERTAIN, Advice.WAIT_FOR_OTHER_CALL);
        row(rows, Code.OUT_OF_RANGE, FINAL, Advice.FIX_REQUEST);
        row(rows, Code.UNIMPLEMENTED, FINAL, Advice.REFRESH_CAPABILITIES);
        row(rows, Code.INTERNAL, UNCERTAIN, Advice.REPLAY);
        row(rows, Code.UNAVAILABLE, UNCERTAIN, Advice.REPLAY);
        row(rows, Code.DATA_LOSS, UNCERTAIN, Advice.REPLAY);
        row(rows, Code.UNAUTHENTICATED, FINAL, Advice.RESOLVE_SECRETS);
        return Collections.unmodifiableMap(rows);
    }

    private static Map<Rpc, Map<Code, Verdict>> special() {
        Map<Rpc, Map<Code, Verdict>> rows = new EnumMap<>(Rpc.class);

        row(rows, Rpc.PROBE, Code.FAILED_PRECONDITION, TRANSIENT, Advice.CHECK_DRIVER);

        row(rows, Rpc.CREATE_VOLUME, Code.NOT_FOUND, FINAL, Advice.CHECK_SOURCE);
        row(rows, Rpc.CREATE_VOLUME, Code.ALREADY_EXISTS, FINAL, Advice.USE_ANOTHER_NAME);
        row(rows, Rpc.CREATE_VOLUME, Code.RESOURCE_EXHAUSTED, EXHAUSTED, Advice.FREE_CAPACITY);
        row(rows, Rpc.CREATE_VOLUME, Code.OUT_OF_RANGE, INFEASIBLE, Advice.CHANGE_SIZE);
        row(rows, Rpc.DELETE_VOLUME, Code.NOT_FOUND, FINAL, Advice.VERIFY_GONE);
        row(rows, Rpc.DELETE_VOLUME, Code.FAILED_PRECONDITION, IN_USE, Advice.STOP_USING);

        // There the effect is, with other arguments: without a record of it, the inverse call would never be made.
        row(rows, Rpc.CONTROLLER_PUBLISH_VOLUME, Code.ALREADY_EXISTS, UNCERTAIN, Advice.UNDO_FIRST);
        row(rows, Rpc.NODE_STAGE_VOLUME, Code.ALREADY_EXISTS, UNCERTAIN, Advice.UNDO_FIRST);
        row(rows, Rpc.NODE_PUBLISH_VOLUME, Code.ALREADY_EXISTS, UNCERTAIN, Advice.UNDO_FIRST);

        row(rows, Rpc.CONTROLLER_PUBLISH_VOLUME, Code.RESOURCE_EXHAUSTED, EXHAUSTED, Advice.REFRESH_NODE_INFO);
        row(rows, Rpc.CONTROLLER_PUBLISH_VOLUME, Code.FAILED_PRECONDITION, IN_USE, Advice.DETACH_ELSEWHERE);
        row(rows, Rpc.CONTROLLER_UNPUBLISH_VOLUME, Code.NOT_FOUND, FINAL, Advice.VERIFY_GONE);
        row(rows, Rpc.CONTROLLER_UNPUBLISH_VOLUME, Code.FAILED_PRECONDITION, IN_USE, Advice.STOP_USING);

        row(rows, Rpc.LIST_VOLUMES, Code.ABORTED, TRANSIENT, Advice.RESTART_LISTING);
        row(rows, Rpc.LIST_SNAPSHOTS, Code.ABORTED, TRANSIENT, Advice.RESTART_LISTING);
        row(rows, Rpc.LIST_VOLUMES, Code.RESOURCE_EXHAUSTED, TRANSIENT, Advice.RAISE_LIMIT);
        row(rows, Rpc.LIST_SNAPSHOTS, Code.RESOURCE_EXHAUSTED, TRANSIENT, Advice.RAISE_LIMIT);
        row(rows, Rpc.CONTROLLER_LIST_VOLUME_HEALTH, Code.ABORTED, TRANSIENT, Advice.RESTART_LISTING);
        row(rows, Rpc.CONTROLLER_LIST_VOLUME_HEALTH, Code.RESOURCE_EXHAUSTED, TRANSIENT, Advice.RAISE_LIMIT);
        // The driver has no health data of the volume; the volume may still exist.
        row(rows, Rpc.CONTROLLER_GET_VOLUME_HEALTH, Code.NOT_FOUND, FINAL, Advice.VERIFY_GONE);
        row(rows, Rpc.NODE_GET_VOLUME_HEALTH, Code.NOT_FOUND, FINAL, Advice.VERIFY_GONE);
        gone(rows, Rpc.CONTROLLER_GET_VOLUME);
        gone(rows, Rpc.GET_SNAPSHOT);
        gone(rows, Rpc.GET_VOLUME_GROUP_SNAPSHOT);

        row(rows, Rpc.CREATE_SNAPSHOT, Code.NOT_FOUND, FINAL, Advice.CHECK_SOURCE);
        row(rows, Rpc.CREATE_SNAPSHOT, Code.ALREADY_EXISTS, FINAL, Advice.USE_ANOTHER_NAME);
        row(rows, Rpc.CREATE_SNAPSHOT, Code.RESOURCE_EXHAUSTED, EXHAUSTED, Advice.FREE_SNAPSHOTS);
        row(rows, Rpc.DELETE_SNAPSHOT, Code.INVALID_ARGUMENT, FINAL, Advice.FIX_REQUEST_OR_DELETE_GROUP);
        row(rows, Rpc.DELETE_SNAPSHOT, Code.NOT_FOUND, FINAL, Advice.VERIFY_GONE);
        row(rows, Rpc.DELETE_SNAPSHOT, Code.FAILED_PRECONDITION, IN_USE, Advice.STOP_USING);

        row(rows, Rpc.CREATE_VOLUME_GROUP_SNAPSHOT, Code.NOT_FOUND, FINAL, Advice.CHECK_SOURCE);
        row(rows, Rpc.CREATE_VOLUME_GROUP_SNAPSHOT, Code.ALREADY_EXISTS, FINAL, Advice.USE_ANOTHER_NAME);
        row(rows, Rpc.CREATE_VOLUME_GROUP_SNAPSHOT, Code.RESOURCE_EXHAUSTED, EXHAUSTED, Advice.FREE_SNAPSHOTS);
        row(rows, Rpc.CREATE_VOLUME_GROUP_SNAPSHOT, Code.FAILED_PRECONDITION, FINAL, Advice.FIX_MEMBERS);
        row(rows, Rpc.DELETE_VOLUME_GROUP_SNAPSHOT, Code.NOT_FOUND, FINAL, Advice.VERIFY_GONE);
        row(rows, Rpc.DELETE_VOLUME_GROUP_SNAPSHOT, Code.FAILED_PRECONDITION, IN_USE, Advice.STOP_USING);

        row(rows, Rpc.GET_METADATA_ALLOCATED, Code.FAILED_PRECONDITION, FINAL, Advice.SCAN_ALL);
        row(rows, Rpc.GET_METADATA_DELTA, Code.FAILED_PRECONDITION, FINAL, Advice.SCAN_ALL);

        row(rows, Rpc.CONTROLLER_EXPAND_VOLUME, Code.INVALID_ARGUMENT, INFEASIBLE, Advice.CHANGE_SIZE);
        row(rows, Rpc.CONTROLLER_EXPAND_VOLUME, Code.OUT_OF_RANGE, INFEASIBLE, Advice.CHANGE_SIZE);
        row(rows, Rpc.CONTROLLER_EXPAND_VOLUME, Code.FAILED_PRECONDITION, IN_USE, Advice.TAKE_OFFLINE);
        row(rows, Rpc.CONTROLLER_MODIFY_VOLUME, Code.INVALID_ARGUMENT, INFEASIBLE, Advice.CHANGE_PARAMETERS);
        row(rows, Rpc.CONTROLLER_MODIFY_VOLUME, Code.OUT_OF_RANGE, INFEASIBLE, Advice.CHANGE_PARAMETERS);

        row(rows, Rpc.NODE_STAGE_VOLUME, Code.FAILED_PRECONDITION, FINAL, Advice.CHECK_USE);
        row(rows, Rpc.NODE_PUBLISH_VOLUME, Code.FAILED_PRECONDITION, FINAL, Advice.CHECK_USE);
        row(rows, Rpc.NODE_PUBLISH_VOLUME, Code.OUT_OF_RANGE, FINAL, Advice.CHANGE_SIZE);
        row(rows, Rpc.NODE_UNSTAGE_VOLUME, Code.NOT_FOUND, FINAL, Advice.VERIFY_GONE);
        row(rows, Rpc.NODE_UNSTAGE_VOLUME, Code.FAILED_PRECONDITION, IN_USE, Advice.STOP_USING);
        row(rows, Rpc.NODE_UNPUBLISH_VOLUME, Code.NOT_FOUND, FINAL, Advice.VERIFY_GONE);
        row(rows, Rpc.NODE_UNPUBLISH_VOLUME, Code.FAILED_PRECONDITION, IN_USE, Advice.STOP_USING);
        row(rows, Rpc.NODE_EXPAND_VOLUME, Code.INVALID_ARGUMENT, INFEASIBLE, Advice.CHANGE_SIZE);
        row(rows, Rpc.NODE_EXPAND_VOLUME, Code.OUT_OF_RANGE, INFEASIBLE, Advice.CHANGE_SIZE);
        row(rows, Rpc.NODE_EXPAND_VOLUME, Code.FAILED_PRECONDITION, IN_USE, Advice.DO_NOT_REPEAT);

        rows.replaceAll((rpc, codes) -> Collections.unmodifiableMap(codes));
        return Collections.unmodifiableMap(rows);
    }

    /** The caller asked for this object by id, so NOT_FOUND proves that the object does not exist. */
    private static void gone(Map<Rpc, Map<Code, Verdict>> rows, Rpc rpc) {
        Verdict verdict = Verdict.of(FINAL, Advice.CHECK_ID).provingAbsence();
        rows.computeIfAbsent(rpc, none -> new EnumMap<>(Code.class)).put(Code.NOT_FOUND, verdict);
    }

    private static void row(Map<Rpc, Map<Code, Verdict>> rows, Rpc rpc, Code code, FailureKind kind, Advice advice) {
        row(rows.computeIfAbsent(rpc, none -> new EnumMap<>(Code.class)), code, kind, advice);
    }

    private static void row(Map<Code, Verdict> rows, Code code, FailureKind kind, Advice advice) {
        rows.put(code, Verdict.of(kind, advice));
    }
}
