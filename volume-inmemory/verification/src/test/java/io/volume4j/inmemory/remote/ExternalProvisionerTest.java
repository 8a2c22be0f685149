package io.volume4j.inmemory.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.control.PersistentVolumeController;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.WellKnown;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A provisioner in another process and the binding controller in this one, with nothing between them but the cluster. */
@Timeout(300)
class ExternalProvisionerTest {
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final ObjectKey CLAIM = ObjectKey.claim("ns", "c");

    @TempDir
    Path directory;

    private final InMemoryCluster cluster = InMemoryCluster.create();
    private final List<Process> processes = new ArrayList<>();
    private final PersistentVolumeController controller = PersistentVolumeController.builder()
            .cluster(cluster, cluster)
            .plugins(
                    PluginRegistry.builder(InMemoryPluginHost.named("").build()).build())
            .build();
    private final ClusterServer server;

    ExternalProvisionerTest() throws IOException {
        server = new ClusterServer(cluster);
    }

    @BeforeEach
    void begin() throws IOException {
        Files.createDirectory(volumes());
        cluster.apply(new StorageClass(
                ObjectMeta.named("", "directories"),
                ProvisionerProcess.NAME,
                Map.of(),
                ReclaimPolicy.DELETE,
                List.of("vers=4.1"),
                false,
                VolumeBindingMode.IMMEDIATE,
                null,
                Unmodeled.none()));
        controller.start();
    }

    @AfterEach
    void end() throws Exception {
        controller.close();
        server.close();
        for (Process process : processes) {
            process.destroyForcibly().waitFor(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void makesAVolumeForAClaimAndDeletesItWhenTheControllerHasReleasedIt() throws Exception {
        start();
        ApiObject claim = cluster.apply(claim());

        PersistentVolume volume = controller.awaitBound(CLAIM, SOON);

        assertThat(volume.metadata().annotation(WellKnown.PROVISIONED_BY)).isEqualTo(ProvisionerProcess.NAME);
        assertThat(Objects.requireNonNull(volume.spec().claimRef()).uid())
                .isEqualTo(claim.metadata().uid());
        assertThat(volume.spec().reclaimPolicy()).isEqualTo(ReclaimPolicy.DELETE);
        assertThat(volume.spec().mountOptions()).containsExactly("vers=4.1");
        assertThat(volume.spec().storageClassName()).isEqualTo("directories");
        assertThat(volume.metadata().finalizers())
                .containsExactly("external-provisioner.volume.kubernetes.io/finalizer");
        assertThat(made()).containsExactly(volume.metadata().name());
        await(
                "its intent is closed",
                () -> cluster.get(CLAIM).orElseThrow().metadata().finalizers().isEmpty());

        cluster.remove(CLAIM);

        await("the volume is gone", () -> cluster.get(volume.key()).isEmpty());
        assertThat(made()).isEmpty();
    }

    @Test
    void losesNothingWhenItDiesBetweenMakingAVolumeAndSayingSo() throws Exception {
        Process first = start(directory.resolve("halted").toString());
        cluster.apply(claim());

        assertThat(first.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(first.exitValue()).isEqualTo(ProvisionerProcess.HALTED);
        assertThat(made()).hasSize(1);
        assertThat(cluster.get(ObjectKey.volume(made().get(0)))).isEmpty();
        start();

        assertThat(controller.awaitBound(CLAIM, SOON).metadata().name()).isEqualTo(made().get(0));
        assertThat(made()).hasSize(1);
    }

    @Test
    void leavesNothingBehindWhenItDiesAndTheClaimIsDeletedMeanwhile() throws Exception {
        Process first = start(directory.resolve("halted").toString());
        cluster.apply(claim());
        assertThat(first.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(made()).hasSize(1);
        cluster.remove(CLAIM);
        assertThat(cluster.get(CLAIM)).as("kept by its open intent").isPresent();

        start();

        await("the claim is gone", () -> cluster.get(CLAIM).isEmpty());
        await("what was made for it is gone", () -> made().isEmpty());
    }

    @Test
    void endsByItselfWhenTheClusterIsGone() throws Exception {
        Process process = start();
        cluster.apply(claim());
        controller.awaitBound(CLAIM, SOON);

        server.close();

        assertThat(process.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }

    private Process start(String... more) throws IOException {
        List<String> paths = new ArrayList<>();
        for (String property : List.of("java.class.path", "jdk.module.path")) {
            String value = System.getProperty(property, "");
            if (!value.isEmpty()) {
                paths.add(value);
            }
        }
        // On the module path, tests are patched into the module and stand on no path.
        paths.add(Path.of("target", "test-classes").toAbsolutePath().toString());
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                String.join(File.pathSeparator, paths),
                ProvisionerProcess.class.getName(),
                Integer.toString(server.port()),
                volumes().toString()));
        command.addAll(List.of(more));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(
                        directory.resolve("out-" + processes.size() + ".log").toFile())
                .start();
        processes.add(process);
        return process;
    }

    private Path volumes() {
        return directory.resolve("volumes");
    }

    private List<String> made() throws IOException {
        try (Stream<Path> found = Files.list(volumes())) {
            return found.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    private static void await(String what, Callable<Boolean> condition) {
        Awaitility.await(what).atMost(SOON).until(condition);
    }

    private static PersistentVolumeClaim claim() {
        return new PersistentVolumeClaim(
                ObjectMeta.named("ns", "c"),
                new PersistentVolumeClaim.Spec(
                        List.of(AccessMode.READ_WRITE_MANY),
                        Quantity.parse("1Gi"),
                        "directories",
                        VolumeMode.FILESYSTEM,
                        "",
                        null,
                        null,
                        null,
                        ""),
                new PersistentVolumeClaim.Status(ClaimPhase.PENDING, List.of(), null, Map.of(), Map.of(), ""),
                Unmodeled.none());
    }
}
