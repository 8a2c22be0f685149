package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.GivenClaim.claim;
import static io.volume4j.inmemory.control.GivenVolume.volume;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.control.host.ObjectReconciler;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.ReclaimPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Two controllers over one store, neither knowing of the other, their steps mixed at random. */
class RacingControllersTest {
    @Test
    void neverBindTwice() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            ControlBench bench = new ControlBench();
            for (int i = 0; i < 6; i++) {
                bench.given(claim("c" + i).made());
            }
            for (int i = 0; i < 5; i++) {
                bench.given(volume("v" + i).size(i % 2 == 0 ? "1Gi" : "2Gi").made());
            }
            race(bench, random, seed, () -> assertNothingIsBoundTwice(bench));

            assertThat(claims(bench))
                    .filteredOn(claim -> claim.status().phase() == ClaimPhase.BOUND)
                    .as("seed %d", seed)
                    .hasSize(5);
        }
    }

    @Test
    void makeOneVolumeForAClaimAndLeaveNothingBehind() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            ControlBench bench = new ControlBench();
            bench.given(Classes.storageClass("fast", "mem"));
            for (int i = 0; i < 3; i++) {
                bench.given(claim("c" + i).ofClass("fast").made());
            }
            race(bench, random, seed, () -> assertNothingIsBoundTwice(bench));

            assertThat(bench.storage.volumes()).as("seed %d", seed).hasSize(3);
            assertThat(bench.volumes()).as("seed %d", seed).hasSize(3);
            assertThat(claims(bench))
                    .allMatch(claim -> claim.status().phase() == ClaimPhase.BOUND
                            && claim.metadata().finalizers().isEmpty());
        }
    }

    @Test
    void deleteAndRecycleWithoutHarm() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            ControlBench bench = new ControlBench();
            bench.given(Classes.storageClass("fast", "mem"));
            bench.given(claim("c0").ofClass("fast").made());
            bench.given(
                    volume("v").policy(ReclaimPolicy.RECYCLE).made(),
                    claim("c1").made());
            bench.storage.add("v", 1 << 30);
            bench.startAndSettle();
            bench.kill();
            bench.cluster.remove(GivenClaim.key("c0"));
            bench.cluster.remove(GivenClaim.key("c1"));
            bench.given(claim("c2").made());
            race(bench, random, seed, () -> assertNothingIsBoundTwice(bench));

            assertThat(bench.storage.volumes())
                    .as("seed %d", seed)
                    .extracting(volume -> volume.handle())
                    .containsExactly("v");
            assertThat(bench.claim("c2").spec().volumeName())
                    .as("seed %d", seed)
                    .isEqualTo("v");
        }
    }

    private static void race(ControlBench bench, Random random, int seed, Runnable check) {
        VirtualLoop first = new VirtualLoop();
        VirtualLoop second = new VirtualLoop();
        ObjectReconciler a = bench.newAgent(first, "a");
        ObjectReconciler b = bench.newAgent(second, "b");
        a.start();
        b.start();
        int idle = 0;
        for (int step = 0; idle < 3; step++) {
            assertThat(step).as("seed %d comes to rest", seed).isLessThan(20_000);
            int ran = (random.nextBoolean() ? first : second).advance(Duration.ZERO, 1 + random.nextInt(4));
            check.run();
            if (ran == 0) {
                int more = first.advance(Duration.ofMinutes(3), 50) + second.advance(Duration.ofMinutes(3), 50);
                idle = more == 0 ? idle + 1 : 0;
            }
        }
    }

    /** At every moment: no two claims name one volume as theirs, and none is bound to a volume that names another. */
    private static void assertNothingIsBoundTwice(ControlBench bench) {
        Map<String, String> seen = new TreeMap<>();
        for (PersistentVolumeClaim claim : claims(bench)) {
            String name = claim.spec().volumeName();
            if (name.isEmpty()) {
                continue;
            }
            assertThat(seen.put(name, claim.metadata().uid())).isNull();
            PersistentVolume volume = bench.volume(name);
            ObjectReference reference = volume.spec().claimRef();
            assertThat(reference == null ? "" : reference.uid())
                    .isEqualTo(claim.metadata().uid());
        }
    }

    private static List<PersistentVolumeClaim> claims(ControlBench bench) {
        return bench.cluster.export().stream()
                .filter((ApiObject object) -> object.kind() == Kind.PERSISTENT_VOLUME_CLAIM)
                .map(PersistentVolumeClaim.class::cast)
                .toList();
    }
}
