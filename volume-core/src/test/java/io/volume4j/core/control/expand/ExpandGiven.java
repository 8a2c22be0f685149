package io.volume4j.core.control.expand;

import io.volume4j.core.control.PlanRow;
import io.volume4j.core.control.host.LastEvents;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What the table of expansion begins from: claim {@code ns/c} has volume {@code v}, both of 1 GiB, from the
 * plugin {@code mem}, which can do everything while pods use the volume; leader 7 decides. Not thread-safe.
 */
final class ExpandGiven {
    static final long NOW = 1_000_000_000_000_000L;
    static final long RARELY = ExpandPlanner.RARELY.toNanos();

    private final List<String> status = new ArrayList<>();
    private String wanted = "1Gi";
    private String has = "1Gi";
    private String size = "1Gi";
    private String annotations = "";
    private String claimDeleted = "";
    private String volumeDeleted = "";
    private ExpanderInfo expander = new ExpanderInfo("mem", true, true, true);
    private boolean allows = true;
    private List<String> pods = List.of();
    private boolean podsKnown = true;
    private ExpandMemory memory = ExpandMemory.nothing().of(7, "u-v");
    private @Nullable NodeRefusal refusal;
    private OptionalLong left = OptionalLong.empty();

    static ExpandGiven claim() {
        return new ExpandGiven();
    }

    ExpandGiven wants(String request) {
        wanted = request;
        return this;
    }

    /** What the claim has, nothing for {@code ""}. */
    ExpandGiven has(String capacity) {
        has = capacity;
        return this;
    }

    ExpandGiven volumeSays(String capacity) {
        size = capacity;
        return this;
    }

    ExpandGiven preResize(String capacity) {
        annotations = "volume.alpha.kubernetes.io/pre-resize-capacity: " + capacity;
        return this;
    }

    ExpandGiven claimDeleting() {
        claimDeleted = ", deletionTimestamp: \"2026-01-01T00:00:00Z\"";
        return this;
    }

    ExpandGiven volumeDeleting() {
        volumeDeleted = ", deletionTimestamp: \"2026-01-01T00:00:00Z\"";
        return this;
    }

    /** The attempt that the claim's status tells of: to which size, and whose turn it is. */
    ExpandGiven begun(String target, String word) {
        status.add("allocatedResources: {storage: " + target + "}, allocatedResourceStatuses: {storage: " + word + "}");
        return this;
    }

    /** The intent of the leader of that epoch, with what the condition says. */
    ExpandGiven resizing(long epoch, String message) {
        status.add("conditions: [" + PlanRow.intent("Resizing", epoch, message) + "]");
        return this;
    }

    ExpandGiven condition(String type) {
        status.add("conditions: [{type: " + type + ", status: \"True\"}]");
        return this;
    }

    ExpandGiven expander(ExpanderInfo info) {
        expander = info;
        return this;
    }

    ExpandGiven classForbids() {
        allows = false;
        return this;
    }

    ExpandGiven usedBy(String... names) {
        pods = List.of(names);
        return this;
    }

    ExpandGiven podsUnknown() {
        podsKnown = false;
        return this;
    }

    ExpandGiven remembers(UnaryOperator<ExpandMemory> change) {
        memory = change.apply(memory);
        return this;
    }

    ExpandGiven nodeRefused(long ago, String request) {
        refusal = new NodeRefusal(NOW - ago, Quantity.parse(request).bytes());
        return this;
    }

    ExpandGiven leftUntil(long nanos) {
        left = OptionalLong.of(nanos);
        return this;
    }

    ExpandView view() {
        List<String> said = new ArrayList<>(status);
        said.add("phase: Bound");
        if (!has.isEmpty()) {
            said.add("capacity: {storage: " + has + "}");
        }
        return new ExpandView(
                PlanRow.object(
                        PersistentVolumeClaim.class, """
                        {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c, namespace: ns, uid: u-c%s},
                         spec: {accessModes: [ReadWriteOnce], storageClassName: fast, volumeName: v,
                           resources: {requests: {storage: %s}}},
                         status: {%s}}
                        """.formatted(claimDeleted, wanted, String.join(", ", said))),
                PlanRow.object(PersistentVolume.class, """
                        {apiVersion: v1, kind: PersistentVolume, metadata: {name: v, uid: u-v, annotations: {%s}%s},
                         spec: {accessModes: [ReadWriteOnce], csi: {driver: mem, volumeHandle: v}%s}}
                        """.formatted(
                        annotations, volumeDeleted, size.isEmpty() ? "" : ", capacity: {storage: " + size + "}")),
                expander,
                allows,
                pods,
                podsKnown,
                memory,
                refusal,
                left,
                NOW,
                7,
                LastEvents.nothing());
    }
}
