package io.volume4j.inmemory.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.codec.Manifests;
import io.volume4j.core.control.PersistentVolumeController;
import io.volume4j.core.plugins.NfsShareProvisioner;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.NfsSource;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The manifests of the articles that the project started from, under a controller with real threads. */
@Timeout(180)
class SeedManifestsTest {
    private static final ObjectKey NFS = ObjectKey.claim("default", "nfs");

    private final InMemoryCluster cluster = InMemoryCluster.create();
    private final InMemoryMountBackend machine =
            InMemoryMountBackend.builder().filesystems("nfs").build();
    private final PluginRegistry plugins = PluginRegistry.builder(
                    InMemoryPluginHost.named("n1").mounts(machine).build())
            .plugin(new NfsShareProvisioner("example.com/nfs", "127.0.0.1", "/nfs_storage"))
            .build();
    private final PersistentVolumeController controller = PersistentVolumeController.builder()
            .cluster(cluster, cluster)
            .plugins(plugins)
            .build();

    @AfterEach
    void close() {
        controller.close();
    }

    @Test
    void theStaticTrioIsReadAndBound() throws IOException {
        apply("static-nfs.yaml");
        controller.start();

        PersistentVolume volume = controller.awaitBound(ObjectKey.claim("default", "nfs-pvc"), Duration.ofSeconds(30));

        assertThat(volume.metadata().name()).isEqualTo("nfs-pv");
        assertThat(claim(ObjectKey.claim("default", "nfs-pvc")).status().phase())
                .isEqualTo(ClaimPhase.BOUND);
    }

    @Test
    void theBetaAnnotationBeatsTheClassNameSoTheDynamicClaimAsPrintedWaitsForAMissingClass() throws Exception {
        apply("dynamic-nfs.yaml");
        controller.start();
        var bound = controller.whenBound(NFS);

        String why = "";
        while (!why.contains("example-nfs")) {
            why = controller.explain(NFS).get(60, TimeUnit.SECONDS).text();
        }

        assertThat(why).contains("storage class \"example-nfs\" does not exist");
        assertThat(bound).isNotDone();
        assertThat(claim(NFS).status().phase()).isNotEqualTo(ClaimPhase.BOUND);
    }

    @Test
    void withoutTheAnnotationItIsProvisionedByAProvisionerOfThatName() throws Exception {
        machine.export("nfs", "127.0.0.1:/nfs_storage");
        apply("dynamic-nfs-plain.yaml");
        controller.start();

        PersistentVolume volume = controller.awaitBound(NFS, Duration.ofSeconds(30));

        assertThat(volume.metadata().annotation("pv.kubernetes.io/provisioned-by"))
                .isEqualTo("example.com/nfs");
        assertThat(volume.spec().mountOptions()).as("from the class").containsExactly("vers=4.1");
        assertThat(volume.spec().storageClassName()).isEqualTo("nfs-sc");
        assertThat(volume.spec().source())
                .isEqualTo(new NfsSource(
                        "127.0.0.1", "/nfs_storage/" + volume.metadata().name(), false));

        cluster.delete(NFS, Preconditions.none());
        controller.whenGone(volume.key()).get(30, TimeUnit.SECONDS);
    }

    private void apply(String file) throws IOException {
        Path manifests = Path.of(System.getProperty("volume4j.root"))
                .resolve("volume-core/src/test/resources/manifests/seeds")
                .resolve(file);
        Manifests.read(file, Files.readString(manifests)).forEach(cluster::apply);
    }

    private PersistentVolumeClaim claim(ObjectKey key) {
        return (PersistentVolumeClaim) cluster.get(key).orElseThrow();
    }
}
