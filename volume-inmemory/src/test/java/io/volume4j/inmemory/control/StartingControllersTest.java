package io.volume4j.inmemory.control;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.control.AttachDetachController;
import io.volume4j.core.control.ExternalAttacher;
import io.volume4j.core.control.ExternalProvisioner;
import io.volume4j.core.control.ExternalResizer;
import io.volume4j.core.control.PersistentVolumeController;
import io.volume4j.core.control.SnapshotController;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Everything that reconciles is started once: a host that starts what it had closed is told so, and does not wait for nothing. */
@Timeout(120)
class StartingControllersTest {
    private final InMemoryCluster cluster = InMemoryCluster.create();
    private final PluginRegistry plugins = PluginRegistry.builder(
                    InMemoryPluginHost.named("").build())
            .plugins(List.of(InMemoryPlugin.on(InMemoryStorage.create())))
            .build();

    private record Startable(Runnable start, Runnable close) {}

    private enum Which {
        ATTACHMENTS(test -> {
            AttachDetachController made = AttachDetachController.builder()
                    .cluster(test.cluster, test.cluster)
                    .plugins(test.plugins)
                    .build();
            return new Startable(made::start, made::close);
        }),
        CLAIMS(test -> {
            PersistentVolumeController made = PersistentVolumeController.builder()
                    .cluster(test.cluster, test.cluster)
                    .plugins(test.plugins)
                    .build();
            return new Startable(made::start, made::close);
        }),
        SNAPSHOTS(test -> {
            SnapshotController made = SnapshotController.builder()
                    .cluster(test.cluster, test.cluster)
                    .plugins(test.plugins)
                    .build();
            return new Startable(made::start, made::close);
        }),
        EXTERNAL_ATTACHER(test -> {
            ExternalAttacher made = ExternalAttacher.builder("mem")
                    .cluster(test.cluster, test.cluster)
                    .plugins(test.plugins)
                    .build();
            return new Startable(made::start, made::close);
        }),
        EXTERNAL_PROVISIONER(test -> {
            ExternalProvisioner made = ExternalProvisioner.builder()
                    .cluster(test.cluster, test.cluster)
                    .plugin("mem", test.plugins)
                    .build();
            return new Startable(made::start, made::close);
        }),
        EXTERNAL_RESIZER(test -> {
            ExternalResizer made = ExternalResizer.builder()
                    .cluster(test.cluster, test.cluster)
                    .plugin("mem", test.plugins)
                    .build();
            return new Startable(made::start, made::close);
        });

        private final Function<StartingControllersTest, Startable> build;

        Which(Function<StartingControllersTest, Startable> build) {
            this.build = build;
        }
    }

    @ParameterizedTest
    @EnumSource
    void oneThatRunsIsNotStartedAgain(Which which) {
        Startable made = which.build.apply(this);
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
        Startable made = which.build.apply(this);
        made.close().run();

        assertThatThrownBy(made.start()::run)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("was closed");
    }

    @ParameterizedTest
    @EnumSource
    void oneThatRanAndWasClosedIsNotStartedAgain(Which which) {
        Startable made = which.build.apply(this);
        made.start().run();
        made.close().run();

        assertThatThrownBy(made.start()::run)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("was closed");
    }
}
