package io.volume4j.inmemory.local;

import io.volume4j.core.plugins.EmptyDirPlugin;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.model.EmptyDirSource;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.plugin.VolumePlugin;

/** Each directory is new, and is the volume. */
final class EmptyDirSubject extends MemorySubject {
    private final EmptyDirSource source;

    EmptyDirSubject(InMemoryMountBackend backend, EmptyDirSource source) {
        super(backend);
        this.source = source;
    }

    @Override
    public VolumePlugin newPlugin() {
        return new EmptyDirPlugin();
    }

    @Override
    public VolumeSource existing(String name) {
        return source;
    }

    @Override
    public boolean keepsContent() {
        return false;
    }

    @Override
    public boolean targetIsTheVolume() {
        return true;
    }
}
