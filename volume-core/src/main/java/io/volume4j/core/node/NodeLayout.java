package io.volume4j.core.node;

import com.google.common.hash.Hashing;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.mount.RootedPath;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Where everything lies below the node's root:
 *
 * <pre>
 * root-id                                            identity of the root
 * journal                                            what survives a crash
 * plugins/{plugin}/                                  what a plugin keeps itself
 * plugins/{plugin}/devices/{hash of volume}/mount    a volume's device mount
 * pods/{pod UID}/volumes/{plugin}/{volume}           a volume's mount for a pod
 * </pre>
 *
 * A plugin's name has its slashes replaced by tildes; a volume's own name may hold anything and is therefore hashed.
 */
final class NodeLayout {
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

    /** The directory in which a volume's device mount lies. */
    RootedPath deviceDirectory(VolumeId volume) {
        return RootedPath.of(root, "plugins/" + fileName(volume.plugin()) + "/devices/" + hash(volume.name()));
    }

    RootedPath deviceMount(VolumeId volume) {
        return deviceDirectory(volume).resolve("mount");
    }

    RootedPath podDirectory(String podUid) {
        return RootedPath.of(root, "pods").resolve(podUid);
    }

    /** The directory in which a pod's mounts of one plugin lie. */
    RootedPath podVolumes(String podUid, String plugin) {
        return podDirectory(podUid).resolve("volumes").resolve(fileName(plugin));
    }

    RootedPath podMount(VolumeId volume, String podUid, String outerName) {
        return podVolumes(podUid, volume.plugin()).resolve(outerName);
    }

    /** Whether a pod UID or volume name can be the name of a file; objects may come from anywhere. */
    static boolean isFileName(String name) {
        return !name.isEmpty()
                && name.getBytes(StandardCharsets.UTF_8).length <= 255
                && !name.equals(".")
                && !name.equals("..")
                && name.chars().noneMatch(c -> c == '/' || Character.isISOControl(c));
    }

    static String fileName(String plugin) {
        return plugin.replace('/', '~');
    }

    private static String hash(String name) {
        return Hashing.sha256().hashString(name, StandardCharsets.UTF_8).toString();
    }
}
