package io.volume4j.inmemory.chaos;

import io.volume4j.core.control.VolumeBinder;
import io.volume4j.core.volumes.NodeFit;
import io.volume4j.core.volumes.VolumeReservation;
import io.volume4j.inmemory.chaos.PlacingJudge.Promise;
import io.volume4j.inmemory.oracle.Rule;
import io.volume4j.inmemory.sim.HostPorts;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One incarnation of a host's scheduler that uses the library's volume binder. It watches, filters, scores, reserves, waits for the
 * binder's writes, and assigns the pod. It gives up after a while, changes its decisions, and forgets everything when it dies. Each
 * decision is checked against the events that it got.
 */
final class HostScheduler {
    /** The library's interface for the scheduler; deliberate bugs wrap it. */
    interface Placer {
        void accept(WatchEvent event);

        NodeFit filter(Pod pod, List<String> nodes);

        Map<String, Integer> score(Pod pod, List<String> nodes);

        VolumeReservation reserve(Pod pod, String node);

        CompletableFuture<Void> preBind(VolumeReservation reservation);

        void unreserve(VolumeReservation reservation);
    }

    private static final Duration AGAIN = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final HostPorts ports;
    private final RandomGenerator random;
    private final BooleanSupplier leads;
    private final Placer placer;
    private final HostKnowledge known;
    private final Map<String, Promise> promises = new LinkedHashMap<>();

    /** Pods that it assigned without an event yet: their reservations stay. */
    private final Set<String> given = new LinkedHashSet<>();

    /** Successive failures of each pod, and the pods that wait after them. */
    private final Map<String, Integer> failures = new HashMap<>();

    private final Set<String> resting = new HashSet<>();
    private boolean asked;

    /** @param leads whether this process considers itself elected */
    HostScheduler(HostPorts ports, BooleanSupplier leads, UnaryOperator<Placer> change) {
        this.ports = ports;
        this.random = ports.random();
        this.leads = leads;
        this.placer = change.apply(standard(ports));
        this.known = new HostKnowledge(ports, AGAIN, placer::accept, this::again);
    }

    private static Placer standard(HostPorts ports) {
        VolumeBinder binder = VolumeBinder.builder()
                .cluster(ports.cluster(), ports.writer())
                .workers(ports.workers())
                .nanoClock(ports.nanoClock())
                .build();
        return new Placer() {
            @Override
            public void accept(WatchEvent event) {
                binder.accept(event);
            }

            @Override
            public NodeFit filter(Pod pod, List<String> nodes) {
                return binder.filter(pod, nodes);
            }

            @Override
            public Map<String, Integer> score(Pod pod, List<String> nodes) {
                return binder.score(pod, nodes);
            }

            @Override
            public VolumeReservation reserve(Pod pod, String node) {
                return binder.reserve(pod, node);
            }

            @Override
            public CompletableFuture<Void> preBind(VolumeReservation reservation) {
                return binder.preBind(reservation);
            }

            @Override
            public void unreserve(VolumeReservation reservation) {
                binder.unreserve(reservation);
            }
        };
    }

    void start() {
        known.start();
    }

    // Schedules a new decision.

    private void again() {
        given.removeIf(this::heardOf);
        if (!asked) {
            asked = true;
            ports.loop().execute(() -> {
                asked = false;
                schedule();
            });
        }
    }

    /** A reservation ends when the event about the pod's node arrives, and not after the write. */
    private boolean heardOf(String podUid) {
        boolean heard =
                known.waiting().stream().noneMatch(pod -> pod.metadata().uid().equals(podUid));
        if (heard) {
            promises.remove(podUid);
        }
        return heard;
    }

    private boolean ready() {
        return known.complete() && leads.getAsBoolean();
    }

    private void schedule() {
        if (!ready()) {
            return;
        }
        for (Pod pod : known.waiting()) {
            Promise promise = promises.get(pod.metadata().uid());
            if (promise != null) {
                stands(pod, promise);
            } else if (!resting.contains(pod.metadata().uid())) {
                place(pod);
            }
        }
    }

    private void place(Pod pod) {
        NodeFit fit = placer.filter(pod, known.nodes());
        if (fit.fitting().isEmpty()) {
            return;
        }
        Map<String, Integer> scores = placer.score(pod, fit.fitting());
        String best = "";
        for (String node : fit.fitting()) {
            judge(pod, node);
            boolean better = best.isEmpty() || scores.getOrDefault(node, 0) > scores.getOrDefault(best, 0);
            best = better || random.nextInt(3) == 0 ? node : best;
        }
        try {
            VolumeReservation reservation = placer.reserve(pod, best);
            promised(pod, reservation);
            carryOut(pod, reservation, uids(pod));
        } catch (VolumeException refused) {
            ports.later(AGAIN, this::again);
        }
    }

    /** Checks the library's answer against all events of this process. */
    private void judge(Pod pod, String node) {
        String refusal = new PlacingJudge(known.objects(), standing()).refusal(pod, node, true);
        if (!refusal.isEmpty()) {
            violate(Rule.S23, "filter " + pod.key(), node + " was said to do for it, but " + refusal);
        }
    }

    /** A reservation stays valid until it is released, even if the limit of its node is lowered. */
    private void stands(Pod pod, Promise promise) {
        try {
            Map<String, String> now = volumes(placer.reserve(pod, promise.node()));
            if (!now.equals(promise.volumeByClaimUid())) {
                violate(Rule.S24, "reserve " + pod.key(), "was promised " + promise + ", and now " + now);
            }
        } catch (VolumeException refused) {
            violate(Rule.S24, "reserve " + pod.key(), "was promised " + promise + ", but now " + refused.getMessage());
        }
    }

    private static Map<String, String> volumes(VolumeReservation reservation) {
        Map<String, String> volumes = new LinkedHashMap<>();
        reservation.claims().forEach(claim -> volumes.put(claim.claimUid(), claim.volume()));
        return volumes;
    }

    /**
     * Reservations without those of pods that are gone, and without those whose volumes now belong to another claim: these fail. All
     * of them are about to be released.
     */
    private List<Promise> standing() {
        return promises.values().stream()
                .filter(promise -> isThere(promise.podUid()))
                .filter(promise -> promise.volumeByClaimUid().entrySet().stream()
                        .noneMatch(entry -> isOfAnother(entry.getValue(), entry.getKey())))
                .toList();
    }

    private boolean isThere(String podUid) {
        return known.objects().stream()
                .anyMatch(object ->
                        object instanceof Pod pod && pod.metadata().uid().equals(podUid));
    }

    private boolean isOfAnother(String volumeName, String claimUid) {
        ObjectReference owner =
                !volumeName.isEmpty() && known.get(ObjectKey.volume(volumeName)) instanceof PersistentVolume volume
                        ? volume.spec().claimRef()
                        : null;
        return owner != null && !owner.uid().equals(claimUid);
    }

    private void promised(Pod pod, VolumeReservation reservation) {
        Map<String, String> volumes = volumes(reservation);
        for (VolumeReservation.Claim claim : reservation.claims()) {
            for (Promise other : standing()) {
                other.volumeByClaimUid().forEach((uid, volume) -> {
                    if (!volume.isEmpty() && volume.equals(claim.volume()) && !uid.equals(claim.claimUid())) {
                        violate(
                                Rule.S24,
                                "reserve " + pod.key(),
                                "volume " + volume + " is promised to claims " + uid + " and " + claim.claimUid());
                    }
                });
            }
            if (isOfAnother(claim.volume(), claim.claimUid())) {
                violate(Rule.S24, "reserve " + pod.key(), claim.volume() + " is reserved for another claim");
            }
        }
        ports.world().tell("pod " + pod.metadata().uid() + " is promised " + reservation.node() + " " + volumes);
        promises.put(
                pod.metadata().uid(),
                new Promise(pod.metadata().uid(), reservation.node(), PlacingJudge.claims(pod), volumes));
    }

    private Map<ObjectKey, String> uids(Pod pod) {
        Map<ObjectKey, String> uids = new LinkedHashMap<>();
        for (ObjectKey key : PlacingJudge.claims(pod)) {
            ApiObject claim = known.get(key);
            uids.put(key, claim == null ? "" : claim.metadata().uid());
        }
        return uids;
    }

    private void carryOut(Pod pod, VolumeReservation reservation, Map<ObjectKey, String> claims) {
        CompletableFuture<Void> written = placer.preBind(reservation);
        HostPorts.Later impatient = ports.later(PATIENCE, () -> written.cancel(false));
        var unused = written.whenComplete((done, failure) -> {
            // Checks against the state at the library's answer: the node may disappear while the scheduler assigns the
            // pod.
            ApiObject node = known.get(ObjectKey.node(reservation.node()));
            ports.loop().execute(() -> {
                impatient.cancel();
                if (failure != null || random.nextInt(10) == 0) {
                    giveBack(reservation);
                } else {
                    bind(pod, reservation, claims, node);
                }
            });
        });
    }

    private void giveBack(VolumeReservation reservation) {
        placer.unreserve(reservation);
        String podUid = reservation.podUid();
        promises.remove(podUid);
        // The scheduler tries again with the next two events. After that it waits, as every scheduler does: until a
        // controller
        // publishes the remaining capacity of a pool, the same node would be chosen again.
        if (failures.merge(podUid, 1, Integer::sum) > 2) {
            resting.add(podUid);
        }
        ports.later(AGAIN, () -> {
            resting.remove(podUid);
            again();
        });
    }

    private void bind(Pod pod, VolumeReservation reservation, Map<ObjectKey, String> claims, @Nullable ApiObject node) {
        ports.workers().execute(() -> {
            try {
                ports.writer()
                        .patch(
                                pod.key(),
                                new Patch(
                                        Preconditions.of(pod.metadata()),
                                        false,
                                        List.of(FieldChange.set(reservation.node(), "spec", "nodeName"))));
                bound(pod, reservation.node(), claims, node);
                ports.loop().execute(() -> {
                    given.add(reservation.podUid());
                    again();
                });
            } catch (ClusterException failure) {
                ports.loop().execute(() -> giveBack(reservation));
            }
        });
    }

    /**
     * When a pod gets its node, each of its reserved claims has a volume that the node can access.
     *
     * @param there the node at the end of the reservation, null if it was known to be gone
     */
    private void bound(Pod pod, String node, Map<ObjectKey, String> claims, @Nullable ApiObject there) {
        if (there == null) {
            violate(Rule.S23, "bind " + pod.key(), "its volumes were said to be had at " + node + ", which was gone");
        }
        for (ObjectKey key : claims.keySet()) {
            if (!(ports.world().cluster().get(key).orElse(null) instanceof PersistentVolumeClaim claim)
                    || !claim.metadata().uid().equals(claims.get(key))) {
                continue;
            }
            ApiObject volume = PlacingJudge.bound(claim)
                    ? ports.world()
                            .cluster()
                            .get(ObjectKey.volume(claim.spec().volumeName()))
                            .orElse(null)
                    : null;
            boolean reached = volume instanceof PersistentVolume found
                    && there instanceof Node at
                    && PlacingJudge.reaches(found, at);
            if (there != null && !reached) {
                violate(
                        Rule.S23,
                        "bind " + pod.key(),
                        key + " has volume \"" + claim.spec().volumeName() + "\", which " + node + " does not reach");
            }
        }
    }

    // The checks after everything has settled.

    /** Checks that all earlier reservations have ended, and that the answers agree with the visible state. */
    List<String> settled() {
        List<String> problems = new ArrayList<>();
        if (!ready()) {
            return problems;
        }
        Collection<ApiObject> objects = ports.world().cluster().snapshot().values();
        PlacingJudge rooms = new PlacingJudge(objects, List.of());
        PlacingJudge judge = new PlacingJudge(objects, standing());
        Set<String> late = new LinkedHashSet<>(promises.keySet());
        for (Pod pod : known.waiting()) {
            // A claim for which a volume may have been created stays with its node, and waits for capacity there with
            // its pod.
            if (known.nodes().stream().anyMatch(node -> rooms.waitsForRoom(pod, node))) {
                late.remove(pod.metadata().uid());
                continue;
            }
            NodeFit fit = placer.filter(pod, known.nodes());
            for (String node : known.nodes()) {
                boolean fits = fit.fitting().contains(node);
                String why = judge.refusal(pod, node, true);
                String text = fit.refusals(node).toString();
                if (fits != why.isEmpty() && !text.contains("CAPACITY")) {
                    problems.add("pod " + pod.metadata().uid() + " on " + node + ": the library says " + text + ", but "
                            + (why.isEmpty() ? "nothing is in the way" : why));
                } else if (fits) {
                    problems.add("pod " + pod.metadata().uid() + " could go to " + node + " and waits");
                }
            }
            if (fit.text().isBlank()) {
                problems.add("no text says why pod " + pod.metadata().uid() + " waits");
            }
        }
        late.forEach(uid -> problems.add("what pod " + uid + " was promised has neither come true nor ended"));
        return problems;
    }

    /** Without any pods: checks that the answer about a hypothetical pod agrees with the visible state. */
    List<String> asked(Pod pod) {
        List<String> problems = new ArrayList<>();
        if (!ready()) {
            return problems;
        }
        PlacingJudge judge = new PlacingJudge(ports.world().cluster().snapshot().values(), List.of());
        NodeFit fit = placer.filter(pod, known.nodes());
        for (String node : known.nodes()) {
            String why = judge.refusal(pod, node, true);
            if (fit.fitting().contains(node) != why.isEmpty()) {
                problems.add("pod " + pod.metadata().name() + " on " + node + ": the library says " + fit.refusals(node)
                        + ", but " + (why.isEmpty() ? "nothing is in the way" : why));
            }
        }
        return problems;
    }

    private void violate(Rule rule, String call, String message) {
        ports.world().oracle().violate(rule, call, message);
    }
}
