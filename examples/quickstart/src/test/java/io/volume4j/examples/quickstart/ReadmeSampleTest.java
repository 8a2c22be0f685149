package io.volume4j.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.codec.Manifests;
import io.volume4j.core.control.PersistentVolumeController;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.plugins.VolumePlugins;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The code sample of the README, which is a copy of what runs here. */
class ReadmeSampleTest {
    private static final String BEGIN = "        // sample begins\n";
    private static final String END = "        // sample ends\n";

    @Test
    void mountsAClaimForAPod() throws IOException {
        String manifests = new String(
                        Objects.requireNonNull(Quickstart.class.getResourceAsStream("quickstart.yaml"))
                                .readAllBytes(),
                        StandardCharsets.UTF_8)
                .replace("spec:\n  containers", "spec:\n  nodeName: here\n  containers");
        InMemoryMountBackend machine = InMemoryMountBackend.create();
        Path root = Path.of("/var/lib/volumes");
        // sample begins
        InMemoryCluster cluster = InMemoryCluster.create(); // yours: anything with list, watch and patch
        PluginRegistry plugins = PluginRegistry.builder(DefaultPluginHost.builder(root)
                        .nodeName("here")
                        .mounts(machine)
                        .build())
                .defaults(VolumePlugins.defaultPlugins())
                .build();

        try (PersistentVolumeController controller = PersistentVolumeController.builder()
                        .cluster(cluster, cluster)
                        .plugins(plugins)
                        .build();
                VolumeManager volumes = VolumeManager.builder()
                        .cluster(cluster)
                        .plugins(plugins)
                        .attachMode(AttachMode.SELF)
                        .journalInMemory() // a file below the root by default
                        .build()) {
            controller.start();
            volumes.start();
            Manifests.read("manifests", manifests).forEach(cluster::apply);

            ApiObject pod = cluster.get(ObjectKey.pod("default", "writer")).orElseThrow();
            MountedPod mounted = volumes.awaitMounted(pod.metadata().uid(), Duration.ofSeconds(30));
            mounted.volumes().forEach((name, volume) -> System.out.println(name + " is at " + volume.path()));
            System.out.println(volumes.explainPod("default", "writer").join().text());
            System.out.println(volumes.stats(pod.metadata().uid()).join()); // how full each volume is
        }
        // sample ends
    }

    @Test
    void isWhatTheReadmeShows() throws IOException {
        Path project = Path.of(System.getProperty("volume4j.root"));
        String source = Files.readString(project.resolve(
                "examples/quickstart/src/test/java/io/volume4j/examples/quickstart/ReadmeSampleTest.java"));
        String sample = source.substring(source.indexOf(BEGIN) + BEGIN.length(), source.indexOf(END))
                .stripTrailing()
                .stripIndent();

        assertThat(Files.readString(project.resolve("README.md"))).contains("```java\n" + sample + "\n```");
    }
}
