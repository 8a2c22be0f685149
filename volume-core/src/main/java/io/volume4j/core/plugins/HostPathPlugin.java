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
 * Bind-mounts files of the machine itself ({@code hostPath}) for pods: a directory, file, socket or device.
 *
 * <p>The mount includes the mounts below the path, also later mounts of the machine. Teardown unmounts the pod's bind
 * mount and never changes the files. Thread-safe.
 *
 * @since 0.1.0
 */
public final class HostPathPlugin implements VolumePlugin {
    public static final String NAME = "kubernetes.io/host-path";

    private final List<Path> allowed;
    private volatile @Nullable HostPathMounter mounter;

    /** A plugin that permits any path. */
    public HostPathPlugin() {
        this(List.of());
    }

    /**
     * A plugin that permits only these paths and everything below them, after resolving all links.
     *
     * <p>{@link #init} resolves these paths once. It fails (final) for a path that does not exist, for a path below
     * another of them, and for a path that other users could replace. Other users are all except root and the user of
     * this process; they could replace a path if they own or can write a directory above it.
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
    public boolean runsPrograms() {
        return false;
    }

    @Override
    public boolean supports(VolumeSpec spec) {
        return spec.source() instanceof HostPathSource;
    }

    /** The pod's name for the volume. Teardown uses the path of the pod's mount, never the path of the files. */
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
