package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.codec.Manifests;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.VolumeMode;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a pod calls its things becomes the name of a file, if it can be one; if not, that pod is told so and no other suffers. */
class UnusableNamesTest {
    private final NodeHarness node = NodeHarness.withMachine(1);

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "a container's name that leads elsewhere | ../../../elsewhere | logs     | container",
                "a container's name that is absolute     | /elsewhere         | logs     | container",
                "a container's name of two names         | a/b                | logs     | container",
            })
    void areRefusedAndTheVolumeServesItsOtherPods(String what, String container, String subPath, String told) {
        node.boundClaim("data", AccessMode.READ_WRITE_MANY);
        pod("bad", container, subPath);
        pod("good", "app", "logs");
        node.start();
        var waiting = node.agent().whenMounted("bad");
        node.settle();

        assertThatThrownBy(() -> node.get(waiting))
                .isInstanceOf(VolumeException.class)
                .hasMessageContaining(told);
        assertThat(node.mounted("good").volumes()).hasSize(1);

        node.cluster.delete(ObjectKey.pod("default", "bad"), Preconditions.none());
        node.cluster.delete(ObjectKey.pod("default", "good"), Preconditions.none());
        node.settle();
        assertThat(node.leftOnMachine()).isEmpty();
        assertThat(Objects.requireNonNull(node.machine).violations()).isEmpty();
    }

    /** Each would see the other's part of the volume, or the host would be told of one of them only. */
    @ParameterizedTest(name = "init {0}, others {1}, parts {2}")
    @CsvSource({
        "same,      same,      true",
        "same,      same,      false",
        "same same, app,       true",
        "first,     same same, true",
    })
    void areRefusedIfTwoContainersHaveThem(String init, String others, boolean parts) {
        node.boundClaim("data", AccessMode.READ_WRITE_MANY);
        containers("bad", init, others, parts);
        containers("good", "first", "app", parts);
        node.start();
        var waiting = node.agent().whenMounted("bad");
        node.settle();

        assertThatThrownBy(() -> node.get(waiting))
                .isInstanceOf(VolumeException.class)
                .hasMessageContaining("two containers of the pod are called same");
        assertThat(node.mounted("good").containers()).containsOnlyKeys("first", "app");
        assertThat(node.calls()).noneMatch(call -> call.endsWith(" bad"));
    }

    /** An earlier version of the library mounted for such pods. */
    @Test
    void takeNothingFromAPodThatHasItsVolumesAlready() {
        node.boundClaim("data");
        containers("old", "first", "app", true);
        node.start();
        node.settle();
        List<String> before = node.leftOnMachine();
        node.kill();
        containers("old", "app", "app", true);

        node.start();
        node.settle();

        assertThat(node.leftOnMachine()).isEqualTo(before);
        assertThat(node.calls()).noneMatch(call -> call.startsWith("unmount"));
        node.cluster.delete(ObjectKey.pod("default", "old"), Preconditions.none());
        node.settle();
        assertThat(node.leftOnMachine()).isEmpty();
    }

    /** No API server limits a handle, and it becomes a part of each row of the journal. */
    @Test
    void areRefusedIfTheJournalCouldNotHoldThem() {
        String handle = "x".repeat(70_000);
        PersistentVolumeClaim claim = BoundVolumes.claim("long", AccessMode.READ_WRITE_ONCE, VolumeMode.FILESYSTEM);
        PersistentVolume like = BoundVolumes.volume("long", claim, BoundVolumes.SIZE);
        PersistentVolume.Spec spec = like.spec();
        node.storage.add(handle, BoundVolumes.SIZE.bytes());
        node.cluster.apply(claim);
        node.cluster.apply(new PersistentVolume(
                like.metadata(),
                new PersistentVolume.Spec(
                        spec.capacity(),
                        spec.accessModes(),
                        spec.reclaimPolicy(),
                        spec.storageClassName(),
                        spec.volumeMode(),
                        spec.claimRef(),
                        spec.mountOptions(),
                        null,
                        "",
                        CsiSource.of("mem", handle, "", Map.of())),
                like.status(),
                like.unmodeled()));
        node.boundClaim("data");
        node.pod("bad", "long");
        node.pod("good", "data");
        node.start();
        var waiting = node.agent().whenMounted("bad");
        node.settle();

        assertThatThrownBy(() -> node.get(waiting))
                .isInstanceOf(VolumeException.class)
                .hasMessageContaining("too long to be remembered");
        assertThat(node.calls()).noneMatch(call -> call.contains(handle));
        assertThat(node.mounted("good").volumes()).hasSize(1);

        // The journal can still be written anew.
        node.kill();
        node.deleteJournal();
        node.start().settle();
        node.tearUpCards();
        List<String> before = node.calls();
        node.kill();
        node.start().settle();
        assertThat(node.calls()).isEqualTo(before);
    }

    /** @param parts whether each container sees a part of the volume, that has its name */
    private void containers(String uid, String init, String others, boolean parts) {
        node.cluster.apply(Manifests.read("pod.json", """
                        {"apiVersion": "v1", "kind": "Pod",
                         "metadata": {"namespace": "default", "name": "%1$s", "uid": "%1$s"},
                         "spec": {"nodeName": "n1",
                                  "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}],
                                  "initContainers": [%2$s],
                                  "containers": [%3$s]},
                         "status": {"phase": "Pending"}}
                        """.formatted(uid, listed(init, parts), listed(others, parts)))
                .get(0));
    }

    private static String listed(String names, boolean parts) {
        return Stream.of(names.split(" ", -1))
                .map(name -> """
                        {"name": "%s", "volumeMounts": [{"name": "data", "mountPath": "/data", "subPath": "%s"}]}
                        """.formatted(name, parts ? name : ""))
                .collect(Collectors.joining(", "));
    }

    private void pod(String uid, String container, String subPath) {
        node.cluster.apply(Manifests.read("pod.json", """
                        {"apiVersion": "v1", "kind": "Pod",
                         "metadata": {"namespace": "default", "name": "%1$s", "uid": "%1$s"},
                         "spec": {"nodeName": "n1",
                                  "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}],
                                  "containers": [{"name": "%2$s", "volumeMounts":
                                      [{"name": "data", "mountPath": "/data", "subPath": "%3$s"}]}]},
                         "status": {"phase": "Pending"}}
                        """.formatted(uid, container, subPath))
                .get(0));
    }
}
