package io.volume4j.spi.model;

/**
 * A directory that an NFS server exports.
 *
 * @since 0.1.0
 */
public record NfsSource(String server, String path, boolean readOnly) implements VolumeSource {
    public NfsSource {
        server = Copies.text(server);
        path = Copies.text(path);
    }

    @Override
    public String type() {
        return "nfs";
    }
}
