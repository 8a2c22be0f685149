package io.volume4j.inmemory.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.control.AttachDetachController;
import io.volume4j.core.control.ExternalAttacher;
import io.volume4j.core.control.ExternalProvisioner;
import io.volume4j.core.control.ExternalResizer;
import io.volume4j.core.control.PersistentVolumeController;
import io.volume4j.core.control.SnapshotController;
import io.volume4j.core.explain.Health;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.inmemory.cluster.ClusterFault;
import io.volume4j.inmemory.cluster.ClusterVerb;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.host.LeaderEpoch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a node and each controller answer to a probe. */
@Timeout(120)
class HealthAnswerTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    private final InMemoryCluster cluster = InMemoryCluster.create();
    private final InMemoryMountBackend machine = InMemoryMountBackend.create();
    private final PluginRegistry plugins = PluginRegistry.builder(InMemoryPluginHost.named("n1")
                    .mounts(machine)
                    .root(Path.of("/volumes"))
                    .build())
            .plugins(List.of(InMemoryPlugin.on(InMemoryStorage.create())))
            .build();

    /** Something that answers. */
    private record Probed(Runnable start, Supplier<Health> health, Runnable closing) implements AutoCloseable {
        @Override
        public void close() {
            closing.run();
        }
    }

    private enum Controller {
        ATTACHMENTS {
            @Override
            Probed build(HealthAnswerTest test, LeaderEpoch leader) {
                AttachDetachController made = AttachDetachController.builder()
                        .cluster(test.cluster, test.cluster)
                        .plugins(test.plugins)
                        .leader(leader)
                        .build();
                return new Probed(made::start, made::health, made::close);
            }
        },
        CLAIMS {
            @Override
            Probed build(HealthAnswerTest test, LeaderEpoch leader) {
                PersistentVolumeController made = PersistentVolumeController.builder()
                        .cluster(test.cluster, test.cluster)
                        .plugins(test.plugins)
                        .leader(leader)
                        .build();
                return new Probed(made::start, made::health, made::close);
            }
        },
        SNAPSHOTS {
            @Override
            Probed build(HealthAnswerTest test, LeaderEpoch leader) {
                SnapshotController made = SnapshotController.builder()
                        .cluster(test.cluster, test.cluster)
                        .plugins(test.plugins)
                        .leader(leader)
                        .build();
                return new Probed(made::start, made::health, made::close);
            }
        },
        EXTERNAL_ATTACHER {
            @Override
            Probed build(HealthAnswerTest test, LeaderEpoch leader) {
                ExternalAttacher made = ExternalAttacher.builder("mem")
                        .cluster(test.cluster, test.cluster)
                        .plugins(test.plugins)
                        .leader(leader)
                        .build();
                return new Probed(made::start, made::health, made::close);
            }
        },
        EXTERNAL_PROVISIONER {
            @Override
            Probed build(HealthAnswerTest test, LeaderEpoch leader) {
                ExternalProvisioner made = ExternalProvisioner.builder()
                        .cluster(test.cluster, test.cluster)
                        .plugin("mem", test.plugins)
                        .leader(leader)
                        .build();
                return new Probed(made::start, made::health, made::close);
            }
        },
        EXTERNAL_RESIZER {
            @Override
            Probed build(HealthAnswerTest test, LeaderEpoch leader) {
                ExternalResizer made = ExternalResizer.builder()
                        .cluster(test.cluster, test.cluster)
                        .plugin("mem", test.plugins)
                        .leader(leader)
                        .build();
                return new Probed(made::start, made::health, made::close);
            }
        };

        abstract Probed build(HealthAnswerTest test, LeaderEpoch leader);
    }

    private static void becomes(Probed probed, Health health) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(probed.health().get()).isEqualTo(health));
    }

    @ParameterizedTest
    @EnumSource
    void aControllerIsReadyOnceItKnowsTheClusterAndLeads(Controller which) {
        Probed made = which.build(this, LeaderEpoch.alone());
        try (made) {
            Health before = made.health().get();
            assertThat(before.live()).isTrue();
            assertThat(before.ready()).isFalse();
            assertThat(before.text()).contains("was not started: call start()");

            made.start().run();
            becomes(made, Health.working());
        }
        assertThat(made.health().get().live()).isFalse();
        assertThat(made.health().get().text()).endsWith(" was closed");
    }

    @ParameterizedTest
    @EnumSource
    void aControllerThatStandsByIsReadyToo(Controller which) {
        try (Probed made = which.build(this, follower())) {
            made.start().run();
            becomes(made, Health.standingBy());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aControllerThatCannotListIsLiveAndNotReady(Controller which) {
        cluster.fail(ClusterFault.on(ClusterVerb.LIST).always());
        try (Probed made = which.build(this, LeaderEpoch.alone())) {
            made.start().run();
            await().atMost(SOON).untilAsserted(() -> {
                Health health = made.health().get();
                assertThat(health.live()).isTrue();
                assertThat(health.ready()).isFalse();
                assertThat(health.text()).contains("cannot be listed");
            });

            cluster.heal();
            becomes(made, Health.working());
        }
    }

    @Test
    void aNodeIsReadyOnceItKnowsWhatIsMountedAndWhatIsWanted() {
        cluster.fail(ClusterFault.on(ClusterVerb.LIST).always());
        VolumeManager volumes = VolumeManager.builder()
                .cluster(cluster)
                .plugins(plugins)
                .attachMode(AttachMode.SELF)
                .journalInMemory()
                .directWishes()
                .build();
        try (volumes) {
            assertThat(volumes.health().text()).contains("live, not ready: ").contains("was not started");

            volumes.start();
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(volumes.health().reasons())
                            .anyMatch(reason -> reason.startsWith("the node's object cannot be read"))
                            .anyMatch(reason -> reason.contains("desiredState().complete()")));

            cluster.heal();
            volumes.desiredState().complete();
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(volumes.health()).isEqualTo(Health.working()));
        }
        assertThat(volumes.health()).isEqualTo(Health.notLive("the volume manager was closed"));
    }

    private static LeaderEpoch follower() {
        return new LeaderEpoch() {
            @Override
            public long epoch() {
                return 1;
            }

            @Override
            public Duration remaining() {
                return Duration.ZERO;
            }
        };
    }
}
