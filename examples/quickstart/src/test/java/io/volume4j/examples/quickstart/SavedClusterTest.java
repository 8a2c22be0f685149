package io.volume4j.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.volume4j.core.codec.Manifests;
import io.volume4j.inmemory.contract.ClusterContract;
import io.volume4j.inmemory.contract.ClusterUnderTest;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.mount.RootedPath;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The quickstart's own store does what the library relies on, and knows after a restart what it was told. */
class SavedClusterTest extends ClusterContract {
    private static final Path ROOT = Path.of("/quickstart");

    private static final ObjectKey HERE = ObjectKey.node("here");

    private final InMemoryMountBackend machine = InMemoryMountBackend.create();

    private SavedCluster cluster() {
        machine.files().createRoot(ROOT);
        return new SavedCluster(machine.files(), ROOT, InstantSource.system());
    }

    private SavedCluster cluster(int largest) {
        machine.files().createRoot(ROOT);
        return new SavedCluster(machine.files(), ROOT, InstantSource.system(), largest);
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
        before.create(node("here"));

        SavedCluster after = cluster();

        assertThat(after.load()).isTrue();
        assertThat(after.get(HERE).map(ApiObject::metadata))
                .isEqualTo(before.get(HERE).map(ApiObject::metadata));
    }

    @Test
    void aRestartReadsMoreThanTheLargestManifestOfAUser() {
        SavedCluster before = cluster();
        for (int i = 0; i < 4; i++) {
            before.create(node("n" + i, 400_000));
        }

        SavedCluster after = cluster();

        assertThat(after.load()).isTrue();
        assertThat(written(after)).isEqualTo(written(before));
    }

    @Test
    void aWriteThatALaterRunCouldNotReadIsRefusedAndTheFileStays() {
        SavedCluster before = cluster(2_000);
        before.create(node("here"));
        byte[] saved = file();

        assertThatExceptionOfType(ClusterException.class)
                .isThrownBy(() -> before.create(node("large", 2_000)))
                .withMessageMatching(
                        "save Node//large: .*cluster.yaml would have [0-9]+ bytes, and 1875 are the most,.*"
                                + "nothing was changed. Delete objects that no pod needs")
                .returns(Reason.INVALID, ClusterException::reason);

        assertThat(file()).isEqualTo(saved);
        assertThat(before.all()).extracting(ApiObject::key).containsExactly(HERE);
        SavedCluster after = cluster(2_000);
        assertThat(after.load()).isTrue();
        assertThat(written(after)).isEqualTo(written(before));
    }

    @Test
    void anObjectThatIsTooLargeForAManifestIsRefusedAndTheFileStays() {
        SavedCluster before = cluster();
        before.create(node("here"));
        byte[] saved = file();

        assertThatExceptionOfType(ClusterException.class)
                .isThrownBy(() -> before.create(node("large", 1 << 20)))
                .withMessageContaining("save Node//large: a later run could not read it: ")
                .withMessageContaining("is larger than 1048576 bytes")
                .returns(Reason.INVALID, ClusterException::reason);

        assertThat(file()).isEqualTo(saved);
    }

    @Test
    void whatIsThereCanBeChangedAndDeletedWhenNothingMoreFits() {
        SavedCluster full = cluster(2_000);
        full.create(node("here", 1_000, "example.org/kept"));
        assertThatExceptionOfType(ClusterException.class).isThrownBy(() -> full.create(node("other", 600)));

        full.apply(node("here", 1_500, "example.org/kept"));
        full.remove(HERE);

        assertThat(full.get(HERE)).get().matches(node -> node.metadata().deleting());
        SavedCluster after = cluster(2_000);
        assertThat(after.load()).isTrue();
        assertThat(written(after)).isEqualTo(written(full));
    }

    private static List<String> written(SavedCluster cluster) {
        return cluster.all().stream().map(Manifests::toYaml).toList();
    }

    private byte[] file() {
        return machine.files()
                .read(RootedPath.of(ROOT, SavedCluster.FILE), 1 << 20)
                .orElseThrow();
    }

    private static Node node(String name) {
        return node(name, 0);
    }

    /** @param letters how many an annotation has */
    private static Node node(String name, int letters, String... finalizers) {
        return new Node(
                ObjectMeta.named("", name)
                        .withAnnotation("example.org/text", "x".repeat(letters))
                        .withFinalizers(List.of(finalizers)),
                new Node.Spec(List.of()),
                new Node.Status(true, List.of(), List.of(), Map.of()),
                Unmodeled.none());
    }
}
