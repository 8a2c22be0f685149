package io.volume4j.spi.plugin;

import io.volume4j.spi.host.CertificateResolver;
import io.volume4j.spi.host.ConfigResolver;
import io.volume4j.spi.host.SecretResolver;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.mount.MountBackend;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/**
 * What a plugin may use of the process that it lives in. Thread-safe.
 *
 * @since 0.1.0
 */
public interface PluginHost {
    /** The node's own name, {@code ""} in a control plane without one. */
    String nodeName();

    /** The directory under which plugins keep what is theirs; each has its own below it, see {@link #pluginDirectory}. */
    Path root();

    /**
     * The plugin's own directory below {@link #root()}; not created yet. A {@link io.volume4j.spi.mount.RootedPath} in it begins at
     * the root, so that making a directory also makes what is above: {@code new RootedPath(host.root(),
     * host.root().relativize(host.pluginDirectory(name)).resolve(…))}.
     */
    Path pluginDirectory(String pluginName);

    /**
     * What the node has for pods, by resource ({@code memory}, {@code cpu}): what one volume in memory may hold at most, and
     * the limit of a container that has none. Empty, as by default, or without a resource where that is not known.
     */
    default Map<String, Quantity> allocatable() {
        return Map.of();
    }

    /** The kernel, absent in a process that never mounts. */
    Optional<MountBackend> mounts();

    /** Puts a filesystem on a device and mounts it, never over existing data; absent where {@link #mounts()} is. */
    Optional<FormatAndMount> formatAndMount();

    SecretResolver secrets();

    ConfigResolver configs();

    /** Trust bundles and certificates of pods; by default this process has no way to get any. */
    default CertificateResolver certificates() {
        return CertificateResolver.none();
    }

    /** The wall clock, for names and messages; never for deciding. */
    InstantSource clock();
}
