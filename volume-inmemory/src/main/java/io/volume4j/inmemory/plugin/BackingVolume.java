package io.volume4j.inmemory.plugin;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The state of a backing volume at one moment. Maps are sorted by node.
 * @param parameters the parameters of its creation, with later modifications
 * @param attachments by node
 * @param stagings device mounts and mapped devices, by node
 * @param publications mounts and devices of pods, by node and then pod UID
 * @since 0.1.0
 */
public record BackingVolume(
        String handle,
        long bytes,
        Map<String, String> parameters,
        SortedMap<String, Attachment> attachments,
        SortedMap<String, Staging> stagings,
        SortedMap<String, SortedMap<String, Publication>> publications) {
    public BackingVolume {
        parameters = Collections.unmodifiableMap(new TreeMap<>(parameters));
        attachments = Collections.unmodifiableSortedMap(new TreeMap<>(attachments));
        stagings = Collections.unmodifiableSortedMap(new TreeMap<>(stagings));
        SortedMap<String, SortedMap<String, Publication>> copies = new TreeMap<>();
        publications.forEach(
                (node, byPod) -> copies.put(node, Collections.unmodifiableSortedMap(new TreeMap<>(byPod))));
        publications = Collections.unmodifiableSortedMap(copies);
    }

    /** Whether any node has it attached, staged or published. */
    public boolean held() {
        return !attachments.isEmpty() || !stagings.isEmpty() || !publications.isEmpty();
    }

    /** The attachment to a node. */
    public record Attachment(String devicePath, boolean readOnly) {}

    /**
     * The device mount or mapped device of a node.
     * @param filesystemBytes the size that the node sees
     */
    public record Staging(String path, boolean block, long filesystemBytes) {}

    /** The mount or device of a pod. */
    public record Publication(String path, boolean readOnly) {}
}
