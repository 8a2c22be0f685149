package io.volume4j.core.node.state;

import com.google.common.hash.Hashing;
import io.volume4j.core.subpath.SubPath;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.mount.RootedPath;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The paths of all files below the node's root:
 *
 * <pre>
 * root-id                                                identity of the root
 * journal                                                state that survives a crash
 * plugins/{plugin}/                                      the plugin's own files
 * plugins/{plugin}/devices/{hash of volume}/volume       identity of the volume
 * plugins/{plugin}/devices/{hash of volume}/mount        its device mount
 * plugins/{plugin}/devices/{hash of volume}/device       its raw device, if pods get that
 * plugins/{plugin}/devices/{hash of volume}/staging      where the plugin prepares a raw device
 * plugins/{plugin}/devices/{hash of volume}/publish/{pod UID}   the same for a pod
 * pods/{pod UID}/volumes/{plugin}/{volume}               a volume's mount for a pod
 * pods/{pod UID}/volumeDevices/{plugin}/{volume}         a raw device for a pod
 * pods/{pod UID}/volumes/{plugin}/.{volume}              identity of that volume; likewise for devices
 * pods/{pod UID}/volume-subpaths/{volume}/…              subPaths of a volume for single containers
 * </pre>
 *
 * In a plugin's name, tildes replace slashes. A volume's own name may contain any characters, so it is hashed.
 */
public final class NodeLayout {
    public static final String PODS = "pods";
    public static final String PLUGINS = "plugins";
    public static final String DEVICES = "devices";
    public static final String VOLUMES = "volumes";
    public static final String VOLUME_DEVICES = "volumeDevices";
    public static final String SUB_PATHS = "volume-subpaths";
    private static final String MAPPED = ".ids";
    private static final String METADATA_PREFIX = ".";
    private static final int MOST_BYTES_OF_A_CHAR = 3;

    private final Path root;

    public NodeLayout(Path root) {
        this.root = root;
    }

    public Path root() {
        return root;
    }

    public RootedPath rootId() {
        return RootedPath.of(root, "root-id");
    }

    public RootedPath pods() {
        return RootedPath.of(root, PODS);
    }

    public RootedPath plugins() {
        return RootedPath.of(root, PLUGINS);
    }

    /** The directory of the devices of one plugin's volumes. */
    public RootedPath devices(String pluginFileName) {
        return plugins().resolve(pluginFileName).resolve(DEVICES);
    }

    /** The directory of a volume's device mount. */
    public RootedPath deviceDirectory(VolumeId volume) {
        return devices(fileName(volume.plugin())).resolve(deviceName(volume));
    }

    public RootedPath deviceMount(VolumeId volume) {
        return deviceDirectory(volume).resolve("mount");
    }

    public RootedPath rawDevice(VolumeId volume) {
        return deviceDirectory(volume).resolve("device");
    }

    /** The path of the volume's device: a mount or a raw device. */
    public RootedPath deviceTarget(VolumeRow row) {
        return row.block() ? rawDevice(row.id()) : deviceMount(row.id());
    }

    /** The directory in which a plugin prepares a raw device. */
    public RootedPath staging(VolumeId volume) {
        return deviceDirectory(volume).resolve("staging");
    }

    /** The directory in which it prepares one for single pods, each at its UID. */
    public RootedPath publishDirectory(VolumeId volume) {
        return deviceDirectory(volume).resolve("publish");
    }

    public RootedPath deviceMetadataFile(VolumeId volume) {
        return deviceDirectory(volume).resolve("volume");
    }

    public RootedPath podDirectory(String podUid) {
        return pods().resolve(podUid);
    }

    /** The directory of a pod's mounts, or raw devices, of one plugin. */
    public RootedPath podVolumes(String podUid, String plugin, boolean block) {
        return RootedPath.of(root, inPod(podUid, plugin, block));
    }

    private static String inPod(String podUid, String plugin, boolean block) {
        return PODS + "/" + podUid + "/" + (block ? VOLUME_DEVICES : VOLUMES) + "/" + fileName(plugin);
    }

    public RootedPath podMount(VolumeId volume, String podUid, String outerName, boolean block) {
        return RootedPath.of(root, inPod(podUid, volume.plugin(), block) + "/" + outerName);
    }

    public RootedPath podMount(MountRow row) {
        return podMount(row.id(), row.podUid(), row.outerName(), row.block());
    }

    /** The path of the volume for the pod, as its plugin knows it: a raw device is elsewhere for the plugin than for the pod. */
    public RootedPath podPathOfPlugin(MountRow row) {
        return row.block() ? publishDirectory(row.id()).resolve(row.podUid()) : podMount(row);
    }

    public RootedPath podMetadataFile(MountRow row) {
        return podVolumes(row.podUid(), row.id().plugin(), row.block()).resolve(metadataFileName(row.outerName()));
    }

    static String metadataFileName(String outerName) {
        return METADATA_PREFIX + outerName;
    }

    public static boolean isMetadataFile(String fileName) {
        return fileName.startsWith(METADATA_PREFIX);
    }

    /** The pod's volume name for the name of a metadata file. */
    public static String outerNameOf(String fileName) {
        return fileName.substring(METADATA_PREFIX.length());
    }

    /**
     * The path at which a pod sees its volume with its own IDs. It is beside the subPaths of single containers, so
     * that the node finds and removes it with them. No container's name begins with a dot.
     */
    public RootedPath mappedMount(MountRow row) {
        return subPaths(row.podUid(), row.outerName()).resolve(MAPPED).resolve(row.outerName());
    }

    /** The path at which the pod sees its volume. */
    public RootedPath seenByPod(MountRow row) {
        return row.ids().isEmpty() ? podMount(row) : mappedMount(row);
    }

    /** The directory of a pod's subPaths of one volume. */
    public RootedPath subPaths(String podUid, String outerName) {
        return podDirectory(podUid).resolve(SUB_PATHS).resolve(outerName);
    }

    /** The path of the subPath for the container's volumeMount of that index. */
    public RootedPath subPath(String podUid, String outerName, String container, int index) {
        return subPaths(podUid, outerName).resolve(container).resolve(Integer.toString(index));
    }

    /**
     * Whether a pod UID, a pod's volume name or a container's name can be a file name here. Objects may come from any
     * source. A leading dot is reserved for metadata files.
     */
    public static boolean isFileName(String name) {
        return !name.isEmpty()
                && (name.length() < 255 / MOST_BYTES_OF_A_CHAR || name.getBytes(StandardCharsets.UTF_8).length < 255)
                && !name.startsWith(METADATA_PREFIX)
                && isPlain(name);
    }

    private static boolean isPlain(String name) {
        boolean ascii = true;
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) == '/' || Character.isISOControl(name.charAt(i))) {
                return false;
            }
            ascii &= name.charAt(i) < 0x80;
        }
        return ascii || SubPath.isPath(name);
    }

    public static String fileName(String plugin) {
        return plugin.indexOf('/') < 0 ? plugin : plugin.replace('/', '~');
    }

    /** The plugin of that file name. A plugin's name has at most one slash, and no tilde. */
    public static String pluginName(String fileName) {
        return fileName.replace('~', '/');
    }

    /** The name of the volume's directory. */
    public static String deviceName(VolumeId volume) {
        String unidentified = UnidentifiedMount.deviceName(volume);
        return unidentified.isEmpty()
                ? Hashing.sha256()
                        .hashString(volume.name(), StandardCharsets.UTF_8)
                        .toString()
                : unidentified;
    }
}
