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
 * The services of the process that a plugin may use. Thread-safe.
 *
 * @since 0.1.0
 */
public interface PluginHost {
    /** The node's own name, {@code ""} in a control plane without one. */
    String nodeName();

    /**
     * The directory below which plugins keep their files. Each plugin has its own directory there, see
     * {@link #pluginDirectory}. Absolute, and without symbolic links on a node that mounts: the mount table shows paths
     * without them.
     */
    Path root();

    /**
     * The plugin's own directory below {@link #root()}. The library does not create it. A
     * {@link io.volume4j.spi.mount.RootedPath} in it should begin at the root, so that creating a directory also
     * creates its parents: {@code new RootedPath(host.root(),
     * host.root().relativize(host.pluginDirectory(name)).resolve(…))}.
     */
    Path pluginDirectory(String pluginName);

    /**
     * The node's allocatable resources for pods, by name ({@code memory}, {@code cpu}). They limit the size of a
     * volume in memory, and are the limit of a container without one. A resource is absent if its amount is unknown.
     * Empty by default.
     */
    default Map<String, Quantity> allocatable() {
        return Map.of();
    }

    /** The kernel's mounts and devices. Empty in a process that never mounts. */
    Optional<MountBackend> mounts();

    /** Formats and mounts devices, never over existing data. Empty if {@link #mounts()} is empty. */
    Optional<FormatAndMount> formatAndMount();

    SecretResolver secrets();

    ConfigResolver configs();

    /** Trust bundles and certificates of pods. The default resolver fails every call. */
    default CertificateResolver certificates() {
        return CertificateResolver.none();
    }

    /** The wall clock, for names, messages, and times that a plugin stores. It may be set forward or back. */
    InstantSource clock();

    /**
     * Nanoseconds of a clock that is never set, to measure durations. Only differences between two results have a
     * meaning. The JVM's clock by default.
     */
    default long nanoTime() {
        return System.nanoTime();
    }
}
