package io.volume4j.csi.driver.backend;

import io.grpc.Status.Code;
import io.volume4j.csi.driver.backend.State.KnownVolume;
import io.volume4j.csi.driver.options.Quirk;
import io.volume4j.csi.internal.proto.ControllerGetVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerGetVolumeResponse;
import io.volume4j.csi.internal.proto.ListVolumesRequest;
import io.volume4j.csi.internal.proto.ListVolumesResponse;
import io.volume4j.csi.internal.proto.Volume;
import io.volume4j.csi.internal.proto.VolumeCondition;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToLongFunction;

/** Calls that list volumes. Called inside {@link Backend#work}. */
public final class ListingCalls {
    private final Backend backend;
    private final Set<String> refusedOnce = new TreeSet<>();

    public ListingCalls(Backend backend) {
        this.backend = backend;
    }

    public ListVolumesResponse list(ListVolumesRequest request) {
        List<KnownVolume> volumes = new ArrayList<>(backend.state().volumes.values());
        volumes.removeIf(volume -> volume.ephemeral);
        Page<KnownVolume> page = backend.options().has(Quirk.LIST_DRIFT) && !volumes.isEmpty()
                ? drifting(volumes, request)
                : page(volumes, volume -> volume.number, request.getMaxEntries(), request.getStartingToken());
        ListVolumesResponse.Builder reply = ListVolumesResponse.newBuilder().setNextToken(page.next());
        for (KnownVolume volume : page.entries()) {
            ListVolumesResponse.VolumeStatus.Builder status = ListVolumesResponse.VolumeStatus.newBuilder();
            if (backend.has("controller.LIST_VOLUMES_PUBLISHED_NODES")) {
                status.addAllPublishedNodeIds(nodes(volume));
            }
            if (backend.has("controller.VOLUME_CONDITION")) {
                status.setVolumeCondition(HealthCalls.condition(volume, HealthCalls.CONTROLLER));
            }
            reply.addEntries(ListVolumesResponse.Entry.newBuilder()
                    .setVolume(volume.toProto())
                    .setStatus(status));
        }
        return reply.build();
    }

    /** The newest volume, and then a page of the others, which has room for one of them at least: the list would not end otherwise. */
    private Page<KnownVolume> drifting(List<KnownVolume> volumes, ListVolumesRequest request) {
        KnownVolume newest = volumes.remove(volumes.size() - 1);
        int most = request.getMaxEntries() > 1 ? request.getMaxEntries() - 1 : request.getMaxEntries();
        Page<KnownVolume> others = page(volumes, volume -> volume.number, most, request.getStartingToken());
        List<KnownVolume> entries = new ArrayList<>(others.entries());
        entries.add(0, newest);
        return new Page<>(entries, others.next());
    }

    public ControllerGetVolumeResponse get(ControllerGetVolumeRequest request) {
        KnownVolume volume = backend.state().volumes.get(request.getVolumeId());
        if (volume == null && backend.options().has(Quirk.GET_OF_UNKNOWN_IS_ABNORMAL)) {
            return ControllerGetVolumeResponse.newBuilder()
                    .setVolume(Volume.newBuilder().setVolumeId(request.getVolumeId()))
                    .setStatus(ControllerGetVolumeResponse.VolumeStatus.newBuilder()
                            .setVolumeCondition(VolumeCondition.newBuilder()
                                    .setAbnormal(true)
                                    .setMessage("the volume is not there")))
                    .build();
        }
        if (volume == null) {
            throw Refused.notFound("volume", request.getVolumeId());
        }
        ControllerGetVolumeResponse.VolumeStatus.Builder status = ControllerGetVolumeResponse.VolumeStatus.newBuilder();
        if (backend.has("controller.LIST_VOLUMES_PUBLISHED_NODES")) {
            status.addAllPublishedNodeIds(nodes(volume));
        }
        if (backend.has("controller.VOLUME_CONDITION")) {
            status.setVolumeCondition(HealthCalls.condition(volume, HealthCalls.CONTROLLER));
        }
        return ControllerGetVolumeResponse.newBuilder()
                .setVolume(volume.toProto())
                .setStatus(status)
                .build();
    }

    private List<String> nodes(KnownVolume volume) {
        List<String> nodes = new ArrayList<>(volume.attachments.keySet());
        if (backend.options().has(Quirk.EMPTY_PUBLISHED_NODE)) {
            nodes.add("");
        }
        if (backend.options().has(Quirk.PHANTOM_PUBLISHED_NODE)) {
            nodes.add("phantom");
        }
        return nodes;
    }

    /** A part of a listing, and the token of the next part; empty at the end. */
    record Page<T>(List<T> entries, String next) {}

    /** The token contains the last listed number, so that a listing continues correctly after deletions. */
    <T> Page<T> page(List<T> all, ToLongFunction<T> number, int maxEntries, String token) {
        if (maxEntries < 0) {
            throw Refused.invalid("max_entries must not be negative");
        }
        long after = 0;
        if (!token.isEmpty()) {
            if (!token.matches("after-[0-9]{1,18}")) {
                throw new Refused(Code.ABORTED, "starting_token is none of this driver's");
            }
            after = Long.parseLong(token.substring("after-".length()));
            if (backend.options().has(Quirk.LIST_STALE_TOKEN) && refuseOnce(token)) {
                throw new Refused(Code.ABORTED, "starting_token is stale");
            }
        }
        int most = maxEntries == 0 ? backend.options().pageSize() : maxEntries;
        boolean again = backend.options().has(Quirk.LIST_DUPLICATES);
        List<T> entries = new ArrayList<>();
        long last = 0;
        boolean more = false;
        for (T each : all) {
            long here = number.applyAsLong(each);
            if (here < after || (here == after && !again)) {
                continue;
            }
            if (entries.size() == Math.max(most, again ? 2 : 1)) {
                more = true;
                break;
            }
            entries.add(each);
            last = here;
        }
        boolean told = more && !backend.options().has(Quirk.LIST_WITHOUT_NEXT_TOKEN);
        return new Page<>(entries, told ? "after-" + last : "");
    }

    private boolean refuseOnce(String token) {
        return refusedOnce.add(token);
    }
}
