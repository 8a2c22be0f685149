package io.volume4j.examples.newcomer;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.plugins.VolumePlugins;
import io.volume4j.core.worlds.PodVolumes;
import io.volume4j.spi.mount.MountBackend;
import java.nio.file.Path;
import java.time.Duration;

/** A job's volumes, without pods, claims or a cluster: mounted, used, and taken down again. */
public final class Newcomer {
    private Newcomer() {}

    /** The argument is a directory for the library alone, which it may make. */
    public static void main(String[] arguments) {
        try (LinuxMountBackend linux = LinuxMountBackend.create()) {
            run(Path.of(arguments[0]), linux);
        }
    }

    static void run(Path root, MountBackend machine) {
        machine.files().createRoot(root);
        DefaultPluginHost host = DefaultPluginHost.builder(root).nodeName("here").mounts(machine).build();
        PluginRegistry plugins = PluginRegistry.builder(host).defaults(VolumePlugins.defaultPlugins()).build();
        try (VolumeManager volumes = VolumeManager.builder().plugins(plugins).build()) {
            volumes.start();
            volumes.desiredState().put("job-1", PodVolumes.builder().memory("scratch", 16 << 20).build());
            volumes.desiredState().complete();
            System.out.println(volumes.awaitMounted("job-1", Duration.ofSeconds(30)).volumes());
            volumes.desiredState().remove("job-1");
            volumes.awaitUnmounted("job-1", Duration.ofSeconds(30));
        }
    }
}
