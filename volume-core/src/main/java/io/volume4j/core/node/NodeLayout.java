package io.volume4j.core.node;

import com.google.common.hash.Hashing;
import io.volume4j.core.subpath.SubPath;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.mount.RootedPath;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Where everything lies below the node's root:
 *
 * <pre>
 * root-id                                                identity of the root
 * journal                                                what survives a crash
 * plugins/{plugin}/                                      what a plugin keeps itself
 * plugins/{plugin}/devices/{hash of volume}/volume       what volume this is
 * plugins/{plugin}/devices/{hash of volume}/mount        its device mount
 * plugins/{plugin}/devices/{hash of volume}/device       its raw device, if pods get that
 * plugins/{plugin}/devices/{hash of volume}/staging      what the plugin prepares a raw device with
 * plugins/{plugin}/devices/{hash of volume}/publish/{pod UID}   the same for a pod
 * pods/{pod UID}/volumes/{plugin}/{volume}               a volume's mount for a pod
 * pods/{pod UID}/volumeDevices/{plugin}/{volume}         a raw device for a pod
 * pods/{pod UID}/volumes/{plugin}/.{volume}              what volume that is; likewise for devices
 * pods/{pod UID}/volume-subpaths/{volume}/…              parts of a volume for single containers
 * </pre>
 *
 * A plugin's name has its slashes replaced by tildes; a volume's own name may hold anything and is therefore hashed.
 */
final class NodeLayout {
    static final String PODS = "pods";
    static final String PLUGINS = "plugins";
    static final String DEVICES = "devices";
    static final String VOLUMES = "volumes";
    static final String VOLUME_DEVICES = "volumeDevices";
    static final String SUB_PATHS = "volume-subpaths";
    private static final String CARD_PREFIX = ".";
    private static final int MOST_BYTES_OF_A_CHAR = 3;

    private final Path root;

    NodeLayout(Path root) {
        this.root = root;
    }

    Path root() {
        return root;
    }

    RootedPath rootId() {
        return RootedPath.of(root, "root-id");
    }

    RootedPath pods() {
        return RootedPath.of(root, PODS);
    }

    RootedPath plugins() {
        return RootedPath.of(root, PLUGINS);
    }

    /** The directory in which the devices of one plugin's volumes lie. */
    RootedPath devices(String pluginFileName) {
        return plugins().resolve(pluginFileName).resolve(DEVICES);
    }

    /** The directory in which a volume's device mount lies. */
    RootedPath deviceDirectory(VolumeId volume) {
        return devices(fileName(volume.plugin())).resolve(deviceName(volume));
    }

    RootedPath deviceMount(VolumeId volume) {
        return deviceDirectory(volume).resolve("mount");
    }

    RootedPath rawDevice(VolumeId volume) {
        return deviceDirectory(volume).resolve("device");
    }

    /** Where the volume's device shows: as a mount or as a raw device. */
    RootedPath deviceTarget(VolumeRow row) {
        return row.block() ? rawDevice(row.id()) : deviceMount(row.id());
    }

    /** Where a plugin prepares a raw device. */
    RootedPath staging(VolumeId volume) {
        return deviceDirectory(volume).resolve("staging");
    }

    /** Where it does so for single pods, each at its UID. */
    RootedPath publishDirectory(VolumeId volume) {
        return deviceDirectory(volume).resolve("publish");
    }

    RootedPath deviceCard(VolumeId volume) {
        return deviceDirectory(volume).resolve("volume");
    }

    RootedPath podDirectory(String podUid) {
        return pods().resolve(podUid);
    }

    /** The directory in which a pod's mounts, or its devices, of one plugin lie. */
    RootedPath podVolumes(String podUid, String plugin, boolean block) {
        return RootedPath.of(
                root, PODS + "/" + podUid + "/" + (block ? VOLUME_DEVICES : VOLUMES) + "/" + fileName(plugin));
    }

    RootedPath podMount(VolumeId volume, String podUid, String outerName, boolean block) {
        return podVolumes(podUid, volume.plugin(), block).resolve(outerName);
    }

    RootedPath podMount(MountRow row) {
        return podMount(row.id(), row.podUid(), row.outerName(), row.block());
    }

    RootedPath podCard(MountRow row) {
        return podVolumes(row.podUid(), row.id().plugin(), row.block()).resolve(cardName(row.outerName()));
    }

    static String cardName(String outerName) {
        return CARD_PREFIX + outerName;
    }

    static boolean isCard(String fileName) {
        return fileName.startsWith(CARD_PREFIX);
    }

    /** The outer name that a card's file name is for. */
    static String ofCard(String fileName) {
        return fileName.substring(CARD_PREFIX.length());
    }

    /** Where the parts of a pod's volume lie that single containers see. */
    RootedPath subPaths(String podUid, String outerName) {
        return podDirectory(podUid).resolve(SUB_PATHS).resolve(outerName);
    }

    /** Where a container finds the part of a volume that its volumeMount of that number shows. */
    RootedPath subPath(String podUid, String outerName, String container, int index) {
        return subPaths(podUid, outerName).resolve(container).resolve(Integer.toString(index));
    }

    /**
     * Whether a pod UID, a pod's name for a volume or a container's name can be the name of a file here; objects may come from
     * anywhere. A leading dot is kept for cards.
     */
    static boolean isFileName(String name) {
        return !name.isEmpty()
                && (name.length() < 255 / MOST_BYTES_OF_A_CHAR || name.getBytes(StandardCharsets.UTF_8).length < 255)
                && !name.startsWith(CARD_PREFIX)
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

    static String fileName(String plugin) {
        return plugin.indexOf('/') < 0 ? plugin : plugin.replace('/', '~');
    }

    /** The plugin's name, if no plugin of that file name is registered: a qualified name has one slash. */
    static String likelyPlugin(String fileName) {
        return fileName.replaceFirst("~", "/");
    }

    /** The name of the volume's directory. */
    static String deviceName(VolumeId volume) {
        String unidentified = Unidentified.deviceName(volume);
        return unidentified.isEmpty()
                ? Hashing.sha256()
                        .hashString(volume.name(), StandardCharsets.UTF_8)
                        .toString()
                : unidentified;
    }
}
