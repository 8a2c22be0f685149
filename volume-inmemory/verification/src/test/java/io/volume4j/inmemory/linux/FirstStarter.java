package io.volume4j.inmemory.linux;

import io.volume4j.core.journal.FileJournalStore;
import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.core.node.state.RootIdentity;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.spi.VolumeException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.UUID;

/** Begins on each root that it reads, as a node does at its first start, and says in one line what came of it. */
public final class FirstStarter {
    private FirstStarter() {}

    /** Ends when there are no more roots. */
    public static void main(String[] arguments) throws IOException {
        BufferedReader roots = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (LinuxMountBackend machine = LinuxMountBackend.create()) {
            System.out.println("ready");
            for (String root = roots.readLine(); root != null; root = roots.readLine()) {
                System.out.println(begin(Path.of(root), machine));
            }
        }
    }

    private static String begin(Path root, LinuxMountBackend machine) {
        DefaultPluginHost host =
                DefaultPluginHost.builder(root).nodeName("n1").mounts(machine).build();
        try {
            return "identity "
                    + RootIdentity.of(host, work -> FileJournalStore.alone(root, "n1", work), UUID::randomUUID)
                            .rootId();
        } catch (VolumeException refused) {
            return refused.kind() + " " + refused.getMessage().replace('\n', ' ');
        }
    }
}
