package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.GivenClaim.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.assembly.ControllerFeatures;
import io.volume4j.core.codec.Manifests;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.LeaderEpoch;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.plugin.Populator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A claim gets its volume only when a populator has filled it, and nothing of the filling stays. */
class PopulatorsTest {
    private static final String PRIMES = "filling";
    private static final ObjectKey PRIME = ObjectKey.claim(PRIMES, "prime-uid-c");

    /** Fills a volume within so many questions, in a backend that outlives every process. */
    private static final class Greeter implements Populator {
        private final Map<String, String> contents = new TreeMap<>();
        private final TreeSet<String> running = new TreeSet<>();
        private final List<String> calls = new ArrayList<>();
        private int questions;
        private int failures;

        @Override
        public String sourceGroup() {
            return "hello.example.com";
        }

        @Override
        public String sourceKind() {
            return "Hello";
        }

        @Override
        public Progress fill(Request request, CallContext context) {
            calls.add("fill");
            running.add(request.claimUid());
            if (failures > 0) {
                failures--;
                throw VolumeException.transientFailure("the source does not answer");
            }
            if (questions > 0) {
                questions--;
                return Progress.askAgainAfter(Duration.ofMinutes(1));
            }
            contents.put(
                    handle(request.volume()),
                    request.source().namespace() + "/" + request.source().name());
            return Progress.complete();
        }

        @Override
        public void cleanUp(CleanUpRequest request, CallContext context) {
            calls.add("cleanUp");
            running.remove(request.claimUid());
        }
    }

    private static ControlBench bench(Greeter greeter) {
        ControlBench bench = new ControlBench();
        bench.features(ControllerFeatures.ofController().fills(PRIMES, List.of(greeter)));
        return bench.given(Classes.storageClass("fast", "mem"));
    }

    @Test
    void givesAClaimItsVolumeOnceItIsFilled() {
        Greeter greeter = new Greeter();
        greeter.questions = 2;
        ControlBench bench = bench(greeter).given(claim("c", "")).startAndSettle();

        assertThat(bench.claim("c").status().phase()).isEqualTo(ClaimPhase.BOUND);
        PersistentVolume volume = bench.volume(bench.claim("c").spec().volumeName());
        assertThat(greeter.contents).containsExactly(Map.entry(handle(volume), "ns/h"));
        assertThat(volume.metadata().annotation("populator.storage.k8s.io/populated-from"))
                .isEqualTo("Hello.hello.example.com ns/h");
        assertThat(greeter.calls).containsExactly("fill", "fill", "fill", "cleanUp");
        assertNothingIsLeft(bench, greeter);
        assertThat(bench.volumes()).hasSize(1);
    }

    @Test
    void aLeaderThatIsNotSureOfItsLeaseMakesNoClaimToFill() {
        Greeter greeter = new Greeter();
        ControlBench bench = bench(greeter).given(claim("c", "")).leader(new LeaderEpoch() {
            @Override
            public long epoch() {
                return 1;
            }

            /** Enough to decide by, and over before any call could be sent. */
            @Override
            public Duration remaining() {
                return Duration.ofNanos(1);
            }
        });
        bench.startAndSettle();

        assertThat(bench.cluster.get(PRIME)).isEmpty();
        assertThat(bench.claim("c").metadata().finalizers()).as("it was begun").isNotEmpty();
    }

    @Test
    void isNotBoundBefore() {
        Greeter greeter = new Greeter();
        greeter.questions = Integer.MAX_VALUE;
        ControlBench bench = bench(greeter).given(claim("c", "")).start().settle();

        assertThat(bench.claim("c").spec().volumeName()).isEmpty();
        assertThat(bench.claim("c").status().phase()).isEqualTo(ClaimPhase.PENDING);
        assertThat(bench.explain(key("c")).text()).contains("is being filled from Hello.hello.example.com ns/h");
        assertThat(greeter.calls).as("asked once a minute").hasSizeBetween(14, 17);
    }

    @Test
    void triesAgainAfterAFailureAndTellsIt() {
        Greeter greeter = new Greeter();
        greeter.failures = 2;
        ControlBench bench = bench(greeter).given(claim("c", "")).startAndSettle();

        assertThat(bench.told(key("c"))).contains("ProvisioningFailed");
        assertThat(bench.claim("c").status().phase()).isEqualTo(ClaimPhase.BOUND);
        assertNothingIsLeft(bench, greeter);
    }

    @Test
    void waitsForTheFirstPodWhereTheClassDoes() {
        Greeter greeter = new Greeter();
        ControlBench bench = bench(greeter)
                .given(
                        Classes.storageClass(
                                "late", "mem", ReclaimPolicy.DELETE, VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER),
                        Nodes.node("n1", Map.of()),
                        claim("c", "storageClassName: late"))
                .startAndSettle();
        assertThat(greeter.calls).isEmpty();

        bench.given(Manifests.read(
                                "test",
                                "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c, namespace: ns, uid: uid-c, annotations: {volume.kubernetes.io/selected-node: n1}}, spec: {accessModes: [ReadWriteOnce], storageClassName: late, resources: {requests: {storage: 1Gi}}, dataSourceRef: {apiGroup: hello.example.com, kind: Hello, name: h}}}")
                        .get(0))
                .settle();

        assertThat(bench.claim("c").status().phase()).isEqualTo(ClaimPhase.BOUND);
        assertNothingIsLeft(bench, greeter);
    }

    @Test
    void fillsFromAnotherNamespaceOnlyWhereAGrantAllowsIt() {
        Greeter greeter = new Greeter();
        ControlBench bench = bench(greeter).given(claim("c", "namespace: prod")).startAndSettle();
        assertThat(greeter.calls).isEmpty();
        assertThat(bench.explain(key("c")).text()).contains("no ReferenceGrant in namespace prod");

        bench.given(Manifests.read(
                                "test",
                                "{apiVersion: gateway.networking.k8s.io/v1beta1, kind: ReferenceGrant, metadata: {name: g, namespace: prod}, spec: {from: [{group: '', kind: PersistentVolumeClaim, namespace: ns}], to: [{group: hello.example.com, kind: Hello}]}}")
                        .get(0))
                .settle();

        assertThat(bench.claim("c").status().phase()).isEqualTo(ClaimPhase.BOUND);
        assertThat(greeter.contents.values()).containsExactly("prod/h");
    }

    @Test
    void leavesAClaimAloneThatHasTheNameItNeeds() {
        Greeter greeter = new Greeter();
        ControlBench bench = bench(greeter)
                .given(
                        Manifests.read(
                                        "test",
                                        "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: prime-uid-c, namespace: filling, uid: uid-foreign}, spec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 1Gi}}}}")
                                .get(0),
                        claim("c", ""))
                .startAndSettle();

        assertThat(greeter.calls).isEmpty();
        assertThat(bench.explain(key("c")).text()).contains("has the name that is needed");
        bench.cluster.remove(key("c"));
        bench.settle();
        assertThat(bench.cluster.get(key("c"))).isEmpty();
        assertThat(bench.cluster.get(PRIME)).as("another user's claim").isPresent();
    }

    @Test
    void convergesAfterACrashBehindEveryWrite() {
        String expected =
                bench(new Greeter()).given(claim("c", "")).startAndSettle().endState();
        for (int write = 1; ; write++) {
            assertThat(write).isLessThan(100);
            Greeter greeter = new Greeter();
            greeter.questions = 1;
            ControlBench bench = bench(greeter).given(claim("c", ""));
            bench.crashAfterWrite(write).startAndSettle();
            if (!bench.crashed()) {
                break;
            }
            bench.startAndSettle();
            assertThat(bench.endState()).as("crash behind write %d", write).isEqualTo(expected);
            assertThat(greeter.contents)
                    .containsKey(handle(bench.volume(bench.claim("c").spec().volumeName())));
            assertNothingIsLeft(bench, greeter);
        }
    }

    @Test
    void leavesNothingWhenTheClaimIsDeletedAtAnyPointAndTheProcessDiesThen() {
        boolean finished = false;
        for (int tasks = 0; !finished; tasks++) {
            assertThat(tasks).isLessThan(400);
            Greeter greeter = new Greeter();
            greeter.questions = 1;
            ControlBench bench = bench(greeter).given(claim("c", ""));
            finished = bench.start().runTasks(tasks) < tasks;
            bench.cluster.remove(key("c"));
            bench.kill();
            bench.startAndSettle();
            assertThat(bench.endState()).as("deleted after %d tasks", tasks).isEmpty();
            assertNothingIsLeft(bench, greeter);
            assertThat(bench.storage.volumes()).isEmpty();
        }
    }

    /** A claim is not bound to such a volume, and such a volume stays as long as it is bound. */
    @Test
    void fillsAnotherVolumeInPlaceOfOneThatAUserDeletesMeanwhile() {
        Greeter greeter = new Greeter();
        greeter.questions = 2;
        ControlBench bench = bench(greeter).given(claim("c", "")).start();
        bench.loop.advance(Duration.ofSeconds(30));
        PersistentVolume deleted = bench.volumes().get(0);
        bench.cluster.remove(deleted.key());
        bench.settle();

        assertThat(bench.claim("c").status().phase()).isEqualTo(ClaimPhase.BOUND);
        assertThat(bench.volume(bench.claim("c").spec().volumeName()).metadata().uid())
                .isNotEqualTo(deleted.metadata().uid());
        assertThat(greeter.contents)
                .containsKey(handle(bench.volume(bench.claim("c").spec().volumeName())));
        assertThat(bench.has(deleted.key())).isFalse();
        assertNothingIsLeft(bench, greeter);
    }

    private static void assertNothingIsLeft(ControlBench bench, Greeter greeter) {
        assertThat(greeter.running).isEmpty();
        assertThat(bench.cluster.get(PRIME)).isEmpty();
        bench.cluster
                .get(key("c"))
                .ifPresent(claim -> assertThat(claim.metadata().finalizers())
                        .doesNotContain("populator.storage.k8s.io/populate-target-protection"));
        assertThat(bench.storage.violations()).isEmpty();
    }

    private static String handle(PersistentVolume volume) {
        return ((CsiSource) volume.spec().source()).volumeHandle();
    }

    private static ApiObject claim(String name, String more) {
        String className = more.startsWith("storageClassName") ? more : "storageClassName: fast";
        String namespace = more.startsWith("namespace") ? ", " + more : "";
        return Manifests.read(
                        "test",
                        "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: " + name
                                + ", namespace: ns, uid: uid-" + name + "}, spec: {accessModes: [ReadWriteOnce], "
                                + className
                                + ", resources: {requests: {storage: 1Gi}}, dataSourceRef: {apiGroup: hello.example.com, kind: Hello, name: h"
                                + namespace + "}}}")
                .get(0);
    }
}
