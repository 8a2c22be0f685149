package io.volume4j.inmemory.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.plugins.ContentPlugin;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.contract.LinuxFixture;
import io.volume4j.inmemory.host.InMemoryConfig;
import io.volume4j.inmemory.host.InMemoryPodRuntime;
import io.volume4j.inmemory.host.ManualCallContext;
import io.volume4j.inmemory.host.ManualClock;
import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.mount.IdMapping;
import io.volume4j.spi.mount.RootedPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Owner and mode of the token of a pod, through the front door, on the real kernel. */
@ExtendWith(RealKernel.class)
class ProjectedTokenOnKernelTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final InMemoryCluster cluster = InMemoryCluster.create();
    private final InMemoryPodRuntime runtime = InMemoryPodRuntime.omniscient();

    ProjectedTokenOnKernelTest() {
        runtime.idsOfOthers(IdMapping.shifted(100_000, 65_536));
    }

    @ParameterizedTest
    @CsvSource({
        // hostUsers, runAsUser, fsGroup: owner of the token, also after a restart
        "true,      ,     , 0:0 r--------",
        "true,  1000,     , 1000:0 rw-------",
        "true,  1000, 2000, 1000:2000 rw-r-----",
        "false, 1000,     , 101000:100000 rw-------",
        "false, 1000, 2000, 101000:102000 rw-r-----",
    })
    void theUserOfThePodOwnsItsToken(
            boolean hostUsers, @Nullable Long runAsUser, @Nullable Long fsGroup, String expected) throws Exception {
        try (LinuxFixture machine = new LinuxFixture()) {
            pod(hostUsers, new Pod.SecurityContext(fsGroup, "", List.of(), null, "", runAsUser));
            assertThat(tokenAfterStart(machine)).isEqualTo(expected);
            assertThat(tokenAfterStart(machine)).isEqualTo(expected);

            cluster.remove(ObjectKey.pod("default", "p"));
            try (VolumeManager manager = manager(machine)) {
                manager.start();
                manager.whenEmpty().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
            assertThat(machine.backend().table().below(machine.root())).isEmpty();
            Path parent = Objects.requireNonNull(machine.root().getParent());
            machine.backend().files().removeTree(RootedPath.of(parent, "root"), new ManualCallContext("test"));
        }
    }

    private String tokenAfterStart(LinuxFixture machine) throws Exception {
        try (VolumeManager manager = manager(machine)) {
            manager.start();
            Path volume = manager.awaitMounted("p", PATIENCE)
                    .container("app")
                    .mounts()
                    .get(0)
                    .hostPath();
            return ownership(volume.resolve("token"));
        }
    }

    private static String ownership(Path file) throws IOException {
        Map<String, Object> facts = Files.readAttributes(file, "unix:uid,gid");
        Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
        return facts.get("uid") + ":" + facts.get("gid") + " " + PosixFilePermissions.toString(mode);
    }

    private VolumeManager manager(LinuxFixture machine) {
        PluginRegistry plugins = PluginRegistry.builder(DefaultPluginHost.builder(machine.root())
                        .nodeName("n1")
                        .mounts(machine.backend())
                        .configs(new InMemoryConfig(new ManualClock()))
                        .build())
                .plugin(ContentPlugin.projected(Map.of()))
                .build();
        return VolumeManager.builder()
                .cluster(cluster)
                .plugins(plugins)
                .podRuntime(runtime)
                .attachMode(AttachMode.SELF)
                .build();
    }

    private void pod(boolean hostUsers, Pod.SecurityContext security) {
        Map<String, Object> token = Map.of("serviceAccountToken", Map.of("path", "token"));
        OtherSource projected = new OtherSource("projected", Map.of("defaultMode", 0400, "sources", List.of(token)));
        Container container = Container.builder("app")
                .volumeMounts(List.of(
                        Container.VolumeMount.builder("v", "/v").readOnly(true).build()))
                .build();
        cluster.apply(new Pod(
                ObjectMeta.named("default", "p").withUid("p"),
                Pod.Spec.builder()
                        .nodeName("n1")
                        .volumes(List.of(new PodVolume("v", projected)))
                        .containers(List.of(container))
                        .hostUsers(hostUsers)
                        .securityContext(security)
                        .build(),
                new Pod.Status(PodPhase.RUNNING, List.of(new Pod.ContainerStatus("app", true))),
                Unmodeled.none()));
    }
}
