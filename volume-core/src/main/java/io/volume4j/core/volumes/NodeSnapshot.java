package io.volume4j.core.volumes;

import io.volume4j.spi.VolumeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Both worlds of a node at one moment. Immutable; the lists are in the order of the volumes' ids.
 *
 * @param synced see {@code VolumeManager.statesSynced()}
 * @param problems why volumes of pods could not be resolved, for people: {@code pod default/p: volume v: …}
 * @since 0.1.0
 */
public record NodeSnapshot(
        String node, boolean synced, List<Desired> desired, List<Actual> actual, List<String> problems) {
    public NodeSnapshot {
        desired = Collections.unmodifiableList(new ArrayList<>(desired));
        actual = Collections.unmodifiableList(new ArrayList<>(actual));
        problems = Collections.unmodifiableList(new ArrayList<>(problems));
    }

    /**
     * A volume that pods want.
     *
     * @param pods namespaces and names of the pods by UID, in the order in which they appeared
     */
    public record Desired(VolumeId volume, String specName, boolean readOnly, Map<String, String> pods) {
        public Desired {
            pods = Collections.unmodifiableMap(new LinkedHashMap<>(pods));
        }
    }

    /**
     * A volume that is, or may be, on this node.
     *
     * @param attach {@code DETACHED}, {@code UNCERTAIN} or {@code ATTACHED}
     * @param device {@code NOT_MOUNTED}, {@code UNCERTAIN} or {@code MOUNTED}
     */
    public record Actual(
            VolumeId volume, String specName, String attach, String devicePath, String device, List<Mount> mounts) {
        public Actual {
            mounts = Collections.unmodifiableList(new ArrayList<>(mounts));
        }
    }

    /**
     * A pod's mount of a volume.
     *
     * @param outerName the pod's name for the volume
     * @param state {@code UNCERTAIN} or {@code MOUNTED}
     * @param path the path of the mount on this machine
     */
    public record Mount(String podUid, String pod, String outerName, String state, boolean readOnly, String path) {}

    /** The snapshot as one JSON document. The order of keys is always the same. */
    public String toJson() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("node", node);
        document.put("synced", synced);
        document.put("desired", desired.stream().map(NodeSnapshot::tree).toList());
        document.put("actual", actual.stream().map(NodeSnapshot::tree).toList());
        document.put("problems", problems);
        return JsonText.of(document);
    }

    private static Map<String, Object> tree(Desired entry) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("volume", entry.volume().toString());
        tree.put("specName", entry.specName());
        tree.put("readOnly", entry.readOnly());
        tree.put("pods", entry.pods());
        return tree;
    }

    private static Map<String, Object> tree(Actual entry) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("volume", entry.volume().toString());
        tree.put("specName", entry.specName());
        tree.put("attach", entry.attach());
        tree.put("devicePath", entry.devicePath());
        tree.put("device", entry.device());
        tree.put("mounts", entry.mounts().stream().map(NodeSnapshot::tree).toList());
        return tree;
    }

    private static Map<String, Object> tree(Mount entry) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("podUid", entry.podUid());
        tree.put("pod", entry.pod());
        tree.put("outerName", entry.outerName());
        tree.put("state", entry.state());
        tree.put("readOnly", entry.readOnly());
        tree.put("path", entry.path());
        return tree;
    }
}
