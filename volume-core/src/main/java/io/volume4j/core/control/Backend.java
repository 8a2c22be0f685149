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

/** A plugin with only a provisioner and a deleter, for a process that never has pods. */
record Backend(String name, Provisioner makes, Deleter deletes) implements VolumePlugin {
    @Override
    public boolean supports(VolumeSpec spec) {
        return false;
    }

    @Override
    public String volumeName(VolumeSpec spec) {
        return spec.source() instanceof CsiSource csi ? csi.volumeHandle() : spec.name();
    }

    /** Other programs mount the volumes, so no mount option is refused here. */
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
