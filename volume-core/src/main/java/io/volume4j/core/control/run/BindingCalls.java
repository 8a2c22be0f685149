package io.volume4j.core.control.run;

import io.volume4j.core.control.binding.BindingStep;
import io.volume4j.core.control.binding.BindingStep.Look.At;
import io.volume4j.core.control.binding.ContentStep;
import io.volume4j.core.control.binding.PopulateStep;
import io.volume4j.core.engine.Call;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.spi.host.LeaderEpoch;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a step does to the cluster or has a plugin do. Steps become calls on the loop; the bodies of calls run elsewhere.
 */
final class BindingCalls {
    /** After so many conflicts in a row the write waits like any that failed. */
    private static final int PATIENCE = 5;

    private static final String CLUSTER_LANE = "cluster";

    /** Calls of one populator at once; filling itself runs elsewhere. */
    private static final int POPULATIONS = 8;

    /** What a look found, and for which volumes, by UID: those that asked before it began. */
    record Looked(List<String> asking, Users users) {}

    private final ObjectCache cache;
    private final BindingState state;
    private final ClusterCalls cluster;
    private final PluginCalls plugins;
    private final SnapshotCalls snapshotCalls;
    private final PluginDirectory directory;
    private final LeaderEpoch leader;
    private final ControlOptions options;
    private final LongSupplier ticker;

    BindingCalls(
            ObjectCache cache,
            BindingState state,
            ClusterCalls cluster,
            PluginCalls plugins,
            SnapshotCalls snapshotCalls,
            PluginDirectory directory,
            LeaderEpoch leader,
            ControlOptions options,
            LongSupplier ticker) {
        this.cache = cache;
        this.state = state;
        this.cluster = cluster;
        this.plugins = plugins;
        this.snapshotCalls = snapshotCalls;
        this.directory = directory;
        this.leader = leader;
        this.options = options;
        this.ticker = ticker;
    }

    Call call(ObjectKey key, BindingStep step) {
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
                    cluster.remove(remove.object(), remove.uid(), remove.revision());
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
            case CREATE -> {
                // What a process that leads no more makes late, no later leader expects: a patch is fenced by a
                // revision, this is not.
                long epoch = leader.epoch();
                yield new Call(
                        CLUSTER_LANE, options.clusterCalls(), withinLease(options.clusterDeadline()), context -> {
                            SureLead.mustOutlast(leader, epoch, context);
                            cluster.make(((BindingStep.Create) step).object());
                            return null;
                        });
            }
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
        return withinLease(options.pluginDeadline());
    }

    private Duration withinLease(Duration wanted) {
        Duration remaining = leader.remaining();
        if (remaining.compareTo(wanted.plus(wanted)) > 0) {
            return wanted;
        }
        Duration lease = remaining.multipliedBy(9).dividedBy(10);
        Duration shorter = lease.compareTo(wanted) < 0 ? lease : wanted;
        return shorter.compareTo(Duration.ofMillis(1)) < 0 ? Duration.ofMillis(1) : shorter;
    }
}
