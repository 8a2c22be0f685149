package io.volume4j.inmemory.chaos;

import io.volume4j.inmemory.plugin.InMemoryPopulator;
import io.volume4j.inmemory.sim.Simulation;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.TypedReference;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/** The actions of users on claims, their copies and snapshots, and on attributes classes. */
final class LifeClaims {
    static final int CLAIMS = 4;
    private static final int SNAPSHOTS = 2;

    private static final List<String> CLASSES = List.of("fast", "fast", "late", "kept");

    /** The last class is of another driver, so no volume here ever gets it. */
    private static final List<String> ATTRIBUTES = List.of("gold", "silver", "foreign");

    private final Simulation world;
    private final LifeRules rules;
    private final IntSupplier number;
    private final LifeGroups groups;

    /** @param number source of UIDs */
    LifeClaims(Simulation world, LifeRules rules, LifeGroups groups, IntSupplier number) {
        this.world = world;
        this.rules = rules;
        this.groups = groups;
        this.number = number;
    }

    Map<Act.Kind, Consumer<Act>> acts() {
        Map<Act.Kind, Consumer<Act>> acts = new EnumMap<>(Act.Kind.class);
        acts.put(Act.Kind.ADD_CLAIM, this::addClaim);
        acts.put(Act.Kind.COPY, this::copy);
        acts.put(Act.Kind.FILL, this::fill);
        acts.put(Act.Kind.SNAPSHOT, this::snapshot);
        acts.put(Act.Kind.REMOVE_SNAPSHOT, act -> remove(LifeGiven.snapshotKey("s" + act.a() % SNAPSHOTS)));
        acts.put(Act.Kind.REMOVE_CLAIM, act -> get(act.a()).ifPresent(claim -> remove(claim.key())));
        acts.put(
                Act.Kind.FORCE_CLAIM,
                // After a removal by force, a person must clean up the volume that was created as the claim's source.
                act -> get(act.a())
                        .filter(claim -> claim.spec().dataSource() == null)
                        .ifPresent(this::force));
        acts.put(Act.Kind.RESIZE, act -> get(act.a()).ifPresent(claim -> resize(claim, 1 + act.b() % 6)));
        acts.put(Act.Kind.CHANGE, act -> get(act.a()).ifPresent(claim -> change(claim, act.b())));
        acts.put(
                Act.Kind.CLASS_GOES,
                act -> remove(LifeGiven.attributesKey(ATTRIBUTES.get(act.a() % ATTRIBUTES.size()))));
        acts.put(Act.Kind.CLASS_COMES, act -> classComes(ATTRIBUTES.get(act.a() % ATTRIBUTES.size())));
        acts.put(
                Act.Kind.REMOVE_VOLUME,
                act -> get(act.a())
                        .filter(claim -> !claim.spec().volumeName().isEmpty())
                        .ifPresent(claim -> remove(ObjectKey.volume(claim.spec().volumeName()))));
        return acts;
    }

    private void fill(Act act) {
        String name = "c" + act.a() % CLAIMS;
        if (get(act.a()).isEmpty()) {
            world.tell("claim " + name + " is to be filled");
            apply(LifeGiven.copy(
                    name,
                    "uid-" + name + "-" + number.getAsInt(),
                    size(1 + act.b() % 2),
                    new TypedReference(InMemoryPopulator.GROUP, InMemoryPopulator.KIND, "", "d")));
        }
    }

    void classesCome() {
        ATTRIBUTES.forEach(this::classComes);
    }

    void removeClasses() {
        ATTRIBUTES.forEach(name -> world.cluster().remove(LifeGiven.attributesKey(name)));
    }

    void removeAll() {
        for (int i = 0; i < CLAIMS; i++) {
            get(i).ifPresent(claim -> remove(claim.key()));
        }
        for (int i = 0; i < SNAPSHOTS; i++) {
            remove(LifeGiven.snapshotKey("s" + i));
        }
    }

    /** Reduces requests to the claims' capacity. */
    void askForNoMoreThan(long largest) {
        for (int i = 0; i < CLAIMS; i++) {
            get(i).filter(claim -> asked(claim) > largest).ifPresent(claim -> {
                Quantity has = claim.status().capacity();
                edit(
                        claim.key(),
                        FieldChange.set(
                                (has == null ? Quantity.ofBytes(largest) : has).toString(),
                                "spec",
                                "resources",
                                "requests",
                                "storage"));
            });
        }
    }

    private static long asked(PersistentVolumeClaim claim) {
        Quantity request = claim.spec().request();
        return request == null ? 0 : request.bytes();
    }

    private void apply(ApiObject object) {
        world.cluster().apply(object);
    }

    private void addClaim(Act act) {
        String name = "c" + act.a() % CLAIMS;
        if (get(act.a()).isPresent()) {
            return;
        }
        String className = CLASSES.get(act.b() % CLASSES.size());
        long gibibytes = 1L + act.c() % 2;
        String attributes = act.c() % 5 == 4 ? ATTRIBUTES.get(act.b() % 2) : "";
        world.tell("claim " + name + " of class " + className + ", " + gibibytes + "Gi, " + attributes);
        apply(LifeGiven.claim(name, "uid-" + name + "-" + number.getAsInt(), className, size(gibibytes), attributes));
    }

    /** Only of an existing source with its current size; the source may grow or be deleted before the copy. */
    private void copy(Act act) {
        String name = "c" + act.a() % CLAIMS;
        if (get(act.a()).isPresent()) {
            return;
        }
        ObjectKey single = LifeGiven.snapshotKey("s" + act.b() % SNAPSHOTS);
        ObjectKey source = switch (act.c() % 4) {
            case 1 -> single;
            case 3 -> groups.member(act.b(), act.a()).map(ApiObject::key).orElse(single);
            default -> ObjectKey.claim(Given.NAMESPACE, "c" + act.b() % CLAIMS);
        };
        Quantity size =
                world.cluster().get(source).map(LifeExpectations::sizeOf).orElse(null);
        if (size != null) {
            world.tell("claim " + name + " is to be a copy of " + source);
            apply(LifeGiven.copy(name, "uid-" + name + "-" + number.getAsInt(), size, LifeGiven.reference(source)));
        }
    }

    private void snapshot(Act act) {
        String name = "s" + act.a() % SNAPSHOTS;
        if (get(act.b()).isPresent()
                && world.cluster().get(LifeGiven.snapshotKey(name)).isEmpty()) {
            world.tell("snapshot " + name + " of claim c" + act.b() % CLAIMS);
            apply(LifeGiven.snapshot(name, "uid-" + name + "-" + number.getAsInt(), "c" + act.b() % CLAIMS));
        }
    }

    /** As an API server permits: only for a bound claim, and not below its capacity. */
    private void resize(PersistentVolumeClaim claim, long gibibytes) {
        Quantity has = claim.status().capacity();
        if (claim.status().phase() == ClaimPhase.BOUND
                && has != null
                && size(gibibytes).compareTo(has) >= 0) {
            world.tell("claim " + claim.metadata().name() + " asks for " + gibibytes + "Gi");
            edit(claim.key(), FieldChange.set(gibibytes + "Gi", "spec", "resources", "requests", "storage"));
        }
    }

    private void change(PersistentVolumeClaim claim, int which) {
        int choice = which % (ATTRIBUTES.size() + 1);
        String name = choice == ATTRIBUTES.size() ? "" : ATTRIBUTES.get(choice);
        boolean going = world.cluster()
                .get(LifeGiven.attributesKey(name.isEmpty() ? "none" : name))
                .filter(found -> found.metadata().deleting())
                .isPresent();
        boolean none = name.isEmpty()
                && !claim.status().currentVolumeAttributesClassName().isEmpty();
        // The spec of an unbound claim does not change.
        if (going || none || claim.status().phase() != ClaimPhase.BOUND) {
            return;
        }
        world.tell("claim " + claim.metadata().name() + " asks for class \"" + name + "\"");
        edit(
                claim.key(),
                name.isEmpty()
                        ? FieldChange.remove("spec", "volumeAttributesClassName")
                        : FieldChange.set(name, "spec", "volumeAttributesClassName"));
    }

    private void classComes(String name) {
        if (world.cluster().get(LifeGiven.attributesKey(name)).isEmpty()) {
            apply(LifeGiven.attributes(
                    name, "uid-" + name + "-" + number.getAsInt(), name.equals("foreign") ? "other" : "mem"));
        }
    }

    void remove(ObjectKey key) {
        world.tell(key + " is to be deleted");
        world.cluster().remove(key);
    }

    /** Removes the finalizers too, as impatient users do. */
    private void force(PersistentVolumeClaim claim) {
        world.tell(claim.key() + " is removed by force");
        world.cluster().remove(claim.key());
        if (world.cluster().get(claim.key()).isPresent()) {
            edit(claim.key(), FieldChange.remove("metadata", "finalizers"));
        }
        rules.forced(claim.metadata().uid());
    }

    void edit(ObjectKey key, FieldChange change) {
        world.cluster().patch(key, new Patch(Preconditions.none(), false, List.of(change)));
    }

    private static Quantity size(long gibibytes) {
        return Quantity.parse(gibibytes + "Gi");
    }

    Optional<PersistentVolumeClaim> get(int number) {
        return world.cluster()
                .get(ObjectKey.claim(Given.NAMESPACE, "c" + number % CLAIMS))
                .map(PersistentVolumeClaim.class::cast);
    }
}
