package io.volume4j.examples.benchmarks.world;

import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.plugin.Deleter;
import io.volume4j.spi.plugin.Provisioner;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.Map;
import java.util.Optional;

/** Provisions volumes without storage, in no time. */
public final class NoStorage implements VolumePlugin {
    public static final String NAME = "nothing.example.com";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean supports(VolumeSpec spec) {
        return spec.source() instanceof CsiSource source && source.driver().equals(NAME);
    }

    @Override
    public String volumeName(VolumeSpec spec) {
        return spec.name();
    }

    @Override
    public Optional<Provisioner> provisioner(StorageClass storageClass) {
        return Optional.of((request, context) -> Provisioner.ProvisionResult.of(
                CsiSource.of(NAME, request.volumeName(), "", Map.of()), request.requestedBytes()));
    }

    @Override
    public Optional<Deleter> deleter(VolumeSpec spec) {
        return Optional.of((request, context) -> {});
    }
}
