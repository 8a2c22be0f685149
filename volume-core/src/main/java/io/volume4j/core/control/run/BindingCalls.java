package io.volume4j.core.control.run;

import io.volume4j.core.control.binding.BindingStep;
import io.volume4j.core.control.binding.ContentStep;
import io.volume4j.core.control.binding.PopulateStep;
import io.volume4j.core.control.host.Host;
import io.volume4j.core.control.host.Users;
import io.volume4j.core.engine.Call;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a step does to the cluster or has a plugin do. Steps become calls on the loop; the bodies of calls run elsewhere.
 */
final class BindingCalls {
    /** Calls of one populator at once; filling itself runs elsewhere. */
    private static final int POPULATIONS = 8;

    private final Host host;
    private final ObjectCache cache;
    private final BindingState state;
    private final PluginCalls plugins;
    private final SnapshotCalls snapshotCalls;

    BindingCalls(Host host, BindingState state, PluginCalls plugins, SnapshotCalls snapshotCalls) {
        this.host = host;
        this.cache = host.objects();
        this.state = state;
        this.plugins = plugins;
        this.snapshotCalls = snapshotCalls;
    }

    Call call(BindingStep step) {
        return switch (step.kind()) {
            case SAVE -> host.calls().toCluster(context -> host.cluster().save(((BindingStep.Save) step).volume()));
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
                long epoch = host.lead().epochOfCall();
                long decided = host.now();
                @Nullable
                Users users = state.takeLook(delete.volume().metadata().uid());
                yield toPlugin(delete.plugin(), delete.volume().className(), context -> {
                    plugins.delete(delete, users, decided, epoch, context);
                    return null;
                });
            }
            case RECYCLE -> {
                BindingStep.Recycle recycle = (BindingStep.Recycle) step;
                long epoch = host.lead().epochOfCall();
                yield toPlugin(recycle.plugin(), recycle.volume().className(), context -> {
                    plugins.recycle(recycle, epoch, context);
                    return null;
                });
            }
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

    private Call toPopulator(String kind, Call.Body body) {
        return host.calls().toLane("populator of " + kind, POPULATIONS, body);
    }

    private Call toPlugin(String plugin, String className, Call.Body body) {
        return host.calls().toPlugin(plugin, className, body);
    }
}
