package io.volume4j.inmemory.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.volume4j.core.control.AttachDetachController;
import io.volume4j.core.control.ExternalAttacher;
import io.volume4j.core.control.ExternalProvisioner;
import io.volume4j.core.control.ExternalResizer;
import io.volume4j.core.control.PersistentVolumeController;
import io.volume4j.core.control.SnapshotController;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.node.BrokenPluginHost;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Everything that reconciles is started once: a host that starts what it had closed is told so, and does not wait for nothing. */
@Timeout(120)
class StartingControllersTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    private final InMemoryCluster cluster = InMemoryCluster.create();
    private final AtomicBoolean broken = new AtomicBoolean();
    private final PluginRegistry plugins = PluginRegistry.builder(
                    BrokenPluginHost.of(InMemoryPluginHost.named("").build(), broken::get))
            .plugins(List.of(InMemoryPlugin.on(InMemoryStorage.create())))
            .build();

    private record Startable(Runnable start, Runnable close) {}

    private enum Which {
        ATTACHMENTS {
            @Override
            Startable build(StartingControllersTest test) {
                AttachDetachController made = AttachDetachController.builder()
                        .cluster(test.cluster, test.cluster)
                        .plugins(test.plugins)
                        .build();
                return new Startable(made::start, made::close);
            }
        },
        CLAIMS {
            @Override
            Startable build(StartingControllersTest test) {
                PersistentVolumeController made = PersistentVolumeController.builder()
                        .cluster(test.cluster, test.cluster)
                        .plugins(test.plugins)
                        .build();
                return new Startable(made::start, made::close);
            }
        },
        SNAPSHOTS {
            @Override
            Startable build(StartingControllersTest test) {
                SnapshotController made = SnapshotController.builder()
                        .cluster(test.cluster, test.cluster)
                        .plugins(test.plugins)
                        .build();
                return new Startable(made::start, made::close);
            }
        },
        EXTERNAL_ATTACHER {
            @Override
            Startable build(StartingControllersTest test) {
                ExternalAttacher made = ExternalAttacher.builder("mem")
                        .cluster(test.cluster, test.cluster)
                        .plugins(test.plugins)
                        .build();
                return new Startable(made::start, made::close);
            }
        },
        EXTERNAL_PROVISIONER {
            @Override
            Startable build(StartingControllersTest test) {
                ExternalProvisioner made = ExternalProvisioner.builder()
                        .cluster(test.cluster, test.cluster)
                        .plugin("mem", test.plugins)
                        .build();
                return new Startable(made::start, made::close);
            }
        },
        EXTERNAL_RESIZER {
            @Override
            Startable build(StartingControllersTest test) {
                ExternalResizer made = ExternalResizer.builder()
                        .cluster(test.cluster, test.cluster)
                        .plugin("mem", test.plugins)
                        .build();
                return new Startable(made::start, made::close);
            }
        };

        abstract Startable build(StartingControllersTest test);
    }

    @ParameterizedTest
    @EnumSource
    void oneThatRunsIsNotStartedAgain(Which which) {
        Startable made = which.build(this);
        made.start().run();
        try {
            assertThatThrownBy(made.start()::run)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("was started before");
        } finally {
            made.close().run();
        }
    }

    @ParameterizedTest
    @EnumSource
    void oneThatWasClosedIsNotStarted(Which which) {
        Startable made = which.build(this);
        made.close().run();

        assertThatThrownBy(made.start()::run)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("was closed");
    }

    @ParameterizedTest
    @EnumSource
    void oneThatRanAndWasClosedIsNotStartedAgain(Which which) {
        Startable made = which.build(this);
        made.start().run();
        made.close().run();

        assertThatThrownBy(made.start()::run)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("was closed");
    }

    @ParameterizedTest
    @EnumSource
    void oneWhoseHostFailsWhileItIsBuiltLeavesNoThread(Which which) {
        broken.set(true);
        Set<Thread> before = Thread.getAllStackTraces().keySet();

        assertThatThrownBy(() -> which.build(this)).hasMessage("the host is broken");

        await().atMost(SOON)
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .filteredOn(thread -> !before.contains(thread))
                        .noneMatch(thread -> thread.getName().contains("-loop-")));
    }
}
