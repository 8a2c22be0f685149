package io.volume4j.inmemory.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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
                   5:             1             24  [Lio.volume4j.core.engine.Step; (io.volume4j.core@0.1.0)
                   6:             1             32  io.volume4j.coreless.Other
                Total          1015          64520
                """, List.of("io.volume4j.core", "io.volume4j.spi"));
        assertThat(heap).isEqualTo(new LiveHeap(64_520, 472));
        assertThat(heap.since(new LiveHeap(64_000, 400))).isEqualTo(new LiveHeap(520, 72));
    }

    @Test
    void asksTheMachineThatItRunsOn() {
        assertThat(LiveHeap.now().bytes()).isGreaterThan(100_000);
    }
}
