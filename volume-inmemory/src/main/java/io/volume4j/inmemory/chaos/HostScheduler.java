package io.volume4j.inmemory.chaos;

import io.volume4j.core.control.VolumeBinder;
import io.volume4j.core.volumes.NodeFit;
import io.volume4j.core.volumes.VolumeReservation;
import io.volume4j.inmemory.chaos.PlacingJudge.Promise;
import io.volume4j.inmemory.oracle.Rule;
import io.volume4j.inmemory.sim.HostPorts;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * One incarnation of a host's scheduler that asks the library where pods can go: it watches, filters, scores, reserves, has the
 * reservation written, and gives the pod its node; it gives up after a while, changes its mind, and forgets everything when it
 * dies. Whatever it decides is judged by what it was told.
 */
final class HostScheduler {
    /** How the library is asked; deliberate bugs come between. */
    interface Placer {
        void accept(WatchEvent event);

        NodeFit filter(Pod pod, List<String> nodes);

        Map<String, Integer> score(Pod pod, List<String> nodes);

        VolumeReservation reserve(Pod pod, String node);

        CompletableFuture<Void> preBind(VolumeReservation reservation);

        void unreserve(VolumeReservation reservation);
    }

    private static final List<Kind> KINDS = List.of(
            Kind.NODE,
            Kind.CSI_NODE,
            Kind.CSI_DRIVER,
            Kind.STORAGE_CLASS,
            Kind.CSI_STORAGE_CAPACITY,
            Kind.PERSISTENT_VOLUME,
            Kind.PERSISTENT_VOLUME_CLAIM,
            Kind.VOLUME_ATTACHMENT,
            Kind.POD);

    private static final Duration AGAIN = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final HostPorts ports;
    private final RandomGenerator random;
    private final BooleanSupplier leads;
    private final Placer placer;
    private final SortedMap<ObjectKey, ApiObject> known = new TreeMap<>();
    private final Map<Kind, Boolean> listed = new LinkedHashMap<>();
    private final Map<String, Promise> promises = new LinkedHashMap<>();
    private boolean asked;

    /** @param leads whether this process believes that it is the one that schedules */
    HostScheduler(HostPorts ports, BooleanSupplier leads, UnaryOperator<Placer> change) {
        this.ports = ports;
        this.random = ports.random();
        this.leads = leads;
        this.placer = change.apply(standard(ports));
    }

    private static Placer standard(HostPorts ports) {
        VolumeBinder binder = VolumeBinder.builder()
                .cluster(ports.cluster(), ports.writer())
                .workers(ports.workers())
                .clock(ports.clock())
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
        KINDS.forEach(this::list);
    }

    // What it knows.

    private void list(Kind kind) {
        ports.workers().execute(() -> {
            try {
                ClusterSource.Listing listing = ports.cluster().list(kind, Selection.all());
                ports.loop().execute(() -> listed(kind, listing));
            } catch (ClusterException failure) {
                ports.later(AGAIN, () -> list(kind));
            }
        });
    }

    private void listed(Kind kind, ClusterSource.Listing listing) {
        TreeSet<ObjectKey> there = new TreeSet<>();
        listing.objects().forEach(object -> {
            there.add(object.key());
            changed(object);
        });
        List<ApiObject> gone = known.values().stream()
                .filter(object -> object.kind() == kind
                        && !there.contains(object.key())
                        && ports.cluster().compareRevisions(object.metadata().resourceVersion(), listing.revision())
                                <= 0)
                .toList();
        gone.forEach(object -> deleted(object, listing.revision()));
        listed.put(kind, true);
        var unused = ports.cluster()
                .watch(
                        kind,
                        Selection.all(),
                        listing.revision(),
                        event -> ports.loop().execute(() -> heard(kind, event)));
        again();
    }

    private void heard(Kind kind, WatchEvent event) {
        switch (event.type()) {
            case CHANGED -> changed(event.requireObject());
            case DELETED -> deleted(event.requireObject(), event.revision());
            case EXPIRED -> list(kind);
            default -> {
                // nothing about an object
            }
        }
        again();
    }

    private void changed(ApiObject object) {
        ApiObject before = known.get(object.key());
        if (before == null
                || ports.cluster()
                                .compareRevisions(
                                        object.metadata().resourceVersion(),
                                        before.metadata().resourceVersion())
                        >= 0) {
            known.put(object.key(), object);
        }
        placer.accept(WatchEvent.changed(object));
    }

    private void deleted(ApiObject object, String revision) {
        ApiObject before = known.get(object.key());
        if (before != null && before.metadata().uid().equals(object.metadata().uid())) {
            known.remove(object.key());
        }
        placer.accept(WatchEvent.deleted(object, revision));
    }

    // What it decides.

    private void again() {
        if (!asked) {
            asked = true;
            ports.loop().execute(() -> {
                asked = false;
                schedule();
            });
        }
    }

    private boolean ready() {
        return listed.size() == KINDS.size() && leads.getAsBoolean();
    }

    private void schedule() {
        if (!ready()) {
            return;
        }
        for (Pod pod : waiting()) {
            if (!promises.containsKey(pod.metadata().uid())) {
                place(pod);
            }
        }
    }

    private List<Pod> waiting() {
        List<Pod> waiting = new ArrayList<>();
        for (ApiObject object : known.values()) {
            if (object instanceof Pod pod
                    && pod.spec().nodeName().isEmpty()
                    && !pod.metadata().deleting()
                    && !pod.terminated()) {
                waiting.add(pod);
            }
        }
        return waiting;
    }

    private List<String> nodes() {
        return known.keySet().stream()
                .filter(key -> key.kind() == Kind.NODE)
                .map(ObjectKey::name)
                .toList();
    }

    private void place(Pod pod) {
        NodeFit fit = placer.filter(pod, nodes());
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

    /** What the library lets it do is held against all that this process was told. */
    private void judge(Pod pod, String node) {
        String refusal = new PlacingJudge(known.values(), promises.values()).refusal(pod, node, true);
        if (!refusal.isEmpty()) {
            violate(Rule.S23, "filter " + pod.key(), node + " was said to do for it, but " + refusal);
        }
    }

    private void promised(Pod pod, VolumeReservation reservation) {
        Map<String, String> volumes = new LinkedHashMap<>();
        for (VolumeReservation.Claim claim : reservation.claims()) {
            volumes.put(claim.claimUid(), claim.volume());
            for (Promise other : promises.values()) {
                other.volumeByClaimUid().forEach((uid, volume) -> {
                    if (!volume.isEmpty() && volume.equals(claim.volume()) && !uid.equals(claim.claimUid())) {
                        violate(
                                Rule.S24,
                                "reserve " + pod.key(),
                                "volume " + volume + " is promised to claims " + uid + " and " + claim.claimUid());
                    }
                });
            }
            if (!claim.volume().isEmpty()
                    && known.get(ObjectKey.volume(claim.volume())) instanceof PersistentVolume volume) {
                ObjectReference owner = volume.spec().claimRef();
                if (owner != null && !owner.uid().equals(claim.claimUid())) {
                    violate(Rule.S24, "reserve " + pod.key(), volume.key() + " is reserved for another claim");
                }
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
        var unused = written.whenComplete((done, failure) -> ports.loop().execute(() -> {
            impatient.cancel();
            if (failure != null || random.nextInt(10) == 0) {
                giveBack(reservation);
            } else {
                bind(pod, reservation, claims);
            }
        }));
    }

    private void giveBack(VolumeReservation reservation) {
        placer.unreserve(reservation);
        promises.remove(reservation.podUid());
        ports.later(AGAIN, this::again);
    }

    private void bind(Pod pod, VolumeReservation reservation, Map<ObjectKey, String> claims) {
        ports.workers().execute(() -> {
            try {
                ports.writer()
                        .patch(
                                pod.key(),
                                new Patch(
                                        Preconditions.of(pod.metadata()),
                                        false,
                                        List.of(FieldChange.set(reservation.node(), "spec", "nodeName"))));
                bound(pod, reservation.node(), claims);
                ports.loop().execute(() -> promises.remove(reservation.podUid()));
            } catch (ClusterException failure) {
                ports.loop().execute(() -> giveBack(reservation));
            }
        });
    }

    /** When a pod has its node, each of the claims that it was promised it for has a volume that can be reached from there. */
    private void bound(Pod pod, String node, Map<ObjectKey, String> claims) {
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
            ApiObject there = ports.world().cluster().get(ObjectKey.node(node)).orElse(null);
            boolean reached = volume instanceof PersistentVolume found
                    && there instanceof Node at
                    && PlacingJudge.reaches(found, at);
            if (!reached) {
                violate(
                        Rule.S23,
                        "bind " + pod.key(),
                        key + " has volume \"" + claim.spec().volumeName() + "\", which " + node + " does not reach");
            }
        }
    }

    // What it is asked once all is calm.

    /** Whether what it promised earlier has all ended, and what it says agrees with what can be seen by everybody. */
    List<String> settled() {
        List<String> problems = new ArrayList<>();
        if (!ready()) {
            return problems;
        }
        promises.keySet()
                .forEach(uid -> problems.add("what pod " + uid + " was promised has neither come true nor ended"));
        PlacingJudge judge = new PlacingJudge(ports.world().cluster().snapshot().values(), List.of());
        for (Pod pod : waiting()) {
            NodeFit fit = placer.filter(pod, nodes());
            for (String node : nodes()) {
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
                problems.add("nobody says why pod " + pod.metadata().uid() + " waits");
            }
        }
        return problems;
    }

    /** When nobody has anything: what the library says of a pod that is only asked about agrees with what can be seen. */
    List<String> asked(Pod pod) {
        List<String> problems = new ArrayList<>();
        if (!ready()) {
            return problems;
        }
        PlacingJudge judge = new PlacingJudge(ports.world().cluster().snapshot().values(), List.of());
        NodeFit fit = placer.filter(pod, nodes());
        for (String node : nodes()) {
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
