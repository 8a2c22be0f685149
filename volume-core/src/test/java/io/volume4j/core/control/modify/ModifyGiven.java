package io.volume4j.core.control.modify;

import io.volume4j.core.control.PlanRow;
import io.volume4j.core.control.host.LastEvents;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.VolumeAttributesClass;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/**
 * What the table of attributes begins from: claim {@code ns/c} has volume {@code v} from the plugin {@code mem}, which can change
 * attributes; leader 7 decides. Not thread-safe.
 */
final class ModifyGiven {
    static final long NOW = 1_000_000_000_000_000L;
    static final long RARELY = ModifyPlanner.RARELY.toNanos();

    private final List<String> status = new ArrayList<>();
    private String claimDeleted = "";
    private String volumeDeleted = "";
    private String attributes = "";
    private String volumeAttributes = "";
    private boolean modifies = true;
    private Lookup<VolumeAttributesClass> wantedClass = Lookup.unnamed();
    private Lookup<VolumeAttributesClass> begunClass = Lookup.unnamed();
    private ModifyMemory memory = ModifyMemory.nothing().of(7, "u-v");
    private OptionalLong left = OptionalLong.empty();

    static ModifyGiven claim() {
        return new ModifyGiven();
    }

    ModifyGiven claimDeleting() {
        claimDeleted = ", deletionTimestamp: \"2026-01-01T00:00:00Z\"";
        return this;
    }

    ModifyGiven volumeDeleting() {
        volumeDeleted = ", deletionTimestamp: \"2026-01-01T00:00:00Z\"";
        return this;
    }

    ModifyGiven condition(String type) {
        status.add("conditions: [{type: " + type + ", status: \"True\"}]");
        return this;
    }

    /** The claim asks for that class of attributes. */
    ModifyGiven wantsClass(String name) {
        attributes = ", volumeAttributesClassName: " + name;
        return this;
    }

    ModifyGiven hasClass(String name) {
        status.add("currentVolumeAttributesClassName: " + name);
        volumeAttributes = ", volumeAttributesClassName: " + name;
        return this;
    }

    ModifyGiven begunClass(String name, String word) {
        status.add("modifyVolumeStatus: {targetVolumeAttributesClassName: " + name + ", status: " + word + "}");
        return this;
    }

    ModifyGiven modifying(long epoch, String message) {
        status.add("conditions: [" + PlanRow.intent("ModifyingVolume", epoch, message) + "]");
        return this;
    }

    ModifyGiven refused(String message) {
        status.add("conditions: [{type: ModifyVolumeError, status: \"True\", message: '" + message + "'}]");
        return this;
    }

    ModifyGiven pluginChangesNothing() {
        modifies = false;
        return this;
    }

    ModifyGiven wantedClass(Lookup<VolumeAttributesClass> found) {
        wantedClass = found;
        return this;
    }

    ModifyGiven begunClass(Lookup<VolumeAttributesClass> found) {
        begunClass = found;
        return this;
    }

    ModifyGiven remembers(UnaryOperator<ModifyMemory> change) {
        memory = change.apply(memory);
        return this;
    }

    ModifyGiven leftUntil(long nanos) {
        left = OptionalLong.of(nanos);
        return this;
    }

    static Lookup<VolumeAttributesClass> type(String name, String driver) {
        return Lookup.found(PlanRow.object(VolumeAttributesClass.class, """
                {apiVersion: storage.k8s.io/v1, kind: VolumeAttributesClass, metadata: {name: %s}, driverName: %s}
                """.formatted(name, driver)));
    }

    ModifyView view() {
        List<String> said = new ArrayList<>(status);
        said.add("phase: Bound");
        return new ModifyView(
                PlanRow.object(
                        PersistentVolumeClaim.class, """
                        {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c, namespace: ns, uid: u-c%s},
                         spec: {accessModes: [ReadWriteOnce], volumeName: v%s},
                         status: {%s}}
                        """.formatted(claimDeleted, attributes, String.join(", ", said))),
                PlanRow.object(PersistentVolume.class, """
                        {apiVersion: v1, kind: PersistentVolume, metadata: {name: v, uid: u-v%s},
                         spec: {accessModes: [ReadWriteOnce], csi: {driver: mem, volumeHandle: v}%s}}
                        """.formatted(volumeDeleted, volumeAttributes)),
                "mem",
                modifies,
                wantedClass,
                begunClass,
                memory,
                left,
                NOW,
                7,
                LastEvents.nothing());
    }
}
