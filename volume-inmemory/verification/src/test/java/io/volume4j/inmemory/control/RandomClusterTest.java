package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.Classes.storageClass;
import static io.volume4j.inmemory.control.GivenClaim.claim;
import static io.volume4j.inmemory.control.GivenVolume.volume;
import static io.volume4j.inmemory.control.Nodes.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.model.VolumePhase;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Random clusters end as a slow and obvious matcher says that they must. */
class RandomClusterTest {
    private static final StorageClass STATIC = storageClass("static", "kubernetes.io/no-provisioner");
    private static final StorageClass LATE = storageClass(
            "late", "kubernetes.io/no-provisioner", ReclaimPolicy.RETAIN, VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER);
    private static final StorageClass MADE = storageClass("made", "mem");
    private static final List<Node> NODES = List.of(node("n1", Map.of("zone", "a")), node("n2", Map.of("zone", "b")));

    @Test
    void aThousandClustersEndAsThePlainMatcherSays() {
        int bound = 0;
        int pending = 0;
        for (int seed = 0; seed < 1000; seed++) {
            ControlBench bench = new ControlBench();
            populate(bench, new Random(seed));
            Map<String, String> expected = plainMatcher(bench);

            bench.startAndSettle();

            Map<String, String> found = new TreeMap<>();
            for (PersistentVolumeClaim claim : claims(bench)) {
                boolean complete = claim.status().phase() == ClaimPhase.BOUND;
                found.put(claim.metadata().name(), complete ? claim.spec().volumeName() : "");
            }
            assertThat(found).as("seed %d", seed).isEqualTo(expected);
            assertEachVolumeHasOneClaimAndEachClaimOneVolume(bench, seed);
            assertThat(bench.started().quiet()).as("seed %d is at rest", seed).isTrue();
            bound += (int)
                    expected.values().stream().filter(name -> !name.isEmpty()).count();
            pending += (int) expected.values().stream().filter(String::isEmpty).count();
        }
        assertThat(bound).as("the clusters are neither barren nor trivial").isGreaterThan(3000);
        assertThat(pending).isGreaterThan(2000);
    }

    @Test
    void noVolumeIsFreeWhileAClaimWaitsForItsLikeWhateverComesWhen() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            ControlBench all = new ControlBench();
            populate(all, random);
            ControlBench bench = new ControlBench();
            bench.given(STATIC, LATE, MADE).given(NODES.toArray(new Node[0])).start();
            List<ApiObject> objects = new ArrayList<>(all.cluster.export());
            Collections.shuffle(objects, random);
            for (ApiObject object : objects) {
                bench.given(object);
                bench.runTasks(random.nextInt(6));
                if (random.nextInt(10) == 0) {
                    bench.cluster.remove(
                            objects.get(random.nextInt(objects.size())).key());
                }
            }
            bench.settle();

            assertThat(overlooked(bench)).as("seed %d", seed).isEmpty();
            assertEachVolumeHasOneClaimAndEachClaimOneVolume(bench, seed);
            assertThat(bench.storage.violations()).isEmpty();
        }
    }

    /** At most 25 volumes and 25 claims. Volumes reserved by UID are such that their claim can have them. */
    private static void populate(ControlBench bench, Random random) {
        bench.given(STATIC, LATE, MADE).given(NODES.toArray(new Node[0]));
        int claims = 1 + random.nextInt(25);
        int volumes = random.nextInt(25);
        Set<String> reserved = new LinkedHashSet<>();
        for (int i = 0; i < volumes; i++) {
            GivenVolume volume = volume("v%02d".formatted(i))
                    .size(size(random))
                    .modes(modes(random))
                    .ofClass(className(random));
            if (random.nextInt(8) == 0) {
                volume.block();
            }
            if (random.nextInt(3) == 0) {
                volume.label("tier", random.nextBoolean() ? "x" : "y");
            }
            if (random.nextInt(8) == 0) {
                volume.attributesClass("gold");
            }
            if (random.nextInt(4) == 0) {
                volume.onlyWhere("zone", random.nextBoolean() ? "a" : "b");
            }
            String by = "c%02d".formatted(random.nextInt(claims));
            if (random.nextInt(7) == 0 && reserved.add(by)) {
                volume.reservedFor(by);
            } else if (random.nextInt(10) == 0) {
                volume.boundTo("gone" + i, "uid-gone" + i).phase(VolumePhase.RELEASED);
            }
            bench.given(volume.made());
        }
        for (int i = 0; i < claims; i++) {
            GivenClaim claim = claim("c%02d".formatted(i))
                    .size(size(random))
                    .modes(modes(random))
                    .ofClass(className(random));
            if (random.nextInt(8) == 0) {
                claim.block();
            }
            if (random.nextInt(5) == 0) {
                claim.selector("tier", random.nextBoolean() ? "x" : "y");
            }
            if (random.nextInt(8) == 0) {
                claim.attributesClass("gold");
            }
            if (random.nextInt(3) == 0) {
                claim.onNode(random.nextBoolean() ? "n1" : "n2");
            }
            if (random.nextInt(8) == 0) {
                claim.volumeName("v%02d".formatted(random.nextInt(volumes + 2)));
            }
            bench.given(claim.made());
        }
    }

    /** Each claim in turn takes the best of what is left, by the rules as one would read them out. */
    private static Map<String, String> plainMatcher(ControlBench bench) {
        Map<String, String> result = new TreeMap<>();
        Map<String, String> ownerOfVolume = new LinkedHashMap<>();
        for (PersistentVolumeClaim claim : claims(bench)) {
            String name = claim.metadata().name();
            Optional<PersistentVolume> choice = choice(bench, claim, ownerOfVolume);
            if (choice.isPresent()) {
                ownerOfVolume.put(choice.get().metadata().name(), name);
                result.put(name, choice.get().metadata().name());
            } else {
                boolean made = claim.className().equals("made")
                        && claim.spec().volumeName().isEmpty()
                        && claim.spec().selector() == null;
                result.put(name, made ? "pvc-uid-" + name : "");
            }
        }
        return result;
    }

    private static Optional<PersistentVolume> choice(
            ControlBench bench, PersistentVolumeClaim claim, Map<String, String> taken) {
        List<PersistentVolume> left = bench.volumes().stream()
                .filter(volume -> !taken.containsKey(volume.metadata().name()))
                .toList();
        if (!claim.spec().volumeName().isEmpty()) {
            return left.stream()
                    .filter(volume ->
                            volume.metadata().name().equals(claim.spec().volumeName()))
                    .filter(volume -> reservedFor(volume, claim)
                            || (volume.spec().claimRef() == null && fits(volume, claim) && sameClass(volume, claim)))
                    .findFirst();
        }
        @Nullable Node node = nodeOf(claim);
        Optional<PersistentVolume> reserved = left.stream()
                .filter(volume -> reservedFor(volume, claim) && fits(volume, claim))
                .min(best());
        if (reserved.isPresent()) {
            return reserved;
        }
        if (claim.className().equals("late") && node == null) {
            return Optional.empty();
        }
        return left.stream()
                .filter(volume -> volume.spec().claimRef() == null)
                .filter(volume -> fits(volume, claim) && sameClass(volume, claim) && reaches(volume, node))
                .filter(volume -> claim.spec().selector() == null
                        || claim.spec().selector().matches(volume.metadata().labels()))
                .min(best());
    }

    private static Comparator<PersistentVolume> best() {
        return Comparator.comparing(
                        (PersistentVolume volume) -> volume.spec().accessModes().size())
                .thenComparing(volume -> rank(volume.spec().accessModes()))
                .thenComparing(volume -> bytes(volume.spec().capacity()))
                .thenComparing(volume -> volume.metadata().name());
    }

    /** Sets of equally many modes in any fixed order. */
    private static int rank(List<AccessMode> modes) {
        return modes.stream()
                .mapToInt(mode -> switch (mode) {
                    case READ_WRITE_ONCE -> 1;
                    case READ_ONLY_MANY -> 2;
                    case READ_WRITE_MANY -> 4;
                    case READ_WRITE_ONCE_POD -> 8;
                    case UNKNOWN -> 16;
                })
                .sum();
    }

    private static boolean reservedFor(PersistentVolume volume, PersistentVolumeClaim claim) {
        ObjectReference reference = volume.spec().claimRef();
        return reference != null
                && reference.name().equals(claim.metadata().name())
                && (reference.uid().isEmpty()
                        || reference.uid().equals(claim.metadata().uid()));
    }

    private static boolean fits(PersistentVolume volume, PersistentVolumeClaim claim) {
        return bytes(volume.spec().capacity()) >= bytes(claim.spec().request())
                && volume.spec().volumeMode() == claim.spec().volumeMode()
                && volume.spec().volumeAttributesClassName().equals(claim.spec().volumeAttributesClassName())
                && volume.spec().accessModes().containsAll(claim.spec().accessModes());
    }

    private static boolean sameClass(PersistentVolume volume, PersistentVolumeClaim claim) {
        return volume.className().equals(claim.className());
    }

    private static boolean reaches(PersistentVolume volume, @Nullable Node node) {
        return node == null
                || volume.spec().nodeAffinity() == null
                || volume.spec()
                        .nodeAffinity()
                        .matches(node.metadata().name(), node.metadata().labels());
    }

    private static @Nullable Node nodeOf(PersistentVolumeClaim claim) {
        String name = claim.metadata().annotation("volume.kubernetes.io/selected-node");
        return claim.className().equals("late")
                ? NODES.stream()
                        .filter(node -> node.metadata().name().equals(name))
                        .findFirst()
                        .orElse(null)
                : null;
    }

    private static long bytes(@Nullable Quantity quantity) {
        return quantity == null ? 0 : quantity.bytes();
    }

    /** Pairs of a claim that waits and a free volume that it could have. */
    private static List<String> overlooked(ControlBench bench) {
        List<String> pairs = new ArrayList<>();
        for (PersistentVolumeClaim claim : claims(bench)) {
            if (claim.status().phase() == ClaimPhase.BOUND) {
                continue;
            }
            choice(bench, claim, Map.of())
                    .filter(volume -> volume.status().phase() == VolumePhase.AVAILABLE)
                    .ifPresent(volume -> pairs.add(claim.metadata().name() + " and "
                            + volume.metadata().name()));
        }
        return pairs;
    }

    private static void assertEachVolumeHasOneClaimAndEachClaimOneVolume(ControlBench bench, int seed) {
        Map<String, String> claimOfVolume = new TreeMap<>();
        for (PersistentVolumeClaim claim : claims(bench)) {
            if (claim.status().phase() == ClaimPhase.BOUND) {
                String volume = claim.spec().volumeName();
                assertThat(claimOfVolume.put(volume, claim.metadata().uid()))
                        .as("seed %d: %s is bound twice", seed, volume)
                        .isNull();
                ObjectReference reference = bench.volume(volume).spec().claimRef();
                assertThat(reference == null ? "" : reference.uid())
                        .isEqualTo(claim.metadata().uid());
            }
        }
    }

    private static List<PersistentVolumeClaim> claims(ControlBench bench) {
        return bench.cluster.export().stream()
                .filter(object -> object.kind() == Kind.PERSISTENT_VOLUME_CLAIM)
                .map(PersistentVolumeClaim.class::cast)
                .toList();
    }

    private static String size(Random random) {
        return List.of("1Gi", "2Gi", "3Gi", "5Gi").get(random.nextInt(4));
    }

    private static String className(Random random) {
        return List.of("", "", "static", "late", "made").get(random.nextInt(5));
    }

    private static AccessMode[] modes(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> new AccessMode[] {AccessMode.READ_WRITE_MANY};
            case 1 -> new AccessMode[] {AccessMode.READ_WRITE_ONCE, AccessMode.READ_ONLY_MANY};
            default -> new AccessMode[] {AccessMode.READ_WRITE_ONCE};
        };
    }
}
