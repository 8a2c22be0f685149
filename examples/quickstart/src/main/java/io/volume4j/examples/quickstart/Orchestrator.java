package io.volume4j.examples.quickstart;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.VolumeManagerBuilder;
import io.volume4j.core.control.PersistentVolumeController;
import io.volume4j.core.control.PersistentVolumeControllerBuilder;
import io.volume4j.core.control.VolumeBinder;
import io.volume4j.core.events.ClusterEvents;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.plugins.VolumePlugins;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.csi.CsiEndpoint;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.ui.LiveSource;
import io.volume4j.ui.LiveView;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A single-node orchestrator: the cluster's objects, a scheduler for one node, and volume4j's controller and node agent. */
final class Orchestrator implements AutoCloseable {
    static final String NODE = "here";

    private final SavedCluster cluster;
    private final PersistentVolumeController controller;
    private final VolumeManager volumes;
    private final Scheduler scheduler;
    private final ClusterEvents events;
    private final CsiDrivers drivers;
    private final Progress progress;
    private final @Nullable LiveView view;

    Orchestrator(Machine machine, Options options, SavedCluster cluster, Configs configs, Journey journey) {
        this.cluster = cluster;
        PluginRegistry plugins = PluginRegistry.builder(DefaultPluginHost.builder(options.root())
                        .nodeName(NODE)
                        .mounts(machine.backend())
                        .secrets(configs)
                        .configs(configs)
                        .build())
                .discover(Orchestrator.class.getClassLoader())
                .defaults(VolumePlugins.defaultPlugins())
                .build();
        VolumeBinder binder = VolumeBinder.builder().cluster(cluster, cluster).build();
        this.scheduler = new Scheduler(cluster, binder, NODE);
        this.events = ClusterEvents.builder().cluster(cluster).build();
        this.view = view(options, cluster);
        PersistentVolumeControllerBuilder claims = PersistentVolumeController.builder()
                .cluster(cluster, cluster)
                .plugins(plugins)
                .makesPodClaims()
                .expandsVolumes()
                .protectsWhatIsUsed()
                .takesSnapshots()
                .takesGroupSnapshots()
                .restoresSnapshots()
                .movesVolumes()
                .readsDataSources()
                .volumeBinder(binder)
                .events(events)
                .listener(journey::step);
        VolumeManagerBuilder node = VolumeManager.builder()
                .cluster(cluster)
                .clusterWriter(cluster)
                .plugins(plugins)
                .attachMode(AttachMode.SELF)
                .events(events)
                .listener(journey::step);
        if (machine.inMemory()) {
            node.journalInMemory();
        }
        LiveSource shownClaims = view == null ? null : view.source("claims");
        LiveSource shownNode = view == null ? null : view.source(NODE);
        if (shownClaims != null && shownNode != null) {
            claims.instrumentation(shownClaims);
            node.instrumentation(shownNode);
        }
        this.controller = claims.build();
        this.volumes = node.build();
        if (shownClaims != null && shownNode != null) {
            shownClaims.watch(controller);
            shownNode.watch(volumes);
        }
        this.drivers = CsiDrivers.start(plugins, options.csi(), cluster, journey);
        this.progress = new Progress(
                List.of(volumes.operationExecutor(), controller.operationExecutor()), InstantSource.system(), journey);
    }

    private static @Nullable LiveView view(Options options, SavedCluster cluster) {
        return options.ui() == null
                ? null
                : LiveView.builder()
                        .title("quickstart")
                        .address(options.ui())
                        .cluster(cluster)
                        .build();
    }

    /** The address of the live view for a browser, with a token; empty if there is no live view. */
    Optional<String> link() {
        return Optional.ofNullable(view).map(LiveView::link);
    }

    void start() {
        if (view != null) {
            view.start();
        }
        cluster.createMissing(
                new Node(ObjectMeta.named("", NODE), new Node.Spec(List.of()), readyNode(), Unmodeled.none()));
        volumes.start();
        controller.start();
        progress.start();
    }

    /** Completes with the sockets at which no CSI driver answers. */
    CompletableFuture<List<CsiEndpoint>> silentDrivers() {
        return drivers.silent();
    }

    /** Assigns every pod without a node to the only node, as soon as its volumes allow it. */
    void schedule() {
        for (Pod pod : pods()) {
            if (pod.spec().nodeName().isEmpty()) {
                scheduler.schedule(pod);
            }
        }
    }

    /** Whether the claim stays without a volume until a pod that uses it has a node. */
    boolean waitsForConsumer(PersistentVolumeClaim claim) {
        return scheduler.waitsForConsumer(claim);
    }

    List<Pod> pods() {
        return cluster.all(Kind.POD, Pod.class);
    }

    CompletableFuture<MountedPod> whenMounted(Pod pod) {
        return volumes.whenMounted(pod.metadata().uid());
    }

    CompletableFuture<String> whenUnmounted(String podUid) {
        return volumes.whenUnmounted(podUid);
    }

    /** Completes when the claim or volume does not exist any more. */
    CompletableFuture<ObjectKey> whenGone(ObjectKey key) {
        return controller.whenGone(key);
    }

    CompletableFuture<PersistentVolume> whenBound(PersistentVolumeClaim claim) {
        return controller.whenBound(claim.key());
    }

    /** Completes when no volume is attached or mounted any more. */
    CompletableFuture<Boolean> whenNothingPresent() {
        return volumes.whenEmpty();
    }

    /** The explanation of the object's state, as text. */
    String why(ApiObject object) {
        try {
            return explain(object).get(5, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return "interrupted";
        } catch (ExecutionException | TimeoutException none) {
            return "no explanation";
        }
    }

    private CompletableFuture<String> explain(ApiObject object) {
        return object instanceof Pod pod
                ? explainPod(pod)
                : controller.explain(object.key()).thenApply(why -> why.text());
    }

    /** The pod's explanation, and those of its unsettled claims, because a pod may wait for them. */
    private CompletableFuture<String> explainPod(Pod pod) {
        CompletableFuture<String> text =
                volumes.explainPod(pod.metadata().uid()).thenApply(why -> lines(pod.key(), why.text()));
        for (PodVolume volume : pod.spec().volumes()) {
            String name = Scheduler.claimName(pod, volume);
            if (!name.isEmpty()) {
                ObjectKey claim = ObjectKey.claim(pod.metadata().namespace(), name);
                text = text.thenCombine(
                        controller.explain(claim), (soFar, why) -> why.settled() ? soFar : soFar + "\n" + why.text());
            }
        }
        return text;
    }

    @Override
    public void close() {
        if (view != null) {
            view.close();
        }
        progress.close();
        scheduler.close();
        controller.close();
        volumes.close();
        drivers.close();
        events.close();
    }

    private static String lines(ObjectKey key, String text) {
        int body = text.indexOf('\n');
        String first = "pod " + key.namespace() + "/" + key.name() + ":";
        return body < 0 ? first + text.substring(text.indexOf(':') + 1) : first + text.substring(body);
    }

    private static Node.Status readyNode() {
        return new Node.Status(true, List.of(), List.of(), java.util.Map.of());
    }
}
