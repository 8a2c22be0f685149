package io.volume4j.inmemory.chaos;

import io.volume4j.inmemory.sim.Simulation;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.model.VolumeBindingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The claims of a workload, bound from the beginning or later, and volumes for any of them. */
final class Claims {
    static final int COUNT = 3;
    /** The secret of drivers in worlds with secrets. */
    static final SecretRef SECRET = new SecretRef(Given.NAMESPACE, "storage");

    private static final Quantity SIZE = Quantity.parse("1Gi");
    private static final Quantity BIGGER = Quantity.parse("2Gi");

    private final Setting setting;
    private final Traits traits;
    private final Simulation world;
    private final Disks disks;
    private final List<String> names = new ArrayList<>();
    /** The UIDs of claims whose volumes a user removed, by volume. */
    private final Map<String, String> lost = new HashMap<>();

    private int made;

    Claims(Setting setting, Traits traits, Simulation world, Disks disks) {
        this.setting = setting;
        this.traits = traits;
        this.world = world;
        this.disks = disks;
        for (int i = 0; i < COUNT; i++) {
            names.add("c" + i);
        }
    }

    /** All possible names. */
    List<String> names() {
        return names;
    }

    String name(int number) {
        return names.get(number % names.size());
    }

    /** The existing claims of the mask. */
    List<String> there(int mask) {
        List<String> there = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            if ((mask >> i & 1) == 1
                    && world.cluster()
                            .get(ObjectKey.claim(Given.NAMESPACE, names.get(i)))
                            .isPresent()) {
                there.add(names.get(i));
            }
        }
        return there;
    }

    /** Creates the initial claims. */
    void begin() {
        if (!setting.binds()) {
            names.forEach(this::giveBound);
        } else {
            world.cluster().apply(Given.storageClass("fast", "mem", VolumeBindingMode.IMMEDIATE));
            names.forEach(this::add);
        }
    }

    private void giveBound(String name) {
        AccessMode mode = name.equals("c1")
                ? AccessMode.READ_WRITE_ONCE_POD
                : name.equals("c2") ? AccessMode.READ_ONLY_MANY : AccessMode.READ_WRITE_ONCE;
        PersistentVolumeClaim claim = Given.boundClaim(name, "pv-" + name, SIZE, mode);
        String handle = "h-" + name;
        String driver = traits.driver(name);
        world.storage().add(handle, SIZE.bytes());
        world.oracle().driver(handle, driver);
        disks.add(name, SIZE.bytes());
        world.cluster().apply(claim);
        world.cluster()
                .apply(
                        traits.secrets()
                                ? Given.boundVolume(claim, Given.withSecret(driver, handle, SECRET))
                                : Given.boundVolume(claim, driver, handle));
    }

    /** Does nothing if the claim exists. */
    void add(String name) {
        ObjectKey key = ObjectKey.claim(Given.NAMESPACE, name);
        if (world.cluster().get(key).isPresent()) {
            return;
        }
        int number = ++made;
        String className = number % 3 == 0 ? "" : "fast";
        world.tell("claim " + name + " of class " + className);
        world.cluster()
                .apply(Given.claim(
                        name,
                        "uid-" + name + "-" + number,
                        className,
                        number % 2 == 0 ? SIZE : BIGGER,
                        AccessMode.READ_WRITE_ONCE));
    }

    /** As the protection of claims does: only when no pod uses the claim, and no node its volume. */
    void remove(String name, PodHost pods) {
        String volume = world.cluster()
                .get(ObjectKey.claim(Given.NAMESPACE, name))
                .map(claim -> ((PersistentVolumeClaim) claim).spec().volumeName())
                .orElse("");
        String handle = volume.startsWith("free") ? "h-" + volume : volume;
        if (!volume.isEmpty()
                && world.oracle().holdings().stream().anyMatch(held -> held.contains(" " + handle + " "))) {
            return;
        }
        boolean inPod = pods.wanted().stream()
                .flatMap(pod -> pod.spec().volumes().stream())
                .anyMatch(each -> each.name().equals(name));
        if (!inPod && !pods.mayBeSetUp(name)) {
            world.tell("claim " + name + " is removed");
            world.cluster().remove(ObjectKey.claim(Given.NAMESPACE, name));
        }
    }

    /** Creates a free volume, unless the name exists. */
    void addVolume(String name, ReclaimPolicy policy) {
        // A claim refers to its volume only by name, so no user creates another volume with that name while the claim
        // still uses the name.
        boolean named = names.stream()
                .flatMap(claim -> world.cluster().get(ObjectKey.claim(Given.NAMESPACE, claim)).stream())
                .anyMatch(found ->
                        ((PersistentVolumeClaim) found).spec().volumeName().equals(name)
                                || found.metadata().uid().equals(lost.get(name)));
        if (!named && world.cluster().get(ObjectKey.volume(name)).isEmpty()) {
            world.storage().add("h-" + name, BIGGER.bytes());
            world.cluster()
                    .apply(Given.freeVolume(
                            name, "uid-" + name + "-" + ++made, BIGGER, "", policy, AccessMode.READ_WRITE_ONCE));
        }
    }

    /** In worlds with pods, no user removes the volume of a claim. */
    void removeVolume(String name) {
        ObjectKey key = ObjectKey.volume(name);
        @Nullable ApiObject found = world.cluster().get(key).orElse(null);
        @Nullable
        ObjectReference owner =
                found instanceof PersistentVolume volume ? volume.spec().claimRef() : null;
        if (owner == null || world.nodes().isEmpty()) {
            world.cluster().remove(key);
            if (owner != null) {
                lost.put(name, owner.uid());
            }
        }
    }

    /**
     * As the expand controller leaves it: storage and volume are larger, and the claim requires the node's expansion.
     */
    void grow(String name) {
        if (setting.binds() || world.nodes().isEmpty()) {
            return;
        }
        ObjectKey key = ObjectKey.claim(Given.NAMESPACE, name);
        world.cluster().get(key).map(PersistentVolumeClaim.class::cast).ifPresent(claim -> {
            if (BIGGER.equals(claim.spec().request())) {
                return;
            }
            world.tell("claim " + name + " grows");
            world.storage().grow("h-" + name, BIGGER.bytes());
            PersistentVolumeClaim larger = Given.growing(claim, BIGGER);
            world.cluster().apply(larger);
            world.cluster()
                    .get(ObjectKey.volume("pv-" + name))
                    .ifPresent(volume -> world.cluster().apply(Given.withCapacity((PersistentVolume) volume, BIGGER)));
        });
    }
}
