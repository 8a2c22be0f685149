package io.volume4j.inmemory.plugin;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** A volume in the backend. Guarded by its {@link StorageModel}. */
final class StoredVolume {
    final String handle;
    final String segment;
    final String content;
    final TreeMap<String, String> parameters = new TreeMap<>();
    final TreeMap<String, BackingVolume.Attachment> attachments = new TreeMap<>();
    final TreeMap<String, BackingVolume.Staging> stagings = new TreeMap<>();
    final TreeMap<String, SortedMap<String, BackingVolume.Publication>> publications = new TreeMap<>();
    long bytes;

    /**
     * @param segment the only part of the topology that can access it, {@code ""} for all
     * @param content the source of its content, {@code ""} if it was created empty
     */
    StoredVolume(String handle, long bytes, Map<String, String> parameters, String segment, String content) {
        this.handle = handle;
        this.bytes = bytes;
        this.segment = segment;
        this.content = content;
        this.parameters.putAll(parameters);
    }

    boolean usedOn(String node) {
        return stagings.containsKey(node) || publications.containsKey(node);
    }

    void publish(String node, String podUid, BackingVolume.Publication publication) {
        publications.computeIfAbsent(node, unused -> new TreeMap<>()).put(podUid, publication);
    }

    void unpublish(String node, String podUid) {
        publications.computeIfPresent(node, (unused, byPod) -> {
            byPod.remove(podUid);
            return byPod.isEmpty() ? null : byPod;
        });
    }

    BackingVolume view() {
        return new BackingVolume(handle, bytes, parameters, attachments, stagings, publications);
    }
}
