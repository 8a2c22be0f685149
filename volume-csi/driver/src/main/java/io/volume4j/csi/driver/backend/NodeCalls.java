package io.volume4j.csi.driver.backend;

import io.grpc.Status.Code;
import io.volume4j.csi.driver.backend.State.KnownAttachment;
import io.volume4j.csi.driver.backend.State.KnownNode;
import io.volume4j.csi.driver.backend.State.KnownPublication;
import io.volume4j.csi.driver.backend.State.KnownStage;
import io.volume4j.csi.driver.backend.State.KnownVolume;
import io.volume4j.csi.driver.options.Quirk;
import io.volume4j.csi.driver.oracle.Rule;
import io.volume4j.csi.internal.proto.CreateVolumeRequest;
import io.volume4j.csi.internal.proto.NodePublishVolumeRequest;
import io.volume4j.csi.internal.proto.NodePublishVolumeResponse;
import io.volume4j.csi.internal.proto.NodeStageVolumeRequest;
import io.volume4j.csi.internal.proto.NodeStageVolumeResponse;
import io.volume4j.csi.internal.proto.NodeUnpublishVolumeRequest;
import io.volume4j.csi.internal.proto.NodeUnpublishVolumeResponse;
import io.volume4j.csi.internal.proto.NodeUnstageVolumeRequest;
import io.volume4j.csi.internal.proto.NodeUnstageVolumeResponse;
import io.volume4j.csi.internal.proto.VolumeCapability;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls that stage and publish volumes on one node, with the checks of their order. Called inside {@link Backend#work}.
 */
public final class NodeCalls {
    private static final String EPHEMERAL = Contexts.ADDED + "ephemeral";
    private static final String STAGE = "NodeStageVolume";
    private static final String UNSTAGE = "NodeUnstageVolume";
    private static final String PUBLISH = "NodePublishVolume";
    private static final String UNPUBLISH = "NodeUnpublishVolume";

    private final Backend backend;
    private final String node;
    private final TargetPaths paths;

    public NodeCalls(Backend backend, String node) {
        this.backend = backend;
        this.node = node;
        this.paths = new TargetPaths(backend);
    }

    private KnownNode here() {
        return backend.state().node(node);
    }

    public NodeStageVolumeResponse stage(NodeStageVolumeRequest request) {
        VolumeCapability capability = request.getVolumeCapability();
        String path = request.getStagingTargetPath();
        Capabilities.demandSupported(backend, List.of(capability), "node");
        KnownVolume volume = backend.volume(request.getVolumeId());
        demandUsable(volume, capability, STAGE);
        demandContexts(volume, request.getVolumeContextMap(), request.getPublishContextMap(), STAGE);
        KnownStage stage = here().staged.get(volume.id);
        if (stage != null && stage.path.equals(path)) {
            if (!stage.capability.equals(capability)) {
                throw backend.wrong(
                        Rule.OTHER_ARGUMENTS,
                        STAGE,
                        Code.ALREADY_EXISTS,
                        volume.id + " is staged there with another capability");
            }
            show(volume, stage);
            return NodeStageVolumeResponse.getDefaultInstance();
        }
        if (stage != null) {
            throw backend.wrong(
                    Rule.STAGING_PATH, STAGE, Code.FAILED_PRECONDITION, volume.id + " is staged at " + stage.path);
        }
        paths.demandStaging(here(), path, STAGE);
        KnownStage next = new KnownStage();
        next.path = path;
        next.capability = capability;
        show(volume, next);
        here().staged.put(volume.id, next);
        return NodeStageVolumeResponse.getDefaultInstance();
    }

    private void show(KnownVolume volume, KnownStage stage) {
        if (stage.capability.hasMount()) {
            backend.store().showing(Path.of(stage.path));
            backend.exposure().stage(backend.contents().files(volume.id), Path.of(stage.path));
        }
    }

    public NodeUnstageVolumeResponse unstage(NodeUnstageVolumeRequest request) {
        KnownVolume volume = known(request.getVolumeId());
        KnownStage stage = volume == null ? null : here().staged.get(volume.id);
        if (volume == null || stage == null) {
            if (backend.options().has(Quirk.NON_IDEMPOTENT_UNPUBLISH)) {
                throw Refused.notFound("staged volume", request.getVolumeId());
            }
            takeAwayUnrecorded(
                    request.getVolumeId(),
                    request.getStagingTargetPath(),
                    path -> backend.exposure().unstage(path));
            return NodeUnstageVolumeResponse.getDefaultInstance();
        }
        if (!stage.path.equals(request.getStagingTargetPath())) {
            throw backend.wrong(
                    Rule.STAGING_PATH, UNSTAGE, Code.FAILED_PRECONDITION, volume.id + " is staged at " + stage.path);
        }
        for (Map.Entry<String, KnownPublication> each : here().published.entrySet()) {
            if (each.getValue().volume.equals(volume.id)) {
                throw backend.wrong(
                        Rule.UNSTAGED_IN_USE,
                        UNSTAGE,
                        Code.FAILED_PRECONDITION,
                        volume.id + " is published at " + each.getKey());
            }
        }
        backend.exposure().unstage(Path.of(stage.path));
        backend.store().notShowing(Path.of(stage.path));
        here().staged.remove(volume.id);
        backend.releaseIfUnused(volume.id);
        return NodeUnstageVolumeResponse.getDefaultInstance();
    }

    public NodePublishVolumeResponse publish(NodePublishVolumeRequest request) {
        VolumeCapability capability = request.getVolumeCapability();
        Capabilities.demandSupported(backend, List.of(capability), "node");
        KnownPublication next = new KnownPublication();
        next.volume = request.getVolumeId();
        next.stagingPath = request.getStagingTargetPath();
        next.capability = capability;
        next.readonly = request.getReadonly() || Capabilities.readOnly(capability);
        KnownVolume known = backend.state().volumes.get(request.getVolumeId());
        if ("true".equals(request.getVolumeContextMap().get(EPHEMERAL)) || (known != null && known.ephemeral)) {
            return publishEphemeral(request, next);
        }
        demandStagingPath(request);
        KnownVolume volume = backend.volume(request.getVolumeId());
        demandUsable(volume, capability, PUBLISH);
        demandContexts(volume, request.getVolumeContextMap(), request.getPublishContextMap(), PUBLISH);
        demandStaged(volume, request);
        return publishAt(volume, next, request.getTargetPath());
    }

    /** The only missing field with the code FAILED_PRECONDITION in the error table; inline volumes do not need it. */
    private void demandStagingPath(NodePublishVolumeRequest request) {
        if (backend.has("node.STAGE_UNSTAGE_VOLUME")
                && request.getStagingTargetPath().isEmpty()) {
            throw backend.wrong(Rule.NOT_STAGED, PUBLISH, Code.FAILED_PRECONDITION, "missing: staging_target_path");
        }
    }

    private NodePublishVolumeResponse publishEphemeral(NodePublishVolumeRequest request, KnownPublication next) {
        if (!backend.has("access.EPHEMERAL")) {
            throw Refused.invalid("this driver has no ephemeral volumes");
        }
        KnownVolume volume = backend.state().volumes.get(request.getVolumeId());
        if (volume == null) {
            volume = new KnownVolume();
            volume.number = ++backend.state().sequence;
            volume.id = request.getVolumeId();
            volume.name = request.getVolumeId();
            volume.ephemeral = true;
            volume.bytes = backend.options().minimumSize();
            volume.nodeBytes = volume.bytes;
            volume.asked = CreateVolumeRequest.newBuilder()
                    .addVolumeCapabilities(request.getVolumeCapability())
                    .build();
            paths.demandTarget(here(), request.getVolumeId(), request.getTargetPath(), PUBLISH);
            backend.state().volumes.put(volume.id, volume);
            backend.state().gone.remove(volume.id);
            backend.born("ephemeral " + volume.id);
        } else if (!volume.ephemeral) {
            throw backend.wrong(
                    Rule.OTHER_ARGUMENTS, PUBLISH, Code.ALREADY_EXISTS, volume.id + " is not an ephemeral volume");
        }
        return publishAt(volume, next, request.getTargetPath());
    }

    private NodePublishVolumeResponse publishAt(KnownVolume volume, KnownPublication next, String target) {
        KnownPublication there = here().published.get(target);
        if (there != null && there.volume.equals(volume.id)) {
            if (!there.capability.equals(next.capability)
                    || there.readonly != next.readonly
                    || !there.stagingPath.equals(next.stagingPath)) {
                throw backend.wrong(
                        Rule.OTHER_ARGUMENTS,
                        PUBLISH,
                        Code.ALREADY_EXISTS,
                        volume.id + " is published there with other arguments");
            }
            show(volume, there, target);
            return NodePublishVolumeResponse.getDefaultInstance();
        }
        paths.demandTarget(here(), volume.id, target, PUBLISH);
        demandSecondTarget(volume, next);
        demandNoOtherWriter(volume, next);
        show(volume, next, target);
        here().published.put(target, next);
        return NodePublishVolumeResponse.getDefaultInstance();
    }

    private void show(KnownVolume volume, KnownPublication publication, String target) {
        Path path = Path.of(target);
        backend.store().showing(path);
        if (publication.capability.hasBlock()) {
            Path image = backend.contents().image(volume.id, volume.bytes);
            backend.exposure().publishDevice(image, path, publication.readonly);
        } else {
            backend.exposure().publishFiles(backend.contents().files(volume.id), path, publication.readonly);
        }
    }

    public NodeUnpublishVolumeResponse unpublish(NodeUnpublishVolumeRequest request) {
        KnownVolume volume = known(request.getVolumeId());
        KnownPublication there = here().published.get(request.getTargetPath());
        if (volume == null || there == null) {
            if (backend.options().has(Quirk.NON_IDEMPOTENT_UNPUBLISH)) {
                throw Refused.notFound("published volume", request.getVolumeId());
            }
            takeAwayUnrecorded(
                    request.getVolumeId(),
                    request.getTargetPath(),
                    path -> backend.exposure().unpublish(path));
            return NodeUnpublishVolumeResponse.getDefaultInstance();
        }
        if (!there.volume.equals(volume.id)) {
            throw backend.wrong(
                    Rule.TARGET_TAKEN, UNPUBLISH, Code.INVALID_ARGUMENT, "that is a target of " + there.volume);
        }
        backend.exposure().unpublish(Path.of(request.getTargetPath()));
        backend.store().notShowing(Path.of(request.getTargetPath()));
        here().published.remove(request.getTargetPath());
        backend.releaseIfUnused(volume.id);
        if (volume.ephemeral && backend.uses(volume.id).isEmpty()) {
            backend.remove(volume);
        }
        return NodeUnpublishVolumeResponse.getDefaultInstance();
    }

    /** A process that was killed within a call may have shown the volume there without a record of it. */
    private void takeAwayUnrecorded(String volume, String path, Consumer<Path> takeAway) {
        boolean recorded = backend.state().nodes.values().stream()
                .anyMatch(each -> each.published.containsKey(path)
                        || each.staged.values().stream().anyMatch(stage -> stage.path.equals(path)));
        if (recorded) {
            return;
        }
        for (Path shown : backend.store().shown()) {
            if (shown.toString().equals(path)) {
                takeAway.accept(shown);
                backend.store().notShowing(shown);
                backend.releaseIfUnused(volume);
            }
        }
    }

    /**
     * Null for a deleted volume: then the call has nothing to do. @throws Refused NOT_FOUND if the volume never existed
     */
    private @Nullable KnownVolume known(String id) {
        KnownVolume volume = backend.state().volumes.get(id);
        if (volume == null && !backend.state().gone.contains(id)) {
            throw Refused.notFound("volume", id);
        }
        return volume;
    }

    private void demandUsable(KnownVolume volume, VolumeCapability capability, String rpc) {
        if (!volume.allows(capability.getAccessTypeCase())) {
            throw Refused.precondition(volume.id + " was not made for " + capability.getAccessTypeCase());
        }
        if (!Places.reaches(backend.options().placeOf(node), volume.topology)) {
            throw backend.wrong(
                    Rule.TOPOLOGY, rpc, Code.FAILED_PRECONDITION, volume.id + " is not accessible from " + node);
        }
        if (backend.has("controller.PUBLISH_UNPUBLISH_VOLUME") && !volume.attachments.containsKey(node)) {
            boolean internal = rpc.equals(STAGE) && backend.options().has(Quirk.STAGE_BEFORE_ATTACH_IS_INTERNAL);
            throw backend.wrong(
                    Rule.NOT_ATTACHED,
                    rpc,
                    internal ? Code.INTERNAL : Code.FAILED_PRECONDITION,
                    volume.id + " is not attached to " + node);
        }
    }

    private void demandContexts(
            KnownVolume volume, Map<String, String> volumeContext, Map<String, String> publishContext, String rpc) {
        Contexts.demandVolumeContext(backend, volume, volumeContext, rpc);
        KnownAttachment attachment = volume.attachments.get(node);
        Map<String, String> expected = attachment == null ? Map.of() : attachment.context;
        if (!publishContext.equals(expected)) {
            throw backend.wrong(
                    Rule.PUBLISH_CONTEXT,
                    rpc,
                    Code.INVALID_ARGUMENT,
                    "publish_context is not what ControllerPublishVolume returned for " + volume.id);
        }
    }

    private void demandStaged(KnownVolume volume, NodePublishVolumeRequest request) {
        if (!backend.has("node.STAGE_UNSTAGE_VOLUME")) {
            return;
        }
        KnownStage stage = here().staged.get(volume.id);
        if (stage == null || !stage.path.equals(request.getStagingTargetPath())) {
            throw backend.wrong(
                    Rule.NOT_STAGED,
                    PUBLISH,
                    Code.FAILED_PRECONDITION,
                    volume.id + (stage == null ? " is not staged" : " is staged at " + stage.path));
        }
        if (stage.capability.getAccessTypeCase()
                != request.getVolumeCapability().getAccessTypeCase()) {
            throw Refused.precondition(volume.id + " is staged for " + stage.capability.getAccessTypeCase());
        }
    }

    private void demandSecondTarget(KnownVolume volume, KnownPublication next) {
        for (Map.Entry<String, KnownPublication> each : here().published.entrySet()) {
            if (each.getValue().volume.equals(volume.id)
                    && (Capabilities.singleTarget(next.capability)
                            || Capabilities.singleTarget(each.getValue().capability))) {
                throw backend.wrong(
                        Rule.SECOND_TARGET,
                        PUBLISH,
                        Code.FAILED_PRECONDITION,
                        volume.id + " is published at " + each.getKey());
            }
        }
    }

    /** The last protection of the data: two nodes that both may write. */
    private void demandNoOtherWriter(KnownVolume volume, KnownPublication next) {
        backend.state().nodes.forEach((id, other) -> {
            if (id.equals(node)) {
                return;
            }
            for (KnownPublication each : other.published.values()) {
                boolean writers = Capabilities.singleWriterNode(next.capability) && !next.readonly && !each.readonly;
                if (each.volume.equals(volume.id) && (Capabilities.singleNode(next.capability) || writers)) {
                    throw backend.wrong(
                            Rule.SPLIT_BRAIN, PUBLISH, Code.FAILED_PRECONDITION, volume.id + " is in use on " + id);
                }
            }
        });
    }

    /**
     * Checks that the path belongs to the volume: a publication or its staging directory. @throws Refused NOT_FOUND if
     * not
     */
    void demandShownAt(KnownVolume volume, String path) {
        KnownPublication there = here().published.get(path);
        KnownStage stage = here().staged.get(volume.id);
        boolean published = there != null && there.volume.equals(volume.id);
        boolean staged = stage != null && (stage.path.equals(path) || path.startsWith(stage.path + "/"));
        if ((!published && !staged) || !Files.exists(Path.of(path), LinkOption.NOFOLLOW_LINKS)) {
            throw Refused.notFound("use of volume " + volume.id, path);
        }
    }

    /** How the volume is used at a path at which it {@linkplain #demandShownAt is}. */
    VolumeCapability capabilityAt(KnownVolume volume, String path) {
        KnownPublication there = here().published.get(path);
        return there == null ? Objects.requireNonNull(here().staged.get(volume.id)).capability : there.capability;
    }

    String node() {
        return node;
    }

    Backend backend() {
        return backend;
    }
}
