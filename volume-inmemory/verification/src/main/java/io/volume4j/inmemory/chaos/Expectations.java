package io.volume4j.inmemory.chaos;

import io.volume4j.inmemory.sim.ControlProcess;
import io.volume4j.inmemory.sim.Internals;
import io.volume4j.inmemory.sim.NodeProcess;
import io.volume4j.inmemory.sim.Simulation;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.VolumePhase;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The expected state of a calm world, from its pods and claims. */
final class Expectations {
    private static final Set<VolumePhase> LEFT = Set.of(VolumePhase.RELEASED, VolumePhase.FAILED);

    private final Simulation world;
    private final Supplier<List<Pod>> pods;
    private final Predicate<Pod> running;

    Expectations(Simulation world, Supplier<List<Pod>> pods) {
        this(world, pods, pod -> false);
    }

    /**
     * @param running whether containers of the pod use their initial volumes. A node that learns of a claim's replacement only
     *     after that leaves them the volume of the earlier claim
     */
    Expectations(Simulation world, Supplier<List<Pod>> pods, Predicate<Pod> running) {
        this.world = world;
        this.pods = pods;
        this.running = running;
    }

    boolean met() {
        // Asking whether the world is quiet runs it. A call that ends meanwhile changes the uses, and a controller that
        // is
        // listing objects again has no work before it has them.
        return unmet().isEmpty() && quiet() && unmet().isEmpty();
    }

    /** What is not as expected, one line each. */
    List<String> unmet() {
        List<String> problems = unmetMounts();
        if (!world.controllers().isEmpty()) {
            claims(problems);
        }
        return problems;
    }

    /** Pods that lack a volume, and uses that no object needs. */
    List<String> unmetMounts() {
        List<String> problems = new ArrayList<>();
        Set<String> holdings = new LinkedHashSet<>(world.oracle().holdings());
        Set<String> allowed = new TreeSet<>();
        List<Kept> outlived = outlived(holdings);
        mounts(holdings, outlived, allowed, problems);
        outlived.forEach(kept -> {
            allowed.add("device mounted " + kept.handle() + " " + kept.node());
            allowed.add("attached " + kept.handle() + " " + kept.node());
            allowed.add(kept.mount());
        });
        for (String holding : holdings) {
            if (!allowed.contains(holding)) {
                problems.add("unwanted: " + holding);
            }
        }
        return problems;
    }

    private boolean quiet() {
        if (!world.controllers().isEmpty() && world.leads().isEmpty()) {
            // The last leader may still run a call, and the next one has not checked it.
            return false;
        }
        for (NodeProcess node : world.nodes()) {
            if (!node.ready()
                    || !knowsItsPods(node)
                    || !answersYes(Internals.agent(node).quiet())) {
                return false;
            }
        }
        for (ControlProcess controller : world.controllers()) {
            if (controller.alive() && !controller.quiet()) {
                return false;
            }
        }
        return true;
    }

    /** Before the first list a node tears nothing down. It is then quiet but not done, for minutes if the list is slow. */
    private boolean knowsItsPods(NodeProcess node) {
        return answersYes(Internals.agent(node).synced());
    }

    /** A process that dies during the question does not answer. */
    private boolean answersYes(CompletableFuture<Boolean> answer) {
        while (!answer.isDone() && world.step()) {
            // Runs tasks until the answer is complete.
        }
        return answer.isDone() && answer.join();
    }

    /** Each pod has all its volumes. Of the pods with an exclusive volume, one has it. */
    private void mounts(Set<String> holdings, List<Kept> outlived, Set<String> allowed, List<String> problems) {
        TreeMap<String, List<Pod>> users = new TreeMap<>();
        for (Pod pod : pods.get()) {
            for (PodVolume volume : pod.spec().volumes()) {
                users.computeIfAbsent(volume.name(), unused -> new ArrayList<>())
                        .add(pod);
            }
        }
        Set<String> full = fullNodes(users);
        users.forEach((claim, wanting) -> {
            Optional<PersistentVolume> volume = volumeOf(claim);
            if (volume.isEmpty()) {
                return;
            }
            String handle = handle(volume.get());
            List<AccessMode> modes = volume.get().spec().accessModes();
            boolean onePod = modes.equals(List.of(AccessMode.READ_WRITE_ONCE_POD)) || differentLabels(wanting);
            boolean oneNode = modes.stream().noneMatch(AccessMode::manyNodes);
            Set<String> nodes = new TreeSet<>();
            List<Pod> having = new ArrayList<>();
            for (Pod pod : wanting) {
                String node = pod.spec().nodeName();
                String mount =
                        "mounted " + handle + " " + node + " " + pod.metadata().uid();
                allowed.add(mount);
                allowed.add("device mounted " + handle + " " + node);
                allowed.add("attached " + handle + " " + node);
                if (holdings.contains(mount)) {
                    having.add(pod);
                    nodes.add(node);
                }
            }
            Set<String> wantingNodes = new TreeSet<>();
            wanting.forEach(pod -> wantingNodes.add(pod.spec().nodeName()));
            for (Pod pod : wanting) {
                boolean has = having.contains(pod);
                boolean mayLack = onePod
                        ? !having.isEmpty()
                        : oneNode
                                && wantingNodes.size() > 1
                                && !nodes.contains(pod.spec().nodeName())
                                && !nodes.isEmpty();
                boolean placeTaken = outlived.stream()
                        .anyMatch(kept -> kept.claim().equals(claim)
                                && kept.podUid().equals(pod.metadata().uid()));
                if (!has
                        && !mayLack
                        && !placeTaken
                        && !full.contains(pod.spec().nodeName())
                        && !(oneNode && wantingNodes.size() > 1 && heldElsewhere(handle, holdings, pod))) {
                    problems.add("pod " + pod.metadata().uid() + " does not have " + claim);
                }
            }
            if (modes.equals(List.of(AccessMode.READ_WRITE_ONCE_POD)) && having.size() > 1) {
                problems.add("more than one pod has " + claim);
            }
        });
    }

    /** A volume that a pod mounted first, instead of that of the replaced claim. */
    private record Kept(String handle, String node, String podUid, String claim) {
        String mount() {
            return "mounted " + handle + " " + node + " " + podUid;
        }
    }

    /**
     * Volumes of replaced claims that a pod still has: a running pod, or one whose claim is missing, so that its node does not
     * know the replacement.
     */
    private List<Kept> outlived(Collection<String> holdings) {
        List<Kept> outlived = new ArrayList<>();
        for (ApiObject object : world.cluster().all(Kind.PERSISTENT_VOLUME)) {
            PersistentVolume volume = (PersistentVolume) object;
            ObjectReference owner = volume.spec().claimRef();
            if (owner == null || !ownerGone(volume)) {
                continue;
            }
            for (Pod pod : pods.get()) {
                Kept kept = new Kept(
                        handle(volume), pod.spec().nodeName(), pod.metadata().uid(), owner.name());
                boolean left = running.test(pod) || claim(owner).isEmpty();
                if (left && namesClaimOf(pod, volume) && holdings.contains(kept.mount())) {
                    outlived.add(kept);
                }
            }
        }
        return outlived;
    }

    private static boolean namesClaimOf(Pod pod, PersistentVolume volume) {
        ObjectReference owner = volume.spec().claimRef();
        return owner != null
                && pod.spec().volumes().stream().anyMatch(used -> used.name().equals(owner.name()));
    }

    /** With mount labels, pods with different labels use a volume in turn. */
    private boolean differentLabels(List<Pod> wanting) {
        return world.labels()
                && wanting.stream()
                                .map(pod -> String.valueOf(
                                        pod.spec().securityContext().seLinuxOptions()))
                                .distinct()
                                .count()
                        > 1;
    }

    /** Nodes whose pods need more volumes than the limit: then any of the volumes may be missing. */
    private Set<String> fullNodes(Map<String, List<Pod>> users) {
        TreeMap<String, Set<String>> claims = new TreeMap<>();
        users.forEach((claim, wanting) ->
                wanting.forEach(pod -> claims.computeIfAbsent(pod.spec().nodeName(), unused -> new TreeSet<>())
                        .add(claim)));
        Set<String> full = new TreeSet<>();
        claims.forEach((node, wanted) -> {
            if (wanted.size() > world.attachLimit()) {
                full.add(node);
            }
        });
        return full;
    }

    /** Whether another node has the volume attached and also needs it, so that no controller can detach it there. */
    private static boolean heldElsewhere(String handle, Set<String> holdings, Pod pod) {
        return holdings.stream()
                .anyMatch(holding -> holding.startsWith("attached " + handle + " ")
                        && !holding.endsWith(" " + pod.spec().nodeName()));
    }

    private void claims(List<String> problems) {
        Set<String> owned = new TreeSet<>();
        List<Kept> kept = outlived(world.oracle().holdings());
        for (ApiObject object : volumesAndClaims()) {
            if (object instanceof PersistentVolumeClaim claim) {
                boolean bound = claim.status().phase() == ClaimPhase.BOUND;
                if (claim.metadata().deleting()) {
                    problems.add(claim.key() + " is still being deleted");
                } else if (!bound && claim.className().equals("fast")) {
                    problems.add(claim.key() + " is not bound");
                } else if (claim.status().phase() == ClaimPhase.PENDING && freeVolume()) {
                    problems.add(claim.key() + " is not bound though a volume is free");
                }
            } else if (object instanceof PersistentVolume volume) {
                owned.add(handle(volume));
                if (volume.metadata().deleting()) {
                    problems.add(volume.key() + " is still being deleted");
                }
                if (volume.status().phase() == VolumePhase.BOUND && ownerGone(volume)) {
                    problems.add(volume.key() + " is bound to a claim that is gone");
                }
                if (LEFT.contains(volume.status().phase())
                        && volume.spec().reclaimPolicy() == ReclaimPolicy.DELETE
                        && kept.stream().noneMatch(held -> held.handle().equals(handle(volume)))) {
                    problems.add(volume.key() + " is released and not deleted");
                }
            }
        }
        world.storage().volumes().forEach(volume -> {
            if (volume.handle().startsWith("pvc-") && !owned.contains(volume.handle())) {
                problems.add("storage " + volume.handle() + " is of no volume");
            }
        });
    }

    private List<ApiObject> volumesAndClaims() {
        List<ApiObject> both = new ArrayList<>(world.cluster().all(Kind.PERSISTENT_VOLUME));
        both.addAll(world.cluster().all(Kind.PERSISTENT_VOLUME_CLAIM));
        return both;
    }

    private boolean ownerGone(PersistentVolume volume) {
        ObjectReference owner = volume.spec().claimRef();
        return owner != null
                && claim(owner)
                        .filter(claim -> claim.metadata().uid().equals(owner.uid()))
                        .isEmpty();
    }

    /** The claim of the reference's name. */
    private Optional<ApiObject> claim(ObjectReference named) {
        return world.cluster().get(ObjectKey.claim(named.namespace(), named.name()));
    }

    private boolean freeVolume() {
        return world.cluster().all(Kind.PERSISTENT_VOLUME).stream()
                .anyMatch(object -> object instanceof PersistentVolume volume
                        && volume.status().phase() == VolumePhase.AVAILABLE
                        && volume.className().isEmpty());
    }

    private Optional<PersistentVolume> volumeOf(String claim) {
        return world.cluster()
                .get(ObjectKey.claim(Given.NAMESPACE, claim))
                .map(PersistentVolumeClaim.class::cast)
                .filter(found -> found.status().phase() == ClaimPhase.BOUND)
                .flatMap(found ->
                        world.cluster().get(ObjectKey.volume(found.spec().volumeName())))
                .map(PersistentVolume.class::cast);
    }

    private static String handle(PersistentVolume volume) {
        return volume.spec().source() instanceof CsiSource csi
                ? csi.volumeHandle()
                : volume.metadata().name();
    }
}
