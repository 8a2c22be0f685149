package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.GivenClaim.claim;
import static io.volume4j.inmemory.control.GivenClaim.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.plugin.Provisioner.ProvisionRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A user who may write claims writes the intent too, by which a new leader continues what an earlier one has begun. */
class ForgedIntentTest {
    private static final String INTENT = "volume4j.io/provisioning-intent";

    private final ControlBench bench = new ControlBench();

    /** An intent of an earlier process with settings that an author of claims may not choose. */
    private static String forged(String volume, String plugin, String parameters, String more) {
        return """
                {"v":1,"epoch":0,"by":"x","inherited":true,"plugin":"%s","volume":"%s","bytes":1099511627776,
                 "class":{"name":"other","uid":"uid-fast","mountOptions":["suid","dev"],"reclaimPolicy":"RECYCLE",
                          "parameters":{%s}}%s}
                """.formatted(plugin, volume, parameters, more);
    }

    private static String forged(String volume) {
        return forged(volume, "mem", "", "");
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
                        .annotation(INTENT, forged("pvc-uid-c"))
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
    void nothingIsMadeWithTheParametersTheSourceOrThePluginOfAForgedIntent() {
        String secret = "\"csi.storage.k8s.io/provisioner-secret-name\":\"of-another\"";
        String from = ",\"from\":{\"kind\":\"VOLUME\",\"handle\":\"of-another\"}";
        bench.given(
                Classes.storageClass("fast", "mem"),
                with("parameters", "fast", forged("pvc-uid-parameters", "mem", secret, "")),
                with("source", "fast", forged("pvc-uid-source", "mem", "", from)),
                with("plugin", "fast", forged("pvc-uid-plugin", "other", "", "")),
                with("class", "", forged("pvc-uid-class")));
        bench.start().settle();

        assertThat(provisions()).isEmpty();
        assertThat(bench.cluster.list(Kind.PERSISTENT_VOLUME, Selection.all()).objects())
                .isEmpty();
        assertThat(bench.told(key("parameters"))).contains("ProvisioningFailed");
    }

    /** Another claim's volume is nothing that this claim's annotation could record. */
    @Test
    void anIntentForAnotherVolumeIsReplaced() {
        bench.given(Classes.storageClass("fast", "mem"), with("c", "fast", forged("stolen")));
        bench.start().settle();

        assertThat(provisions()).extracting(ProvisionRequest::volumeName).containsExactly("pvc-uid-c");
        assertThat(bench.claim("c").spec().volumeName()).isEqualTo("pvc-uid-c");
    }

    /** What is left of a claim that is removed by force gets the settings of its class, whatever its last annotation says. */
    @Test
    void theStorageOfAClaimThatIsRemovedByForceGetsTheSettingsOfItsClass() {
        bench.plugin.faults().add(Fault.on("provision").always().as(FaultKind.UNCERTAIN_AFTER));
        bench.given(
                Classes.storageClass("fast", "mem", ReclaimPolicy.RETAIN, VolumeBindingMode.IMMEDIATE),
                claim("c").ofClass("fast").made());
        bench.start().run();
        bench.patch(
                key("c"),
                false,
                FieldChange.set(forged("pvc-uid-c"), "metadata", "annotations", INTENT),
                FieldChange.set(List.of(), "metadata", "finalizers"));
        bench.cluster.remove(key("c"));
        bench.settle();

        PersistentVolume volume = (PersistentVolume)
                bench.cluster.get(ObjectKey.volume("pvc-uid-c")).orElseThrow();
        assertThat(volume.spec().mountOptions()).isEmpty();
        assertThat(volume.spec().reclaimPolicy()).isEqualTo(ReclaimPolicy.RETAIN);
        assertThat(volume.spec().storageClassName()).isEqualTo("fast");
    }

    private static ApiObject with(String name, String className, String intent) {
        return claim(name).ofClass(className).annotation(INTENT, intent).made();
    }
}
