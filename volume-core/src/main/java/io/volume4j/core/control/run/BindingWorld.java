package io.volume4j.core.control.run;

import io.volume4j.core.control.binding.BindingStep;
import io.volume4j.core.control.binding.BindingStep.Look.At;
import io.volume4j.core.control.binding.BindingView;
import io.volume4j.core.control.binding.ContentStep;
import io.volume4j.core.control.binding.EventReason;
import io.volume4j.core.control.binding.PopulateStep;
import io.volume4j.core.control.binding.ProvisioningMemory;
import io.volume4j.core.control.binding.Told;
import io.volume4j.core.control.capacity.CapacityBook;
import io.volume4j.core.control.expand.ExpandMemory;
import io.volume4j.core.control.expand.ExpandReason;
import io.volume4j.core.control.populate.Filling;
import io.volume4j.core.engine.Call;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.engine.World;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.host.EventSink.Event;
import io.volume4j.spi.host.LeaderEpoch;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.plugin.CapacityReporter;
import io.volume4j.spi.plugin.Expander.ExpandResult;
import io.volume4j.spi.plugin.HealthReporter;
import io.volume4j.spi.plugin.Populator;
import io.volume4j.spi.plugin.Provisioner.ProvisionResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Claims and volumes as the engine sees them: gives views out of {@link BindingState}, makes calls out of steps, and takes
 * over how they ended. Loop thread only, but for the bodies of calls.
 */
final class BindingWorld implements World<ObjectKey, BindingView, BindingStep> {
    /** After so many conflicts in a row the write waits like any that failed. */
    private static final int PATIENCE = 5;

    private static final String CLUSTER_LANE = "cluster";

    /** Calls of one populator at once; filling itself runs elsewhere. */
    private static final int POPULATIONS = 8;

    /** What a look found, and for which volumes, by UID: those that asked before it began. */
    private record Looked(List<String> asking, Users users) {}

    private final ObjectCache cache;
    private final BindingState state;
    private final BindingViews views;
    private final ClusterCalls cluster;
    private final PluginCalls plugins;
    private final PluginDirectory directory;
    private final LeaderEpoch leader;
    private final EventSink events;
    private final ControlOptions options;
    private final TaskViews tasks;
    private final List<Kind> kinds;
    private final Consumer<Abandoned> abandoned;
    private final CapacityBook capacities;
    private final HealthBook health;
    private final SnapshotDesk snapshots;
    private final SnapshotCalls snapshotCalls;
    private final LongSupplier ticker;

    BindingWorld(
            ObjectCache cache,
            BindingState state,
            BindingViews views,
            ClusterCalls cluster,
            PluginCalls plugins,
            PluginDirectory directory,
            EarlierTools tools,
            LeaderEpoch leader,
            EventSink events,
            ControlOptions options,
            TaskViews tasks,
            List<Kind> kinds,
            Consumer<Abandoned> abandoned,
            CapacityBook capacities,
            HealthBook health,
            SnapshotDesk snapshots,
            LongSupplier ticker) {
        this.cache = cache;
        this.state = state;
        this.views = views;
        this.cluster = cluster;
        this.plugins = plugins;
        this.directory = directory;
        this.leader = leader;
        this.events = events;
        this.options = options;
        this.tasks = tasks;
        this.kinds = kinds;
        this.abandoned = abandoned;
        this.capacities = capacities;
        this.health = health;
        this.snapshots = snapshots;
        this.snapshotCalls = new SnapshotCalls(directory, leader, tools);
        this.ticker = ticker;
    }

    @Override
    public @Nullable BindingView view(ObjectKey key) {
        return views.deciding() ? tasks.of(key, views.view(key)) : null;
    }

    @Override
    public Iterator<ObjectKey> keys() {
        return kinds.stream()
                .flatMap(kind -> new ArrayList<>(cache.all(kind)).stream())
                .map(ApiObject::key)
                .iterator();
    }

    @Override
    public void taken(ObjectKey key, BindingStep step) {
        if (step instanceof BindingStep.Write write && !write.reserves().isEmpty()) {
            state.promise(key, write.reserves());
        }
    }

    @Override
    public void abandoned(ObjectKey key, BindingStep step) {
        endPromise(key, step);
    }

    @Override
    public Call call(ObjectKey key, BindingStep step) {
        return switch (step.kind()) {
            case WRITE -> {
                boolean patient = state.staleWrites(key) < PATIENCE;
                BindingStep.Write write = (BindingStep.Write) step;
                yield toCluster(context -> cluster.write(write, patient));
            }
            case SAVE -> toCluster(context -> cluster.save(((BindingStep.Save) step).volume()));
            case REMOVE -> {
                BindingStep.Remove remove = (BindingStep.Remove) step;
                yield toCluster(context -> {
                    cluster.remove(remove.object(), remove.uid());
                    return null;
                });
            }
            case VERIFY -> {
                BindingStep.Verify verify = (BindingStep.Verify) step;
                yield toCluster(context -> cluster.read(verify.object(), verify.uid()));
            }
            case LOOK -> {
                At at = ((BindingStep.Look) step).at();
                List<String> asking = state.looks.asking(at);
                yield toCluster(context -> new Looked(asking, plugins.users(at)));
            }
            case CREATE ->
                toCluster(context -> {
                    cluster.make(((BindingStep.Create) step).object());
                    return null;
                });
            case EXPAND -> {
                BindingStep.Expand expand = (BindingStep.Expand) step;
                yield toPlugin(
                        expand.plugin(), expand.volume().className(), context -> plugins.expand(expand, context));
            }
            case MODIFY -> {
                BindingStep.Modify modify = (BindingStep.Modify) step;
                yield toPlugin(modify.plugin(), modify.volume().className(), context -> {
                    plugins.modify(modify, context);
                    return null;
                });
            }
            case FILL -> {
                PopulateStep.Fill fill = (PopulateStep.Fill) step;
                yield toPopulator(fill.request().source().kind(), context -> plugins.fill(fill, context));
            }
            case CLEAN_UP -> {
                PopulateStep.CleanUp cleanUp = (PopulateStep.CleanUp) step;
                yield toPopulator(cleanUp.source().kind(), context -> {
                    plugins.cleanUp(cleanUp, context);
                    return null;
                });
            }
            case CHECK -> {
                BindingStep.Check check = (BindingStep.Check) step;
                yield toPlugin(check.id().plugin(), "", context -> plugins.health(check, context));
            }
            case ASK -> {
                BindingStep.Ask ask = (BindingStep.Ask) step;
                yield toPlugin(
                        ask.plugin(), ask.storageClass().metadata().name(), context -> plugins.capacity(ask, context));
            }
            case CUT -> {
                ContentStep.Cut cut = (ContentStep.Cut) step;
                yield toPlugin(cut.plugin(), "", context -> snapshotCalls.cut(cut, context));
            }
            case PROBE -> {
                ContentStep.Probe probe = (ContentStep.Probe) step;
                yield toPlugin(probe.plugin(), "", context -> snapshotCalls.probe(probe, context));
            }
            case DISCARD -> {
                ContentStep.Discard discard = (ContentStep.Discard) step;
                yield toPlugin(discard.plugin(), "", context -> {
                    snapshotCalls.discard(discard, context);
                    return null;
                });
            }
            case PROVISION -> provision((BindingStep.Provision) step);
            case UNMAKE -> unmake((BindingStep.Unmake) step);
            case DELETE -> {
                BindingStep.Delete delete = (BindingStep.Delete) step;
                long epoch = leader.epoch();
                long decided = ticker.getAsLong();
                @Nullable
                Users users = state.takeLook(delete.volume().metadata().uid());
                yield toPlugin(delete.plugin(), delete.volume().className(), context -> {
                    plugins.delete(delete, users, decided, epoch, context);
                    return null;
                });
            }
            case RECYCLE -> {
                BindingStep.Recycle recycle = (BindingStep.Recycle) step;
                long epoch = leader.epoch();
                yield toPlugin(recycle.plugin(), recycle.volume().className(), context -> {
                    plugins.recycle(recycle, epoch, context);
                    return null;
                });
            }
            case TELL -> throw new IllegalArgumentException("telling is not a call");
        };
    }

    @Override
    public void completed(ObjectKey key, BindingStep step, Outcome outcome) {
        switch (step.kind()) {
            case WRITE -> {
                endPromise(key, step);
                state.wrote(key, outcome.succeeded() && outcome.value() == ClusterCalls.Written.STALE);
            }
            case TELL -> tell((BindingStep.Tell) step);
            case VERIFY -> verified((BindingStep.Verify) step, outcome);
            case LOOK -> {
                if (outcome.succeeded()) {
                    Looked looked = outcome.requireValue(Looked.class);
                    state.looked(((BindingStep.Look) step).at(), looked.asking(), looked.users());
                }
            }
            case EXPAND -> expanded((BindingStep.Expand) step, outcome);
            case MODIFY -> modified((BindingStep.Modify) step, outcome);
            case FILL -> filled((PopulateStep.Fill) step, outcome);
            case CLEAN_UP -> {
                PopulateStep.CleanUp done = (PopulateStep.CleanUp) step;
                String uid = done.request().claimUid();
                Filling memory = state.filling(uid).of(done.epoch());
                state.filling(uid, outcome.succeeded() ? memory.cleanedUp() : memory.failed(outcome.requireFailure()));
            }
            case CHECK -> {
                if (outcome.succeeded()) {
                    health.answered(
                            ((BindingStep.Check) step).volumeUid(),
                            outcome.requireValue(HealthReporter.Health.class),
                            ticker.getAsLong());
                }
            }
            case ASK -> {
                if (outcome.succeeded()) {
                    capacities.answered(
                            ((BindingStep.Ask) step).object(),
                            outcome.requireValue(CapacityReporter.Capacity.class),
                            ticker.getAsLong());
                }
            }
            case CUT -> snapshots.cut((ContentStep.Cut) step, outcome);
            case PROBE -> snapshots.probed((ContentStep.Probe) step, outcome);
            case DISCARD -> snapshots.discarded((ContentStep.Discard) step, outcome);
            case PROVISION -> provisioned((BindingStep.Provision) step, outcome);
            case SAVE -> saved((BindingStep.Save) step, outcome);
            case UNMAKE -> unmade((BindingStep.Unmake) step, outcome);
            case DELETE -> deleted((BindingStep.Delete) step, outcome);
            case RECYCLE -> recycled((BindingStep.Recycle) step, outcome);
            case REMOVE, CREATE -> {
                // what is left was read from the store and is in the cache
            }
        }
    }

    private void endPromise(ObjectKey key, BindingStep step) {
        if (step instanceof BindingStep.Write write && !write.reserves().isEmpty()) {
            state.endPromise(key, write.reserves());
        }
    }

    private void tell(BindingStep.Tell step) {
        step.events().forEach(events::event);
        state.told(step.about(), step.topic(), new Told(step.events()));
    }

    private void verified(BindingStep.Verify step, Outcome outcome) {
        if (outcome.succeeded()) {
            @Nullable
            ApiObject found = outcome.requireValue(ClusterCalls.Seen.class).object();
            state.verified(step.object(), step.uid(), found);
            if (found == null) {
                snapshots.seenAbsent(step.object());
            }
        }
    }

    private void provisioned(BindingStep.Provision step, Outcome outcome) {
        ProvisioningMemory memory = state.provisioning(step.claimUid());
        boolean claimGone = cache.get(step.claim())
                .filter(claim -> claim.metadata().uid().equals(step.claimUid()))
                .isEmpty();
        if (outcome.succeeded() && claimGone) {
            // The claim was removed by force while the call was under way.
            abandoned.accept(new Abandoned(
                    step.claim(), step.claimUid(), step.intent(), outcome.requireValue(ProvisionResult.class)));
        } else if (outcome.succeeded()) {
            state.provisioning(step.claimUid(), memory.made(outcome.requireValue(ProvisionResult.class)));
        } else if (!claimGone) {
            state.provisioning(step.claimUid(), memory.failed(outcome.requireFailure()));
            if (outcome.requireFailure().kind() == FailureKind.EXHAUSTED) {
                capacities.outdated(step.intent().storageClass().name());
            }
        }
    }

    private void saved(BindingStep.Save step, Outcome outcome) {
        String uid = claimUid(step.volume());
        // Whatever was known before: it may be stored now, also if the answer says otherwise.
        state.volumeAppeared(step.volume().metadata().name());
        if (!outcome.succeeded() && isRefusal(outcome.requireFailure())) {
            state.provisioning(uid, state.provisioning(uid).refused(outcome.requireFailure()));
        }
    }

    /** What was made for the claim is stored, whichever try did it. */
    void stored(PersistentVolumeClaim claim, PersistentVolume volume) {
        state.provisioning(claim.metadata().uid(), ProvisioningMemory.nothing());
        events.event(new Event(
                Event.Type.NORMAL,
                EventReason.PROVISIONING_SUCCEEDED,
                reference(claim),
                "volume " + volume.metadata().name() + " was made"));
    }

    private void unmade(BindingStep.Unmake step, Outcome outcome) {
        ProvisioningMemory memory = state.provisioning(step.claimUid());
        state.provisioning(
                step.claimUid(), outcome.succeeded() ? memory.unmade() : memory.stillMade(outcome.requireFailure()));
    }

    private void deleted(BindingStep.Delete step, Outcome outcome) {
        String uid = step.volume().metadata().uid();
        if (outcome.succeeded()) {
            state.reclaim(uid, state.reclaim(uid).afterDelete());
        } else {
            state.reclaim(uid, state.reclaim(uid).failed(outcome.requireFailure()));
        }
    }

    private void recycled(BindingStep.Recycle step, Outcome outcome) {
        String uid = step.volume().metadata().uid();
        if (outcome.succeeded()) {
            state.reclaim(uid, state.reclaim(uid).afterRecycle());
            events.event(new Event(
                    Event.Type.NORMAL,
                    EventReason.VOLUME_RECYCLED,
                    reference(step.volume()),
                    "the volume was emptied"));
        } else {
            state.reclaim(uid, state.reclaim(uid).failed(outcome.requireFailure()));
        }
    }

    private void expanded(BindingStep.Expand step, Outcome outcome) {
        ExpandMemory memory = state.expansion(step.claimUid()).of(step.epoch());
        if (!outcome.succeeded()) {
            state.expansion(
                    step.claimUid(), memory.failed(outcome.requireFailure(), step.newBytes(), ticker.getAsLong()));
            return;
        }
        ExpandResult result = outcome.requireValue(ExpandResult.class);
        state.expansion(step.claimUid(), memory.grown(result.capacityBytes(), result.nodeExpansionRequired()));
        if (!result.nodeExpansionRequired()) {
            tellSuccess(step.claim(), ExpandReason.VOLUME_RESIZE_SUCCESSFUL, "the volume was expanded");
        }
    }

    private void modified(BindingStep.Modify step, Outcome outcome) {
        ExpandMemory memory = state.expansion(step.claimUid()).of(step.epoch());
        String attributesClass = step.target().metadata().name();
        if (outcome.succeeded()) {
            state.expansion(step.claimUid(), memory.changed(attributesClass));
            tellSuccess(
                    step.claim(),
                    ExpandReason.VOLUME_MODIFY_SUCCESSFUL,
                    "the volume has the attributes of class " + attributesClass);
        } else {
            String asked = step.target().metadata().name();
            state.expansion(step.claimUid(), memory.changeFailed(outcome.requireFailure(), asked, ticker.getAsLong()));
        }
    }

    private void filled(PopulateStep.Fill step, Outcome outcome) {
        String uid = step.request().claimUid();
        Filling memory = state.filling(uid).of(step.epoch());
        if (!outcome.succeeded()) {
            state.filling(uid, memory.failed(outcome.requireFailure()));
            return;
        }
        Populator.Progress progress = outcome.requireValue(Populator.Progress.class);
        state.filling(
                uid,
                progress.done()
                        ? memory.filled()
                        : memory.notBefore(ticker.getAsLong() + progress.again().toNanos()));
    }

    private void tellSuccess(ObjectKey claim, String reason, String message) {
        cache.get(claim)
                .ifPresent(object -> events.event(new Event(Event.Type.NORMAL, reason, reference(object), message)));
    }

    private Call provision(BindingStep.Provision step) {
        PersistentVolumeClaim claim = requireClaim(step.claim());
        Optional<Node> node = step.intent().nodeName().isEmpty()
                ? Optional.empty()
                : cache.get(ObjectKey.node(step.intent().nodeName()), Node.class);
        return toPlugin(
                step.intent().plugin(),
                step.intent().storageClass().name(),
                context -> plugins.provision(step, claim, node.orElse(null), context));
    }

    private Call unmake(BindingStep.Unmake step) {
        return toPlugin(step.intent().plugin(), step.intent().storageClass().name(), context -> {
            plugins.unmake(step, context);
            return null;
        });
    }

    /** The claim was in the view from which the step was planned, in this very task of the loop. */
    private PersistentVolumeClaim requireClaim(ObjectKey key) {
        return cache.get(key, PersistentVolumeClaim.class)
                .orElseThrow(() -> new IllegalStateException("no claim " + key));
    }

    private Call toCluster(Call.Body body) {
        return new Call(CLUSTER_LANE, options.clusterCalls(), options.clusterDeadline(), body);
    }

    private Call toPopulator(String kind, Call.Body body) {
        return new Call("populator of " + kind, POPULATIONS, pluginDeadline(), body);
    }

    private Call toPlugin(String plugin, String className, Call.Body body) {
        int ofPlugin = directory
                .byName(plugin)
                .map(found -> Math.max(1, found.maxConcurrentCalls()))
                .orElse(1);
        @Nullable Integer ofClass = options.classLimits().get(className);
        Call.Part part = ofClass == null ? Call.Part.REST : new Call.Part("class " + className, ofClass);
        return new Call(plugin, ofPlugin, part, pluginDeadline(), body);
    }

    /** No call outlasts the lease; a tenth of what is left is kept back for the way there. */
    private Duration pluginDeadline() {
        Duration wanted = options.pluginDeadline();
        Duration remaining = leader.remaining();
        if (remaining.compareTo(wanted.plus(wanted)) > 0) {
            return wanted;
        }
        Duration lease = remaining.multipliedBy(9).dividedBy(10);
        Duration shorter = lease.compareTo(wanted) < 0 ? lease : wanted;
        return shorter.compareTo(Duration.ofMillis(1)) < 0 ? Duration.ofMillis(1) : shorter;
    }

    private static boolean isRefusal(VolumeException failure) {
        return failure.kind() == FailureKind.FINAL || failure.kind() == FailureKind.INFEASIBLE;
    }

    private static String claimUid(PersistentVolume volume) {
        @Nullable ObjectReference reference = volume.spec().claimRef();
        return reference == null ? "" : reference.uid();
    }

    private static ObjectReference reference(ApiObject object) {
        return new ObjectReference(
                object.kind().apiVersion(),
                object.kind().apiName(),
                object.metadata().namespace(),
                object.metadata().name(),
                object.metadata().uid(),
                "");
    }
}
