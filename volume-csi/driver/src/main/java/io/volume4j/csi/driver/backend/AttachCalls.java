package io.volume4j.csi.driver.backend;

import io.grpc.Status.Code;
import io.volume4j.csi.driver.backend.State.KnownAttachment;
import io.volume4j.csi.driver.backend.State.KnownVolume;
import io.volume4j.csi.driver.options.Quirk;
import io.volume4j.csi.driver.oracle.Rule;
import io.volume4j.csi.internal.proto.ControllerPublishVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerPublishVolumeResponse;
import io.volume4j.csi.internal.proto.ControllerUnpublishVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerUnpublishVolumeResponse;
import io.volume4j.csi.internal.proto.VolumeCapability;
import java.util.ArrayList;
import java.util.List;

/** Calls that attach volumes to nodes and detach them. Called inside {@link Backend#work}. */
public final class AttachCalls {
    private static final String PUBLISH = "ControllerPublishVolume";
    private static final String UNPUBLISH = "ControllerUnpublishVolume";

    private final Backend backend;

    public AttachCalls(Backend backend) {
        this.backend = backend;
    }

    public ControllerPublishVolumeResponse publish(ControllerPublishVolumeRequest request) {
        VolumeCapability capability = request.getVolumeCapability();
        Capabilities.demandSupported(backend, List.of(capability), "controller");
        if (request.getReadonly() && !backend.has("controller.PUBLISH_READONLY")) {
            throw backend.wrong(
                    Rule.READONLY, PUBLISH, Code.INVALID_ARGUMENT, "readonly needs PUBLISH_READONLY, which is off");
        }
        KnownVolume volume = backend.volume(request.getVolumeId());
        if (!backend.knowsNode(request.getNodeId())) {
            throw Refused.notFound("node", request.getNodeId());
        }
        Contexts.demandVolumeContext(backend, volume, request.getVolumeContextMap(), PUBLISH);
        KnownAttachment there = volume.attachments.get(request.getNodeId());
        if (there != null) {
            if (there.readonly != request.getReadonly() || !there.capability.equals(capability)) {
                throw backend.wrong(
                        Rule.OTHER_ARGUMENTS,
                        PUBLISH,
                        Code.ALREADY_EXISTS,
                        volume.id + " is attached to " + request.getNodeId() + " with other arguments");
            }
            return reply(there);
        }
        demandReachable(volume, request.getNodeId());
        demandAlone(volume, request);
        demandRoom(request.getNodeId());
        KnownAttachment attachment = new KnownAttachment();
        attachment.capability = capability;
        attachment.readonly = request.getReadonly();
        attachment.context.put("attachment", Long.toString(++backend.state().sequence));
        volume.attachments.put(request.getNodeId(), attachment);
        return reply(attachment);
    }

    private void demandReachable(KnownVolume volume, String node) {
        if (!Places.reaches(backend.options().placeOf(node), volume.topology)) {
            throw backend.wrong(
                    Rule.TOPOLOGY, PUBLISH, Code.FAILED_PRECONDITION, volume.id + " is not accessible from " + node);
        }
    }

    private void demandAlone(KnownVolume volume, ControllerPublishVolumeRequest request) {
        List<String> others = new ArrayList<>();
        volume.attachments.forEach((node, attachment) -> {
            boolean nodes = Capabilities.singleNode(request.getVolumeCapability())
                    || Capabilities.singleNode(attachment.capability);
            if (nodes) {
                others.add(node);
            }
        });
        if (!others.isEmpty()) {
            throw backend.wrong(
                    Rule.SPLIT_BRAIN,
                    PUBLISH,
                    Code.FAILED_PRECONDITION,
                    volume.id + " is attached to " + String.join(", ", others));
        }
    }

    private void demandRoom(String node) {
        int limit = backend.options().attachLimit();
        long attached = backend.state().volumes.values().stream()
                .filter(volume -> volume.attachments.containsKey(node))
                .count();
        if (limit > 0 && attached >= limit) {
            throw new Refused(Code.RESOURCE_EXHAUSTED, node + " has " + attached + " volumes, and can have no more");
        }
    }

    private static ControllerPublishVolumeResponse reply(KnownAttachment attachment) {
        return ControllerPublishVolumeResponse.newBuilder()
                .putAllPublishContext(attachment.context)
                .build();
    }

    public ControllerUnpublishVolumeResponse unpublish(ControllerUnpublishVolumeRequest request) {
        ControllerUnpublishVolumeResponse done = ControllerUnpublishVolumeResponse.getDefaultInstance();
        KnownVolume volume = backend.state().volumes.get(request.getVolumeId());
        if (volume == null) {
            if (backend.state().gone.contains(request.getVolumeId())
                    && !backend.options().has(Quirk.NON_IDEMPOTENT_UNPUBLISH)) {
                return done;
            }
            throw Refused.notFound("volume", request.getVolumeId());
        }
        if (!request.getNodeId().isEmpty() && !backend.knowsNode(request.getNodeId())) {
            throw Refused.notFound("node", request.getNodeId());
        }
        List<String> nodes = request.getNodeId().isEmpty()
                ? new ArrayList<>(volume.attachments.keySet())
                : List.of(request.getNodeId());
        for (String node : nodes) {
            List<String> uses = backend.usesOn(node, volume.id);
            if (volume.attachments.containsKey(node) && !uses.isEmpty()) {
                throw backend.wrong(
                        Rule.DETACHED_IN_USE,
                        UNPUBLISH,
                        Code.FAILED_PRECONDITION,
                        volume.id + " is " + String.join(", ", uses));
            }
        }
        boolean any = false;
        for (String node : nodes) {
            any |= volume.attachments.remove(node) != null;
        }
        if (!any && backend.options().has(Quirk.NON_IDEMPOTENT_UNPUBLISH)) {
            throw Refused.notFound("attachment of volume", request.getVolumeId());
        }
        return done;
    }
}
