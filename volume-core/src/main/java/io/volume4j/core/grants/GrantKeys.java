package io.volume4j.core.grants;

/** The annotations for the communication between node and control plane, and for VolumeAttachments. */
public final class GrantKeys {
    private GrantKeys() {}

    /** On a Node, by the control plane: the attachments that the node may use, as a {@link GrantList}. */
    public static final String GRANTS = "volume4j.io/grants";

    /** On a Node, by its agent: the volumes that it uses or is about to use, as an {@link InUseReport}. */
    public static final String IN_USE = "volume4j.io/volumes-in-use";

    /**
     * On a VolumeAttachment: changes with every controller process that takes it over. So the store refuses late
     * writes of an earlier process, and the node rejects its late grants.
     */
    public static final String GENERATION = "volume4j.io/generation";

    /** On a VolumeAttachment: the same for the process that calls the driver, if that is another one. */
    public static final String ATTACHER_GENERATION = "volume4j.io/attacher-generation";

    /**
     * On a VolumeAttachment: the volume as {@link io.volume4j.spi.VolumeId} writes it. With
     * {@link #PLUGIN_STATE} it suffices to detach it.
     */
    public static final String VOLUME = "volume4j.io/volume";

    /** On a VolumeAttachment that the controller itself executes: {@code direct}. */
    public static final String MODE = "volume4j.io/attach-mode";

    /** The value of {@link #MODE}. */
    public static final String DIRECT = "direct";

    /** On a VolumeAttachment: the UID of its Node object. */
    public static final String NODE_UID = "volume4j.io/node-uid";

    /** On a VolumeAttachment: the path of the device on the node, if the attach call returned it. */
    public static final String DEVICE_PATH = "volume4j.io/device-path";

    /** On a VolumeAttachment: the plugin's state for the detach call. A part of it is there before the attach call. */
    public static final String PLUGIN_STATE = "volume4j.io/plugin-state";

    /**
     * On a PersistentVolume for one node: name and UID of the VolumeAttachment with which its driver attaches it.
     * Needed if names of VolumeAttachments contain the node, because the store would then accept two.
     */
    public static final String RESERVED = "volume4j.io/attachment";

    /**
     * On a Node, followed by a driver's name: how many of its volumes the node can have, as the driver's registrar
     * reports it, 0 for no limit. The node's {@code status.allocatable} has precedence.
     */
    public static final String ANNOUNCED_LIMIT = "limit.csi.volume4j.io/";

    /** Protects a VolumeAttachment in direct mode until its volume is detached. */
    public static final String FINALIZER = "volume4j.io/attach-detach";
}
