package io.volume4j.core.control.binding.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.control.binding.match.AvailableVolumes;
import io.volume4j.core.control.binding.match.ClaimNeeds;
import io.volume4j.core.control.binding.match.Fit;
import io.volume4j.core.control.host.facts.VolumesByClaim;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.VolumePhase;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The index finds what a plain look at every volume finds. */
class MatcherTest {
    private final VolumesByClaim volumesByClaim = new VolumesByClaim();
    private final AvailableVolumes available = new AvailableVolumes();
    private final Matcher matcher = new Matcher(new Reservations(volumesByClaim), available);
    private final Map<String, PersistentVolume> volumes = new LinkedHashMap<>();

    @Test
    void findsWhatALookAtEveryVolumeFinds() {
        int matched = 0;
        int reserved = 0;
        for (int seed = 0; seed < 300; seed++) {
            clear();
            Random random = new Random(seed);
            RandomObjects objects = new RandomObjects(random);
            for (int round = 0; round < 60; round++) {
                String name = "v" + random.nextInt(25);
                put(name, random.nextInt(5) == 0 ? null : objects.volume(name, 20));
                PersistentVolumeClaim claim = objects.claim("c" + random.nextInt(20));
                ClaimNeeds needs = ClaimNeeds.of(claim, objects.place());
                boolean reservedOnly = random.nextInt(10) == 0;

                Match found = matcher.match(claim, needs, reservedOnly);

                assertThat(found).as("seed %d round %d", seed, round).isEqualTo(slowMatch(claim, needs, reservedOnly));
                matched += found.volume() != null ? 1 : 0;
                reserved += found.volume() != null && found.volume().spec().claimRef() != null ? 1 : 0;
            }
        }
        assertThat(matched).as("the worlds are not too barren").isGreaterThan(4000);
        assertThat(reserved).isGreaterThan(150);
    }

    @Test
    void matchesOnlyWhatTheChosenNodeCanReachByTheVolumesZoneLabels() {
        RandomObjects objects = new RandomObjects(new Random(7));
        PersistentVolume volume = objects.free("v", Map.of("failure-domain.beta.kubernetes.io/zone", "b"));
        put("v", volume);
        PersistentVolumeClaim claim = objects.claimFor(volume, "c");

        assertThat(matcher.match(claim, at(claim, Map.of("topology.kubernetes.io/zone", "a"), true), false))
                .isEqualTo(Match.none());
        assertThat(matcher.match(claim, at(claim, Map.of("topology.kubernetes.io/zone", "b"), true), false))
                .isEqualTo(Match.of(volume));
        assertThat(matcher.match(claim, at(claim, Map.of("rack", "1"), true), false))
                .as("a node that does not say where it is")
                .isEqualTo(Match.of(volume));
        assertThat(matcher.match(claim, at(claim, Map.of(), false), false))
                .as("a node that is not there")
                .isEqualTo(Match.none());
    }

    @Test
    void offersNoVolumeWhoseModeItDoesNotKnowAndNoneThatIsReservedEither() {
        RandomObjects objects = new RandomObjects(new Random(7));
        PersistentVolume free = objects.free("v", Map.of());
        PersistentVolumeClaim claim = objects.claimFor(free, "c");
        put("v", ClaimGiven.ofUnknownMode(free));

        assertThat(matcher.match(claim, ClaimNeeds.of(claim, null), false)).isEqualTo(Match.none());
        assertThat(Fit.refusalOfReserved(ClaimNeeds.of(claim, null), ClaimGiven.ofUnknownMode(free)))
                .contains("its volumeMode has a word that this version does not know");
    }

    @Test
    void findsAVolumeOfExactlyTheRequestedSizeAlthoughTheSizeIsNoWholeNumberOfBytes() {
        RandomObjects objects = new RandomObjects(new Random(7));
        PersistentVolume volume = objects.free("v", Quantity.parse("1.1Gi"), Map.of());
        put("v", volume);
        PersistentVolumeClaim claim = objects.claimFor(volume, "c");
        ClaimNeeds needs = ClaimNeeds.of(claim, null);

        assertThat(matcher.match(claim, needs, false)).isEqualTo(Match.of(volume));
        assertThat(Fit.refusalOfRequested(needs, volume))
                .as("the claim asks for it by name")
                .isEmpty();
    }

    private static ClaimNeeds at(PersistentVolumeClaim claim, Map<String, String> labels, boolean known) {
        return ClaimNeeds.of(claim, new ClaimNeeds.Place("n", labels, known));
    }

    @Test
    void holdsNothingWhenAllVolumesAreGone() {
        RandomObjects objects = new RandomObjects(new Random(7));
        for (int i = 0; i < 100; i++) {
            put("v" + i, objects.volume("v" + i, 20));
        }
        for (int i = 0; i < 100; i++) {
            put("v" + i, null);
        }
        assertThat(available.size()).isZero();
        assertThat(volumesByClaim.naming(
                        new RandomObjects(new Random(7)).claim("c1").key()))
                .isEmpty();
    }

    /** The rules of matching, one after the other, as a user would read them out. */
    private Match slowMatch(PersistentVolumeClaim claim, ClaimNeeds needs, boolean reservedOnly) {
        Optional<PersistentVolume> reserved = volumes.values().stream()
                .filter(volume -> namesClaim(volume, claim))
                .filter(volume -> canHold(volume, claim))
                .min(Comparator.comparing(
                                (PersistentVolume volume) -> claimUid(volume).isEmpty())
                        .thenComparing(smallest()));
        if (reserved.isPresent()) {
            return Match.of(reserved.get());
        }
        if (reservedOnly) {
            return Match.none();
        }
        return volumes.values().stream()
                .filter(volume -> volume.spec().claimRef() == null)
                .filter(volume -> volume.status().phase() == VolumePhase.AVAILABLE)
                .filter(volume -> canHold(volume, claim))
                .filter(volume -> volume.className().equals(claim.className()))
                .filter(volume -> claim.spec().selector() == null
                        || claim.spec().selector().matches(volume.metadata().labels()))
                .filter(volume -> reaches(volume, needs.node()))
                .min(smallest())
                .map(Match::of)
                .orElse(Match.none());
    }

    private static Comparator<PersistentVolume> smallest() {
        return Comparator.comparing(
                        (PersistentVolume volume) -> volume.spec().accessModes().size())
                .thenComparing(volume -> modeOrder(volume.spec().accessModes()))
                .thenComparing(volume -> wholeBytes(volume.spec().capacity()))
                .thenComparing(volume -> volume.metadata().name());
    }

    /** Sets of equally many modes: any fixed order will do, this is the index's. */
    private static int modeOrder(Collection<AccessMode> modes) {
        return ClaimNeeds.modeBits(modes);
    }

    private static long wholeBytes(@Nullable Quantity capacity) {
        return capacity == null ? -1 : capacity.bytes();
    }

    private static boolean namesClaim(PersistentVolume volume, PersistentVolumeClaim claim) {
        ObjectReference reference = volume.spec().claimRef();
        return reference != null
                && reference.name().equals(claim.metadata().name())
                && (reference.uid().isEmpty()
                        || reference.uid().equals(claim.metadata().uid()));
    }

    private static String claimUid(PersistentVolume volume) {
        ObjectReference reference = volume.spec().claimRef();
        return reference == null ? "" : reference.uid();
    }

    private static boolean canHold(PersistentVolume volume, PersistentVolumeClaim claim) {
        Quantity capacity = volume.spec().capacity();
        Quantity request = claim.spec().request();
        return !volume.metadata().deleting()
                && capacity != null
                && request != null
                && capacity.compareTo(request) >= 0
                && volume.spec().volumeMode() == claim.spec().volumeMode()
                && volume.spec().accessModes().containsAll(claim.spec().accessModes())
                && volume.spec().volumeAttributesClassName().equals(claim.spec().volumeAttributesClassName());
    }

    private static boolean reaches(PersistentVolume volume, ClaimNeeds.@Nullable Place node) {
        NodeSelector affinity = volume.spec().nodeAffinity();
        return node == null
                || ((affinity == null || affinity.matches(node.nodeName(), node.labels())) && sameZone(volume, node));
    }

    private static boolean sameZone(PersistentVolume volume, ClaimNeeds.Place node) {
        String zone = volume.metadata().labels().get("topology.kubernetes.io/zone");
        return zone == null
                || Arrays.asList(zone.split("__", -1)).contains(node.labels().get("topology.kubernetes.io/zone"));
    }

    private void put(String name, @Nullable PersistentVolume volume) {
        volumesByClaim.changed(volumes.get(name), volume);
        if (volume == null) {
            volumes.remove(name);
            available.remove(name);
        } else {
            volumes.put(name, volume);
            if (AvailableVolumes.available(volume)) {
                available.put(volume);
            } else {
                available.remove(name);
            }
        }
    }

    private void clear() {
        for (String name : volumes.keySet().toArray(new String[0])) {
            put(name, null);
        }
    }
}
