package io.volume4j.core.plugins;

import io.volume4j.spi.model.NfsSource;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.plugin.VolumeSpec;
import java.time.Duration;
import java.util.concurrent.Executor;

/** A machine with an NFS client, and the plugin on it. */
final class NfsNode {
    static final VolumeSpec SPEC = spec(new NfsSource("files", "/export/a b", false));

    final FakeMachine machine = new FakeMachine();
    final NfsPlugin plugin;

    /** Calls to the kernel that the executor does not run to their end are given up in no time. */
    NfsNode(Executor onThreads) {
        machine.filesystems.add("nfs4");
        plugin = Given.ready(new NfsPlugin(server -> "192.0.2.7", onThreads, Duration.ofMillis(20)), machine);
    }

    void mount(VolumeSpec spec, boolean readOnly) {
        plugin.mounter(spec).orElseThrow().mount(Given.mount(plugin, spec, readOnly), TestContext.first());
    }

    static VolumeSpec spec(NfsSource source) {
        return Given.volume(source, VolumeMode.FILESYSTEM);
    }
}
