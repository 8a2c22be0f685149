package io.volume4j.examples.benchmarks.world;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Mounts one directory into every pod, as storage that is there already is mounted. */
public final class BindPlugin extends NoOpPlugin implements AutoCloseable {
    public static final String NAME = "bind.volume4j.io";

    private final MountBackend machine;
    private final Path root;
    private final RootedPath source;

    /** The source lies on a mount of its own, as the library lays out its root; see docs/performance.md. */
    public BindPlugin(MountBackend machine, Path root) {
        this.machine = machine;
        this.root = root;
        this.source = RootedPath.of(root, "source");
    }

    /** Makes the source; there already is success. */
    public void prepare() {
        machine.files().createDirectory(source, 0755);
        machine.mount(new FilesystemMount("tmpfs", "benchmark", false, List.of()), source);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public MountResult mount(MountRequest request, CallContext context) {
        machine.files().createDirectory(request.target(), 0755);
        machine.bind(source, request.target(), BindOptions.readWrite());
        return super.mount(request, context);
    }

    @Override
    public void unmount(UnmountRequest request, CallContext context) {
        machine.unmount(request.target(), UnmountMode.NORMAL);
        machine.files().removeDirectory(request.target());
        super.unmount(request, context);
    }

    /** Takes away what was mounted below the root, however the benchmark ended. */
    @Override
    public void close() {
        List<MountEntry> mounts = new ArrayList<>(machine.table().below(root));
        Collections.reverse(mounts);
        for (MountEntry mount : mounts) {
            machine.unmount(
                    RootedPath.of(root, root.relativize(mount.mountPoint()).toString()), UnmountMode.NORMAL);
        }
    }
}
