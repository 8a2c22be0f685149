package io.volume4j.examples.benchmarks.world;

import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A source on its own mount, and any number of bind mounts of it; close removes all. */
public final class MountPlaces implements AutoCloseable {
    private final LinuxMountBackend machine;
    private final Path root;
    private final RootedPath source;
    private int filled;

    public MountPlaces(LinuxMountBackend machine, Path directory) {
        this.machine = machine;
        this.root = directory.resolve("mounts");
        machine.files().createRoot(root);
        this.source = directory("source");
        machine.mount(new FilesystemMount("tmpfs", "benchmark", false, List.of()), source);
    }

    public RootedPath source() {
        return source;
    }

    public RootedPath directory(String name) {
        RootedPath place = RootedPath.of(root, name);
        machine.files().createDirectory(place, 0755);
        return place;
    }

    /** Mounts the source until there are this many mounts. */
    public void fill(int mounts) {
        directory("many");
        for (; filled < mounts; filled++) {
            machine.bind(source, directory(name(filled)), BindOptions.readWrite());
        }
    }

    /** The path of one of these mounts. */
    public Path filled(int number) {
        return RootedPath.of(root, name(number)).absolute();
    }

    private static String name(int number) {
        return "many/m" + number;
    }

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
