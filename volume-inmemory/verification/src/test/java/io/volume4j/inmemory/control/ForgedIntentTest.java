package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.GivenClaim.claim;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.plugin.Provisioner.ProvisionRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A user who may write claims writes the intent too, by which a new leader continues what an earlier one has begun. */
class ForgedIntentTest {
    private static final String INTENT = "volume4j.io/provisioning-intent";

    private final ControlBench bench = new ControlBench();

    /** An intent of an earlier process with everything that an author of claims may not choose. */
    private static String forged(String volume, String plugin) {
        return """
                {"v":1,"epoch":0,"by":"x","inherited":true,"plugin":"%s","volume":"%s","bytes":1099511627776,
                 "class":{"name":"fast","uid":"uid-fast","mountOptions":["suid","dev"],"reclaimPolicy":"RETAIN",
                          "parameters":{"volume4j.io/format-unproved":"signatures",
                                        "csi.storage.k8s.io/provisioner-secret-name":"of-another"}},
                 "from":{"kind":"VOLUME","handle":"of-another"}}
                """.formatted(plugin, volume);
    }

    private List<ProvisionRequest> provisions() {
        return bench.storage.calls().stream()
                .filter(call -> call.name().equals("provision"))
                .map(call -> (ProvisionRequest) call.request())
                .toList();
    }

    @Test
    void theVolumeIsMadeWithWhatTheClassAndTheClaimSay() {
        bench.given(
                Classes.storageClass("fast", "mem"),
                claim("c")
                        .ofClass("fast")
                        .annotation(INTENT, forged("pvc-uid-c", "mem"))
                        .made());
        bench.start().settle();

        PersistentVolume volume = (PersistentVolume)
                bench.cluster.get(ObjectKey.volume("pvc-uid-c")).orElseThrow();
        assertThat(volume.spec().capacity()).hasToString("1Gi");
        assertThat(volume.spec().mountOptions()).isEmpty();
        assertThat(volume.spec().reclaimPolicy()).isEqualTo(ReclaimPolicy.DELETE);
        assertThat(volume.metadata().annotations()).doesNotContainKey("volume4j.io/format-unproved");
        assertThat(provisions()).singleElement().satisfies(request -> {
            assertThat(request.volumeName()).isEqualTo("pvc-uid-c");
            assertThat(request.content()).isNull();
            assertThat(request.storageClass().parameters()).isEmpty();
        });
    }

    @Test
    void noVolumeIsMadeUnderTheNameOfAnotherOrByAnotherPlugin() {
        bench.given(
                Classes.storageClass("fast", "mem"),
                claim("name")
                        .ofClass("fast")
                        .annotation(INTENT, forged("stolen", "mem"))
                        .made(),
                claim("plugin")
                        .ofClass("fast")
                        .annotation(INTENT, forged("pvc-uid-plugin", "other"))
                        .made(),
                claim("class")
                        .annotation(INTENT, forged("pvc-uid-class", "mem"))
                        .made());
        bench.start().settle();

        assertThat(provisions()).isEmpty();
        assertThat(bench.cluster.list(Kind.PERSISTENT_VOLUME, Selection.all()).objects())
                .isEmpty();
    }
}
