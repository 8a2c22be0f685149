package io.volume4j.inmemory.chaos;

import io.volume4j.core.control.host.facts.VolumeUse;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.oracle.Rule;
import io.volume4j.inmemory.plugin.InMemoryPopulator;
import io.volume4j.inmemory.sim.NodeProcess;
import io.volume4j.inmemory.sim.SimProcess;
import io.volume4j.inmemory.sim.Simulation;
import io.volume4j.inmemory.sim.Turbulence;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.TypedReference;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.model.VolumeSnapshot;
import io.volume4j.spi.model.VolumeSnapshotContent;
import io.volume4j.spi.model.WellKnown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A world in which claims are made, used, enlarged, changed and deleted in any order, while all controllers of the control
 * plane run together with two nodes; then calm comes, and then everything is taken away.
 */
final class LifeDrama implements AutoCloseable {
    static final int CLAIMS = 4;
    static final int PODS = 3;
    static final int SNAPSHOTS = 2;

    /** A volume can have that much; claims that ask for more must be able to come back. */
    static final long LARGEST = Quantity.parse("4Gi").bytes();

    private static final List<String> CLASSES = List.of("fast", "fast", "late", "kept");

    /** The last one is of another driver, so that no volume here ever gets it. */
    private static final List<String> ATTRIBUTES = List.of("gold", "silver", "foreign");

    private static final List<Kind> LISTED = List.of(
            Kind.POD,
            Kind.PERSISTENT_VOLUME,
            Kind.PERSISTENT_VOLUME_CLAIM,
            Kind.NODE,
            Kind.VOLUME_ATTACHMENT,
            Kind.VOLUME_ATTRIBUTES_CLASS,
            Kind.VOLUME_SNAPSHOT,
            Kind.VOLUME_SNAPSHOT_CONTENT,
            Kind.VOLUME_GROUP_SNAPSHOT,
            Kind.VOLUME_GROUP_SNAPSHOT_CONTENT,
            Kind.STORAGE_CLASS);

    private static final List<String> REFUSABLE = List.of(
            "expand",
            "modify",
            "provision",
            "delete",
            "snapshot",
            "deleteSnapshot",
            "fill",
            "cleanUp",
            "groupSnapshot",
            "deleteGroupSnapshot",
            "getGroupSnapshot");
    private static final List<FaultKind> REFUSALS = List.of(
            FaultKind.FINAL,
            FaultKind.INFEASIBLE,
            FaultKind.IN_USE,
            FaultKind.EXHAUSTED,
            FaultKind.UNCERTAIN_AFTER,
            FaultKind.UNCERTAIN_BEFORE);

    private final Simulation world;
    private final LifeRules rules;
    private final PodHost pods;
    private final LifeGroups groups;
    private final LifeExpectations expected;
    private int made;

    /**
     * @param offline whether volumes grow only while no pod has them
     * @param unfinished how often the backend says that it still works on a snapshot
     */
    LifeDrama(Simulation world, boolean offline, int unfinished) {
        this.world = world;
        rules = new LifeRules(world);
        pods = new PodHost(world);
        expected = new LifeExpectations(world, rules, pods::wanted, offline);
        world.nodes().forEach(node -> world.cluster().apply(Given.node(node.name())));
        apply(LifeGiven.storageClass("fast", ReclaimPolicy.DELETE, VolumeBindingMode.IMMEDIATE));
        apply(LifeGiven.storageClass("late", ReclaimPolicy.DELETE, VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER));
        apply(LifeGiven.storageClass("kept", ReclaimPolicy.RETAIN, VolumeBindingMode.IMMEDIATE));
        apply(LifeGiven.snapshotClass());
        groups = new LifeGroups(world, () -> ++made);
        world.storage().snapshotsUnfinished(unfinished);
        ATTRIBUTES.forEach(this::classComes);
        world.start();
    }

    Simulation world() {
        return world;
    }

    static ObjectKey attributesKey(String name) {
        return LifeGiven.attributesKey(name);
    }

    void play(LifeAct act) {
        switch (act.kind()) {
            case RUN -> {
                for (int i = 0; i < act.a() && world.step(); i++) {
                    // Each task is one place at which the next act can come.
                }
            }
            case PASS -> world.advance(Duration.ofMillis(act.a()));
            case ADD_CLAIM -> addClaim(act);
            case COPY -> copy(act);
            case FILL -> {
                String name = "c" + act.a() % CLAIMS;
                if (claim(act.a()).isEmpty()) {
                    world.tell("claim " + name + " is to be filled");
                    apply(LifeGiven.copy(
                            name,
                            "uid-" + name + "-" + ++made,
                            size(1 + act.b() % 2),
                            new TypedReference(InMemoryPopulator.GROUP, InMemoryPopulator.KIND, "", "d")));
                }
            }
            case SNAPSHOT -> snapshot(act);
            case REMOVE_SNAPSHOT -> remove(LifeGiven.snapshotKey("s" + act.a() % SNAPSHOTS));
            case REMOVE_CLAIM -> claim(act.a()).ifPresent(claim -> remove(claim.key()));
            case GROUP -> groups.make(act);
            case TAKE_GROUP -> groups.take(act);
            case REMOVE_GROUP -> groups.remove(act.a());
            case REMOVE_MEMBER -> groups.removeMember(act);
            case REMOVE_CONTENT -> groups.removeContent(act);
            case FORCE_CLAIM ->
                // What was made to fill a claim's volume is left to people when the claim is taken away so.
                claim(act.a())
                        .filter(claim -> claim.spec().dataSource() == null)
                        .ifPresent(this::force);
            case RESIZE -> claim(act.a()).ifPresent(claim -> resize(claim, 1 + act.b() % 6));
            case CHANGE -> claim(act.a()).ifPresent(claim -> change(claim, act.b()));
            case CLASS_GOES -> remove(attributesKey(ATTRIBUTES.get(act.a() % ATTRIBUTES.size())));
            case CLASS_COMES -> classComes(ATTRIBUTES.get(act.a() % ATTRIBUTES.size()));
            case ADD_POD -> addPod(act);
            case REMOVE_POD -> pods.remove("p" + act.a() % PODS);
            case FINISH_POD -> pods.finish("p" + act.a() % PODS);
            case REMOVE_VOLUME ->
                claim(act.a())
                        .filter(claim -> !claim.spec().volumeName().isEmpty())
                        .ifPresent(claim -> remove(ObjectKey.volume(claim.spec().volumeName())));
            case REFUSE ->
                world.storage()
                        .faults()
                        .add(Fault.on(REFUSABLE.get(act.a() % REFUSABLE.size()))
                                .as(REFUSALS.get(act.b() % REFUSALS.size()))
                                .times(1 + act.c() % 2));
            case CRASH -> process(act.a()).crash();
            case LEADER -> world.leaderChange();
            case PARTITION -> process(act.a()).partition();
            case JOIN -> process(act.a()).join();
            case REBOOT -> {
                NodeProcess node = node(act.a());
                node.reboot(act.b() % 2 == 0);
                pods.rebooted(node.name());
            }
            case BREAK_WATCHES -> process(act.a()).breakWatches();
            case STEP_CLOCK -> process(act.a()).stepClock(Duration.ofSeconds(act.b() - 32_768L));
            case INCOMPLETE -> world.incomplete(LISTED.get(act.a() % LISTED.size()), true);
            case COMPLETE -> LISTED.forEach(kind -> world.incomplete(kind, false));
            case PLUGIN_GOES ->
                world.controllers()
                        .get(act.a() % world.controllers().size())
                        .plugins()
                        .ifPresent(plugins -> plugins.remove("mem"));
            case PLUGIN_COMES -> pluginsCome();
        }
        rules.changedByPeople();
    }

    private void apply(ApiObject object) {
        world.cluster().apply(object);
    }

    private void addClaim(LifeAct act) {
        String name = "c" + act.a() % CLAIMS;
        if (claim(act.a()).isPresent()) {
            return;
        }
        String className = CLASSES.get(act.b() % CLASSES.size());
        long gibibytes = 1L + act.c() % 2;
        String attributes = act.c() % 5 == 4 ? ATTRIBUTES.get(act.b() % 2) : "";
        world.tell("claim " + name + " of class " + className + ", " + gibibytes + "Gi, " + attributes);
        apply(LifeGiven.claim(name, "uid-" + name + "-" + ++made, className, size(gibibytes), attributes));
    }

    /** Only of what is there and of the size that it has then; it may grow or go before the copy is made. */
    private void copy(LifeAct act) {
        String name = "c" + act.a() % CLAIMS;
        if (claim(act.a()).isPresent()) {
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
            apply(LifeGiven.copy(name, "uid-" + name + "-" + ++made, size, LifeGiven.reference(source)));
        }
    }

    private void snapshot(LifeAct act) {
        String name = "s" + act.a() % SNAPSHOTS;
        if (claim(act.b()).isPresent()
                && world.cluster().get(LifeGiven.snapshotKey(name)).isEmpty()) {
            world.tell("snapshot " + name + " of claim c" + act.b() % CLAIMS);
            apply(LifeGiven.snapshot(name, "uid-" + name + "-" + ++made, "c" + act.b() % CLAIMS));
        }
    }

    /** As an API server lets people: not for less than the claim has, and not before it has anything. */
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
                .get(attributesKey(name.isEmpty() ? "none" : name))
                .filter(found -> found.metadata().deleting())
                .isPresent();
        boolean none = name.isEmpty()
                && !claim.status().currentVolumeAttributesClassName().isEmpty();
        // Before a claim is bound its specification does not change.
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
        if (world.cluster().get(attributesKey(name)).isEmpty()) {
            apply(LifeGiven.attributes(name, "uid-" + name + "-" + ++made, name.equals("foreign") ? "other" : "mem"));
        }
    }

    private void remove(ObjectKey key) {
        world.tell(key + " is to be deleted");
        world.cluster().remove(key);
    }

    /** Without its finalizers, as people do who have lost their patience. */
    private void force(PersistentVolumeClaim claim) {
        world.tell(claim.key() + " is removed by force");
        world.cluster().remove(claim.key());
        if (world.cluster().get(claim.key()).isPresent()) {
            edit(claim.key(), FieldChange.remove("metadata", "finalizers"));
        }
        rules.forced(claim.metadata().uid());
    }

    private void edit(ObjectKey key, FieldChange change) {
        world.cluster().patch(key, new Patch(Preconditions.none(), false, List.of(change)));
    }

    /** As a scheduler does it: not while a claim of the pod is going, and with the node written to claims that wait for it. */
    private void addPod(LifeAct act) {
        String name = "p" + act.a() % PODS;
        List<String> used = new ArrayList<>();
        for (int i = 0; i < CLAIMS; i++) {
            boolean there =
                    claim(i).filter(claim -> !claim.metadata().deleting()).isPresent();
            if ((act.c() >> i & 1) == 1 && there) {
                used.add("c" + i);
            }
        }
        ObjectKey own = ObjectKey.claim(Given.NAMESPACE, name + "-" + LifeGiven.OWN);
        boolean brings = act.b() % 3 == 0 && world.cluster().get(own).isEmpty();
        if ((used.isEmpty() && !brings)
                || world.cluster().get(ObjectKey.pod(Given.NAMESPACE, name)).isPresent()) {
            return;
        }
        Pod pod = Given.pod(name, pods.nextUid(name), node(act.b()).name(), used, false);
        pods.add(brings ? LifeGiven.withOwn(pod, act.c() % 2 == 0 ? "fast" : "late") : pod);
        schedule();
    }

    /** Writes for which node claims are to be made that wait for their first pod. */
    private void schedule() {
        for (Pod pod : pods.wanted()) {
            for (PodVolume volume : pod.spec().volumes()) {
                world.cluster()
                        .get(ObjectKey.claim(Given.NAMESPACE, VolumeUse.claimName(pod, volume)))
                        .map(PersistentVolumeClaim.class::cast)
                        .filter(claim -> claim.className().equals("late")
                                && claim.spec().volumeName().isEmpty()
                                && claim.metadata()
                                        .annotation(WellKnown.SELECTED_NODE)
                                        .isEmpty())
                        .ifPresent(claim -> edit(
                                claim.key(),
                                FieldChange.set(
                                        pod.spec().nodeName(), "metadata", "annotations", WellKnown.SELECTED_NODE)));
            }
        }
        rules.changedByPeople();
    }

    private static Quantity size(long gibibytes) {
        return Quantity.parse(gibibytes + "Gi");
    }

    private Optional<PersistentVolumeClaim> claim(int number) {
        return world.cluster()
                .get(ObjectKey.claim(Given.NAMESPACE, "c" + number % CLAIMS))
                .map(PersistentVolumeClaim.class::cast);
    }

    private NodeProcess node(int number) {
        return world.nodes().get(number % world.nodes().size());
    }

    private SimProcess process(int number) {
        List<SimProcess> all = new ArrayList<>(world.controllers());
        all.addAll(world.nodes());
        return all.get(number % all.size());
    }

    private void pluginsCome() {
        for (SimProcess controller : world.controllers()) {
            world.controllers().stream()
                    .filter(controller::equals)
                    .flatMap(found -> found.plugins().stream())
                    .filter(plugins -> plugins.byName("mem").isEmpty())
                    .forEach(plugins -> world.pluginsOf(controller).forEach(plugins::replace));
        }
    }

    /** Faults stop, everything is up, and no user asks for what cannot be. */
    void calm() {
        world.tell("calm");
        world.turbulence(Turbulence.none());
        world.heal();
        LISTED.forEach(kind -> world.incomplete(kind, false));
        List<SimProcess> all = new ArrayList<>(world.nodes());
        all.addAll(world.controllers());
        for (SimProcess process : all) {
            if (process.incarnation() > 0) {
                process.join();
                if (!process.alive()) {
                    process.start();
                }
            }
        }
        pluginsCome();
        for (int i = 0; i < CLAIMS; i++) {
            claim(i).filter(claim -> asked(claim) > LARGEST).ifPresent(claim -> {
                Quantity has = claim.status().capacity();
                edit(
                        claim.key(),
                        FieldChange.set(
                                (has == null ? Quantity.ofBytes(LARGEST) : has).toString(),
                                "spec",
                                "resources",
                                "requests",
                                "storage"));
            });
        }
        rules.changedByPeople();
    }

    private static long asked(PersistentVolumeClaim claim) {
        Quantity request = claim.spec().request();
        return request == null ? 0 : request.bytes();
    }

    /** Waits until everything is as it is wanted, and says what is not after that long. */
    void settle(Duration most) {
        List<String> unmet = still(expected::unmet, most);
        if (!unmet.isEmpty()) {
            explain();
            unmet.forEach(text -> world.oracle().violate(Rule.L1, "calm", text));
        }
    }

    /** What is still so after that long, nothing as soon as nothing is. A call that was sent before the calm may begin late. */
    private List<String> still(Supplier<List<String>> problems, Duration most) {
        Duration end = world.elapsed().plus(most);
        Duration round = Duration.ofSeconds(1);
        while (!world.broken() && !problems.get().isEmpty() && world.elapsed().compareTo(end) < 0) {
            schedule();
            world.advance(round);
            round = round.plus(round);
        }
        return world.broken() ? List.of() : problems.get();
    }

    private void explain() {
        pods.explain();
        for (ApiObject object : world.cluster().snapshot().values()) {
            boolean asked = object instanceof PersistentVolume
                    || object instanceof PersistentVolumeClaim
                    || object instanceof VolumeSnapshot
                    || object instanceof VolumeSnapshotContent
                    || object.kind() == Kind.VOLUME_GROUP_SNAPSHOT
                    || object.kind() == Kind.VOLUME_GROUP_SNAPSHOT_CONTENT;
            world.controllers().stream()
                    .filter(controller ->
                            asked && controller.alive() && controller.name().equals(world.leads()))
                    .forEach(leader ->
                            world.tell(world.get(leader.explain(object.key())).text()));
        }
    }

    List<String> summary() {
        return expected.summary();
    }

    /** What has settled is left alone: the controllers write nothing any more. */
    void stay() {
        world.advance(Duration.ofMinutes(11));
        String revision = world.cluster().revision();
        world.advance(Duration.ofMinutes(15));
        boolean quiet = world.cluster().revision().equals(revision) || expected.triesForEver();
        if (!world.broken() && !quiet) {
            world.oracle().violate(Rule.L6, "calm", "a controller goes on writing");
        }
    }

    /** Everything goes, what was kept last, by hand. */
    void end() {
        world.tell("everything is removed");
        pods.removeAll();
        for (int i = 0; i < CLAIMS; i++) {
            claim(i).ifPresent(claim -> remove(claim.key()));
        }
        for (int i = 0; i < SNAPSHOTS; i++) {
            remove(LifeGiven.snapshotKey("s" + i));
        }
        groups.removeAll();
        ATTRIBUTES.forEach(name -> world.cluster().remove(attributesKey(name)));
        rules.changedByPeople();
        settle(Duration.ofMinutes(40));
        for (ApiObject object : world.cluster().snapshot().values()) {
            if (object instanceof PersistentVolume volume
                    && volume.status().phase() == VolumePhase.RELEASED
                    && volume.spec().reclaimPolicy() == ReclaimPolicy.RETAIN) {
                remove(volume.key());
            }
        }
        groups.removeKept();
        rules.changedByPeople();
        settle(Duration.ofMinutes(20));
        if (!world.broken()) {
            List<String> left = still(expected::leftovers, Duration.ofMinutes(20));
            if (!left.isEmpty()) {
                explain();
            }
            left.forEach(text -> world.oracle().violate(Rule.L2, "the end", text));
        }
    }

    @Override
    public void close() {
        world.close();
    }
}
