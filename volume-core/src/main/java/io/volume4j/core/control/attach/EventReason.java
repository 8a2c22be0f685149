package io.volume4j.core.control.attach;

/** Reasons of the events about attaching and detaching. The first two are the field's own. */
final class EventReason {
    private EventReason() {}

    static final String SUCCESSFUL_ATTACH_VOLUME = "SuccessfulAttachVolume";
    static final String FAILED_ATTACH_VOLUME = "FailedAttachVolume";

    /** On the node: a detach call failed. */
    static final String FAILED_DETACH_VOLUME = "FailedDetachVolume";

    /** On the node: nobody wants the volume there, and it may not be taken away. */
    static final String DETACH_WAITS = "DetachWaits";

    /** On the node: a volume was taken away without the node's word. */
    static final String FORCED_DETACH = "ForcedDetach";

    /** On the node: the backend does not have attached what it should. */
    static final String ATTACHMENT_LOST = "AttachmentLost";
}
