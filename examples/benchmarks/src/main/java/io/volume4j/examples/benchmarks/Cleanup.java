package io.volume4j.examples.benchmarks;

import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Takes away what a benchmark mounted below its directory, however it ended. */
record Cleanup(MountBackend machine, Path root) implements AutoCloseable {
    @Override
    public void close() {
        List<MountEntry> mounts = new ArrayList<>(machine.table().below(root));
        Collections.reverse(mounts);
        for (MountEntry mount : mounts) {
            machine.unmount(
                    RootedPath.of(root, root.relativize(mount.mountPoint()).toString()), UnmountMode.LAZY);
        }
    }
}
