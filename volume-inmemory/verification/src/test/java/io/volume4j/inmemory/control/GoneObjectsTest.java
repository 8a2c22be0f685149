package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.GivenVolume.volume;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.scale.LiveHeap;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.VolumePhase;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Users remove objects by force while calls for them run. */
class GoneObjectsTest {
    private static final int MANY = 200;

    private final ControlBench bench = new ControlBench();

    @Test
    void aDeletionThatFailsAfterItsVolumeIsGoneLeavesNoMemory() {
        bench.plugin.faults().add(Fault.on("delete").always());
        bench.whenDeleting(() -> removeByForce(bench.volumes().get(0)));
        bench.start();
        release(0);
        long before = memories();
        for (int number = 1; number <= MANY; number++) {
            release(number);
        }

        assertThat(bench.storage.calls())
                .filteredOn(call -> call.text().startsWith("delete"))
                .hasSize(MANY + 1);
        assertThat(bench.volumes()).isEmpty();
        assertThat(memories() - before).isLessThan(MANY);
    }

    private void removeByForce(PersistentVolume volume) {
        bench.given(new PersistentVolume(
                volume.metadata().withFinalizers(List.of()), volume.spec(), volume.status(), volume.unmodeled()));
        bench.cluster.remove(volume.key());
    }

    private void release(int number) {
        String name = "v" + number;
        bench.storage.add(name, 1);
        bench.given(volume(name)
                .policy(ReclaimPolicy.DELETE)
                .phase(VolumePhase.RELEASED)
                .boundTo("c" + number, "uid-c" + number)
                .made());
        bench.settle();
    }

    private static long memories() {
        return LiveHeap.now(List.of("io.volume4j.core.control.binding")).ours();
    }
}
