package io.volume4j.core.control;

import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.plugin.Deleter;
import io.volume4j.spi.plugin.Provisioner;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.List;
import java.util.Optional;

/** A provisioner and a deleter under a name: all of a plugin that a process needs which never sees a pod. */
record Backend(String name, Provisioner makes, Deleter deletes) implements VolumePlugin {
    @Override
    public boolean supports(VolumeSpec spec) {
        return false;
    }

    @Override
    public String volumeName(VolumeSpec spec) {
        return spec.source() instanceof CsiSource csi ? csi.volumeHandle() : spec.name();
    }

    /** Mounting is other people's business, so nothing is known against them. */
    @Override
    public boolean supportsMountOptions() {
        return true;
    }

    @Override
    public List<AccessMode> accessModes() {
        return AccessMode.all();
    }

    @Override
    public Optional<Provisioner> provisioner(StorageClass storageClass) {
        return Optional.of(makes);
    }

    @Override
    public Optional<Deleter> deleter(VolumeSpec spec) {
        return Optional.of(deletes);
    }
}
