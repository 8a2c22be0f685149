package io.volume4j.inmemory.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Of a pod with many volumes each is looked at by itself, and a pod with few is looked at as a whole: both come to the same. */
class ManyVolumesTest {
    private static final AccessMode RWO = AccessMode.READ_WRITE_ONCE;

    private final AttachHarness cluster = new AttachHarness(1);

    private List<String> pod(int volumes) {
        List<String> names = IntStream.range(0, volumes).mapToObj(i -> "v" + i).toList();
        cluster.foreignNode("n1").controller().pod("a", "n1", names.toArray(String[]::new));
        cluster.settle();
        return names;
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 20})
    void claimsThatAreBoundOneAfterTheOtherAreAttached(int volumes) {
        List<String> names = pod(volumes);
        for (int i = volumes - 1; i >= 0; i--) {
            cluster.volume(names.get(i), RWO).settle();
            assertThat(cluster.attached(names.get(i))).containsExactly("n1");
        }
        assertThat(cluster.records()).hasSize(volumes);

        cluster.deletePod("a");
        cluster.settle();

        assertThat(cluster.records()).isEmpty();
        assertThat(names).allSatisfy(name -> assertThat(cluster.attached(name)).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 20})
    void aClaimThatGoesKeepsItsVolumeAttached(int volumes) {
        List<String> names = pod(volumes);
        names.forEach(name -> cluster.volume(name, RWO));
        cluster.settle();

        cluster.cluster.remove(ObjectKey.claim("default", "v1"));
        cluster.settle();

        assertThat(names).allSatisfy(name -> assertThat(cluster.attached(name)).containsExactly("n1"));
        assertThat(cluster.controlCalls()).noneMatch(call -> call.startsWith("detach"));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 20})
    void aNameThatLeadsToAnotherVolumeGetsThatOneAndGivesTheOldOneUp(int volumes) {
        List<String> names = pod(volumes);
        names.forEach(name -> cluster.volume(name, RWO));
        cluster.storage.add("h-other", VolumeObjects.SIZE.bytes());
        cluster.settle();

        cluster.rehandle("v1", "h-other");
        cluster.settle();

        assertThat(cluster.attached("other")).containsExactly("n1");
        assertThat(cluster.attached("v1")).isEmpty();
        assertThat(cluster.records()).hasSize(volumes);

        cluster.rehandle("v1", "h-v2");
        cluster.settle();

        assertThat(cluster.attached("v2")).as("two names lead to it").containsExactly("n1");
        assertThat(cluster.attached("other")).isEmpty();
        assertThat(cluster.records()).hasSize(volumes - 1);

        cluster.rehandle("v1", "h-v1");
        cluster.settle();

        assertThat(names).allSatisfy(name -> assertThat(cluster.attached(name)).containsExactly("n1"));
    }
}
