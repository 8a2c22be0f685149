package io.volume4j.inmemory.attach;

import io.volume4j.core.control.attach.AttachAgent;
import io.volume4j.core.control.attach.AttachOptions;
import io.volume4j.core.control.run.ControlPorts;
import io.volume4j.core.engine.Backoff;
import io.volume4j.core.engine.OperationExecutor;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.grants.GrantKeys;
import io.volume4j.core.grants.GrantList;
import io.volume4j.core.journal.InMemoryJournalStore;
import io.volume4j.core.journal.JournalOptions;
import io.volume4j.core.node.Blocking;
import io.volume4j.core.node.NodeAgent;
import io.volume4j.core.node.NodeOptions;
import io.volume4j.core.node.NodePorts;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.host.RecordingEvents;
import io.volume4j.inmemory.host.RecordingMetrics;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryPluginBuilder;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.inmemory.sim.VirtualScheduler;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.host.FencingAuthority;
import io.volume4j.spi.host.LeaderEpoch;
import io.volume4j.spi.host.MetricsSink;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.model.WellKnown;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A cluster in virtual time: a store, a backend, attach/detach controllers, and nodes with volume managers. Every process
 * can be killed and started again or cut off; what it had sent still takes effect.
 */
final class AttachHarness {
    private static final Quantity SIZE = Quantity.parse("1Gi");

    final VirtualScheduler world;
    final InMemoryCluster cluster = InMemoryCluster.create();
    final InMemoryStorage storage;
    final InMemoryPlugin plugin;
    final RecordingEvents events = new RecordingEvents();
    final RecordingMetrics metrics = new RecordingMetrics();
    AttachOptions options = AttachOptions.standard().withResyncPerSecond(0).withVerifyEvery(Duration.ZERO);
    FencingAuthority fencing = FencingAuthority.none();

    /** Other drivers of the controllers. */
    final List<InMemoryPlugin> others = new ArrayList<>();

    private final Map<String, Controller> controllers = new LinkedHashMap<>();
    private final Map<String, NodeProcess> nodes = new LinkedHashMap<>();
    private int starts;

    AttachHarness(long seed) {
        this(seed, InMemoryStorage.create(), builder -> builder);
    }

    AttachHarness(long seed, InMemoryStorage storage, UnaryOperator<InMemoryPluginBuilder> changes) {
        this.world = new VirtualScheduler(seed, Instant.parse("2026-01-01T00:00:00Z"));
        this.storage = storage;
        this.plugin =
                changes.apply(InMemoryPlugin.builder(storage).recordOnly()).build();
    }

    /** A controller's process. */
    final class Controller {
        final Link link = new Link(cluster);
        final VirtualScheduler.VirtualLoop loop;
        final AttachAgent agent;

        Controller(LeaderEpoch leader, String process) {
            loop = world.loop();
            PluginRegistry plugins = PluginRegistry.builder(
                            InMemoryPluginHost.named("").build())
                    .plugin(plugin)
                    .plugins(others)
                    .build();
            agent = new AttachAgent(
                    new ControlPorts(
                            process,
                            link,
                            link,
                            plugins,
                            loop,
                            world.workers(),
                            world.random(),
                            leader,
                            events,
                            metrics),
                    fencing,
                    options,
                    transition -> {});
            agent.start();
        }
    }

    /** A machine with a volume manager. */
    final class NodeProcess {
        final String name;
        final Link link = new Link(cluster);
        private final InMemoryJournalStore journal =
                new InMemoryJournalStore(JournalOptions.defaults(), world.workers());
        private VirtualScheduler.@Nullable VirtualLoop loop;
        private @Nullable NodeAgent agent;
        private String boot = "boot";
        private int incarnation;

        private final AttachMode mode;

        NodeProcess(String name, AttachMode mode) {
            this.name = name;
            this.mode = mode;
        }

        void start() {
            VirtualScheduler.VirtualLoop fresh = world.loop();
            PluginRegistry plugins = PluginRegistry.builder(
                            InMemoryPluginHost.named(name).build())
                    .plugin(InMemoryPlugin.builder(storage).recordOnly().build())
                    .build();
            NodePorts ports = new NodePorts(
                    name,
                    Path.of("/volumes"),
                    "root-" + name,
                    boot,
                    name + "-" + ++incarnation,
                    link,
                    link,
                    plugins,
                    null,
                    journal,
                    fresh,
                    world.workers(),
                    Blocking.threads(),
                    world.random(),
                    null,
                    EventSink.none(),
                    MetricsSink.none());
            NodeOptions options = new NodeOptions(
                    mode,
                    false,
                    Duration.ofMinutes(2),
                    Duration.ofMinutes(2),
                    Duration.ofMinutes(2),
                    Backoff.standard(),
                    OperationExecutor.Limits.standard(),
                    0,
                    false);
            NodeAgent started = new NodeAgent(ports, options, List.of());
            var unused = started.start();
            loop = fresh;
            agent = started;
        }

        void kill() {
            if (loop != null) {
                loop.kill();
            }
            loop = null;
            agent = null;
            journal.crash();
        }

        /** The machine is powered off and on: nothing is mounted any more, and nothing runs before {@link #start}. */
        void powerCycle() {
            kill();
            boot += "+";
            storage.nodeRebooted(name);
        }

        NodeAgent agent() {
            if (agent == null) {
                throw new IllegalStateException(name + " does not run");
            }
            return agent;
        }

        boolean running() {
            return agent != null;
        }

        MountedPod mounted(String podUid) {
            return get(agent().whenMounted(podUid));
        }

        Explanation explainPod(String podUid) {
            return get(agent().explainPod(podUid, "pod " + podUid));
        }
    }

    // Controllers.

    AttachHarness controller() {
        return controller("c", LeaderEpoch.alone());
    }

    AttachHarness controller(String name, LeaderEpoch leader) {
        starts++;
        controllers.put(name, new Controller(leader, name + starts));
        return this;
    }

    Controller the(String controller) {
        Controller found = controllers.get(controller);
        if (found == null) {
            throw new IllegalArgumentException("no controller " + controller);
        }
        return found;
    }

    AttachAgent agent() {
        return the("c").agent;
    }

    void killController(String name) {
        Controller killed = controllers.remove(name);
        if (killed != null) {
            killed.loop.kill();
        }
    }

    Explanation explain(String volume) {
        return get(agent().explainVolume("pv-" + volume));
    }

    // Nodes.

    /** A node object and a volume manager on it. */
    AttachHarness node(String name) {
        return node(name, AttachMode.CONTROLLER);
    }

    AttachHarness node(String name, AttachMode mode) {
        nodeObject(name, true);
        NodeProcess process = new NodeProcess(name, mode);
        nodes.put(name, process);
        process.start();
        return this;
    }

    /** A node object whose volumes are attached from here, without a volume manager. */
    AttachHarness foreignNode(String name) {
        nodeObject(name, true);
        change(name, node -> with(node, node.metadata().withAnnotation(WellKnown.CONTROLLER_MANAGED_ATTACH, "true")));
        return this;
    }

    void nodeObject(String name, boolean ready) {
        cluster.apply(new Node(
                ObjectMeta.named("", name),
                new Node.Spec(List.of()),
                new Node.Status(ready, List.of(), List.of(), Map.of()),
                Unmodeled.none()));
    }

    NodeProcess on(String node) {
        NodeProcess found = nodes.get(node);
        if (found == null) {
            throw new IllegalArgumentException("no node " + node);
        }
        return found;
    }

    Node nodeNow(String name) {
        return (Node) cluster.get(ObjectKey.node(name)).orElseThrow();
    }

    boolean has(ObjectKey key) {
        return cluster.get(key).isPresent();
    }

    void change(String node, UnaryOperator<Node> change) {
        cluster.apply(change.apply(nodeNow(node)));
    }

    void ready(String name, boolean ready) {
        change(
                name,
                node -> new Node(
                        node.metadata(),
                        node.spec(),
                        new Node.Status(
                                ready,
                                node.status().volumesInUse(),
                                node.status().volumesAttached(),
                                node.status().allocatable()),
                        node.unmodeled()));
    }

    void taint(String name, boolean outOfService) {
        List<Node.Taint> taints = outOfService
                ? List.of(new Node.Taint(WellKnown.OUT_OF_SERVICE, "nodeshutdown", "NoExecute"))
                : List.of();
        change(name, node -> new Node(node.metadata(), new Node.Spec(taints), node.status(), node.unmodeled()));
    }

    void inUse(String name, String... volumes) {
        change(
                name,
                node -> new Node(
                        node.metadata(),
                        node.spec(),
                        new Node.Status(
                                node.status().ready(),
                                List.of(volumes),
                                node.status().volumesAttached(),
                                node.status().allocatable()),
                        node.unmodeled()));
    }

    void limit(String name, String driver, int volumes) {
        change(
                name,
                node -> new Node(
                        node.metadata(),
                        node.spec(),
                        new Node.Status(
                                node.status().ready(),
                                node.status().volumesInUse(),
                                node.status().volumesAttached(),
                                Map.of("attachable-volumes-csi-" + driver, Quantity.parse(String.valueOf(volumes)))),
                        node.unmodeled()));
    }

    static Node with(Node node, ObjectMeta meta) {
        return new Node(meta, node.spec(), node.status(), node.unmodeled());
    }

    /** Volumes that the node may rely on, as its status says. */
    List<String> attachedTo(String node) {
        return nodeNow(node).status().volumesAttached().stream()
                .map(volume -> volume.name())
                .toList();
    }

    GrantList grants(String node) {
        return GrantList.parse(nodeNow(node).metadata().annotation(GrantKeys.GRANTS))
                .orElseThrow();
    }

    // Volumes and pods.

    AttachHarness volume(String name, AccessMode... modes) {
        return volume("mem", name, modes);
    }

    AttachHarness volume(String driver, String name, AccessMode... modes) {
        PersistentVolumeClaim claim = new PersistentVolumeClaim(
                ObjectMeta.named("default", name).withUid("uid-" + name),
                new PersistentVolumeClaim.Spec(
                        List.of(modes), SIZE, "", VolumeMode.FILESYSTEM, "pv-" + name, null, null, null, ""),
                new PersistentVolumeClaim.Status(ClaimPhase.BOUND, List.of(modes), SIZE, Map.of(), Map.of(), ""),
                Unmodeled.none());
        cluster.apply(claim);
        cluster.apply(persistentVolume(driver, name, ObjectReference.to(claim), modes));
        storage.add("h-" + name, SIZE.bytes());
        return this;
    }

    /** The volume's object has another handle from now on, as no API server would allow. */
    void rehandle(String name, String handle) {
        PersistentVolume before =
                (PersistentVolume) cluster.get(ObjectKey.volume("pv-" + name)).orElseThrow();
        PersistentVolume.Spec spec = before.spec();
        cluster.apply(new PersistentVolume(
                before.metadata(),
                new PersistentVolume.Spec(
                        spec.capacity(),
                        spec.accessModes(),
                        spec.reclaimPolicy(),
                        spec.storageClassName(),
                        spec.volumeMode(),
                        spec.claimRef(),
                        spec.mountOptions(),
                        spec.nodeAffinity(),
                        "",
                        CsiSource.of("mem", handle, "", Map.of())),
                before.status(),
                before.unmodeled()));
    }

    static PersistentVolume persistentVolume(
            String driver, String name, @Nullable ObjectReference claim, AccessMode... modes) {
        return new PersistentVolume(
                ObjectMeta.named("", "pv-" + name),
                new PersistentVolume.Spec(
                        SIZE,
                        List.of(modes),
                        ReclaimPolicy.RETAIN,
                        "",
                        VolumeMode.FILESYSTEM,
                        claim,
                        List.of(),
                        null,
                        "",
                        CsiSource.of(driver, "h-" + name, "", Map.of())),
                new PersistentVolume.Status(VolumePhase.BOUND, "", ""),
                Unmodeled.none());
    }

    static VolumeId id(String name) {
        return VolumeId.shared("mem", "h-" + name);
    }

    AttachHarness pod(String name, String node, String... claims) {
        return pod("default", name, node, PodPhase.RUNNING, claims);
    }

    AttachHarness pod(String namespace, String name, String node, PodPhase phase, String... claims) {
        List<PodVolume> volumes = new ArrayList<>();
        List<Container.VolumeMount> mounts = new ArrayList<>();
        for (String claim : claims) {
            volumes.add(new PodVolume(claim, new ClaimSource(claim, false)));
            mounts.add(new Container.VolumeMount(claim, "/" + claim, "", false, "", ""));
        }
        Container container = new Container("app", mounts, List.of(), Map.of(), Map.of());
        cluster.apply(new Pod(
                ObjectMeta.named(namespace, name).withUid(name),
                new Pod.Spec(node, volumes, List.of(), List.of(container), Pod.SecurityContext.none(), ""),
                new Pod.Status(phase, List.of(new Pod.ContainerStatus("app", !phase.ended()))),
                Unmodeled.none()));
        return this;
    }

    void deletePod(String name) {
        cluster.remove(ObjectKey.pod("default", name));
    }

    // The world.

    AttachHarness settle() {
        world.advance(Duration.ofMinutes(20));
        return this;
    }

    AttachHarness run() {
        world.advance(Duration.ofSeconds(1));
        return this;
    }

    <T> T get(CompletableFuture<T> future) {
        world.runReady();
        if (!future.isDone()) {
            throw new AssertionError("not done: " + future);
        }
        try {
            return future.join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof VolumeException classified) {
                throw classified;
            }
            throw failed;
        }
    }

    List<String> calls() {
        return new ArrayList<>(storage.callTexts());
    }

    List<String> controlCalls() {
        return calls().stream()
                .filter(call -> call.startsWith("attach ") || call.startsWith("detach "))
                .toList();
    }

    /** Nodes to which the backend has the volume attached. */
    List<String> attached(String volume) {
        return storage.volume("h-" + volume)
                .map(found -> (List<String>) new ArrayList<>(found.attachments().keySet()))
                .orElse(List.of());
    }

    List<VolumeAttachment> records() {
        List<VolumeAttachment> records = new ArrayList<>();
        for (ApiObject object : cluster.export()) {
            if (object.kind() == Kind.VOLUME_ATTACHMENT) {
                records.add((VolumeAttachment) object);
            }
        }
        return records;
    }

    /** Reasons and messages of all events, in order. */
    List<String> told() {
        return events.all().stream()
                .map(event -> event.type() + " " + event.reason() + " "
                        + event.object().kind() + "/" + event.object().name() + ": " + event.message())
                .toList();
    }

    List<String> told(String reason) {
        return told().stream().filter(text -> text.contains(" " + reason + " ")).toList();
    }
}
