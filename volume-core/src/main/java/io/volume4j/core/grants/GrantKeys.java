package io.volume4j.core.grants;

/** Annotations with which the two sides of the handshake and the records of attachments are written. */
public final class GrantKeys {
    private GrantKeys() {}

    /** On a Node, by the control plane: the attachments that the node may rely on, as a {@link GrantList}. */
    public static final String GRANTS = "volume4j.io/grants";

    /** On a Node, by its agent: the volumes that it uses or is about to use, as an {@link InUseReport}. */
    public static final String IN_USE = "volume4j.io/volumes-in-use";

    /**
     * On a VolumeAttachment: changes with every controller process that takes it over, so that whatever an earlier one
     * still has under way is refused by the store or not believed by the node.
     */
    public static final String GENERATION = "volume4j.io/generation";

    /** On a VolumeAttachment: the same for the process that calls the driver, where that is another one. */
    public static final String ATTACHER_GENERATION = "volume4j.io/attacher-generation";

    /** On a VolumeAttachment: the volume as {@link io.volume4j.spi.VolumeId} writes it, enough to detach by. */
    public static final String VOLUME = "volume4j.io/volume";

    /** On a VolumeAttachment that the controller carries out itself: {@code direct}. */
    public static final String MODE = "volume4j.io/attach-mode";

    /** The value of {@link #MODE}. */
    public static final String DIRECT = "direct";

    /** On a VolumeAttachment: the UID of the Node object that it was made for. */
    public static final String NODE_UID = "volume4j.io/node-uid";

    /** On a VolumeAttachment: where the node finds the device, if the attaching told. */
    public static final String DEVICE_PATH = "volume4j.io/device-path";

    /** On a VolumeAttachment: what the plugin wants back when it detaches. */
    public static final String PLUGIN_STATE = "volume4j.io/plugin-state";

    /**
     * On a PersistentVolume that one node may have: name and UID of the VolumeAttachment that its driver is asked to attach by, where
     * names of VolumeAttachments name the node and so the store would take two.
     */
    public static final String RESERVED = "volume4j.io/attachment";

    /**
     * On a Node, followed by a driver's name: how many of its volumes the node can have, as the driver's registrar announces
     * it, 0 for no limit. What the node's {@code status.allocatable} says goes before it.
     */
    public static final String ANNOUNCED_LIMIT = "limit.csi.volume4j.io/";

    /** Holds a VolumeAttachment in direct mode until its volume is detached. */
    public static final String FINALIZER = "volume4j.io/attach-detach";
}
