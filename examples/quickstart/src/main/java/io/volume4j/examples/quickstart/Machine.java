package io.volume4j.examples.quickstart;

import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.Abilities;
import io.volume4j.spi.mount.MountBackend;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The machine to work on: this one, where that is allowed, else one in memory.
 *
 * @param name what to tell the person
 */
record Machine(MountBackend backend, String name) implements AutoCloseable {
    static Machine choose(Arguments arguments) {
        if (arguments.inMemory()) {
            return new Machine(
                    InMemoryMountBackend.create(), "the in-memory backend, as asked: this machine is not touched");
        }
        try {
            LinuxMountBackend linux = LinuxMountBackend.create(options(arguments));
            Abilities abilities = linux.abilities();
            if (abilities.mayMount()) {
                return new Machine(linux, "the Linux backend: real loop devices, filesystems and mounts");
            }
            linux.close();
            return inMemory("there is no right to mount (" + abilities.reason() + ")");
        } catch (VolumeException notLinux) {
            return inMemory("this machine cannot be used (" + notLinux.getMessage() + ")");
        }
    }

    /** Whether nothing of it outlives this process. */
    boolean inMemory() {
        return backend instanceof InMemoryMountBackend;
    }

    @Override
    public void close() {
        if (backend instanceof LinuxMountBackend linux) {
            linux.close();
        }
    }

    private static LinuxMountBackend.Options options(Arguments arguments) {
        LinuxMountBackend.Options defaults = LinuxMountBackend.Options.defaults();
        List<Path> tools = new ArrayList<>(arguments.tools());
        tools.addAll(defaults.toolDirectories());
        return defaults.withToolDirectories(tools);
    }

    private static Machine inMemory(String why) {
        return new Machine(
                InMemoryMountBackend.create(),
                "the in-memory backend, because " + why + ": this machine is not touched");
    }
}
