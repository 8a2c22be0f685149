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
 * Verifies in the store that an attachment is as the node's object shows it, and finds the path of its device. A
 * controller without a valid lease may have written the node's object; the generation of the VolumeAttachment shows
 * this.
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
     * @param ended called on a call thread with volumes whose VolumeAttachment, with that UID, is deleted or being
     *     deleted
     */
    public GrantCheck(
            ClusterSource source, String nodeName, boolean reportsItself, BiConsumer<VolumeId, String> ended) {
        this.source = source;
        this.nodeName = nodeName;
        this.reportsItself = reportsItself;
        this.ended = ended;
    }

    /**
     * The call that verifies an attachment. It returns an {@link AttachResult}, or fails as transient.
     *
     * @param grant the grant in the node's object, null if it has none for the volume
     * @param givesGrants whether the object contains grants at all, as controllers of this library write them
     * @param devicePath the device path in the node's object
     * @param held UID of the VolumeAttachment of the volume before the last start of the node, {@code ""} for none
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
     * The attach call of a node that attaches by itself. It first verifies that no foreign controller is about to
     * detach the same volume. If the node's object once requested a controller, that controller detaches the volume
     * when the node no longer uses it. A detach after the node's own attach would remove the volume from running pods.
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
     * The call that detaches a volume that the node attached by itself before its mode changed. It first verifies that
     * no controller can know the attachment: the node's object requests none, and there is no VolumeAttachment.
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

    /** The call that reads why the volume is not attached here: an {@link AttachObstacle}. */
    Call obstacle(VolumeId id) {
        return new Call(LANE, CALLS, DEADLINE, context -> {
            String holder = "";
            for (String name : names(id)) {
                VolumeAttachment attachment = attachment(name);
                if (attachment == null) {
                    continue;
                }
                if (!attachment.spec().nodeName().equals(nodeName)) {
                    // Only the attachment of a volume for one node has a name without the node's.
                    holder = attachment.spec().nodeName();
                } else if (!attachment.status().attached()
                        && attachment.status().attachError() != null) {
                    return new AttachObstacle(attachment.status().attachError(), "");
                }
            }
            return new AttachObstacle(null, holder);
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

    /** The names of all VolumeAttachments that the volume can have on this node. */
    private List<String> names(VolumeId id) {
        return List.of(
                AttachmentName.exclusive(id.plugin(), id),
                AttachmentName.shared(id.plugin(), id, nodeName),
                AttachmentName.ofKubernetes(id.plugin(), id.name(), nodeName));
    }

    /**
     * Fails if a controller of Kubernetes may detach the volume. That controller removes the volume from the node's
     * status, then reads live whether the node uses it, then deletes its VolumeAttachment. So while the status still
     * shows the volume after the node's report was stored, the controller has not begun.
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
     * Verifies a grant. An attachment that is being deleted is not valid for a node that does not have the volume yet.
     * The node that has it may keep it: it has reported the volume in use all the time, and the control plane does not
     * detach a volume in use while the node's object shows the grant. The node reads its object from the store,
     * because the control plane may have fenced a node without connection, and withdrawn the grant.
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
        // The control plane never renews a grant that is being deleted, so its generation means nothing then.
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

    /**
     * Whether a controller without grants replaced this library's controller, and attached the volume anew. The old
     * grant stays in the node's object.
     */
    private boolean foreignRecord(VolumeId id) {
        VolumeAttachment record = attachment(AttachmentName.ofKubernetes(id.plugin(), id.name(), nodeName));
        return record != null
                && record.metadata().annotation(GrantKeys.GENERATION).isEmpty();
    }

    /**
     * The node's object contains grants, and shows this volume attached without one. Either another controller
     * replaced this library's controller, whose grants stay. Or this library's controller is withdrawing the grant,
     * before it removes the volume from the status and deletes its VolumeAttachment; then that VolumeAttachment
     * exists, and the check fails. A VolumeAttachment under Kubernetes' name may belong to either controller, and the
     * node accepts it. This library's controller removes the volume from the status only at a revision that does not
     * show it in use. The node relies on a revision that shows it both in use and attached.
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
     * Verifies an attachment by a controller without grants, as every kubelet does: reads live whether the node's
     * status shows the volume attached. If there is a VolumeAttachment under Kubernetes' name, it must agree.
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
