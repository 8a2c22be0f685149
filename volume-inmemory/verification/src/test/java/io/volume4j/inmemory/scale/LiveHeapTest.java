package io.volume4j.inmemory.scale;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LiveHeapTest {
    @Test
    void addsUpClassesAndTellsTheLibrarysFromOthers() {
        LiveHeap heap = LiveHeap.read("""
                 num     #instances         #bytes  class name (module)
                -------------------------------------------------------
                   1:          1000          64000  [B (java.base@17.0.15)
                   2:            10            400  io.volume4j.core.engine.Engine
                   3:             2             48  io.volume4j.spi.VolumeId (io.volume4j.spi)
                   4:             1             16  io.volume4j.inmemory.sim.Simulation
                Total          1013          64464
                """);
        assertThat(heap).isEqualTo(new LiveHeap(64_464, 448));
        assertThat(heap.since(new LiveHeap(64_000, 400))).isEqualTo(new LiveHeap(464, 48));
    }

    @Test
    void asksTheMachineThatItRunsOn() {
        assertThat(LiveHeap.now().all()).isGreaterThan(100_000);
    }
}
