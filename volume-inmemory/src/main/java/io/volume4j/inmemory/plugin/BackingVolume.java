package io.volume4j.inmemory.plugin;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A backing volume as it is at one moment. Maps are sorted by node.
 *
 * @param parameters what it was made with, and what was modified since
 * @param attachments by node
 * @param stagings device mounts and mapped devices, by node
 * @param publications what pods have, by node and then pod UID
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

    /** Whether any node has anything of it. */
    public boolean held() {
        return !attachments.isEmpty() || !stagings.isEmpty() || !publications.isEmpty();
    }

    /** That a node reaches it. */
    public record Attachment(String devicePath, boolean readOnly) {}

    /**
     * That a node has prepared it for its pods.
     *
     * @param filesystemBytes the size that the node sees
     */
    public record Staging(String path, boolean block, long filesystemBytes) {}

    /** That a pod has it. */
    public record Publication(String path, boolean readOnly) {}
}
