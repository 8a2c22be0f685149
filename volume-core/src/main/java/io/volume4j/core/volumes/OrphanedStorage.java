package io.volume4j.core.volumes;

/**
 * Storage of a backend that belongs to no claim and no volume of this cluster. Its creator is unknown: other clusters
 * may share the backend, and all clusters use names of the same form.
 *
 * @param plugin the plugin of the backend
 * @param handle the backend's own name for the storage
 * @param capacityBytes its size in bytes, 0 if the backend does not report it
 * @since 0.1.0
 */
public record OrphanedStorage(String plugin, String handle, long capacityBytes) {}
