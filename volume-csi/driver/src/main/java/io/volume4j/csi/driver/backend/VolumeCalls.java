package io.volume4j.csi.driver.backend;

import com.google.protobuf.Int64Value;
import io.grpc.Status.Code;
import io.volume4j.csi.driver.backend.State.KnownSnapshot;
import io.volume4j.csi.driver.backend.State.KnownVolume;
import io.volume4j.csi.driver.options.DriverOptions;
import io.volume4j.csi.driver.options.Pool;
import io.volume4j.csi.driver.options.Quirk;
import io.volume4j.csi.driver.oracle.Rule;
import io.volume4j.csi.internal.proto.CapacityRange;
import io.volume4j.csi.internal.proto.CreateVolumeRequest;
import io.volume4j.csi.internal.proto.CreateVolumeResponse;
import io.volume4j.csi.internal.proto.DeleteVolumeRequest;
import io.volume4j.csi.internal.proto.DeleteVolumeResponse;
import io.volume4j.csi.internal.proto.GetCapacityRequest;
import io.volume4j.csi.internal.proto.GetCapacityResponse;
import io.volume4j.csi.internal.proto.Topology;
import io.volume4j.csi.internal.proto.ValidateVolumeCapabilitiesRequest;
import io.volume4j.csi.internal.proto.ValidateVolumeCapabilitiesResponse;
import io.volume4j.csi.internal.proto.Volume;
import io.volume4j.csi.internal.proto.VolumeContentSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Calls that create, delete and validate volumes. Called inside {@link Backend#work}. */
public final class VolumeCalls {
    private static final int LONGEST_NAME = 128;

    private final Backend backend;

    public VolumeCalls(Backend backend) {
        this.backend = backend;
    }

    public CreateVolumeResponse create(CreateVolumeRequest request) {
        if (request.getName().length() > LONGEST_NAME) {
            throw Refused.invalid("name is longer than " + LONGEST_NAME);
        }
        Capabilities.demandSupported(backend, request.getVolumeCapabilitiesList(), "controller");
        ChangeCalls.demandMutable(backend, request.getMutableParamsMap(), "nothing was made");
        CapacityRange range = request.getCapacityRange();
        if (range.getRequiredBytes() < 0 || range.getLimitBytes() < 0) {
            throw Refused.invalid("a capacity must not be negative");
        }
        if (range.getLimitBytes() > 0 && range.getLimitBytes() < range.getRequiredBytes()) {
            throw Refused.invalid("limit_bytes is less than required_bytes");
        }
        CreateVolumeRequest asked = request.toBuilder().clearSecrets().build();
        for (KnownVolume volume : backend.state().volumes.values()) {
            if (volume.name.equals(request.getName()) && !volume.ephemeral) {
                if (backend.options().has(Quirk.FRESH_ID_FOR_SAME_NAME)) {
                    break;
                }
                demandSame(volume, asked);
                return reply(volume);
            }
        }
        return reply(make(asked));
    }

    private void demandSame(KnownVolume volume, CreateVolumeRequest asked) {
        CreateVolumeRequest before = volume.asked;
        CapacityRange range = asked.getCapacityRange();
        boolean fits = volume.bytes >= range.getRequiredBytes()
                && (range.getLimitBytes() == 0 || volume.bytes <= range.getLimitBytes());
        boolean same = before.getVolumeCapabilitiesList().equals(asked.getVolumeCapabilitiesList())
                && before.getParametersMap().equals(asked.getParametersMap())
                && before.getMutableParamsMap().equals(asked.getMutableParamsMap())
                && before.getVolumeContentSource().equals(asked.getVolumeContentSource());
        boolean reachable = !asked.hasAccessibilityRequirements()
                || volume.topology.isEmpty()
                || Places.reachable(asked.getAccessibilityRequirements(), volume.topology);
        if (!fits || !same || !reachable) {
            throw backend.wrong(
                    Rule.OTHER_ARGUMENTS,
                    "CreateVolume",
                    Code.ALREADY_EXISTS,
                    "volume \"" + volume.name + "\" exists with other arguments");
        }
    }

    private KnownVolume make(CreateVolumeRequest asked) {
        long sourceBytes = sourceBytes(asked);
        long bytes = size(asked.getCapacityRange(), sourceBytes);
        int pool = pool(asked, bytes);
        State state = backend.state();
        KnownVolume volume = new KnownVolume();
        volume.number = ++state.sequence;
        volume.id = "vol-" + volume.number;
        volume.name = asked.getName();
        volume.asked = asked;
        volume.bytes = bytes;
        volume.nodeBytes = bytes;
        volume.pool = pool;
        volume.mutable.putAll(asked.getMutableParamsMap());
        volume.context.put("number", Long.toString(volume.number));
        if (backend.has("plugin.VOLUME_ACCESSIBILITY_CONSTRAINTS")) {
            Map<String, String> segments = backend.options().pools().get(pool).segments();
            if (!segments.isEmpty()) {
                volume.topology.add(
                        Topology.newBuilder().putAllSegments(segments).build());
            }
        }
        VolumeContentSource source = asked.getVolumeContentSource();
        if (source.hasSnapshot()) {
            backend.contents().copy(source.getSnapshot().getSnapshotId(), volume.id);
        } else if (source.hasVolume()) {
            backend.contents().copy(source.getVolume().getVolumeId(), volume.id);
        } else {
            backend.contents().delete(volume.id);
        }
        state.volumes.put(volume.id, volume);
        backend.born("volume " + volume.name);
        return volume;
    }

    /** The size of the source, 0 without one. */
    private long sourceBytes(CreateVolumeRequest asked) {
        VolumeContentSource source = asked.getVolumeContentSource();
        switch (source.getTypeCase()) {
            case SNAPSHOT -> {
                if (!backend.has("controller.CREATE_DELETE_SNAPSHOT")) {
                    throw Refused.invalid("this driver has no snapshots to restore");
                }
                KnownSnapshot snapshot =
                        backend.state().snapshots.get(source.getSnapshot().getSnapshotId());
                if (snapshot == null) {
                    throw Refused.notFound("snapshot", source.getSnapshot().getSnapshotId());
                }
                if (!snapshot.proto.getReadyToUse()) {
                    throw new Refused(Code.UNAVAILABLE, "the snapshot is not ready yet");
                }
                return snapshot.proto.getSizeBytes();
            }
            case VOLUME -> {
                if (!backend.has("controller.CLONE_VOLUME")) {
                    throw Refused.invalid("this driver cannot clone");
                }
                return backend.volume(source.getVolume().getVolumeId()).bytes;
            }
            case TYPE_NOT_SET -> {
                if (asked.hasVolumeContentSource()) {
                    throw Refused.invalid("the content source names nothing");
                }
                return 0;
            }
        }
        throw new IllegalStateException("no such source: " + source.getTypeCase());
    }

    private long size(CapacityRange range, long sourceBytes) {
        DriverOptions options = backend.options();
        long wanted = Math.max(Math.max(range.getRequiredBytes(), options.minimumSize()), sourceBytes);
        long bytes = rounded(options, wanted, range.getLimitBytes());
        if (range.getLimitBytes() > 0 && bytes > range.getLimitBytes()) {
            throw new Refused(Code.OUT_OF_RANGE, "no volume of this driver is that small");
        }
        return options.has(Quirk.SMALLER_THAN_REQUIRED) ? bytes / 2 : bytes;
    }

    /**
     * The size that a volume of so many bytes gets: rounded, unless that exceeds a limit.
     *
     * @param limit 0 for none
     * @throws Refused OUT_OF_RANGE if no volume is that large
     */
    static long rounded(DriverOptions options, long bytes, long limit) {
        if (bytes > options.maximumSize()) {
            throw new Refused(Code.OUT_OF_RANGE, "volumes have at most " + options.maximumSize() + " bytes");
        }
        long rounded = Math.min(roundUp(bytes, options.rounding()), options.maximumSize());
        return limit > 0 && rounded > limit ? bytes : rounded;
    }

    private static long roundUp(long bytes, long unit) {
        long rest = bytes % unit;
        return rest == 0 || bytes > Long.MAX_VALUE - unit ? bytes : bytes + unit - rest;
    }

    private int pool(CreateVolumeRequest asked, long bytes) {
        List<Integer> order = Places.order(backend, asked);
        List<Topology> source = sourcePlaces(asked.getVolumeContentSource());
        order.removeIf(pool -> source.stream()
                .noneMatch(place ->
                        Places.overlap(backend.options().pools().get(pool).segments(), place.getSegmentsMap())));
        for (int pool : order) {
            if (backend.free(pool) >= bytes) {
                return pool;
            }
        }
        throw new Refused(
                Code.RESOURCE_EXHAUSTED,
                order.isEmpty()
                        ? "no pool is accessible from there"
                        : "no pool that is accessible from there has " + bytes + " bytes left");
    }

    /** The possible places for a volume from this source; one place without segments for everywhere. */
    private List<Topology> sourcePlaces(VolumeContentSource source) {
        KnownSnapshot snapshot =
                backend.state().snapshots.get(source.getSnapshot().getSnapshotId());
        return snapshot == null || snapshot.proto.getAccessibleTopologyCount() == 0
                ? List.of(Topology.getDefaultInstance())
                : snapshot.proto.getAccessibleTopologyList();
    }

    private CreateVolumeResponse reply(KnownVolume volume) {
        Volume.Builder proto = volume.toProto().toBuilder();
        if (backend.options().has(Quirk.NO_CONTENT_SOURCE)) {
            proto.clearContentSource();
        }
        if (backend.options().has(Quirk.TOPOLOGY_ELSEWHERE)) {
            proto.clearAccessibleTopology();
            proto.addAccessibleTopology(Topology.newBuilder().putSegments("topology.volume4j.io/zone", "elsewhere"));
        }
        return CreateVolumeResponse.newBuilder().setVolume(proto).build();
    }

    public DeleteVolumeResponse delete(DeleteVolumeRequest request) {
        KnownVolume volume = backend.state().volumes.get(request.getVolumeId());
        if (volume == null) {
            if (backend.options().has(Quirk.NOT_FOUND_ON_REPEATED_DELETE)) {
                throw Refused.notFound("volume", request.getVolumeId());
            }
            return DeleteVolumeResponse.getDefaultInstance();
        }
        List<String> uses = new ArrayList<>(backend.uses(volume.id));
        volume.attachments.keySet().forEach(node -> uses.add("attached to " + node));
        if (!uses.isEmpty()) {
            throw backend.wrong(
                    Rule.DELETED_IN_USE,
                    "DeleteVolume",
                    Code.FAILED_PRECONDITION,
                    volume.id + " is " + String.join(", ", uses));
        }
        backend.remove(volume);
        return DeleteVolumeResponse.getDefaultInstance();
    }

    public ValidateVolumeCapabilitiesResponse validate(ValidateVolumeCapabilitiesRequest request) {
        KnownVolume volume = backend.volume(request.getVolumeId());
        Capabilities.demandWhole(request.getVolumeCapabilitiesList());
        ValidateVolumeCapabilitiesResponse.Builder reply = ValidateVolumeCapabilitiesResponse.newBuilder();
        for (var capability : request.getVolumeCapabilitiesList()) {
            String why = Capabilities.unsupported(backend, capability, "controller");
            if (why.isEmpty() && !volume.allows(capability.getAccessTypeCase())) {
                why = "the volume was not made for " + capability.getAccessTypeCase();
            }
            if (!why.isEmpty()) {
                return reply.setMessage(why).build();
            }
        }
        if (request.getVolumeContextCount() > 0
                && !Contexts.own(request.getVolumeContextMap()).equals(volume.context)) {
            return reply.setMessage("the volume context is not the volume's").build();
        }
        Set<String> strange = ChangeCalls.notMutable(backend, request.getMutableParamsMap());
        if (!strange.isEmpty()) {
            return reply.setMessage("not mutable: " + String.join(", ", strange))
                    .build();
        }
        var confirmed = ValidateVolumeCapabilitiesResponse.Confirmed.newBuilder()
                .putAllVolumeContext(request.getVolumeContextMap())
                .addAllVolumeCapabilities(request.getVolumeCapabilitiesList())
                .putAllParameters(request.getParametersMap());
        if (!backend.options().has(Quirk.VALIDATE_FORGETS_MUTABLE_PARAMETERS)) {
            confirmed.putAllMutableParams(request.getMutableParamsMap());
        }
        return reply.setConfirmed(confirmed).build();
    }

    public GetCapacityResponse capacity(GetCapacityRequest request) {
        DriverOptions options = backend.options();
        long available = 0;
        Capabilities.demandWhole(request.getVolumeCapabilitiesList());
        for (var capability : request.getVolumeCapabilitiesList()) {
            if (!Capabilities.unsupported(backend, capability, "controller").isEmpty()) {
                return GetCapacityResponse.getDefaultInstance();
            }
        }
        for (int i = 0; i < options.pools().size(); i++) {
            Pool pool = options.pools().get(i);
            if (Places.overlap(pool.segments(), request.getAccessibleTopology().getSegmentsMap())) {
                available += backend.free(i);
            }
        }
        if (options.has(Quirk.EXAGGERATED_CAPACITY)) {
            available *= 2;
        }
        return GetCapacityResponse.newBuilder()
                .setAvailableCapacity(available)
                .setMaximumVolumeSize(Int64Value.of(options.maximumSize()))
                .setMinimumVolumeSize(Int64Value.of(options.minimumSize()))
                .build();
    }
}
