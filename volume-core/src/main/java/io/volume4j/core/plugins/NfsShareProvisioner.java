package io.volume4j.core.plugins;

import io.volume4j.core.plugins.nfs.BoundedUnmount;
import io.volume4j.core.plugins.nfs.NfsExport;
import io.volume4j.core.plugins.nfs.NfsMounts;
import io.volume4j.core.plugins.nfs.NfsProvisioner;
import io.volume4j.core.plugins.nfs.NfsServers;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.NameRule;
import io.volume4j.spi.model.NfsSource;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.plugin.Deleter;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.Provisioner;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Provisions volumes on one NFS export, with a provisioner name of the host's choice, such as
 * {@code example.com/nfs}. For classes with that provisioner and without a server. Each claim gets its own directory,
 * as with {@link NfsPlugin}. A class may also set {@code server} and {@code share} (both or neither), and
 * {@code archiveOnDelete}.
 *
 * <p>This plugin only provisions and deletes. {@link NfsPlugin} mounts the volumes, whose source is {@code nfs}:
 * register that plugin where pods run. Register this plugin where the controller runs, on a machine that may mount
 * the export. Thread-safe.
 *
 * @since 0.1.0
 */
public final class NfsShareProvisioner implements VolumePlugin {
    private final String name;
    private final NfsExport share;
    private final NfsServers servers;
    private volatile @Nullable Parts parts;

    private record Parts(PluginHost host, NfsMounts mounts) {}

    /**
     * @param name the provisioner name, as in the field {@code provisioner} of classes
     * @param server host name or address of the NFS server
     * @param path an absolute path that the server exports
     * @throws IllegalArgumentException if the name is not valid for a provisioner, or is {@link NfsPlugin#NAME}
     * @throws VolumeException final, if the server or the path is not valid
     */
    public NfsShareProvisioner(String name, String server, String path) {
        this(name, server, path, NfsServers.system());
    }

    NfsShareProvisioner(String name, String server, String path, NfsServers servers) {
        if (!NameRule.QUALIFIED.allows(name) || name.equals(NfsPlugin.NAME)) {
            throw new IllegalArgumentException("\"" + name + "\" cannot be the name of a provisioner of your own:"
                    + " give one such as example.com/nfs");
        }
        this.name = name;
        this.share = NfsExport.of(new NfsSource(server, path, false));
        this.servers = Objects.requireNonNull(servers, "servers");
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void init(PluginHost host) {
        parts = new Parts(
                host, new NfsMounts(host, servers, new BoundedUnmount(NfsPlugin::onOwnThread, Duration.ofMinutes(1))));
    }

    @Override
    public boolean runsPrograms() {
        return false;
    }

    /** Always false: {@link NfsPlugin} mounts its volumes. */
    @Override
    public boolean supports(VolumeSpec spec) {
        return false;
    }

    @Override
    public String volumeName(VolumeSpec spec) {
        return spec.name();
    }

    @Override
    public boolean supportsMountOptions() {
        return true;
    }

    @Override
    public List<AccessMode> accessModes() {
        return List.of(
                AccessMode.READ_WRITE_ONCE,
                AccessMode.READ_ONLY_MANY,
                AccessMode.READ_WRITE_MANY,
                AccessMode.READ_WRITE_ONCE_POD);
    }

    @Override
    public Optional<Provisioner> provisioner(StorageClass storageClass) {
        return Optional.of(provisioner(List.of()));
    }

    @Override
    public Optional<Deleter> deleter(VolumeSpec spec) {
        return Optional.of(provisioner(spec.mountOptions()));
    }

    private NfsProvisioner provisioner(List<String> mountOptions) {
        Parts made = parts;
        if (made == null) {
            throw new IllegalStateException("plugin " + name + " was not initialised: add it to a PluginRegistry");
        }
        return new NfsProvisioner(name, share, made.host(), made.mounts(), mountOptions);
    }
}
