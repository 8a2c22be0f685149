package io.volume4j.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.contract.ClusterContract;
import io.volume4j.inmemory.contract.ClusterUnderTest;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Unmodeled;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The quickstart's own store does what the library relies on, and knows after a restart what it was told. */
class SavedClusterTest extends ClusterContract {
    private static final Path ROOT = Path.of("/quickstart");

    private final InMemoryMountBackend machine = InMemoryMountBackend.create();

    private SavedCluster cluster() {
        machine.files().createRoot(ROOT);
        return new SavedCluster(machine.files(), ROOT, InstantSource.system());
    }

    @Override
    protected ClusterUnderTest subject() {
        SavedCluster cluster = cluster();
        return new ClusterUnderTest() {
            @Override
            public ClusterSource source() {
                return cluster;
            }

            @Override
            public ClusterWriter writer() {
                return cluster;
            }
        };
    }

    @Test
    void aRestartKnowsWhatWasWritten() {
        SavedCluster before = cluster();
        before.create(new Node(
                ObjectMeta.named("", "here"),
                new Node.Spec(List.of()),
                new Node.Status(true, List.of(), List.of(), Map.of()),
                Unmodeled.none()));

        SavedCluster after = cluster();

        assertThat(after.load()).isTrue();
        assertThat(after.get(ObjectKey.node("here")).map(ApiObject::metadata))
                .isEqualTo(before.get(ObjectKey.node("here")).map(ApiObject::metadata));
    }
}
