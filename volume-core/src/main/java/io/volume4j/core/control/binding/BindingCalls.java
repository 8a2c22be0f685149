package io.volume4j.core.control.binding;

import io.volume4j.core.control.binding.plan.BindingStep;
import io.volume4j.core.control.host.Host;
import io.volume4j.core.control.host.Users;
import io.volume4j.core.engine.Call;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The calls of steps to the cluster and to plugins. The loop creates the calls; worker threads run their bodies. */
final class BindingCalls {
    private final Host host;
    private final ObjectCache cache;
    private final BindingState state;
    private final PluginCalls plugins;

    BindingCalls(Host host, BindingState state, PluginCalls plugins) {
        this.host = host;
        this.cache = host.objects();
        this.state = state;
        this.plugins = plugins;
    }

    Call call(BindingStep step) {
        return switch (step.kind()) {
            case SAVE -> host.calls().toCluster(context -> host.cluster().save(((BindingStep.Save) step).volume()));
            case PROVISION -> provision((BindingStep.Provision) step);
            case DELETE_UNSAVED_VOLUME -> deleteUnsaved((BindingStep.DeleteUnsavedVolume) step);
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
                context -> new Provisioned(claim, plugins.provision(step, claim, node.orElse(null), context)));
    }

    private Call deleteUnsaved(BindingStep.DeleteUnsavedVolume step) {
        return toPlugin(step.intent().plugin(), step.intent().storageClass().name(), context -> {
            plugins.deleteUnsaved(step, context);
            return null;
        });
    }

    /** The claim was in the view from which the step was planned, in this same task of the loop. */
    private PersistentVolumeClaim requireClaim(ObjectKey key) {
        return cache.get(key, PersistentVolumeClaim.class)
                .orElseThrow(() -> new IllegalStateException("no claim " + key));
    }

    private Call toPlugin(String plugin, String className, Call.Body body) {
        return host.calls().toPlugin(plugin, className, body);
    }
}
