package io.volume4j.inmemory.mount;

import io.volume4j.inmemory.contract.BackendFixture;
import io.volume4j.spi.mount.MountBackend;
import java.nio.file.Path;

/**
 * A fixture with an in-memory machine.
 * @since 0.1.0
 */
public record InMemoryFixture(InMemoryMountBackend machine) implements BackendFixture {
    /** A fixture with a new machine. */
    public InMemoryFixture() {
        this(InMemoryMountBackend.create());
    }

    @Override
    public MountBackend backend() {
        return machine;
    }

    @Override
    public Path root() {
        return Path.of("/var/lib/volume4j");
    }

    @Override
    public void write(Path file, byte[] content) {
        machine.user().write(file, content);
    }

    @Override
    public byte[] read(Path file) {
        return machine.user().read(file);
    }

    @Override
    public long group(Path path) {
        return machine.user().group(path);
    }

    @Override
    public void link(Path link, Path target) {
        machine.user().link(link, target.toString());
    }
}
