package io.volume4j.spi.model;

/**
 * A path in the node's own file system.
 *
 * @param pathType {@code ""} for no check, or {@code DirectoryOrCreate}, {@code Directory}, {@code FileOrCreate},
 *     {@code File}, {@code Socket}, {@code CharDevice}, {@code BlockDevice}; written {@code type} in manifests
 * @since 0.1.0
 */
public record HostPathSource(String path, String pathType) implements VolumeSource {
    public HostPathSource {
        path = Copies.text(path);
        pathType = Copies.text(pathType);
    }

    @Override
    public String type() {
        return "hostPath";
    }
}
