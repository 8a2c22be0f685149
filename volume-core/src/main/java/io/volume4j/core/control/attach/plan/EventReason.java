package io.volume4j.core.control.attach.plan;

/** Reasons of the events about attaching and detaching. The first two are Kubernetes' own. */
public final class EventReason {
    private EventReason() {}

    public static final String SUCCESSFUL_ATTACH_VOLUME = "SuccessfulAttachVolume";
    public static final String FAILED_ATTACH_VOLUME = "FailedAttachVolume";

    /** On the node: a detach call failed. */
    public static final String FAILED_DETACH_VOLUME = "FailedDetachVolume";

    /** On the node: no pod wants the volume there, but the controller may not detach it. */
    public static final String DETACH_WAITS = "DetachWaits";

    /** On the node: the controller detaches a volume that the node has not reported as unused. */
    public static final String FORCED_DETACH = "ForcedDetach";

    /** On the node: the backend reports that a volume is not attached although it should be. */
    public static final String ATTACHMENT_LOST = "AttachmentLost";
}
