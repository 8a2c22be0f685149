package io.volume4j.core.node.attach;

import io.volume4j.core.engine.Call;
import io.volume4j.core.grants.AttachmentName;
import io.volume4j.core.grants.GrantKeys;
import io.volume4j.core.grants.GrantList;
import io.volume4j.core.node.state.RowLimits;
import io.volume4j.core.volumes.NodeVolumeNames;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.model.WellKnown;
import io.volume4j.spi.plugin.Attacher.AttachResult;
import io.volume4j.spi.plugin.PluginState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks the store itself whether an attachment is what the node's object says, and how the node reaches the device. The
 * node's object may have been written by a controller that had lost its lease; the VolumeAttachment's generation tells.
 */
public final class GrantCheck {
    private static final String LANE = "cluster";
    private static final int CALLS = 16;
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private final ClusterSource source;
    private final String nodeName;
    private final boolean reportsItself;
    private final BiConsumer<VolumeId, String> ended;

    /**
     * @param reportsItself whether the agent writes its node's object
     * @param ended told, on a thread for calls, of volumes whose VolumeAttachment of that UID is gone or going */
    public GrantCheck(
            ClusterSource source, String nodeName, boolean reportsItself, BiConsumer<VolumeId, String> ended) {
        this.source = source;
        this.nodeName = nodeName;
        this.reportsItself = reportsItself;
        this.ended = ended;
    }

    /**
     * The call that finds out; it returns an {@link AttachResult} or fails as transient.
     *
     * @param grant what the node's object shows, null if it shows none for the volume
     * @param givesGrants whether the object has grants at all, as a controller of this library writes them
     * @param devicePath as the node's object shows it
     * @param held UID of the VolumeAttachment under which the node had the volume before it was started anew, {@code ""} if
     *     it had it under none
     */
    public Call call(
            VolumeId id, GrantList.@Nullable Grant grant, boolean givesGrants, String devicePath, String held) {
        return new Call(LANE, CALLS, DEADLINE, context -> {
            try {
                if (grant == null && givesGrants) {
                    requireForeign(id);
                }
                return RowLimits.requireFitting(id, grant == null ? foreign(id) : granted(id, grant, devicePath, held));
            } catch (ClusterException failure) {
                throw VolumeException.transientFailure(
                                "cannot verify the attachment of " + id + ": " + failure.getMessage())
                        .withCause(failure);
            }
        });
    }

    /**
     * The call by which a node that attaches by itself attaches, after it has made sure that no foreign controller is about to
     * detach the same volume. A controller that attached it before, when the node's object asked for that, detaches it when the
     * node no longer uses it; a detach that arrives after the node's own attach would take the volume from under its pods.
     */
    public Call own(VolumeId id, Call attach) {
        return new Call(attach.lane(), attach.laneLimit(), attach.part(), attach.deadline(), context -> {
            try {
                requireNoForeignDetach(id);
            } catch (ClusterException failure) {
                throw VolumeException.transientFailure(
                                "cannot find out whether a controller is detaching " + id + ": " + failure.getMessage())
                        .withCause(failure);
            }
            return attach.body().run(context);
        });
    }

    /**
     * The call by which a node detaches what it attached by itself before its mode changed, after it has made sure that no controller
     * can know of the volume here: the node's object asks for none, and no VolumeAttachment is there.
     */
    public Call left(VolumeId id, Call detach) {
        return new Call(detach.lane(), detach.laneLimit(), detach.part(), detach.deadline(), context -> {
            try {
                requireNoController(id);
            } catch (ClusterException failure) {
                throw VolumeException.transientFailure(
                                "cannot find out whether a controller has attached " + id + ": " + failure.getMessage())
                        .withCause(failure);
            }
            return detach.body().run(context);
        });
    }

    /** The call that finds out why the volume cannot be attached here: a {@link VolumeAttachment.Failure}, null if none is known. */
    Call attachError(VolumeId id) {
        return new Call(LANE, CALLS, DEADLINE, context -> {
            for (String name : names(id)) {
                VolumeAttachment attachment = attachment(name);
                if (attachment != null
                        && attachment.spec().nodeName().equals(nodeName)
                        && !attachment.status().attached()
                        && attachment.status().attachError() != null) {
                    return attachment.status().attachError();
                }
            }
            return null;
        });
    }

    private void requireNoController(VolumeId id) {
        ApiObject live = source.readLive(ObjectKey.node(nodeName)).orElse(null);
        if (live == null
                || live.metadata()
                        .annotation(WellKnown.CONTROLLER_MANAGED_ATTACH)
                        .equals("true")) {
            throw VolumeException.transientFailure(
                    "not detached by this node: its object asks the control plane to attach " + id + " and the like");
        }
        for (String name : names(id)) {
            if (attachment(name) != null) {
                throw VolumeException.transientFailure("not detached by this node: VolumeAttachment " + name
                        + " is there, whose controller detaches it");
            }
        }
    }

    /** Names of all records that there can be of the volume on this node. */
    private List<String> names(VolumeId id) {
        return List.of(
                AttachmentName.exclusive(id.plugin(), id),
                AttachmentName.shared(id.plugin(), id, nodeName),
                AttachmentName.ofKubernetes(id.plugin(), id.name(), nodeName));
    }

    /**
     * Kubernetes' controller takes a volume out of the node's status, then reads live whether the node uses it, then deletes its
     * VolumeAttachment. So while the status shows the volume after the node's report was stored, that controller does not begin.
     */
    private void requireNoForeignDetach(VolumeId id) {
        if (!(source.readLive(ObjectKey.node(nodeName)).orElse(null) instanceof Node node)) {
            return;
        }
        boolean asksForController =
                node.metadata().annotation(WellKnown.CONTROLLER_MANAGED_ATTACH).equals("true");
        if (reportsItself && asksForController) {
            throw doubtful(id, "the node's object still asks the control plane to attach");
        }
        VolumeAttachment attachment = attachment(AttachmentName.ofKubernetes(id.plugin(), id.name(), nodeName));
        if (attachment == null) {
            return;
        }
        String name = attachment.metadata().name();
        if (attachment.metadata().deleting()) {
            throw doubtful(id, "a controller is detaching it: VolumeAttachment " + name + " is being deleted");
        }
        String shown = NodeVolumeNames.of(id);
        if (!node.status().volumesInUse().contains(shown)) {
            throw doubtful(
                    id,
                    "VolumeAttachment " + name
                            + " of another controller is there, and the node's status does not show the volume in use yet");
        }
        if (node.status().volumesAttached().stream()
                .noneMatch(attached -> attached.name().equals(shown))) {
            throw doubtful(
                    id,
                    "VolumeAttachment " + name
                            + " of another controller is there, and the node's status does not show the volume attached: the"
                            + " controller may be about to detach it");
        }
    }

    /**
     * An attachment that is being deleted is granted to no node. Only the node that has it goes on with it: that node has never
     * reported since that it does not use the volume, and while its object shows the grant, the control plane does not detach a
     * volume in use. The node reads its object from the store: the control plane may have taken a node that was cut off for
     * fenced, and withdrawn the grant.
     */
    private AttachResult granted(VolumeId id, GrantList.Grant grant, String devicePath, String held) {
        VolumeAttachment attachment = attachment(grant.attachment());
        if (attachment == null || !attachment.metadata().uid().equals(grant.uid())) {
            if (foreignRecord(id)) {
                return foreign(id);
            }
            ended.accept(id, grant.uid());
            throw doubtful(id, "VolumeAttachment " + grant.attachment() + " is not there any more");
        }
        boolean deleting = attachment.metadata().deleting();
        if (deleting && !(held.equals(grant.uid()) && shown(id, grant))) {
            ended.accept(id, grant.uid());
            throw doubtful(id, "VolumeAttachment " + grant.attachment() + " is being ended");
        }
        // The control plane never renews a grant that is being deleted, so its generation says nothing then.
        if (!deleting && !attachment.metadata().annotation(GrantKeys.GENERATION).equals(grant.generation())) {
            throw doubtful(id, "another controller has taken VolumeAttachment " + grant.attachment() + " over");
        }
        if (!attachment.status().attached()) {
            throw doubtful(id, "VolumeAttachment " + grant.attachment() + " is not attached");
        }
        String path = attachment.metadata().annotation(GrantKeys.DEVICE_PATH);
        return new AttachResult(
                path.isEmpty() ? devicePath : path, attachment.status().attachmentMetadata(), Grants.held(grant.uid()));
    }

    /** The grant stayed behind when a controller that gives none took the place of ours, and that one has attached the volume anew. */
    private boolean foreignRecord(VolumeId id) {
        VolumeAttachment record = attachment(AttachmentName.ofKubernetes(id.plugin(), id.name(), nodeName));
        return record != null
                && record.metadata().annotation(GrantKeys.GENERATION).isEmpty();
    }

    /**
     * The node's object has grants, and shows this volume attached without one. Another controller may have taken the place of ours,
     * whose grants stay behind. Or ours is taking the grant away, which it does before it takes the volume out of the status and
     * ends its record: then a record of ours is there. One under Kubernetes' name may be either. It is as good as one that Kubernetes
     * made: ours takes the volume out of the status only against a revision that does not show it in use, and the node relies on a
     * revision that shows both.
     */
    private void requireForeign(VolumeId id) {
        for (String name :
                List.of(AttachmentName.exclusive(id.plugin(), id), AttachmentName.shared(id.plugin(), id, nodeName))) {
            VolumeAttachment record = attachment(name);
            if (record != null
                    && !record.metadata().annotation(GrantKeys.GENERATION).isEmpty()) {
                throw doubtful(id, "a controller has VolumeAttachment " + name + " and grants it no more, or not yet");
            }
        }
    }

    /**
     * A controller that gives no grants is asked as every node agent asks it: is the volume attached, read live. Where it has
     * a VolumeAttachment for it, of the name that the field gives these, that must say the same.
     */
    private AttachResult foreign(VolumeId id) {
        ApiObject live = source.readLive(ObjectKey.node(nodeName)).orElse(null);
        if (!(live instanceof Node node)
                || !NodeVolumeNames.idTexts(node.status().volumesInUse()).contains(id.toString())) {
            throw doubtful(id, "the node's status does not show it in use");
        }
        String devicePath = node.status().volumesAttached().stream()
                .filter(attached -> NodeVolumeNames.idText(attached.name()).equals(id.toString()))
                .findFirst()
                .orElseThrow(() -> doubtful(id, "the node's status does not show it attached"))
                .devicePath();
        VolumeAttachment attachment = attachment(AttachmentName.ofKubernetes(id.plugin(), id.name(), nodeName));
        if (attachment == null) {
            return new AttachResult(devicePath, Map.of(), PluginState.none());
        }
        if (attachment.metadata().deleting() || !attachment.status().attached()) {
            throw doubtful(
                    id,
                    "the node's status shows it attached, and VolumeAttachment "
                            + attachment.metadata().name() + " does not");
        }
        return new AttachResult(devicePath, attachment.status().attachmentMetadata(), PluginState.none());
    }

    private boolean shown(VolumeId id, GrantList.Grant grant) {
        return source.readLive(ObjectKey.node(nodeName))
                .filter(node -> GrantList.holds(node.metadata().annotation(GrantKeys.GRANTS), id.toString(), grant))
                .isPresent();
    }

    private @Nullable VolumeAttachment attachment(String name) {
        return source.readLive(ObjectKey.attachment(name)).orElse(null) instanceof VolumeAttachment found
                ? found
                : null;
    }

    private static VolumeException doubtful(VolumeId id, String why) {
        return VolumeException.transientFailure("the attachment of " + id + " is not certain: " + why);
    }
}
