package io.volume4j.inmemory.chaos;

import io.volume4j.core.control.host.facts.VolumeUse;
import io.volume4j.inmemory.oracle.Rule;
import io.volume4j.inmemory.plugin.PluginCall;
import io.volume4j.inmemory.plugin.StorageListener;
import io.volume4j.inmemory.sim.Simulation;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.VolumeAttributesClass;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.model.WellKnown;
import io.volume4j.spi.plugin.Expander.ExpandRequest;
import io.volume4j.spi.plugin.Modifier.ModifyRequest;
import io.volume4j.spi.plugin.Provisioner.ContentSource;
import io.volume4j.spi.plugin.Provisioner.ProvisionRequest;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Rules that must hold at every time of claims' lives. They are checked by the stored objects and the calls to the backend,
 * and never by the library's own state. Uses the well-known names of objects, and no code of the planners.
 */
final class LifeRules implements StorageListener {
    static final String ATTRIBUTES_FINALIZER = "kubernetes.io/vac-protection";
    private static final String INTENT = "volume4j.io/provisioning-intent";
    private static final String STORAGE = "storage";

    private final Simulation world;
    private final Map<String, Long> largest = new HashMap<>();
    private final Set<String> leftToPeople = new HashSet<>();
    private final LifeSnapshotRules snapshots;
    private SortedMap<ObjectKey, ApiObject> before = new TreeMap<>();

    LifeRules(Simulation world) {
        this.world = world;
        snapshots = new LifeSnapshotRules(world);
        world.judgedBy(this, this::written);
    }

    /** Users changed something; the rules do not apply to their changes. */
    void changedByPeople() {
        SortedMap<ObjectKey, ApiObject> now = world.cluster().snapshot();
        before.values().forEach(old -> {
            retained(old, now);
            if (!now.containsKey(old.key())) {
                snapshots.takenAway(old);
            }
        });
        before = now;
    }

    /** A user removed the claim by force: a person cleans up its storage at the backend. */
    void forced(String claimUid) {
        leftToPeople.add("pvc-" + claimUid);
        changedByPeople();
    }

    boolean leftToPeople(String handle) {
        return leftToPeople.contains(handle) || snapshots.leftToPeople(handle);
    }

    private void written(String write) {
        SortedMap<ObjectKey, ApiObject> now = world.cluster().snapshot();
        for (ApiObject object : now.values()) {
            if (object instanceof PersistentVolume volume) {
                grows(write, volume, volume.spec().capacity());
            } else if (object instanceof PersistentVolumeClaim claim) {
                grows(write, claim, claim.status().capacity());
                allocation(write, claim);
            }
        }
        for (ApiObject old : before.values()) {
            letGo(write, old, now);
            retained(old, now);
        }
        before = now;
        leaks(write);
        snapshots.written(write);
    }

    /** Storage with the policy Retain stays when its volume's object is removed. */
    private void retained(ApiObject old, SortedMap<ObjectKey, ApiObject> now) {
        if (old instanceof PersistentVolume volume
                && volume.spec().reclaimPolicy() == ReclaimPolicy.RETAIN
                && volume.spec().source() instanceof CsiSource source
                && !now.containsKey(old.key())) {
            leftToPeople.add(source.volumeHandle());
        }
        if (old.kind().apiName().endsWith("SnapshotContent") && !now.containsKey(old.key())) {
            snapshots.gone(old);
        }
    }

    private void grows(String write, ApiObject object, @Nullable Quantity size) {
        if (size == null) {
            return;
        }
        Long was = largest.put(object.metadata().uid(), size.bytes());
        if (was != null && was > size.bytes()) {
            violate(Rule.S21, write, object.key() + " shrinks from " + was + " to " + size.bytes() + " bytes");
        }
    }

    /** A running expansion has a recorded size, never less than the claim's capacity. */
    private void allocation(String write, PersistentVolumeClaim claim) {
        boolean underWay = claim.status().allocatedResourceStatuses().containsKey(STORAGE);
        Quantity allocated = claim.status().allocatedResources().get(STORAGE);
        Quantity has = claim.status().capacity();
        if (underWay && allocated == null) {
            violate(Rule.S21, write, claim.key() + " is being expanded, and no record says to what size");
        }
        if (allocated != null && has != null && allocated.compareTo(has) < 0) {
            violate(Rule.S21, write, claim.key() + " has " + has + ", and is being made " + allocated);
        }
    }

    /** A protection finalizer may be removed only when the object is unused. */
    private void letGo(String write, ApiObject old, SortedMap<ObjectKey, ApiObject> now) {
        ApiObject left = now.get(old.key());
        if (left != null && !left.metadata().uid().equals(old.metadata().uid())) {
            left = null;
        }
        if (old instanceof PersistentVolumeClaim claim && lost(claim, left, WellKnown.PVC_PROTECTION)) {
            for (ApiObject object : now.values()) {
                if (object instanceof Pod pod && VolumeUse.keeps(pod, claim.key())) {
                    violate(Rule.S10, write, claim.key() + " is let go while " + pod.key() + " uses it");
                }
            }
        } else if (old instanceof PersistentVolume volume
                && lost(volume, left, WellKnown.PV_PROTECTION)
                && volume.status().phase() == VolumePhase.BOUND) {
            violate(Rule.S10, write, volume.key() + " is let go while it is bound");
        } else if (old instanceof VolumeAttributesClass type && lost(type, left, ATTRIBUTES_FINALIZER)) {
            String name = type.metadata().name();
            for (ApiObject object : now.values()) {
                if (names(object, name)) {
                    violate(Rule.S10, write, type.key() + " is let go while " + object.key() + " names it");
                }
            }
        }
    }

    private static boolean lost(ApiObject old, @Nullable ApiObject left, String finalizer) {
        ObjectMeta meta = old.metadata();
        return meta.deleting()
                && meta.finalizers().contains(finalizer)
                && (left == null || !left.metadata().finalizers().contains(finalizer));
    }

    static boolean names(ApiObject object, String attributesClass) {
        if (object instanceof PersistentVolume volume) {
            return volume.spec().volumeAttributesClassName().equals(attributesClass);
        }
        return object instanceof PersistentVolumeClaim claim
                && (claim.spec().volumeAttributesClassName().equals(attributesClass)
                        || claim.status().currentVolumeAttributesClassName().equals(attributesClass)
                        || modification(claim, "targetVolumeAttributesClassName")
                                .equals(attributesClass));
    }

    /** A field of {@code status.modifyVolumeStatus}, {@code ""} if it is absent. */
    static String modification(PersistentVolumeClaim claim, String field) {
        Object status = claim.unmodeled().document().get("status");
        Object found = status instanceof Map<?, ?> fields ? fields.get("modifyVolumeStatus") : null;
        Object value = found instanceof Map<?, ?> fields ? fields.get(field) : null;
        return value == null ? "" : value.toString();
    }

    /** Everything at the backend must have an object in the cluster: a volume, or a claim's provisioning intent. */
    private void leaks(String call) {
        Set<String> told = new HashSet<>(leftToPeople);
        StringBuilder intents = new StringBuilder();
        for (ApiObject object : world.cluster().snapshot().values()) {
            if (object instanceof PersistentVolume volume && volume.spec().source() instanceof CsiSource source) {
                told.add(source.volumeHandle());
            } else if (object instanceof PersistentVolumeClaim claim) {
                intents.append(claim.metadata().annotation(INTENT)).append('\n');
            }
        }
        world.storage().volumes().forEach(volume -> {
            if (!told.contains(volume.handle()) && intents.indexOf('"' + volume.handle() + '"') < 0) {
                violate(
                        Rule.L2,
                        call,
                        "storage " + volume.handle() + " exists, and nothing in the cluster tells of it");
            }
        });
    }

    @Override
    public void issued(PluginCall call) {
        snapshots.issued(call, leftToPeople::contains);
        if (call.request() instanceof ExpandRequest expand) {
            claimOf(expand.spec()).ifPresent(claim -> {
                Quantity allocated = claim.status().allocatedResources().get(STORAGE);
                boolean said = "ControllerResizeInProgress"
                                .equals(claim.status()
                                        .allocatedResourceStatuses()
                                        .get(STORAGE))
                        && allocated != null
                        && allocated.bytes() == expand.newBytes();
                if (!said) {
                    violate(
                            Rule.L2,
                            call.text(),
                            claim.key() + " does not say that it is being made "
                                    + expand.newBytes() + " bytes, but " + allocated + " "
                                    + claim.status().allocatedResourceStatuses());
                }
            });
        } else if (call.request() instanceof ProvisionRequest provision) {
            copied(call, provision.content());
        } else if (call.request() instanceof ModifyRequest modify) {
            claimOf(modify.spec()).ifPresent(claim -> {
                if (!modification(claim, "status").equals("InProgress")) {
                    violate(Rule.L2, call.text(), claim.key() + " does not say that its attributes are being changed");
                }
            });
        }
    }

    private void copied(PluginCall call, @Nullable ContentSource content) {
        if (content == null) {
            return;
        }
        String handle = content.handle();
        boolean there = content.kind() == ContentSource.Kind.SNAPSHOT
                ? world.storage().snapshotHandles().contains(handle)
                : world.storage().volume(handle).isPresent();
        boolean made = world.storage().volume(call.volume()).isPresent();
        if (!there && !made && !leftToPeople.contains(handle)) {
            violate(Rule.S10, call.text(), handle + " went while a copy of it was to be made");
        }
    }

    @Override
    public void effected(PluginCall call) {
        snapshots.effected(call);
        if (call.name().equals("provision")) {
            leaks(call.text());
        }
    }

    /** The claim of the volume, as it is stored now. */
    private Optional<PersistentVolumeClaim> claimOf(VolumeSpec spec) {
        PersistentVolume volume = spec.persistentVolume();
        ObjectReference owner = volume == null ? null : volume.spec().claimRef();
        if (owner == null) {
            return Optional.empty();
        }
        String uid = owner.uid();
        return world.cluster()
                .get(ObjectKey.claim(owner.namespace(), owner.name()))
                .map(PersistentVolumeClaim.class::cast)
                .filter(claim -> claim.metadata().uid().equals(uid));
    }

    private void violate(Rule rule, String call, String message) {
        world.oracle().violate(rule, call, message);
    }
}
