package io.volume4j.csi.driver.backend;

import io.grpc.Status.Code;
import io.volume4j.csi.driver.backend.State.KnownVolume;
import io.volume4j.csi.driver.options.Quirk;
import io.volume4j.csi.driver.oracle.Rule;
import io.volume4j.csi.internal.proto.CapacityRange;
import io.volume4j.csi.internal.proto.ControllerExpandVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerExpandVolumeResponse;
import io.volume4j.csi.internal.proto.ControllerModifyVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerModifyVolumeResponse;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Calls that expand volumes and change their parameters. Called inside {@link Backend#work}. */
public final class ChangeCalls {
    private final Backend backend;

    public ChangeCalls(Backend backend) {
        this.backend = backend;
    }

    public ControllerExpandVolumeResponse expand(ControllerExpandVolumeRequest request) {
        KnownVolume volume = backend.volume(request.getVolumeId());
        CapacityRange range = request.getCapacityRange();
        if (request.hasVolumeCapability()) {
            Capabilities.demandSupported(backend, List.of(request.getVolumeCapability()), "controller");
        }
        if (range.getRequiredBytes() < 0
                || range.getLimitBytes() < 0
                || (range.getRequiredBytes() == 0 && range.getLimitBytes() == 0)) {
            throw Refused.invalid("capacity_range needs a positive bound");
        }
        if (range.getLimitBytes() > 0 && range.getLimitBytes() < range.getRequiredBytes()) {
            throw Refused.invalid("limit_bytes is less than required_bytes");
        }
        if (range.getLimitBytes() > 0 && volume.bytes > range.getLimitBytes()) {
            throw new Refused(Code.OUT_OF_RANGE, "the volume is larger than that already");
        }
        if (range.getRequiredBytes() > volume.bytes) {
            grow(volume, VolumeCalls.rounded(backend.options(), range.getRequiredBytes(), range.getLimitBytes()));
        }
        return ControllerExpandVolumeResponse.newBuilder()
                .setCapacityBytes(volume.bytes)
                .setNodeExpansionRequired(volume.nodeBytes < volume.bytes)
                .build();
    }

    private void grow(KnownVolume volume, long wanted) {
        if (wanted - volume.bytes > backend.free(volume.pool)) {
            throw new Refused(Code.OUT_OF_RANGE, "the volume's pool has not that much left");
        }
        boolean offlineOnly = backend.has("expansion.OFFLINE") && !backend.has("expansion.ONLINE");
        List<String> uses = backend.uses(volume.id);
        if (offlineOnly && (!uses.isEmpty() || !volume.attachments.isEmpty())) {
            throw backend.wrong(
                    Rule.EXPANDED_IN_USE,
                    "ControllerExpandVolume",
                    Code.FAILED_PRECONDITION,
                    volume.id + " is in use, and this driver expands offline only");
        }
        if (backend.options().has(Quirk.PARTIAL_EXPANSION) && volume.struck.add("partial-expansion")) {
            volume.bytes += (wanted - volume.bytes) / 2;
            backend.store().save(backend.state());
            throw new Refused(Code.INTERNAL, "the volume has grown half-way");
        }
        volume.bytes = wanted;
        if (backend.contents().hasImage(volume.id)) {
            backend.contents().image(volume.id, wanted);
        }
        if (!backend.has("node.EXPAND_VOLUME")) {
            volume.nodeBytes = wanted;
            if (backend.contents().hasImage(volume.id)) {
                backend.exposure().grown(backend.contents().image(volume.id, wanted));
            }
        }
    }

    /** The names of these parameters that the driver does not accept; empty if it accepts any. */
    static Set<String> notMutable(Backend backend, Map<String, String> parameters) {
        Set<String> strange = new TreeSet<>(parameters.keySet());
        strange.removeAll(backend.options().mutableKeys());
        return backend.options().mutableKeys().isEmpty() ? Set.of() : strange;
    }

    /** @throws Refused INVALID_ARGUMENT if the driver does not accept a parameter */
    static void demandMutable(Backend backend, Map<String, String> parameters, String consequence) {
        Set<String> strange = notMutable(backend, parameters);
        if (!strange.isEmpty()) {
            throw Refused.invalid(consequence + ": not mutable: " + String.join(", ", strange));
        }
    }

    public ControllerModifyVolumeResponse modify(ControllerModifyVolumeRequest request) {
        KnownVolume volume = backend.volume(request.getVolumeId());
        demandMutable(backend, request.getMutableParamsMap(), "nothing was changed");
        volume.mutable.putAll(request.getMutableParamsMap());
        if (backend.options().has(Quirk.MODIFY_DONE_BUT_INTERNAL) && volume.struck.add("modify-internal")) {
            backend.store().save(backend.state());
            throw new Refused(Code.INTERNAL, "something went wrong");
        }
        return ControllerModifyVolumeResponse.getDefaultInstance();
    }
}
