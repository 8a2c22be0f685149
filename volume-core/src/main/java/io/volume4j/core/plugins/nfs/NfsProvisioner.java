package io.volume4j.core.plugins.nfs;

import io.volume4j.core.plugins.common.FileNames;
import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.core.plugins.common.Rollback;
import io.volume4j.core.plugins.common.UnfinishedDirectory;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.NfsSource;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.mount.HostFiles;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.Deleter;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.Provisioner;
import io.volume4j.spi.plugin.Recycler;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates a directory for each claim on an existing export, with the name of its volume, and changes nothing else
 * there. Each call mounts the export at a path of the plugin, for the duration of the call. Deleting the volume
 * deletes its directory, or renames it if the class requests that.
 *
 * <p>The size is recorded and not enforced, because NFS cannot enforce it.
 */
public final class NfsProvisioner implements Provisioner, Deleter, Recycler {
    /** The name of the plugin. */
    public static final String PLUGIN = "kubernetes.io/nfs";

    private static final Logger LOG = LoggerFactory.getLogger(NfsProvisioner.class);
    private static final String SERVER = "server";
    private static final String SHARE = "share";
    private static final String ARCHIVE = "archiveOnDelete";
    private static final List<String> PARAMETERS = List.of(SERVER, SHARE, ARCHIVE);
    /** An annotation of the volume's object, because a volume outlives its class. */
    public static final String ON_DELETE = "nfs.volume4j.io/on-delete";

    private static final String ARCHIVED = "archive";
    private static final String ARCHIVE_PREFIX = "archived-";
    /** The pods' users are unknown here, and an export may map every user to another one. */
    private static final int MODE = 0777;

    private final String plugin;
    private final @Nullable NfsExport defaultShare;
    private final PluginHost host;
    private final NfsMounts mounts;
    private final List<String> volumeOptions;

    /**
     * @param plugin its name
     * @param defaultShare for classes without server and share; null if classes must have them
     * @param volumeOptions mount options of the volume, for calls without its class
     */
    public NfsProvisioner(
            String plugin,
            @Nullable NfsExport defaultShare,
            PluginHost host,
            NfsMounts mounts,
            List<String> volumeOptions) {
        this.plugin = plugin;
        this.defaultShare = defaultShare;
        this.host = host;
        this.mounts = mounts;
        this.volumeOptions = volumeOptions;
    }

    @Override
    public ProvisionResult provision(ProvisionRequest request, CallContext context) {
        requirePossible(request.claim());
        NfsExport share = share(request.storageClass());
        boolean archive = archivesOnDelete(request.storageClass());
        String name = FileNames.checked("volume name", request.volumeName());
        onExport(
                share,
                request.storageClass().mountOptions(),
                name,
                context,
                export -> makeDirectory(RootedPath.of(export, name)));
        NfsSource source = new NfsSource(share.server(), below(share.path(), name), false);
        ProvisionResult made = ProvisionResult.of(source, Math.max(1, request.requestedBytes()));
        return archive ? made.annotated(Map.of(ON_DELETE, ARCHIVED)) : made;
    }

    private void makeDirectory(RootedPath directory) {
        try {
            UnfinishedDirectory.finish(files(), directory, MODE);
        } catch (VolumeException refused) {
            // Only its owner can change it. A directory that another program made stays as it is.
            LOG.atWarn()
                    .addKeyValue("path", directory)
                    .addKeyValue("reason", refused.getMessage())
                    .addKeyValue("advice", "if pods cannot write there, give it the mode 0777 on the server")
                    .log("directory keeps its mode");
        }
        files().createDirectory(directory, MODE);
    }

    /** Deletes or renames the directory of the volume. Refuses every other directory. */
    @Override
    public void delete(DeleteRequest request, CallContext context) {
        String name = FileNames.checked("volume name", request.volumeName());
        NfsExport whole = export(request.source());
        int last = whole.path().lastIndexOf('/');
        if (!whole.path().substring(last + 1).equals(name)) {
            throw VolumeException.finalFailure(whole + " was not made for volume " + name + ", so it is not deleted")
                    .withAdvice("use reclaim policy Retain for exports that were made by hand");
        }
        NfsExport share =
                new NfsExport(whole.server(), last == 0 ? "/" : whole.path().substring(0, last));
        boolean archive = ARCHIVED.equals(request.annotations().get(ON_DELETE));
        onExport(share, volumeOptions, name, context, export -> {
            RootedPath directory = RootedPath.of(export, name);
            if (archive) {
                // A missing directory is a success: an earlier call renamed it and was interrupted before its result
                // was recorded.
                files().renameDirectory(directory, RootedPath.of(export, ARCHIVE_PREFIX + name));
            } else {
                files().removeTree(directory, context);
            }
        });
    }

    @Override
    public void recycle(RecycleRequest request, CallContext context) {
        String name = FileNames.checked("volume name", request.volumeName());
        onExport(
                export(request.source()),
                volumeOptions,
                name,
                context,
                export -> files().removeContents(export, context));
    }

    /**
     * Runs the work on the mounted export. The path belongs to the volume, so the next call continues an interrupted
     * one.
     */
    private void onExport(
            NfsExport export, List<String> options, String name, CallContext context, Consumer<Path> work) {
        Path own = host.root().relativize(host.pluginDirectory(plugin));
        RootedPath place = new RootedPath(host.root(), own.resolve("work").resolve(name));
        files().createRoot(host.root());
        mounts.mount(export, options, "", false, place, context);
        try {
            // The mount becomes the root: removal never leaves the mount of its root.
            work.accept(place.absolute());
        } catch (RuntimeException e) {
            throw Rollback.undone(e, "the export is still mounted", () -> mounts.unmount(place, context));
        }
        Rollback.afterEffect(() -> mounts.unmount(place, context));
    }

    private static void requirePossible(PersistentVolumeClaim claim) {
        if (claim.spec().volumeMode() == VolumeMode.BLOCK) {
            throw VolumeException.of(FailureKind.INFEASIBLE, "an NFS export is no raw device");
        }
        if (claim.spec().dataSource() != null || claim.spec().dataSourceRef() != null) {
            throw VolumeException.finalFailure("NFS volumes are made empty; filling one from a data source is not"
                    + " possible, and leaving the data out is not what was asked for");
        }
    }

    private NfsExport share(StorageClass storageClass) {
        String shown =
                "storage class " + MessageText.text(storageClass.metadata().name());
        for (String key : storageClass.parameters().keySet()) {
            if (!PARAMETERS.contains(key)) {
                throw VolumeException.finalFailure(shown + " has parameter " + MessageText.text(key) + ", which "
                        + plugin + " does not know; known are " + String.join(", ", PARAMETERS));
            }
        }
        if (defaultShare != null
                && Collections.disjoint(storageClass.parameters().keySet(), List.of(SERVER, SHARE))) {
            return defaultShare;
        }
        if (!storageClass.parameters().keySet().containsAll(List.of(SERVER, SHARE))) {
            throw VolumeException.finalFailure(shown + " must give the parameters " + SERVER + " and " + SHARE
                    + ": an NFS server, and a path that it exports");
        }
        return NfsExport.of(new NfsSource(
                storageClass.parameters().getOrDefault(SERVER, ""),
                storageClass.parameters().getOrDefault(SHARE, ""),
                false));
    }

    private static boolean archivesOnDelete(StorageClass storageClass) {
        String value = storageClass.parameters().getOrDefault(ARCHIVE, "false");
        if (!value.equals("true") && !value.equals("false")) {
            throw VolumeException.finalFailure("storage class "
                    + MessageText.text(storageClass.metadata().name()) + " must give " + ARCHIVE
                    + " as \"true\" or \"false\", not " + MessageText.text(value));
        }
        return value.equals("true");
    }

    private static NfsExport export(VolumeSource source) {
        if (source instanceof NfsSource nfs) {
            return NfsExport.of(nfs);
        }
        throw VolumeException.finalFailure("not an nfs volume but of source " + MessageText.text(source.type()));
    }

    private static String below(String share, String name) {
        return share.endsWith("/") ? share + name : share + "/" + name;
    }

    private HostFiles files() {
        return mounts.backend().files();
    }
}
