package io.volume4j.core.control.binding.plan;

import io.volume4j.core.control.binding.match.ClaimNeeds;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.LabelSelector;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.SelectorRequirement;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumePhase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Claims and volumes of a small world in which much fits and much does not. */
public final class RandomObjects {
    public static final List<String> NODES = List.of("n1", "n2", "n3");
    private static final List<AccessMode> MODES = AccessMode.all();

    private final Random random;

    public RandomObjects(Random random) {
        this.random = random;
    }

    public PersistentVolume volume(String name, int claims) {
        @Nullable ObjectReference claim = null;
        if (random.nextInt(6) == 0) {
            String of = "c" + random.nextInt(claims + 1);
            String uid = random.nextBoolean() ? "" : "uid-" + of;
            claim = new ObjectReference("v1", "PersistentVolumeClaim", "ns", of, uid, "");
        }
        VolumePhase phase = random.nextInt(8) == 0 ? any(List.of(VolumePhase.values())) : VolumePhase.AVAILABLE;
        return new PersistentVolume(
                new ObjectMeta(name, "", "uid-" + name, "1", 0, labels(), Map.of(), List.of(), List.of(), null, null),
                new PersistentVolume.Spec(
                        random.nextInt(20) == 0 ? null : size(),
                        modes(),
                        ReclaimPolicy.RETAIN,
                        any(List.of("", "", "fast")),
                        volumeMode(),
                        claim,
                        List.of(),
                        random.nextInt(4) == 0 ? affinity() : null,
                        random.nextInt(10) == 0 ? "gold" : "",
                        CsiSource.of("mem", name, "", Map.of())),
                new PersistentVolume.Status(phase, "", ""),
                Unmodeled.none());
    }

    /** A volume that nothing stands in the way of. */
    public PersistentVolume free(String name, Map<String, String> labels) {
        return free(name, Quantity.parse("1Gi"), labels);
    }

    /** The same, with another size. */
    public PersistentVolume free(String name, Quantity size, Map<String, String> labels) {
        return new PersistentVolume(
                new ObjectMeta(name, "", "uid-" + name, "1", 0, labels, Map.of(), List.of(), List.of(), null, null),
                new PersistentVolume.Spec(
                        size,
                        List.of(AccessMode.READ_WRITE_ONCE),
                        ReclaimPolicy.RETAIN,
                        "fast",
                        VolumeMode.FILESYSTEM,
                        null,
                        List.of(),
                        null,
                        "",
                        CsiSource.of("mem", name, "", Map.of())),
                new PersistentVolume.Status(VolumePhase.AVAILABLE, "", ""),
                Unmodeled.none());
    }

    /** A claim for which the volume is right. */
    public PersistentVolumeClaim claimFor(PersistentVolume volume, String name) {
        return new PersistentVolumeClaim(
                new ObjectMeta(name, "ns", "uid-" + name, "1", 0, Map.of(), Map.of(), List.of(), List.of(), null, null),
                new PersistentVolumeClaim.Spec(
                        volume.spec().accessModes(),
                        volume.spec().capacity(),
                        volume.className(),
                        volume.spec().volumeMode(),
                        "",
                        null,
                        null,
                        null,
                        ""),
                new PersistentVolumeClaim.Status(ClaimPhase.PENDING, List.of(), null, Map.of(), Map.of(), ""),
                Unmodeled.none());
    }

    public PersistentVolumeClaim claim(String name) {
        return new PersistentVolumeClaim(
                new ObjectMeta(name, "ns", "uid-" + name, "1", 0, Map.of(), Map.of(), List.of(), List.of(), null, null),
                new PersistentVolumeClaim.Spec(
                        modes(),
                        size(),
                        any(List.of("", "", "fast")),
                        volumeMode(),
                        "",
                        random.nextInt(3) == 0 ? selector() : null,
                        null,
                        null,
                        random.nextInt(20) == 0 ? "gold" : ""),
                new PersistentVolumeClaim.Status(ClaimPhase.PENDING, List.of(), null, Map.of(), Map.of(), ""),
                Unmodeled.none());
    }

    public ClaimNeeds.@Nullable Place place() {
        if (random.nextInt(3) > 0) {
            return null;
        }
        String name = any(NODES);
        return random.nextInt(20) == 0
                ? new ClaimNeeds.Place("gone", Map.of(), false)
                : new ClaimNeeds.Place(
                        name,
                        Map.of("zone", zone(name), "host", name, "topology.kubernetes.io/zone", zone(name)),
                        true);
    }

    private static String zone(String node) {
        return node.equals("n1") ? "a" : "b";
    }

    private Quantity size() {
        return Quantity.parse(any(List.of("1Gi", "1G", "1023Mi", "2Gi", "2.3Gi", "5Gi")));
    }

    private VolumeMode volumeMode() {
        return random.nextInt(6) == 0 ? VolumeMode.BLOCK : VolumeMode.FILESYSTEM;
    }

    private List<AccessMode> modes() {
        List<AccessMode> modes = new ArrayList<>();
        modes.add(any(MODES.subList(0, 3)));
        AccessMode more = any(MODES);
        if (random.nextInt(3) == 0 && !modes.contains(more)) {
            modes.add(more);
        }
        return modes;
    }

    private Map<String, String> labels() {
        if (random.nextInt(5) == 0) {
            return Map.of("topology.kubernetes.io/zone", any(List.of("a", "b", "a__b")), "tier", "x");
        }
        return random.nextBoolean()
                ? Map.of("tier", any(List.of("x", "y")))
                : Map.of("tier", any(List.of("x", "y")), "rack", any(List.of("1", "2", "3")));
    }

    private LabelSelector selector() {
        return switch (random.nextInt(3)) {
            case 0 -> new LabelSelector(Map.of("tier", any(List.of("x", "y"))), List.of());
            case 1 ->
                new LabelSelector(
                        Map.of(), List.of(new SelectorRequirement("rack", "In", List.of("1", any(List.of("1", "2"))))));
            default ->
                new LabelSelector(
                        Map.of("tier", "x"), List.of(new SelectorRequirement("rack", "DoesNotExist", List.of())));
        };
    }

    private NodeSelector affinity() {
        SelectorRequirement zone = new SelectorRequirement("zone", "In", List.of(any(List.of("a", "b"))));
        SelectorRequirement host = new SelectorRequirement("host", "NotIn", List.of(any(NODES)));
        SelectorRequirement name = new SelectorRequirement("metadata.name", "In", List.of(any(NODES)));
        return switch (random.nextInt(4)) {
            case 0 -> new NodeSelector(List.of(new NodeSelector.Term(List.of(zone), List.of())));
            case 1 -> new NodeSelector(List.of(new NodeSelector.Term(List.of(host), List.of())));
            case 2 ->
                new NodeSelector(List.of(
                        new NodeSelector.Term(List.of(), List.of(name)),
                        new NodeSelector.Term(List.of(zone, host), List.of())));
            default -> new NodeSelector(List.of());
        };
    }

    private <T> T any(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
