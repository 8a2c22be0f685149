package io.volume4j.inmemory.guide;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import io.volume4j.spi.plugin.Deleter;
import io.volume4j.spi.plugin.Mounter;
import io.volume4j.spi.plugin.Mounter.MountResult;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.Provisioner;
import io.volume4j.spi.plugin.Provisioner.ProvisionResult;
import io.volume4j.spi.plugin.Unmounter;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The plugin that docs/plugins.md shows: each volume a directory of this machine, bound into its pods. */
final class DirectoryPlugin implements VolumePlugin {
    private @Nullable PluginHost host;

    @Override
    public String name() {
        return "directory.example.com";
    }

    @Override
    public void init(PluginHost given) {
        host = given;
    }

    /** In manifests: {@code csi: {driver: directory.example.com, volumeHandle: NAME}}. */
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
        return Optional.of((request, context) -> {
            machine().files().createDirectory(directory(request.volumeName()), 0777);
            CsiSource source = CsiSource.of(name(), request.volumeName(), "", Map.of());
            return ProvisionResult.of(source, request.requestedBytes());
        });
    }

    @Override
    public Optional<Deleter> deleter(VolumeSpec spec) {
        return Optional.of((request, context) -> machine().files().removeTree(directory(volumeName(spec)), context));
    }

    @Override
    public Optional<Mounter> mounter(VolumeSpec spec) {
        return Optional.of((request, context) -> {
            RootedPath directory = directory(request.volume().name());
            if (machine().files().status(directory).isEmpty()) {
                throw VolumeException.finalFailure("volume " + request.volume() + " does not exist");
            }
            if (machine().table().at(request.target().absolute()).isEmpty()) {
                machine().files().createDirectory(request.target(), 0750);
            }
            BindOptions options = request.readOnly() ? BindOptions.onlyRead() : BindOptions.readWrite();
            machine().bind(directory, request.target(), options);
            return MountResult.mounted();
        });
    }

    /** By the target alone: by now the claim, the class and the volume's object may be gone. */
    @Override
    public Optional<Unmounter> unmounter(VolumeId volume) {
        return Optional.of((request, context) -> {
            machine().unmount(request.target(), UnmountMode.NORMAL);
            machine().files().removeDirectory(request.target());
        });
    }

    /** Names come from manifests: one that is no single name would lead elsewhere. */
    private RootedPath directory(String volumeName) {
        if (!volumeName.matches("[A-Za-z0-9][A-Za-z0-9._-]*")) {
            throw VolumeException.finalFailure("\"" + volumeName + "\" is no name of a directory");
        }
        Path own = host().root().relativize(host().pluginDirectory(name()));
        return new RootedPath(host().root(), own.resolve(volumeName));
    }

    private MountBackend machine() {
        return host().mounts().orElseThrow(() -> VolumeException.finalFailure("no machine to mount on"));
    }

    private PluginHost host() {
        if (host == null) {
            throw new IllegalStateException("not registered yet");
        }
        return host;
    }
}
