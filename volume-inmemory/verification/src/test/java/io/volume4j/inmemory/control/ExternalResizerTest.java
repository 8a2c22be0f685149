package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.GivenClaim.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.assembly.ControllerFeatures;
import io.volume4j.core.control.host.ObjectReconciler;
import io.volume4j.inmemory.plugin.Capability;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.Quantity;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A resizer apart from the binding controller, which meets it only in the cluster's objects. */
class ExternalResizerTest {
    private final ControlBench bench = new ControlBench();

    ExternalResizerTest() {
        bench.given(
                        Classes.storageClass("fast", "mem"),
                        GivenClaim.claim("c").ofClass("fast").made())
                .startAndSettle();
        bench.plugin.set(Capability.NODE_EXPAND, false);
        bench.patch(key("c"), false, FieldChange.set("2Gi", "spec", "resources", "requests", "storage"));
        bench.settle();
        assertThat(bench.claim("c").status().capacity()).isEqualTo(Quantity.parse("1Gi"));
    }

    private void resizerOf(String driver) {
        VirtualLoop apart = new VirtualLoop();
        ObjectReconciler resizer =
                bench.newAgent(apart, "resizer", ControllerFeatures.ofResizer(driver), bench.plugins);
        resizer.start();
        for (int i = 0; i < 20; i++) {
            apart.advance(Duration.ofSeconds(10));
            bench.settle();
        }
    }

    @Test
    void expandsTheVolumesOfItsPlugin() {
        resizerOf("mem");

        assertThat(bench.claim("c").status().capacity()).isEqualTo(Quantity.parse("2Gi"));
        assertThat(bench.volume("pvc-uid-c").spec().capacity()).isEqualTo(Quantity.parse("2Gi"));
    }

    @Test
    void leavesThoseOfOthersAlone() {
        resizerOf("other.example.com");

        assertThat(bench.claim("c").status().capacity()).isEqualTo(Quantity.parse("1Gi"));
        assertThat(bench.claim("c").status().allocatedResources()).isEmpty();
    }

    @Test
    void neitherBindsNorDeletes() {
        bench.kill();
        bench.given(GivenClaim.claim("d").ofClass("fast").made());
        bench.cluster.remove(key("c"));
        resizerOf("mem");

        assertThat(bench.claim("d").spec().volumeName()).isEmpty();
        assertThat(bench.storage.volumes()).hasSize(1);
    }
}
