package io.volume4j.core.control.binding.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.control.PlanRow;
import io.volume4j.core.control.binding.plan.ProvisioningIntent.Attributes;
import io.volume4j.core.control.binding.plan.ProvisioningIntent.ClassContent;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.core.control.host.source.DataSource;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeAttributesClass;
import io.volume4j.spi.plugin.Places;
import io.volume4j.spi.plugin.Provisioner.ContentSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The author of a claim can write the claim's intent, but what the controller calls with comes from the cluster's objects. */
class IntentCheckTest {
    private static final long GIB = 1L << 30;
    private static final ContentSource OWN = new ContentSource(ContentSource.Kind.SNAPSHOT, "own");
    private static final ContentSource FOREIGN = new ContentSource(ContentSource.Kind.VOLUME, "pvc-of-another");
    private static final DataSource SOURCE =
            new DataSource(DataSource.Kind.SNAPSHOT, "VolumeSnapshot ns/s", true, "").from(OWN);

    private final PersistentVolumeClaim claim = ClaimGiven.claim().object();
    private final PersistentVolumeClaim golden = ClaimGiven.claim()
            .spec("storageClassName: fast, resources: {requests: {storage: 1Gi}}, volumeAttributesClassName: gold")
            .object();
    private final StorageClass fast = PlanRow.object(StorageClass.class, """
            {apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: fast, uid: u-f}, provisioner: mem,
             parameters: {tier: slow}, mountOptions: [noatime], reclaimPolicy: Delete}
            """);
    private final VolumeAttributesClass gold = PlanRow.object(VolumeAttributesClass.class, """
            {apiVersion: storage.k8s.io/v1, kind: VolumeAttributesClass, metadata: {name: gold}, driverName: mem,
             parameters: {iops: "9"}}
            """);
    private final ClassContent then = ClassContent.of(fast);

    private IntentCheck check(ProvisioningIntent intent, DataSource source) {
        return IntentCheck.of(intent, claim, new IntentCheck.Copied(Lookup.found(fast), Lookup.found(gold)), source);
    }

    private static ProvisioningIntent intent(
            long bytes, ClassContent content, @Nullable ContentSource from, Attributes attributes) {
        return new ProvisioningIntent(6, "q", false, "mem", "pvc-u-c", bytes, "n1", content, from, attributes);
    }

    @Test
    void confirmsWhatTheObjectsSay() {
        assertThat(check(intent(GIB, then, OWN, Attributes.none()), SOURCE).confirmed())
                .isTrue();
        assertThat(check(intent(GIB / 2, then, OWN, Attributes.none()), SOURCE).confirmed())
                .as("the claim has grown")
                .isTrue();
        assertThat(check(intent(GIB, then.withUid("made anew"), null, Attributes.none()), DataSource.none())
                        .confirmed())
                .isTrue();
        ContentSource elsewhere =
                new ContentSource(ContentSource.Kind.SNAPSHOT, "own", new Places(List.of(Map.of("zone", "a"))));
        assertThat(check(intent(GIB, then, elsewhere, Attributes.none()), SOURCE)
                        .confirmed())
                .isTrue();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("forged")
    void corrects(String what, ProvisioningIntent forged) {
        assertThat(check(forged, SOURCE).corrected()).isEqualTo(intent(GIB, then, OWN, Attributes.none()));
    }

    private static Stream<Arguments> forged() {
        ClassContent then = new IntentCheckTest().then;
        return Stream.of(
                Arguments.of("a size beyond the request", intent(GIB << 10, then, OWN, Attributes.none())),
                Arguments.of("no size", intent(0, then, OWN, Attributes.none())),
                Arguments.of(
                        "the mount options",
                        intent(GIB, content("fast", Map.of("tier", "slow"), List.of("suid")), OWN, Attributes.none())),
                Arguments.of(
                        "the class",
                        intent(
                                GIB,
                                content("rich", Map.of("tier", "slow"), List.of("noatime")),
                                OWN,
                                Attributes.none())),
                Arguments.of(
                        "parameters that are for the node",
                        intent(
                                GIB,
                                content(
                                        "fast",
                                        Map.of("tier", "slow", "volume4j.io/format-unproved", "signatures"),
                                        List.of("noatime")),
                                OWN,
                                Attributes.none())),
                Arguments.of(
                        "attributes that are gone, and that the claim does not ask for",
                        intent(GIB, then, OWN, new Attributes("silver", Map.of()))),
                Arguments.of(
                        "attributes that the claim does not ask for",
                        intent(GIB, then, OWN, new Attributes("gold", Map.of("iops", "9")))));
    }

    @Test
    void correctsTheParametersOfAttributes() {
        IntentCheck.Copied now = new IntentCheck.Copied(Lookup.found(fast), Lookup.found(gold));
        ProvisioningIntent honest = intent(GIB, then, null, new Attributes("gold", Map.of("iops", "9")));
        ProvisioningIntent forged = intent(GIB, then, null, new Attributes("gold", Map.of("iops", "1000000")));

        assertThat(IntentCheck.of(honest, golden, now, DataSource.none()).confirmed())
                .isTrue();
        assertThat(IntentCheck.of(forged, golden, now, DataSource.none()).corrected())
                .isEqualTo(honest);
    }

    /** The source may have grown since the intent was written. */
    @Test
    void confirmsASourceThatDoesNotFitAnyMore() {
        assertThat(check(intent(GIB, then, OWN, Attributes.none()), SOURCE.outgrown("too small", OWN))
                        .confirmed())
                .isTrue();
        assertThat(check(intent(GIB, then, FOREIGN, Attributes.none()), SOURCE.outgrown("too small", OWN))
                        .why())
                .isEqualTo("too small");
        assertThat(check(intent(GIB, then, null, Attributes.none()), SOURCE.refused("no grant"))
                        .why())
                .isEqualTo("no grant");
    }

    private static ClassContent content(String name, Map<String, String> parameters, List<String> options) {
        return new ClassContent(name, "u-f", parameters, options, ReclaimPolicy.DELETE, null);
    }

    @Test
    void refusesWhatNoObjectCanCorrect() {
        ProvisioningIntent honest = intent(GIB, then, null, Attributes.none());
        assertThat(IntentCheck.of(
                                honest,
                                claim,
                                new IntentCheck.Copied(Lookup.missing(), Lookup.unnamed()),
                                DataSource.none())
                        .why())
                .isEqualTo("storage class \"fast\" does not exist");
        ProvisioningIntent elsewhere = new ProvisioningIntent(6, "q", false, "nfs", "pvc-u-c", GIB, "", then);
        assertThat(check(elsewhere, DataSource.none()).why())
                .isEqualTo("storage class \"fast\" is one of mem, not of \"nfs\"");
        assertThat(check(intent(GIB, then, FOREIGN, Attributes.none()), SOURCE.refused("no grant"))
                        .why())
                .isEqualTo("no grant");
        assertThat(check(intent(GIB, then, FOREIGN, Attributes.none()), SOURCE.awaited("not ready"))
                        .why())
                .isEqualTo("not ready");
        assertThat(IntentCheck.of(
                                intent(GIB, then, null, new Attributes("silver", Map.of())),
                                golden,
                                new IntentCheck.Copied(Lookup.found(fast), Lookup.missing()),
                                DataSource.none())
                        .why())
                .isEqualTo("no volume attributes class \"silver\" of mem is known");
        String otherClass = "storage class \"fast\" has other parameters or topologies than the annotation";
        ClassContent secrets = content("fast", Map.of("secret", "x"), List.of("noatime"));
        assertThat(check(intent(GIB, secrets, null, Attributes.none()), DataSource.none())
                        .why())
                .as("they say where the volume is looked for")
                .isEqualTo(otherClass);
        String otherSource = "its source is not known here by the name in the annotation";
        assertThat(check(intent(GIB, then, FOREIGN, Attributes.none()), SOURCE).why())
                .isEqualTo(otherSource);
        assertThat(check(intent(GIB, then, null, Attributes.none()), SOURCE).why())
                .isEqualTo(otherSource);
        assertThat(check(intent(GIB, then, FOREIGN, Attributes.none()), DataSource.none())
                        .why())
                .isEqualTo(otherSource);
        assertThat(check(intent(GIB, then, null, Attributes.none()), SOURCE.awaited("not ready"))
                        .why())
                .isEqualTo("not ready");
        DataSource populated = new DataSource(DataSource.Kind.POPULATED, "Hello ns/h", true, "");
        assertThat(check(intent(GIB, then, null, Attributes.none()), populated).why())
                .isEqualTo("a populator fills volumes from Hello ns/h");
    }

    @Test
    void waitsForWhatIsNotKnown() {
        ProvisioningIntent honest = intent(GIB, then, OWN, Attributes.none());
        assertThat(check(honest, SOURCE.unknown()).known()).isFalse();
        assertThat(IntentCheck.of(honest, claim, new IntentCheck.Copied(Lookup.unknown(), Lookup.unnamed()), SOURCE)
                        .known())
                .isFalse();
    }

    @Test
    void anIntentForTheVolumeOfAnotherClaimIsNone() {
        String text = new ProvisioningIntent(6, "q", false, "mem", "pvc-another", GIB, "", then).text();
        assertThat(new Intents()
                        .of(ClaimGiven.claim()
                                .annotated(Annotation.PROVISIONING_INTENT, text)
                                .object()))
                .isNull();
    }
}
