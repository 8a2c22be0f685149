package io.volume4j.inmemory.linux;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.codec.Manifests;
import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.LoopPlugin;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.spi.host.PodRuntime;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.mount.IdMapping;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A node agent as small as one can be, made to be killed: {@code KilledAgent ROOT NODE}. Each line that it reads names a file of
 * manifests, which are from then on all the objects that there are. It ends when there are no more lines.
 */
public final class KilledAgent {
    private KilledAgent() {}

    /** Runs until it is killed or its input ends. */
    public static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments[0]);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String first = lines.readLine();
        if (first == null) {
            return;
        }
        InMemoryCluster cluster = InMemoryCluster.create();
        Map<ObjectKey, ApiObject> there = new LinkedHashMap<>();
        become(cluster, there, Path.of(first));
        try (LinuxMountBackend machine = LinuxMountBackend.create();
                VolumeManager manager = VolumeManager.builder()
                        .cluster(cluster)
                        .plugins(PluginRegistry.builder(DefaultPluginHost.builder(root)
                                        .nodeName(arguments[1])
                                        .mounts(machine)
                                        .build())
                                .plugin(new LoopPlugin())
                                .build())
                        .podRuntime(new MappingRuntime())
                        .attachMode(AttachMode.SELF)
                        .build()) {
            manager.start();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                become(cluster, there, Path.of(line));
            }
        }
    }

    /** Containers of a pod that has gone have stopped, and all pods with users of their own have the same IDs. */
    private static final class MappingRuntime implements PodRuntime {
        @Override
        public boolean mayStillUse(String podUid) {
            return false;
        }

        @Override
        public Optional<IdMapping> idMapping(String podUid) {
            return Optional.of(IdMapping.shifted(KilledWorld.FIRST_ID, KilledWorld.IDS));
        }

        @Override
        public void addListener(Consumer<String> listener) {}

        @Override
        public void removeListener(Consumer<String> listener) {}
    }

    private static void become(InMemoryCluster cluster, Map<ObjectKey, ApiObject> there, Path file) throws IOException {
        Map<ObjectKey, ApiObject> wanted = new LinkedHashMap<>();
        for (ApiObject object : Manifests.read(file.toString(), Files.readString(file))) {
            wanted.put(object.key(), object);
        }
        there.keySet().removeIf(key -> {
            boolean gone = !wanted.containsKey(key);
            if (gone) {
                cluster.remove(key);
            }
            return gone;
        });
        wanted.forEach((key, object) -> {
            if (there.put(key, object) == null) {
                cluster.apply(object);
            }
        });
    }
}
