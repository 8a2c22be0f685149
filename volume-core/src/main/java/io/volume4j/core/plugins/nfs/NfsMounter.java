package io.volume4j.core.plugins.nfs;

import io.volume4j.core.plugins.common.AccessOptions;
import io.volume4j.core.plugins.common.PathStatsReporter;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.NfsSource;
import io.volume4j.spi.plugin.Mounter;
import io.volume4j.spi.plugin.Unmounter;
import java.util.List;

/** Mounts an export for a pod. */
public final class NfsMounter implements Mounter, Unmounter {
    private final NfsMounts mounts;
    private final PathStatsReporter reporter;

    public NfsMounter(NfsMounts mounts, PathStatsReporter reporter) {
        this.mounts = mounts;
        this.reporter = reporter;
    }

    /** The server determines the owners of the export's files. */
    @Override
    public boolean managesContent() {
        return false;
    }

    @Override
    public MountResult mount(MountRequest request, CallContext context) {
        if (!(request.spec().source() instanceof NfsSource source)) {
            throw VolumeException.finalFailure("not an nfs volume: " + request.volume());
        }
        List<String> options = request.spec().mountOptions();
        boolean readOnly =
                source.readOnly() || request.readOnly() || request.spec().readOnly() || AccessOptions.onlyRead(options);
        mounts.mount(NfsExport.of(source), options, request.seLinuxMountOption(), readOnly, request.target(), context);
        return MountResult.mounted();
    }

    @Override
    public void unmount(UnmountRequest request, CallContext context) {
        mounts.unmount(request.target(), reporter.unwatched(request.target()), context);
    }
}
