package io.volume4j.core.plugins;

import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.core.plugins.hostpath.AllowedPaths;
import io.volume4j.core.plugins.hostpath.HostPathMounter;
import io.volume4j.core.plugins.hostpath.HostPathType;
import io.volume4j.core.plugins.hostpath.NodePath;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.HostPathSource;
import io.volume4j.spi.plugin.Mounter;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.Unmounter;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Files of the machine itself ({@code hostPath}): a directory, file, socket or device that a pod sees at its own path.
 *
 * <p>What is below it comes along, mounts included, and later mounts of the machine follow. Teardown takes the pod's view
 * away and never touches the files. Thread-safe.
 *
 * @since 0.1.0
 */
public final class HostPathPlugin implements VolumePlugin {
    public static final String NAME = "kubernetes.io/host-path";

    private final List<Path> allowed;
    private volatile @Nullable HostPathMounter mounter;

    /** Lets pods have any path. */
    public HostPathPlugin() {
        this(List.of());
    }

    /**
     * Lets pods have only what lies at or below one of these paths, whatever links are on the way.
     *
     * <p>{@link #init} finds them, once, and refuses, as final, one that does not exist, one below another of them, and one
     * that users other than root and this process's own could exchange: a directory above it that they own or can write.
     *
     * @param allowed directories or files, absolute; empty for any path
     */
    public HostPathPlugin(List<Path> allowed) {
        for (Path prefix : allowed) {
            if (!prefix.isAbsolute() || !prefix.normalize().equals(prefix)) {
                throw new IllegalArgumentException("an allowed prefix must be absolute and normalised: " + prefix);
            }
        }
        this.allowed = Collections.unmodifiableList(List.copyOf(allowed));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void init(PluginHost host) {
        AllowedPaths paths = host.mounts()
                .map(backend -> AllowedPaths.below(allowed, backend.files()))
                .orElse(AllowedPaths.any());
        mounter = new HostPathMounter(host, paths);
    }

    @Override
    public boolean supports(VolumeSpec spec) {
        return spec.source() instanceof HostPathSource;
    }

    /** The name within the pod: teardown goes by where the pod saw it, never by the path. */
    @Override
    public String volumeName(VolumeSpec spec) {
        if (spec.source() instanceof HostPathSource source) {
            NodePath.checked("hostPath", source.path());
            HostPathType.of(source);
            return spec.name();
        }
        throw VolumeException.finalFailure("not a hostPath volume: " + MessageText.text(spec.name()));
    }

    @Override
    public boolean shared(VolumeSpec spec) {
        return false;
    }

    @Override
    public List<AccessMode> accessModes() {
        return List.of(AccessMode.READ_WRITE_ONCE, AccessMode.READ_WRITE_ONCE_POD);
    }

    @Override
    public Optional<Mounter> mounter(VolumeSpec spec) {
        return Optional.of(ready());
    }

    @Override
    public Optional<Unmounter> unmounter(VolumeId volume) {
        return Optional.of(ready());
    }

    private HostPathMounter ready() {
        HostPathMounter made = mounter;
        if (made == null) {
            throw new IllegalStateException("plugin " + NAME + " was not initialised: add it to a PluginRegistry");
        }
        return made;
    }
}
