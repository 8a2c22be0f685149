package io.volume4j.inmemory.control;

import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.SelectorRequirement;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.model.WellKnown;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A volume as a test wants it: 1Gi, ReadWriteOnce, available, to be retained, of no class, unless said otherwise. */
final class GivenVolume {
    private final String name;
    private String uid;
    private @Nullable Quantity size = Quantity.parse("1Gi");
    private List<AccessMode> modes = List.of(AccessMode.READ_WRITE_ONCE);
    private VolumePhase phase = VolumePhase.AVAILABLE;
    private ReclaimPolicy policy = ReclaimPolicy.RETAIN;
    private VolumeMode volumeMode = VolumeMode.FILESYSTEM;
    private String className = "";
    private String attributesClass = "";
    private VolumeSource source;
    private @Nullable ObjectReference claim;
    private @Nullable NodeSelector affinity;
    private final Map<String, String> labels = new LinkedHashMap<>();
    private final Map<String, String> annotations = new LinkedHashMap<>();
    private final List<String> finalizers = new ArrayList<>();

    private GivenVolume(String name) {
        this.name = name;
        this.uid = "uid-" + name;
        this.source = CsiSource.of("mem", name, "", Map.of());
    }

    static GivenVolume volume(String name) {
        return new GivenVolume(name);
    }

    GivenVolume uid(String value) {
        uid = value;
        return this;
    }

    GivenVolume size(String quantity) {
        size = Quantity.parse(quantity);
        return this;
    }

    GivenVolume noSize() {
        size = null;
        return this;
    }

    GivenVolume modes(AccessMode... all) {
        modes = List.of(all);
        return this;
    }

    GivenVolume phase(VolumePhase value) {
        phase = value;
        return this;
    }

    GivenVolume policy(ReclaimPolicy value) {
        policy = value;
        return this;
    }

    GivenVolume block() {
        volumeMode = VolumeMode.BLOCK;
        return this;
    }

    GivenVolume ofClass(String value) {
        className = value;
        return this;
    }

    GivenVolume attributesClass(String value) {
        attributesClass = value;
        return this;
    }

    GivenVolume source(VolumeSource value) {
        source = value;
        return this;
    }

    /** Reserved by name. */
    GivenVolume reservedFor(String claimName) {
        return boundTo(claimName, "");
    }

    /** Bound to the claim with the UID. */
    GivenVolume boundTo(String claimName, String uid) {
        claim = new ObjectReference("v1", "PersistentVolumeClaim", "ns", claimName, uid, "");
        return this;
    }

    GivenVolume byController() {
        annotations.put(WellKnown.BOUND_BY_CONTROLLER, "yes");
        return this;
    }

    GivenVolume provisionedBy(String plugin) {
        annotations.put(WellKnown.PROVISIONED_BY, plugin);
        return this;
    }

    GivenVolume annotation(String key, String value) {
        annotations.put(key, value);
        return this;
    }

    GivenVolume label(String key, String value) {
        labels.put(key, value);
        return this;
    }

    GivenVolume finalizer(String value) {
        finalizers.add(value);
        return this;
    }

    GivenVolume onlyWhere(String label, String... values) {
        affinity = new NodeSelector(List.of(
                new NodeSelector.Term(List.of(new SelectorRequirement(label, "In", List.of(values))), List.of())));
        return this;
    }

    PersistentVolume made() {
        ObjectMeta meta = new ObjectMeta(name, "", uid, "", 0, labels, annotations, finalizers, List.of(), null, null);
        return new PersistentVolume(
                meta,
                new PersistentVolume.Spec(
                        size,
                        modes,
                        policy,
                        className,
                        volumeMode,
                        claim,
                        List.of(),
                        affinity,
                        attributesClass,
                        source),
                new PersistentVolume.Status(phase, "", ""),
                Unmodeled.none());
    }
}
