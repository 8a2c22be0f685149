package io.volume4j.spi.model;

/**
 * A directory or block device of one node.
 *
 * @since 0.1.0
 */
public record LocalSource(String path, String fsType) implements VolumeSource {
    public LocalSource {
        path = Copies.text(path);
        fsType = Copies.text(fsType);
    }

    @Override
    public String type() {
        return "local";
    }
}
