package io.volume4j.core.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.core.linux.OldKernel;
import io.volume4j.spi.mount.LoopDevices.LoopDevice;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.VolumePlugin;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A node on the machine's real kernel, with a root of its own. Closing it takes away whatever a failed test left. */
final class KernelNode implements AutoCloseable {
    final LinuxMountBackend kernel;
    final Path directory;
    final Path root;

    /** @param old whether to do everything in the ways of the oldest kernels, without the younger system calls */
    KernelNode(boolean old) {
        kernel = old ? OldKernel.backend() : LinuxMountBackend.create();
        directory = doing(() -> {
            Files.createDirectories(Path.of(System.getProperty("java.io.tmpdir")));
            return Files.createTempDirectory("plugins").toRealPath();
        });
        root = directory.resolve("root");
        kernel.files().createRoot(root);
    }

    /** Whether this process has CAP_SYS_RESOURCE; capabilities(7), proc_pid_status(5). */
    static boolean mayGrowMountedFilesystems() {
        int resource = 24;
        String effective = doing(() -> Files.readAllLines(Path.of("/proc/self/status"))).stream()
                .filter(line -> line.startsWith("CapEff:"))
                .findFirst()
                .orElseThrow();
        return (Long.parseUnsignedLong(effective.substring(7).trim(), 16) >>> resource & 1) == 1;
    }

    PluginHost host() {
        return host(root);
    }

    PluginHost host(Path ofRoot) {
        return DefaultPluginHost.builder(ofRoot)
                .nodeName("node-1")
                .mounts(kernel)
                .build();
    }

    <P extends VolumePlugin> P ready(P plugin) {
        plugin.init(host());
        return plugin;
    }

    RootedPath at(String relative) {
        return RootedPath.of(root, relative);
    }

    /** Makes the directories above a target, as the volume manager does. */
    RootedPath target(String relative) {
        RootedPath target = at(relative);
        Path parent = target.relative().getParent();
        if (parent != null) {
            kernel.files().createDirectory(new RootedPath(root, parent), 0750);
        }
        return target;
    }

    List<MountEntry> mounts() {
        return kernel.table().below(directory);
    }

    List<LoopDevice> loops() {
        return kernel.loops().below(directory);
    }

    /** All that is no directory. */
    List<Path> files() {
        return doing(() -> {
            try (Stream<Path> tree = Files.walk(root)) {
                return tree.filter(path -> !Files.isDirectory(path)).toList();
            }
        });
    }

    void assertNothingLeft() {
        assertThat(mounts()).isEmpty();
        assertThat(loops()).isEmpty();
        assertThat(files()).isEmpty();
    }

    @Override
    public void close() {
        try {
            List<MountEntry> left = mounts();
            for (int i = left.size() - 1; i >= 0; i--) {
                Path place = directory.relativize(left.get(i).mountPoint());
                kernel.unmount(new RootedPath(directory, place), UnmountMode.LAZY);
            }
            for (LoopDevice loop : loops()) {
                kernel.loops().detach(new RootedPath(directory, directory.relativize(loop.file())));
            }
            doing(() -> {
                try (Stream<Path> tree = Files.walk(directory)) {
                    for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                        Files.delete(path);
                    }
                }
                return directory;
            });
        } finally {
            kernel.close();
        }
    }

    interface Work<T> {
        T run() throws IOException;
    }

    static <T> T doing(Work<T> work) {
        try {
            return work.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
