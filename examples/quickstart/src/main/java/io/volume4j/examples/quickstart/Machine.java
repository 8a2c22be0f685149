package io.volume4j.examples.quickstart;

import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.examples.commandline.Usage;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.NfsSource;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.mount.Abilities;
import io.volume4j.spi.mount.MountBackend;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The machine to work on: this machine if the process may mount here, else an in-memory machine.
 *
 * @param name the description for the user
 */
record Machine(MountBackend backend, String name) implements AutoCloseable {
    static Machine choose(Options options) {
        if (options.inMemory()) {
            requireNoDriver(options, "--in-memory was asked for");
            return new Machine(memory(), "the in-memory backend, as asked: this machine is not touched");
        }
        try {
            LinuxMountBackend linux = LinuxMountBackend.create(linux(options));
            Abilities abilities = linux.abilities();
            if (abilities.mayMount()) {
                return new Machine(linux, "the Linux backend: real loop devices, filesystems and mounts");
            }
            linux.close();
            return inMemory(options, "there is no right to mount (" + abilities.reason() + ")");
        } catch (VolumeException notLinux) {
            return inMemory(options, "this machine cannot be used (" + notLinux.getMessage() + ")");
        }
    }

    /** Whether everything on it ends with this process. */
    boolean inMemory() {
        return backend instanceof InMemoryMountBackend;
    }

    private static void requireNoDriver(Options options, String why) {
        if (!options.csi().isEmpty()) {
            throw new Usage("--csi needs the real machine, where the driver mounts, and " + why);
        }
    }

    /** Creates each NFS export that a manifest names, on an in-memory machine. */
    void offerExports(List<ApiObject> manifests) {
        if (!(backend instanceof InMemoryMountBackend memory)) {
            return;
        }
        for (ApiObject manifest : manifests) {
            if (manifest instanceof PersistentVolume volume) {
                offer(memory, volume.spec().source());
            } else if (manifest instanceof Pod pod) {
                pod.spec().volumes().forEach(volume -> offer(memory, volume.source()));
            }
        }
    }

    private static void offer(InMemoryMountBackend memory, @Nullable VolumeSource source) {
        if (source instanceof NfsSource nfs) {
            memory.export("nfs", nfs.server() + ":" + nfs.path());
        }
    }

    @Override
    public void close() {
        if (backend instanceof LinuxMountBackend linux) {
            linux.close();
        }
    }

    private static InMemoryMountBackend memory() {
        return InMemoryMountBackend.builder()
                .filesystems("btrfs", "ext4", "nfs", "tmpfs", "xfs")
                .build();
    }

    private static LinuxMountBackend.Options linux(Options options) {
        LinuxMountBackend.Options defaults = LinuxMountBackend.Options.defaults();
        List<Path> tools = new ArrayList<>(options.tools());
        tools.addAll(defaults.toolDirectories());
        return defaults.withToolDirectories(tools);
    }

    private static Machine inMemory(Options options, String why) {
        requireNoDriver(options, why);
        return new Machine(memory(), "the in-memory backend, because " + why + ": this machine is not touched");
    }
}
