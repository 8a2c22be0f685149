package io.volume4j.core.control.attach.plan;

/** Reasons of the events about attaching and detaching. The first two are the field's own. */
public final class EventReason {
    private EventReason() {}

    public static final String SUCCESSFUL_ATTACH_VOLUME = "SuccessfulAttachVolume";
    public static final String FAILED_ATTACH_VOLUME = "FailedAttachVolume";

    /** On the node: a detach call failed. */
    public static final String FAILED_DETACH_VOLUME = "FailedDetachVolume";

    /** On the node: no pod wants the volume there, and it may not be taken away. */
    public static final String DETACH_WAITS = "DetachWaits";

    /** On the node: a volume was taken away without the node's word. */
    public static final String FORCED_DETACH = "ForcedDetach";

    /** On the node: the backend does not have attached what it should. */
    public static final String ATTACHMENT_LOST = "AttachmentLost";
}
