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

/** Mounts one directory into every pod, as a plugin for existing storage does. */
public final class BindPlugin extends NoOpPlugin implements AutoCloseable {
    public static final String NAME = "bind.volume4j.io";

    private final MountBackend machine;
    private final Path root;
    private final RootedPath source;

    /** The source is on its own mount, as in the library's root; see docs/performance.md. */
    public BindPlugin(MountBackend machine, Path root) {
        this.machine = machine;
        this.root = root;
        this.source = RootedPath.of(root, "source");
    }

    /** Creates the source. Idempotent. */
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

    /** Removes all mounts below the root, also after a failure. */
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
