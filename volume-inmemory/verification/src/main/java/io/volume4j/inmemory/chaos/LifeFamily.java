package io.volume4j.inmemory.chaos;

import io.volume4j.core.control.host.facts.VolumeUse;
import io.volume4j.core.explain.Explanation;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.oracle.Rule;
import io.volume4j.inmemory.sim.NodeProcess;
import io.volume4j.inmemory.sim.SimProcess;
import io.volume4j.inmemory.sim.Simulation;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.model.VolumeSnapshot;
import io.volume4j.spi.model.VolumeSnapshotContent;
import io.volume4j.spi.model.WellKnown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Users create, use, enlarge, change and delete claims in any order, while all controllers of the control plane run together with
 * two nodes.
 */
final class LifeFamily implements Family {
    static final int PODS = 3;

    /** The largest volume; claims that request more must be able to reduce the request. */
    static final long LARGEST = Quantity.parse("4Gi").bytes();

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
    private final LifeClaims claims;
    private final LifeGroups groups;
    private final LifeExpectations expected;
    private int made;

    /**
     * @param offline whether volumes can be expanded only offline
     * @param unfinished number of answers in which the backend reports a snapshot as not ready
     */
    LifeFamily(Simulation world, boolean offline, int unfinished) {
        this.world = world;
        rules = new LifeRules(world);
        pods = new PodHost(world);
        expected = new LifeExpectations(world, rules, pods::wanted, pods::runs, offline);
        world.nodes().forEach(node -> world.cluster().apply(Given.node(node.name())));
        world.cluster().apply(LifeGiven.storageClass("fast", ReclaimPolicy.DELETE, VolumeBindingMode.IMMEDIATE));
        world.cluster()
                .apply(LifeGiven.storageClass("late", ReclaimPolicy.DELETE, VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER));
        world.cluster().apply(LifeGiven.storageClass("kept", ReclaimPolicy.RETAIN, VolumeBindingMode.IMMEDIATE));
        world.cluster().apply(LifeGiven.snapshotClass());
        groups = new LifeGroups(world, () -> ++made);
        claims = new LifeClaims(world, rules, groups, () -> ++made);
        world.storage().snapshotsUnfinished(unfinished);
        claims.classesCome();
        world.start();
    }

    @Override
    public Map<Act.Kind, Consumer<Act>> acts() {
        Map<Act.Kind, Consumer<Act>> acts = new EnumMap<>(Act.Kind.class);
        acts.putAll(claims.acts());
        acts.putAll(groups.acts());
        acts.put(Act.Kind.ADD_POD, this::addPod);
        acts.put(Act.Kind.REMOVE_POD, act -> pods.remove("p" + act.a() % PODS));
        acts.put(Act.Kind.FINISH_POD, act -> pods.finish("p" + act.a() % PODS));
        acts.put(
                Act.Kind.REFUSE,
                act -> world.storage()
                        .faults()
                        .add(Fault.on(REFUSABLE.get(act.a() % REFUSABLE.size()))
                                .as(REFUSALS.get(act.b() % REFUSALS.size()))
                                .times(1 + act.c() % 2)));
        acts.put(Act.Kind.REBOOT, act -> {
            NodeProcess node = node(act.a());
            node.reboot(act.b() % 2 == 0);
            pods.rebooted(node.name());
        });
        acts.put(
                Act.Kind.PLUGIN_GOES,
                act -> world.controllers()
                        .get(act.a() % world.controllers().size())
                        .plugins()
                        .ifPresent(plugins -> plugins.remove("mem")));
        acts.put(Act.Kind.PLUGIN_COMES, act -> pluginsCome());
        return acts;
    }

    @Override
    public List<SimProcess> processes() {
        List<SimProcess> all = new ArrayList<>(world.controllers());
        all.addAll(world.nodes());
        return all;
    }

    @Override
    public List<Kind> listed() {
        return LISTED;
    }

    @Override
    public void afterAct() {
        rules.changedByPeople();
    }

    /** Everything runs, and no user requests the impossible. */
    @Override
    public void calm() {
        List<SimProcess> all = new ArrayList<>(world.nodes());
        all.addAll(world.controllers());
        Workload.revive(all);
        pluginsCome();
        claims.askForNoMoreThan(LARGEST);
        rules.changedByPeople();
    }

    @Override
    public List<String> unmet() {
        return expected.unmet();
    }

    @Override
    public void meanwhile() {
        schedule();
    }

    /** As a scheduler does: no pod with a claim in deletion, and the node is written to claims that wait for it. */
    private void addPod(Act act) {
        String name = "p" + act.a() % PODS;
        List<String> used = new ArrayList<>();
        for (int i = 0; i < LifeClaims.CLAIMS; i++) {
            boolean there =
                    claims.get(i).filter(claim -> !claim.metadata().deleting()).isPresent();
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

    /** Writes the selected node to claims that wait for their first pod. */
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
                        .ifPresent(claim -> claims.edit(
                                claim.key(),
                                FieldChange.set(
                                        pod.spec().nodeName(), "metadata", "annotations", WellKnown.SELECTED_NODE)));
            }
        }
        rules.changedByPeople();
    }

    private NodeProcess node(int number) {
        return world.nodes().get(number % world.nodes().size());
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

    @Override
    public void explain() {
        pods.explain();
        explanations().forEach(explanation -> world.tell(explanation.text()));
    }

    /** The leader's explanations of all objects that it decides about. */
    private List<Explanation> explanations() {
        List<Explanation> all = new ArrayList<>();
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
                    .forEach(leader -> all.add(world.get(leader.explain(object.key()))));
        }
        return all;
    }

    List<String> summary() {
        return expected.summary();
    }

    /** After everything has settled, the controllers write nothing more, and overlook nothing. */
    @Override
    public void stay() {
        world.advance(Duration.ofMinutes(11));
        String revision = world.cluster().revision();
        world.advance(Duration.ofMinutes(15));
        boolean quiet = world.cluster().revision().equals(revision) || expected.triesForEver();
        if (!world.broken() && !quiet) {
            world.oracle().violate(Rule.L6, "calm", "a controller goes on writing");
        }
        if (!world.broken()) {
            Overlooked.in(explanations()).forEach(step -> world.oracle().violate(Rule.L1, "calm", step));
        }
    }

    /** A person removes retained volumes last. */
    @Override
    public void end(Workload<?> workload) {
        world.tell("everything is removed");
        pods.removeAll();
        claims.removeAll();
        groups.removeAll();
        claims.removeClasses();
        rules.changedByPeople();
        workload.settle(Duration.ofMinutes(40));
        removeRetained();
        groups.removeKept();
        rules.changedByPeople();
        workload.settle(Duration.ofMinutes(20));
        // A late write of an earlier leader may have brought one back.
        removeRetained();
        if (!world.broken()) {
            workload.settle(Rule.L2, "the end", expected::leftovers, Duration.ofMinutes(20));
        }
    }

    private void removeRetained() {
        for (ApiObject object : world.cluster().snapshot().values()) {
            if (object instanceof PersistentVolume volume
                    && volume.status().phase() == VolumePhase.RELEASED
                    && volume.spec().reclaimPolicy() == ReclaimPolicy.RETAIN) {
                claims.remove(volume.key());
            }
        }
    }
}
