package io.volume4j.inmemory.control;

import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.LabelSelector;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.TypedReference;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.WellKnown;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A claim as a test wants it: in ns, with UID uid-NAME, 1Gi, ReadWriteOnce, pending, of class "", unless said otherwise. */
final class GivenClaim {
    private final String name;
    private String uid;
    private @Nullable Quantity size = Quantity.parse("1Gi");
    private List<AccessMode> modes = List.of(AccessMode.READ_WRITE_ONCE);
    private ClaimPhase phase = ClaimPhase.PENDING;
    private VolumeMode volumeMode = VolumeMode.FILESYSTEM;
    private @Nullable String className = "";
    private String attributesClass = "";
    private String volumeName = "";
    private @Nullable LabelSelector selector;
    private @Nullable TypedReference dataSource;
    private List<AccessMode> statusModes = List.of();
    private @Nullable Quantity capacity;
    private final Map<String, String> annotations = new LinkedHashMap<>();
    private final List<String> finalizers = new ArrayList<>();

    private GivenClaim(String name) {
        this.name = name;
        this.uid = "uid-" + name;
    }

    static GivenClaim claim(String name) {
        return new GivenClaim(name);
    }

    static ObjectKey key(String name) {
        return ObjectKey.claim("ns", name);
    }

    GivenClaim uid(String value) {
        uid = value;
        return this;
    }

    GivenClaim size(String quantity) {
        size = Quantity.parse(quantity);
        return this;
    }

    GivenClaim noSize() {
        size = null;
        return this;
    }

    GivenClaim modes(AccessMode... all) {
        modes = List.of(all);
        return this;
    }

    GivenClaim phase(ClaimPhase value) {
        phase = value;
        return this;
    }

    /** The status that a bound claim has. */
    GivenClaim bound() {
        phase = ClaimPhase.BOUND;
        statusModes = modes;
        capacity = size;
        return this;
    }

    GivenClaim block() {
        volumeMode = VolumeMode.BLOCK;
        return this;
    }

    GivenClaim ofClass(String value) {
        className = value;
        return this;
    }

    GivenClaim noClassSaid() {
        className = null;
        return this;
    }

    GivenClaim attributesClass(String value) {
        attributesClass = value;
        return this;
    }

    GivenClaim volumeName(String value) {
        volumeName = value;
        return this;
    }

    GivenClaim selector(String label, String value) {
        selector = new LabelSelector(Map.of(label, value), List.of());
        return this;
    }

    GivenClaim dataSource(String kind, String source) {
        dataSource = new TypedReference("", kind, "", source);
        return this;
    }

    GivenClaim byController() {
        return annotation(WellKnown.BOUND_BY_CONTROLLER, "yes");
    }

    GivenClaim completed() {
        return annotation(WellKnown.BIND_COMPLETED, "yes");
    }

    GivenClaim onNode(String node) {
        return annotation(WellKnown.SELECTED_NODE, node);
    }

    GivenClaim annotation(String key, String value) {
        annotations.put(key, value);
        return this;
    }

    GivenClaim finalizer(String value) {
        finalizers.add(value);
        return this;
    }

    PersistentVolumeClaim made() {
        ObjectMeta meta =
                new ObjectMeta(name, "ns", uid, "", 0, Map.of(), annotations, finalizers, List.of(), null, null);
        return new PersistentVolumeClaim(
                meta,
                new PersistentVolumeClaim.Spec(
                        modes, size, className, volumeMode, volumeName, selector, dataSource, null, attributesClass),
                new PersistentVolumeClaim.Status(phase, statusModes, capacity, Map.of(), Map.of(), ""),
                Unmodeled.none());
    }
}
