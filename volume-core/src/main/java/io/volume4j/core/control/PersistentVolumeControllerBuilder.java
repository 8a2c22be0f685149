package io.volume4j.core.control;

import io.volume4j.core.control.host.ControlOptions;
import io.volume4j.core.control.populate.Populators;
import io.volume4j.core.control.run.Duty;
import io.volume4j.core.control.run.Task;
import io.volume4j.core.control.schedule.SchedulingWorld;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.ObjectTransition;
import io.volume4j.core.worlds.OperationLimits;
import io.volume4j.core.worlds.RetryBackoff;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.host.Instrumentation;
import io.volume4j.spi.host.LeaderEpoch;
import io.volume4j.spi.host.MetricsSink;
import io.volume4j.spi.plugin.Populator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link PersistentVolumeController} is made of. Needed are a cluster to read and to write, and plugins; everything
 * else has a default. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class PersistentVolumeControllerBuilder {
    private @Nullable ClusterSource source;
    private @Nullable ClusterWriter writer;
    private @Nullable PluginRegistry plugins;
    private @Nullable Executor workers;
    private final Set<Task> tasks = EnumSet.noneOf(Task.class);
    private Populators populators = Populators.none();
    private LeaderEpoch leader = LeaderEpoch.alone();
    private EventSink events = EventSink.none();
    private Consumer<ObjectTransition> listener = transition -> {};
    private MetricsSink metrics = MetricsSink.none();
    private final List<Instrumentation> instrumentations = new ArrayList<>();
    private final Map<String, Integer> classLimits = new LinkedHashMap<>();
    private final List<VolumeBinder> binders = new ArrayList<>();
    private Duration clusterDeadline = ControlOptions.standard().clusterDeadline();
    private Duration pluginDeadline = ControlOptions.standard().pluginDeadline();
    private Duration closeTimeout = Duration.ofSeconds(2);
    private RetryBackoff backoff = RetryBackoff.standard();
    private OperationLimits limits = ControlOptions.standard().publicLimits();

    PersistentVolumeControllerBuilder() {}

    /** Where claims, volumes, classes, nodes, pods and attachments are read and changed. Needed. */
    public PersistentVolumeControllerBuilder cluster(ClusterSource from, ClusterWriter to) {
        source = Objects.requireNonNull(from, "source");
        writer = Objects.requireNonNull(to, "writer");
        return this;
    }

    /** The plugins; may be shared with a volume manager in the same process. Needed. */
    public PersistentVolumeControllerBuilder plugins(PluginRegistry value) {
        plugins = Objects.requireNonNull(value, "plugins");
        return this;
    }

    /**
     * Also expands volumes whose claims ask for more, and gives them the attributes of the class that their claims ask for, with the
     * plugins of this process; see {@link ExternalResizer} for one that runs apart. The host's cluster must know
     * {@code VolumeAttributesClass}, if only as an empty list.
     */
    public PersistentVolumeControllerBuilder expandsVolumes() {
        tasks.add(Task.EXPANSION);
        return this;
    }

    /**
     * Also keeps claims that pods use, volumes that are bound and volume attributes classes that are named from being removed, with
     * the finalizers that Kubernetes uses. The host's cluster must know {@code VolumeAttributesClass}, if only as an empty list.
     */
    public PersistentVolumeControllerBuilder protectsWhatIsUsed() {
        tasks.add(Task.PROTECTION);
        return this;
    }

    /**
     * Also makes the claims of pods' ephemeral volumes, which go with their pods, and those of the templates in the pods' annotation
     * {@code volume4j.io/volume-claim-templates}, which stay for the next pod of the name.
     */
    public PersistentVolumeControllerBuilder makesPodClaims() {
        tasks.add(Task.POD_CLAIMS);
        return this;
    }

    /**
     * Also publishes what the plugins of this process have left, as CSIStorageCapacity objects in the namespace {@code default}: one
     * for each class that waits for its first consumer and each segment of the topology, asked for again every minute, and sooner
     * when a volume came, went or could not be made. The host's cluster must know CSINode and CSIStorageCapacity, if only as
     * empty lists.
     */
    public PersistentVolumeControllerBuilder publishesCapacity() {
        tasks.add(Task.CAPACITY);
        return this;
    }

    /**
     * Also reads ReferenceGrants and VolumePopulators: claims may be filled from objects of other namespaces then, where a grant there
     * allows it, and are told when no populator fills volumes from such objects. Without it sources of other namespaces are refused, and
     * any other kind than claims and snapshots is left to the populator that fills volumes from it.
     */
    public PersistentVolumeControllerBuilder readsDataSources() {
        tasks.add(Task.DATA_SOURCES);
        return this;
    }

    /**
     * Also fills volumes from objects of other kinds, with these populators, and reads what {@link #readsDataSources()} does. A
     * VolumePopulator object that announces them is not needed here; other controllers that check sources need it.
     *
     * @param namespace where the claims are made that have the volumes meanwhile; users should not have access to it
     */
    public PersistentVolumeControllerBuilder fillsVolumes(String namespace, Populator... with) {
        populators = new Populators(Objects.requireNonNull(namespace, "namespace"), List.of(with));
        return this;
    }

    /**
     * Also asks the plugins every five minutes how bound volumes are, and tells the claim of one that is not well: by an event and by
     * the condition {@code volume4j.io/VolumeHealthy}, which stays and changes when the volume is well again.
     */
    public PersistentVolumeControllerBuilder tellsHealth() {
        tasks.add(Task.HEALTH);
        return this;
    }

    /**
     * Also makes, binds and destroys snapshots with the plugins of this process, see {@link SnapshotController}, and fills volumes
     * from them as {@link #restoresSnapshots()} does. The host's cluster must know VolumeSnapshot, VolumeSnapshotContent and
     * VolumeSnapshotClass, if only as empty lists.
     */
    public PersistentVolumeControllerBuilder takesSnapshots() {
        tasks.add(Task.SNAPSHOTS);
        return restoresSnapshots();
    }

    /** Also makes, binds and destroys group snapshots; the host's cluster must know their three kinds, too. */
    public PersistentVolumeControllerBuilder takesGroupSnapshots() {
        tasks.add(Task.GROUP_SNAPSHOTS);
        return takesSnapshots();
    }

    /**
     * Also finds out by itself what claims are to be made from: snapshots that a {@link SnapshotController}, or Kubernetes' own, keeps
     * and has declared ready, and claims that are bound, which are kept from being deleted while they are cloned. Plugins are told
     * what they call it. Without it plugins find out by themselves. The host's cluster must know VolumeSnapshot and
     * VolumeSnapshotContent, if only as empty lists.
     */
    public PersistentVolumeControllerBuilder restoresSnapshots() {
        tasks.add(Task.RESTORES);
        return this;
    }

    /** Whether this process leads; by default it is taken to be the only one. */
    public PersistentVolumeControllerBuilder leader(LeaderEpoch value) {
        leader = Objects.requireNonNull(value, "leader");
        return this;
    }

    /**
     * Runs calls of plugins and of the cluster, which block. By default daemon threads that come and go; never more than
     * the library's own limits allow. Not closed with the controller.
     */
    public PersistentVolumeControllerBuilder workers(Executor value) {
        workers = Objects.requireNonNull(value, "workers");
        return this;
    }

    public PersistentVolumeControllerBuilder events(EventSink value) {
        events = Objects.requireNonNull(value, "events");
        return this;
    }

    /** Hears of every step that begins or ends, on the event loop; must not block. */
    public PersistentVolumeControllerBuilder listener(Consumer<ObjectTransition> value) {
        listener = Objects.requireNonNull(value, "listener");
        return this;
    }

    public PersistentVolumeControllerBuilder metrics(MetricsSink value) {
        metrics = Objects.requireNonNull(value, "metrics");
        return this;
    }

    /** Hears of steps, calls and decisions as they happen; called again, it adds another. */
    public PersistentVolumeControllerBuilder instrumentation(Instrumentation value) {
        instrumentations.add(Objects.requireNonNull(value, "instrumentation"));
        return this;
    }

    /**
     * Keeps a scheduler's binder informed, so that the host need not. The controller lists and watches CSIDrivers, CSINodes
     * and CSIStorageCapacities then, too; it tells the binder whether or not it leads.
     */
    public PersistentVolumeControllerBuilder volumeBinder(VolumeBinder value) {
        binders.add(Objects.requireNonNull(value, "binder"));
        return this;
    }

    /**
     * How many calls for volumes of the class may run at once, within what the plugin takes for all of its classes together; by
     * default only the plugin's limit counts. A class at its limit keeps no other class of the plugin waiting.
     */
    public PersistentVolumeControllerBuilder classLimit(String storageClass, int calls) {
        if (calls < 1) {
            throw new IllegalArgumentException("classLimit must be at least 1, not " + calls);
        }
        classLimits.put(storageClass, calls);
        return this;
    }

    /** After which a write to the cluster or a read from it is written off; 30 seconds by default. */
    public PersistentVolumeControllerBuilder clusterDeadline(Duration value) {
        clusterDeadline = positive("clusterDeadline", value);
        return this;
    }

    /** After which a call that makes, destroys or empties storage is written off; 2 minutes by default. */
    public PersistentVolumeControllerBuilder pluginDeadline(Duration value) {
        pluginDeadline = positive("pluginDeadline", value);
        return this;
    }

    /** How long a failed step waits for its next try; see {@link RetryBackoff} for the defaults. */
    public PersistentVolumeControllerBuilder backoff(RetryBackoff value) {
        backoff = Objects.requireNonNull(value, "backoff");
        return this;
    }

    /**
     * How many calls may run at once: by default 512, with 128 of one plugin and 512 of all plugins past their deadline. A plugin's own
     * {@code maxConcurrentCalls} holds beside these.
     */
    public PersistentVolumeControllerBuilder operationLimits(OperationLimits value) {
        limits = Objects.requireNonNull(value, "operationLimits");
        return this;
    }

    /** How long closing may take; 2 seconds by default. */
    public PersistentVolumeControllerBuilder closeTimeout(Duration value) {
        closeTimeout = positive("closeTimeout", value);
        return this;
    }

    /**
     * Makes the controller, which does nothing before {@link PersistentVolumeController#start()}.
     *
     * @throws IllegalStateException if something needed is missing, with all of that at once
     */
    public PersistentVolumeController build() {
        if (source == null || writer == null || plugins == null) {
            throw Needs.of("a controller of claims and volumes")
                    .given(source != null && writer != null, "cluster(source, writer)")
                    .given(plugins != null, "plugins(…)")
                    .missing();
        }
        ControlOptions standard = ControlOptions.standard();
        AgentProcess process = AgentProcess.of(
                populators.all().isEmpty()
                        ? Duty.binding().also(tasks)
                        : Duty.binding().also(tasks).filling(populators.namespace(), populators.all()),
                new AgentProcess.Parts(
                        source,
                        writer,
                        plugins,
                        workers,
                        leader,
                        events,
                        metrics,
                        Instrumentation.all(instrumentations),
                        listener,
                        new ControlOptions(
                                clusterDeadline,
                                pluginDeadline,
                                standard.clusterCalls(),
                                classLimits,
                                ControlOptions.backoff(backoff),
                                ControlOptions.limits(limits),
                                standard.resyncPerSecond()),
                        closeTimeout));
        binders.forEach(binder -> process.agent().share(SchedulingWorld.KINDS, new BinderFeed(binder)));
        return new PersistentVolumeController(process);
    }

    private static Duration positive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " must be positive, not " + value);
        }
        return value;
    }
}
