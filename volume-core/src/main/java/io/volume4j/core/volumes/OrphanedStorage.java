package io.volume4j.core.volumes;

/**
 * Storage that a backend holds and that no claim and no volume of this cluster tells of. Who made it is not known: other clusters
 * may share the backend, and all of them name volumes alike.
 *
 * @param plugin whose backend holds it
 * @param handle the backend's own name for it
 * @param capacityBytes 0 where the backend does not say
 * @since 0.1.0
 */
public record OrphanedStorage(String plugin, String handle, long capacityBytes) {}
