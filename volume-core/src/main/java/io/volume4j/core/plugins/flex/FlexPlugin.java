package io.volume4j.core.plugins.flex;

import io.volume4j.core.plugins.common.PathStatsReporter;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.FlexVolumeSource;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.plugin.Attacher;
import io.volume4j.spi.plugin.Detacher;
import io.volume4j.spi.plugin.DeviceMounter;
import io.volume4j.spi.plugin.DeviceUnmounter;
import io.volume4j.spi.plugin.Expander;
import io.volume4j.spi.plugin.Mounter;
import io.volume4j.spi.plugin.NodeExpander;
import io.volume4j.spi.plugin.Observer;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.StatsReporter;
import io.volume4j.spi.plugin.Unmounter;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The plugin of one flexvolume driver. Its name is the driver's, {@code vendor/driver}. Thread-safe. */
public final class FlexPlugin implements VolumePlugin {
    private final String name;
    private final Path program;
    private final Duration callLimit;
    private final boolean secretsOnCommandLine;
    private volatile @Nullable Parts parts;

    public FlexPlugin(String name, Path program, Duration callLimit, boolean secretsOnCommandLine) {
        this.name = name;
        this.program = program;
        this.callLimit = callLimit;
        this.secretsOnCommandLine = secretsOnCommandLine;
    }

    private record Parts(
            FlexCapabilities capabilities,
            FlexAttachment attachment,
            FlexDeviceMounts devices,
            FlexPodMounts pods,
            FlexExpansion growth,
            PathStatsReporter reporter) {}

    @Override
    public String name() {
        return name;
    }

    /** Queries the driver's capabilities. Fails if the driver does not answer. */
    @Override
    public void init(PluginHost host) {
        MountBackend backend = host.mounts()
                .orElseThrow(() -> VolumeException.finalFailure("this process was given no mount backend"));
        FlexDriver driver = new FlexDriver(backend.programs(), name, program, callLimit);
        FlexCapabilities capabilities = driver.call(
                        FlexCommand.INIT,
                        FlexProbeContext.begin(name, host.clock().instant(), host::nanoTime, callLimit))
                .map(FlexAnswer::capabilities)
                .orElseThrow(
                        () -> VolumeException.finalFailure("flexvolume driver " + name + " does not support init"));
        FlexOptions options = new FlexOptions(host.secrets(), secretsOnCommandLine);
        FlexRecords records = new FlexRecords(host, backend, name);
        parts = new Parts(
                capabilities,
                new FlexAttachment(driver, options, records),
                new FlexDeviceMounts(driver, options, host, backend),
                new FlexPodMounts(driver, options, capabilities, backend),
                new FlexExpansion(driver, options, backend),
                new PathStatsReporter(host, PathStatsReporter.Bare.NOTHING));
    }

    /** True: they are applied where the driver leaves the mount of its device to the library. */
    @Override
    public boolean supportsMountOptions() {
        return true;
    }

    @Override
    public boolean supports(VolumeSpec spec) {
        return spec.source() instanceof FlexVolumeSource source
                && source.driver().equals(name);
    }

    /**
     * The name of the PersistentVolume, or the pod's name for its own volume. A pod's attachable volume has a name
     * derived from its source, so volumes with equal sources are one volume. The driver's own name is queried at the
     * attach, because a look-up must not wait for a program.
     */
    @Override
    public String volumeName(VolumeSpec spec) {
        FlexVolumeSource source = FlexOptions.source(spec);
        return spec.persistentVolume() != null || !ready().capabilities().attach()
                ? spec.name()
                : "inline-" + digest(source);
    }

    private static String digest(FlexVolumeSource source) {
        StringBuilder text = new StringBuilder(source.fsType());
        new TreeMap<>(source.options())
                .forEach((key, value) ->
                        text.append('\0').append(key).append('\0').append(value));
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    @Override
    public boolean shared(VolumeSpec spec) {
        return ready().capabilities().attach();
    }

    @Override
    public List<AccessMode> accessModes() {
        return List.of(AccessMode.READ_WRITE_ONCE, AccessMode.READ_ONLY_MANY);
    }

    @Override
    public Optional<Attacher> attacher(VolumeSpec spec) {
        return ready().capabilities().attach() ? Optional.of(ready().attachment()) : Optional.empty();
    }

    @Override
    public Optional<Detacher> detacher(VolumeId volume) {
        return ready().capabilities().attach() ? Optional.of(ready().attachment()) : Optional.empty();
    }

    @Override
    public Optional<Observer> observer() {
        return ready().capabilities().attach() ? Optional.of(ready().attachment()) : Optional.empty();
    }

    @Override
    public Optional<DeviceMounter> deviceMounter(VolumeSpec spec) {
        return ready().capabilities().attach() ? Optional.of(ready().devices()) : Optional.empty();
    }

    @Override
    public Optional<DeviceUnmounter> deviceUnmounter(VolumeId volume) {
        return ready().capabilities().attach() ? Optional.of(ready().devices()) : Optional.empty();
    }

    @Override
    public Optional<Mounter> mounter(VolumeSpec spec) {
        return Optional.of(ready().pods());
    }

    @Override
    public Optional<Unmounter> unmounter(VolumeId volume) {
        return Optional.of(ready().pods());
    }

    @Override
    public Optional<Expander> expander(VolumeSpec spec) {
        return Optional.of(ready().growth().atBackend(ready().capabilities().requiresFsResize()));
    }

    @Override
    public Optional<NodeExpander> nodeExpander(VolumeSpec spec) {
        return ready().capabilities().requiresFsResize()
                ? Optional.of(ready().growth().onNode())
                : Optional.empty();
    }

    /** Only for a driver with {@code supportsMetrics}: mounts of other drivers may have no usage data, or may hang. */
    @Override
    public Optional<StatsReporter> stats(VolumeSpec spec) {
        return ready().capabilities().supportsMetrics() ? Optional.of(ready().reporter()) : Optional.empty();
    }

    private Parts ready() {
        Parts made = parts;
        if (made == null) {
            throw new IllegalStateException("plugin " + name() + " was not initialised: add it to a PluginRegistry");
        }
        return made;
    }
}
