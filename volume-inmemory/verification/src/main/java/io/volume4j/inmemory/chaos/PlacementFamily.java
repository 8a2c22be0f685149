package io.volume4j.inmemory.chaos;

import io.volume4j.core.codec.Manifests;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.oracle.Rule;
import io.volume4j.inmemory.sim.HostPorts;
import io.volume4j.inmemory.sim.HostProgram;
import io.volume4j.inmemory.sim.SimProcess;
import io.volume4j.inmemory.sim.Simulation;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.CsiStorageCapacity;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.model.VolumePhase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * A world in which claims wait for their pods, and pods for their nodes. It has three nodes in two zones, volumes that only
 * one zone can access, and local volumes of users. Nodes have low volume limits. One of two schedulers is elected.
 */
final class PlacementFamily implements Family {
    static final int CLAIMS = 5;
    static final int PODS = 4;
    static final Map<String, String> ZONES = zones();

    private static final Quantity ONE = Quantity.parse("1Gi");

    private static final List<String> CLASSES = List.of("late", "late", PlacingJudge.LOCAL, "fast");
    private static final List<FaultKind> REFUSALS =
            List.of(FaultKind.EXHAUSTED, FaultKind.FINAL, FaultKind.UNCERTAIN_AFTER, FaultKind.TRANSIENT);
    private static final int LONGEST_BELIEF_MILLIS = 20_000;

    private final Simulation world;
    private final PodHost pods;
    private final Expectations mounts;
    private final RandomGenerator random;
    private final Schedulers schedulers;
    private final Set<String> pending = new LinkedHashSet<>();
    private int made;

    /** Both schedulers, and which of them considers itself elected. */
    static final class Schedulers {
        private final UnaryOperator<HostScheduler.Placer> change;
        private final Map<String, HostScheduler> running = new LinkedHashMap<>();
        private final Map<String, Duration> until = new LinkedHashMap<>();
        private String elected = "scheduler-1";

        Schedulers(UnaryOperator<HostScheduler.Placer> change) {
            this.change = change;
        }

        HostProgram program(String name) {
            return ports -> start(name, ports);
        }

        private void start(String name, HostPorts ports) {
            HostScheduler scheduler =
                    new HostScheduler(ports, () -> leads(name, ports.world().elapsed()), change);
            running.put(name, scheduler);
            scheduler.start();
        }

        private boolean leads(String name, Duration now) {
            return elected.equals(name)
                    || until.getOrDefault(name, Duration.ZERO).compareTo(now) > 0;
        }

        private void elect(Duration belief) {
            until.put(elected, belief);
            elected = elected.equals("scheduler-1") ? "scheduler-2" : "scheduler-1";
        }
    }

    PlacementFamily(Simulation world, Schedulers schedulers) {
        this.world = world;
        this.schedulers = schedulers;
        random = world.random();
        pods = new PodHost(world);
        mounts = new Expectations(world, pods::wanted);
        apply(
                "{apiVersion: storage.k8s.io/v1, kind: CSIDriver, metadata: {name: mem}, spec: {attachRequired: true, storageCapacity: true}}");
        ZONES.forEach((node, zone) -> {
            addNode(node, zone);
            limit(node, 2);
        });
        world.cluster()
                .apply(LifeGiven.storageClass("late", ReclaimPolicy.DELETE, VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER));
        world.cluster().apply(LifeGiven.storageClass("fast", ReclaimPolicy.DELETE, VolumeBindingMode.IMMEDIATE));
        apply(
                "{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: local}, provisioner: kubernetes.io/no-provisioner, volumeBindingMode: WaitForFirstConsumer}");
        ZONES.forEach(this::addLocal);
        world.start();
    }

    private static Map<String, String> zones() {
        Map<String, String> zones = new LinkedHashMap<>();
        zones.put("n1", "a");
        zones.put("n2", "b");
        zones.put("n3", "b");
        return zones;
    }

    @Override
    public Map<Act.Kind, Consumer<Act>> acts() {
        Map<Act.Kind, Consumer<Act>> acts = new EnumMap<>(Act.Kind.class);
        acts.put(Act.Kind.ADD_CLAIM, this::addClaim);
        acts.put(Act.Kind.REMOVE_CLAIM, act -> remove(claim(act.a())));
        acts.put(Act.Kind.ADD_POD, this::addPod);
        acts.put(Act.Kind.REMOVE_POD, act -> removePod("p" + act.a() % PODS));
        acts.put(Act.Kind.FINISH_POD, act -> pods.finish("p" + act.a() % PODS));
        acts.put(Act.Kind.LIMIT, act -> limit(nodeName(act.a()), 1 + act.b() % 4));
        acts.put(Act.Kind.NODE, act -> node(nodeName(act.a())));
        acts.put(Act.Kind.SCHEDULER, act -> {
            world.tell("the other scheduler is to schedule");
            schedulers.elect(world.elapsed().plusMillis(random.nextInt(LONGEST_BELIEF_MILLIS)));
        });
        acts.put(
                Act.Kind.REFUSE,
                act -> world.storage()
                        .faults()
                        .add(Fault.on("provision")
                                .as(REFUSALS.get(act.b() % REFUSALS.size()))
                                .times(1 + act.c() % 2)));
        return acts;
    }

    @Override
    public void afterAct() {
        adopt();
    }

    private void apply(String manifest) {
        Manifests.read("a world", manifest).forEach(world.cluster()::apply);
    }

    private void addNode(String node, String zone) {
        apply(
                "{apiVersion: v1, kind: Node, metadata: {name: %s, uid: uid-%s-%d, labels: {zone: %s}}, status: {conditions: [{type: Ready, status: 'True'}]}}"
                        .formatted(node, node, ++made, zone));
    }

    private void limit(String node, int volumes) {
        world.tell("node " + node + " can have " + volumes + " volumes");
        apply(
                "{apiVersion: storage.k8s.io/v1, kind: CSINode, metadata: {name: %s}, spec: {drivers: [{name: mem, nodeID: %s, topologyKeys: [zone], allocatable: {count: %d}}]}}"
                        .formatted(node, node, volumes));
    }

    private void addLocal(String node, String zone) {
        String name = "local-" + zone + "-" + ++made;
        world.storage().addNear(node, name, Quantity.parse("1Gi").bytes());
        apply(
                "{apiVersion: v1, kind: PersistentVolume, metadata: {name: %s, uid: uid-%s}, spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], storageClassName: local, persistentVolumeReclaimPolicy: Retain, csi: {driver: mem, volumeHandle: %s}, nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [%s]}]}]}}}}"
                        .formatted(name, name, name, zone));
    }

    private void node(String name) {
        ObjectKey key = ObjectKey.node(name);
        boolean used = world.cluster().all(Kind.POD).stream()
                .anyMatch(pod -> ((Pod) pod).spec().nodeName().equals(name));
        if (world.cluster().get(key).isEmpty()) {
            world.tell("node " + name + " comes again");
            addNode(name, ZONES.getOrDefault(name, ""));
        } else if (!used
                && !world.cluster().all(Kind.VOLUME_ATTACHMENT).toString().contains(name)) {
            world.tell("node " + name + " goes");
            world.cluster().remove(key);
        }
    }

    private static String nodeName(int number) {
        return "n" + (1 + number % ZONES.size());
    }

    private static ObjectKey claim(int number) {
        return ObjectKey.claim(Given.NAMESPACE, "c" + number % CLAIMS);
    }

    private void addClaim(Act act) {
        ObjectKey key = claim(act.a());
        if (world.cluster().get(key).isEmpty()) {
            String className = CLASSES.get(act.b() % CLASSES.size());
            String size = className.equals(PlacingJudge.LOCAL) || act.c() % 2 == 0 ? "1Gi" : "2Gi";
            world.tell("claim " + key.name() + " of class " + className + ", " + size);
            world.cluster()
                    .apply(LifeGiven.claim(
                            key.name(), "uid-" + key.name() + "-" + ++made, className, Quantity.parse(size), ""));
        }
    }

    private void remove(ObjectKey key) {
        if (world.cluster().get(key).isPresent()) {
            world.tell(key + " is to be deleted");
            world.cluster().remove(key);
        }
    }

    private void addPod(Act act) {
        String name = "p" + act.a() % PODS;
        List<String> used = new ArrayList<>();
        for (int i = 0; i < CLAIMS; i++) {
            boolean there = world.cluster()
                    .get(claim(i))
                    .filter(found -> !found.metadata().deleting())
                    .isPresent();
            if ((act.c() >> i & 1) == 1 && there) {
                used.add("c" + i);
            }
        }
        if (!used.isEmpty()
                && world.cluster().get(ObjectKey.pod(Given.NAMESPACE, name)).isEmpty()) {
            Pod pod = Given.pod(name, pods.nextUid(name), "", used, false);
            world.tell("pod " + pod.metadata().uid() + " wants a node, with " + used);
            pending.add(name);
            world.cluster().apply(pod);
        }
    }

    private void removePod(String name) {
        if (pending.remove(name)) {
            remove(ObjectKey.pod(Given.NAMESPACE, name));
        } else {
            pods.remove(name);
        }
    }

    /** Passes pods that a scheduler has assigned to the pod host. */
    private void adopt() {
        for (String name : List.copyOf(pending)) {
            Optional<Pod> found =
                    world.cluster().get(ObjectKey.pod(Given.NAMESPACE, name)).map(Pod.class::cast);
            if (found.filter(pod -> !pod.spec().nodeName().isEmpty()).isPresent()) {
                pending.remove(name);
                pods.adopt(found.get());
            }
        }
    }

    @Override
    public List<SimProcess> processes() {
        List<SimProcess> all = new ArrayList<>(world.controllers());
        all.add(world.program("scheduler-1"));
        all.add(world.program("scheduler-2"));
        all.addAll(world.nodes());
        return all;
    }

    @Override
    public void calm() {
        Workload.revive(processes());
        ZONES.forEach((node, zone) -> {
            if (world.cluster().get(ObjectKey.node(node)).isEmpty()) {
                addNode(node, zone);
            }
        });
    }

    @Override
    public List<String> unmet() {
        adopt();
        List<String> problems = new ArrayList<>(mounts.unmetMounts());
        pods.wanted().stream()
                .filter(this::usesWhatGoes)
                .forEach(pod -> problems.removeIf(
                        problem -> problem.startsWith("pod " + pod.metadata().uid() + " ") || isKept(problem, pod)));
        schedulers.running.values().forEach(scheduler -> problems.addAll(scheduler.settled()));
        return problems;
    }

    /** Whether a claim of the pod is being deleted or was replaced; then the pod may lack its volume. */
    private boolean usesWhatGoes(Pod pod) {
        return PlacingJudge.claims(pod).stream()
                .anyMatch(key -> world.cluster()
                        .get(key)
                        .filter(claim -> claim instanceof PersistentVolumeClaim now
                                && !now.metadata().deleting()
                                && PlacingJudge.bound(now))
                        .isEmpty());
    }

    /** Whether the problem is an attachment that stays with the pod, although no object shows its claim any more. */
    private static boolean isKept(String problem, Pod pod) {
        return problem.startsWith("unwanted: attached ")
                && problem.endsWith(" " + pod.spec().nodeName());
    }

    @Override
    public Duration firstPause() {
        return Duration.ofSeconds(5);
    }

    /** Removes everything; a person removes retained volumes last. */
    @Override
    public void end(Workload<?> workload) {
        world.tell("everything is removed");
        List.copyOf(pending).forEach(this::removePod);
        pods.removeAll();
        for (int i = 0; i < CLAIMS; i++) {
            remove(claim(i));
        }
        world.advance(Duration.ofMinutes(10));
        probe();
        for (ApiObject object : world.cluster().all(Kind.PERSISTENT_VOLUME)) {
            if (object instanceof PersistentVolume volume
                    && volume.spec().storageClassName().equals(PlacingJudge.LOCAL)
                    && volume.status().phase() != VolumePhase.BOUND) {
                remove(volume.key());
            }
        }
        world.advance(Duration.ofMinutes(10));
        List<String> left = new ArrayList<>(world.oracle().holdings());
        for (Kind kind :
                List.of(Kind.POD, Kind.PERSISTENT_VOLUME, Kind.PERSISTENT_VOLUME_CLAIM, Kind.VOLUME_ATTACHMENT)) {
            world.cluster().all(kind).forEach(object -> left.add(object.key() + " is left"));
        }
        world.storage().volumes().stream()
                .filter(volume -> !volume.handle().startsWith("local-"))
                .forEach(volume -> left.add("storage " + volume.handle() + " is left"));
        if (!world.broken()) {
            left.forEach(text -> world.oracle().violate(Rule.L2, "the end", text));
        }
    }

    /**
     * After everything is removed, reservations must be gone too. A hypothetical pod must fit where the capacity is enough,
     * with exactly as many bytes as there are, and nowhere with one byte more.
     */
    private void probe() {
        long all = world.cluster().all(Kind.CSI_STORAGE_CAPACITY).stream()
                .map(CsiStorageCapacity.class::cast)
                .map(CsiStorageCapacity::capacity)
                .filter(Objects::nonNull)
                .mapToLong(Quantity::bytes)
                .max()
                .orElse(2 * ONE.bytes());
        probe("q", ONE);
        probe("r", Quantity.ofBytes(all - ONE.bytes()));
        probe("s", Quantity.ofBytes(all - ONE.bytes() + 1));
    }

    private void probe(String pod, Quantity second) {
        List<String> claims = List.of(pod + 1, pod + 2);
        for (String name : claims) {
            Quantity size = name.equals(claims.get(0)) ? ONE : second;
            world.cluster().apply(LifeGiven.claim(name, "uid-" + name, "late", size, ""));
        }
        world.advance(Duration.ofSeconds(10));
        Pod probe = Given.pod(pod, pod + "-1", "", claims, false);
        schedulers
                .running
                .values()
                .forEach(scheduler ->
                        scheduler.asked(probe).forEach(text -> world.oracle().violate(Rule.S24, "the end", text)));
        claims.forEach(name -> remove(ObjectKey.claim(Given.NAMESPACE, name)));
        world.advance(Duration.ofSeconds(10));
    }
}
