package io.volume4j.core.control.capacity;

import io.volume4j.spi.model.StorageClass;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * An object that is to be published.
 *
 * @param plugin whose backend it is about
 * @param segment labels of the nodes that reach it, empty for all nodes
 */
public record Wanted(StorageClass storageClass, String plugin, Map<String, String> segment) {
    public Wanted {
        segment = Collections.unmodifiableMap(new TreeMap<>(segment));
    }
}
