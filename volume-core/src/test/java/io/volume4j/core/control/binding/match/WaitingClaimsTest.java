package io.volume4j.core.control.binding.match;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.control.binding.plan.RandomObjects;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WaitingClaimsTest {
    private record Waiting(ClaimNeeds needs, int arrival) {}

    @Test
    void givesAVolumeToTheLargestRequestThatItServesAndAmongEqualsToTheFirst() {
        int given = 0;
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            RandomObjects objects = new RandomObjects(random);
            WaitingClaims index = new WaitingClaims();
            Map<ObjectKey, Waiting> plain = new LinkedHashMap<>();
            for (int round = 0; round < 60; round++) {
                PersistentVolumeClaim claim = objects.claim("c" + random.nextInt(20));
                ClaimNeeds needs = ClaimNeeds.of(claim, objects.place());
                if (random.nextInt(5) == 0) {
                    index.remove(needs.key());
                    plain.remove(needs.key());
                } else if (!plain.containsKey(needs.key())) {
                    index.put(needs);
                    plain.put(needs.key(), new Waiting(needs, round));
                }
                PersistentVolume volume = objects.volume("v", 1);
                Optional<ObjectKey> expected = plain.values().stream()
                        .filter(waiting -> serves(volume, waiting.needs()))
                        .max(Comparator.comparingLong(
                                        (Waiting waiting) -> waiting.needs().bytes())
                                .thenComparing(Waiting::arrival, Comparator.reverseOrder()))
                        .map(waiting -> waiting.needs().key());

                assertThat(index.takeFor(volume))
                        .as("seed %d round %d", seed, round)
                        .isEqualTo(expected);

                expected.ifPresent(plain::remove);
                given += expected.isPresent() ? 1 : 0;
                assertThat(index.size()).isEqualTo(plain.size());
            }
        }
        assertThat(given).isGreaterThan(1000);
    }

    @Test
    void keepsTheTurnOfAClaimThatAsksAgainForTheSame() {
        RandomObjects objects = new RandomObjects(new Random(1));
        PersistentVolume volume = objects.volume("v", 1);
        ClaimNeeds first = needsOf(volume, "c1");
        ClaimNeeds second = needsOf(volume, "c2");
        WaitingClaims index = new WaitingClaims();
        index.put(first);
        index.put(second);
        index.put(first);

        assertThat(index.takeFor(volume)).contains(first.key());
    }

    private static ClaimNeeds needsOf(PersistentVolume volume, String claim) {
        return new ClaimNeeds(
                ObjectKey.claim("ns", claim),
                "uid-" + claim,
                1,
                0,
                volume.spec().volumeMode(),
                volume.className(),
                volume.spec().volumeAttributesClassName(),
                null,
                null);
    }

    private static boolean serves(PersistentVolume volume, ClaimNeeds needs) {
        return volume.className().equals(needs.className())
                && Fit.refusalOfReserved(needs, volume).isEmpty()
                && Fit.selected(volume, needs.selector())
                && Fit.reachable(volume, needs.node());
    }
}
