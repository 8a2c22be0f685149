package io.volume4j.examples.quickstart;

import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.mount.HostFiles;
import io.volume4j.spi.plugin.Deleter;
import io.volume4j.spi.plugin.Mounter;
import io.volume4j.spi.plugin.Mounter.MountResult;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.Provisioner;
import io.volume4j.spi.plugin.Provisioner.ProvisionResult;
import io.volume4j.spi.plugin.Unmounter;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A plugin of a user's on the class path: its volume is an empty directory for each pod. */
public final class FoundPlugin implements VolumePlugin {
    private @Nullable PluginHost host;

    @Override
    public String name() {
        return "found.example.com";
    }

    @Override
    public void init(PluginHost given) {
        host = given;
    }

    @Override
    public boolean supports(VolumeSpec spec) {
        return spec.source() instanceof CsiSource csi && csi.driver().equals(name());
    }

    @Override
    public String volumeName(VolumeSpec spec) {
        return ((CsiSource) spec.source()).volumeHandle();
    }

    @Override
    public Optional<Provisioner> provisioner(StorageClass storageClass) {
        return Optional.of((request, context) ->
                ProvisionResult.of(CsiSource.of(name(), request.volumeName(), "", Map.of()), request.requestedBytes()));
    }

    @Override
    public Optional<Deleter> deleter(VolumeSpec spec) {
        return Optional.of((request, context) -> {});
    }

    @Override
    public Optional<Mounter> mounter(VolumeSpec spec) {
        return Optional.of((request, context) -> {
            if (files().status(request.target()).isEmpty()) {
                files().createDirectory(request.target(), 0777);
            }
            return MountResult.mounted();
        });
    }

    @Override
    public Optional<Unmounter> unmounter(VolumeId volume) {
        return Optional.of((request, context) -> files().removeTree(request.target(), context));
    }

    private HostFiles files() {
        return Objects.requireNonNull(host).mounts().orElseThrow().files();
    }
}
