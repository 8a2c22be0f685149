package io.volume4j.core.control.capacity;

import io.volume4j.spi.model.StorageClass;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A capacity object to be published.
 *
 * @param plugin the plugin of its backend
 * @param segment labels of the nodes with access, empty for all nodes
 */
public record Wanted(StorageClass storageClass, String plugin, Map<String, String> segment) {
    public Wanted {
        segment = Collections.unmodifiableMap(new TreeMap<>(segment));
    }
}
