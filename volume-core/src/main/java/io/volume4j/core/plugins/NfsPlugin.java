package io.volume4j.core.plugins;

import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.core.plugins.common.PathStatsReporter;
import io.volume4j.core.plugins.nfs.BoundedUnmount;
import io.volume4j.core.plugins.nfs.NfsExport;
import io.volume4j.core.plugins.nfs.NfsMounter;
import io.volume4j.core.plugins.nfs.NfsMounts;
import io.volume4j.core.plugins.nfs.NfsProvisioner;
import io.volume4j.core.plugins.nfs.NfsServers;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.NfsSource;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.plugin.Deleter;
import io.volume4j.spi.plugin.Mounter;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.Provisioner;
import io.volume4j.spi.plugin.Recycler;
import io.volume4j.spi.plugin.StatsReporter;
import io.volume4j.spi.plugin.Unmounter;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Mounts directories that an NFS server exports ({@code nfs}). Uses the kernel directly, without {@code mount.nfs}.
 *
 * <p>Each pod has its own mount, so a dead server does not affect the pods of other servers. Mount options are those
 * of nfs(5) that the kernel knows. The default is {@code vers=4.2}, unless one of {@code vers}, {@code nfsvers} and
 * {@code minorversion} is set.
 *
 * <p>The plugin also provisions volumes. With the class parameters {@code server} and {@code share}, each claim gets
 * its own directory on that export, named by its volume. When the volume is deleted, the plugin deletes the
 * directory. If {@code archiveOnDelete} is {@code "true"}, it renames the directory to {@code archived-<name>}
 * instead. For classes that name another provisioner, or no server, see {@link NfsShareProvisioner}. Thread-safe.
 *
 * @since 0.1.0
 */
public final class NfsPlugin implements VolumePlugin {
    public static final String NAME = NfsProvisioner.PLUGIN;

    private final NfsServers servers;
    private final Executor threads;
    private final Duration patience;
    private volatile @Nullable Parts parts;

    private record Parts(PluginHost host, NfsMounts mounts, NfsMounter mounter, PathStatsReporter reporter) {}

    /** A plugin that resolves servers with Java's resolver, and forces an unmount that takes longer than a minute. */
    public NfsPlugin() {
        this(NfsServers.system(), NfsPlugin::onOwnThread, Duration.ofMinutes(1));
    }

    NfsPlugin(NfsServers servers, Executor threads, Duration patience) {
        this.servers = Objects.requireNonNull(servers, "servers");
        this.threads = Objects.requireNonNull(threads, "threads");
        this.patience = patience;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void init(PluginHost host) {
        NfsMounts mounts = new NfsMounts(host, servers, new BoundedUnmount(threads, patience));
        PathStatsReporter reporter = new PathStatsReporter(host, PathStatsReporter.Bare.NOTHING);
        parts = new Parts(host, mounts, new NfsMounter(mounts, reporter), reporter);
    }

    @Override
    public boolean runsPrograms() {
        return false;
    }

    @Override
    public boolean supports(VolumeSpec spec) {
        return spec.source() instanceof NfsSource;
    }

    /** The pod's name for the volume, or the name of the PersistentVolume. Checks the export before any other call. */
    @Override
    public String volumeName(VolumeSpec spec) {
        if (spec.source() instanceof NfsSource source) {
            NfsExport.of(source);
            return spec.name();
        }
        throw VolumeException.finalFailure("not an nfs volume: " + MessageText.text(spec.name()));
    }

    @Override
    public boolean shared(VolumeSpec spec) {
        return false;
    }

    /**
     * True: each pod has its own mount, so pods with different contexts can share an export. Kernels before 5.13
     * refuse a mount whose context differs from that of another mount of the export.
     */
    @Override
    public boolean mountsWithSeLinuxLabel(VolumeSpec spec) {
        return true;
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

    @Override
    public Optional<Recycler> recycler(VolumeSpec spec) {
        return Optional.of(provisioner(spec.mountOptions()));
    }

    @Override
    public Optional<Mounter> mounter(VolumeSpec spec) {
        return Optional.of(parts().mounter());
    }

    @Override
    public Optional<Unmounter> unmounter(VolumeId volume) {
        return Optional.of(parts().mounter());
    }

    /** May hang if the server hangs. */
    @Override
    public Optional<StatsReporter> stats(VolumeSpec spec) {
        return Optional.of(parts().reporter());
    }

    private NfsProvisioner provisioner(List<String> mountOptions) {
        Parts made = parts();
        return new NfsProvisioner(NAME, null, made.host(), made.mounts(), mountOptions);
    }

    private Parts parts() {
        Parts made = parts;
        if (made == null) {
            throw new IllegalStateException("plugin " + NAME + " was not initialised: add it to a PluginRegistry");
        }
        return made;
    }

    /** Runs each task on a new thread: a task that hangs in the kernel must not block the next one. */
    static void onOwnThread(Runnable work) {
        Thread thread = new Thread(work, "volume-nfs-unmount");
        thread.setDaemon(true);
        thread.start();
    }
}
