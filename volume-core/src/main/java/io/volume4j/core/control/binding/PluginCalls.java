package io.volume4j.core.control.binding;

import io.volume4j.core.control.binding.plan.BindingStep;
import io.volume4j.core.control.binding.plan.ProvisioningIntent;
import io.volume4j.core.control.host.Host;
import io.volume4j.core.control.host.PluginAccess;
import io.volume4j.core.control.host.Users;
import io.volume4j.core.control.host.lead.Lead;
import io.volume4j.core.report.PluginAnswer;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.plugin.Deleter;
import io.volume4j.spi.plugin.Provisioner;
import io.volume4j.spi.plugin.Provisioner.ProvisionResult;
import io.volume4j.spi.plugin.Recycler;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Calls that make a plugin create, delete or empty storage, on worker threads. Each requires a lease that lasts until the call's
 * deadline.
 */
final class PluginCalls {
    private final Host host;
    private final PluginAccess plugins;
    private final Lead lead;
    private final LiveCheck live;

    PluginCalls(Host host, LiveCheck live) {
        this.host = host;
        this.plugins = host.plugins();
        this.lead = host.lead();
        this.live = live;
    }

    ProvisionResult provision(
            BindingStep.Provision step, PersistentVolumeClaim claim, @Nullable Node node, CallContext context) {
        ProvisioningIntent intent = step.intent();
        StorageClass storageClass = intent.classThen();
        VolumePlugin plugin = host.ready(intent.plugin(), intent.epoch());
        Provisioner provisioner = plugin.provisioner(storageClass)
                .orElseThrow(() -> VolumeException.transientFailure(
                        "plugin " + intent.plugin() + " makes no volumes of storage class "
                                + intent.storageClass().name() + " now"));
        mustLead(intent.epoch(), context);
        Provisioner.ProvisionRequest request = Provisioner.ProvisionRequest.builder(
                        intent.volumeName(), claim, storageClass, intent.bytes())
                .selectedNode(node(intent, node))
                .mutableParameters(intent.attributes().parameters())
                .repeated(step.repeated())
                .build();
        Provisioner.@Nullable ContentSource content = intent.content();
        ProvisionResult made = PluginAnswer.of(
                provisioner.provision(content == null ? request : request.filledFrom(content), context),
                intent.plugin(),
                provisioner,
                "provision");
        if (made.capacityBytes() < intent.bytes()) {
            destroyTooSmall(plugin, intent, made, context);
        }
        return made;
    }

    /** If a user created an object for the storage by hand, the storage stays. */
    void deleteUnsaved(BindingStep.DeleteUnsavedVolume step, CallContext context) {
        ProvisioningIntent intent = step.intent();
        VolumePlugin plugin = host.ready(intent.plugin(), intent.epoch());
        if (live.hasObject(step.made().source())) {
            return;
        }
        mustLead(intent.epoch(), context);
        delete(
                plugin,
                new VolumeSpec(intent.volumeName(), step.made().source(), null, false),
                step.made().annotations(),
                context);
    }

    /**
     * @param users the users of volumes, read after the intent was stored; null without such a read
     * @param decided loop time at which the call was created
     */
    void delete(BindingStep.Delete step, @Nullable Users users, long decided, long epoch, CallContext context) {
        VolumePlugin plugin = host.ready(step.plugin(), epoch);
        live.mustBeFree(
                step.volume(), plugins.volumeId(step.volume(), step.plugin()).orElse(null), users, decided);
        live.mustHaveNoClaim(step.volume(), step.claimGone());
        mustLead(epoch, context);
        delete(
                plugin,
                plugins.migration().specIfPossible(step.volume(), false),
                step.volume().metadata().annotations(),
                context);
    }

    void recycle(BindingStep.Recycle step, long epoch, CallContext context) {
        PersistentVolume volume = step.volume();
        VolumeSpec spec = plugins.migration().specIfPossible(volume, false);
        Recycler recycler = host.ready(step.plugin(), epoch)
                .recycler(spec)
                .orElseThrow(() -> VolumeException.transientFailure("plugin " + step.plugin()
                        + " cannot recycle volume " + volume.metadata().name() + " now"));
        live.mustBeFree(volume, plugins.volumeId(volume, step.plugin()).orElse(null));
        live.mustBeUnused(volume);
        live.mustHaveNoClaim(volume, step.claimGone());
        mustLead(epoch, context);
        @Nullable Quantity capacity = volume.spec().capacity();
        recycler.recycle(
                new Recycler.RecycleRequest(
                        volume.metadata().name(), volume.spec().source(), capacity == null ? 0 : capacity.bytes()),
                context);
    }

    private void delete(VolumePlugin plugin, VolumeSpec spec, Map<String, String> annotations, CallContext context) {
        Deleter deleter = plugin.deleter(spec)
                .orElseThrow(() -> VolumeException.transientFailure(
                        "plugin " + plugin.name() + " cannot delete volume " + spec.name() + " now"));
        deleter.delete(new Deleter.DeleteRequest(spec.name(), spec.source(), annotations), context);
    }

    /** A volume that is smaller than the claim is useless, and the next attempt would find it again. */
    private void destroyTooSmall(
            VolumePlugin plugin, ProvisioningIntent intent, ProvisionResult made, CallContext context) {
        String what = "plugin " + intent.plugin() + " made volume " + intent.volumeName() + " with "
                + made.capacityBytes() + " bytes, asked for were " + intent.bytes();
        try {
            delete(
                    plugin,
                    new VolumeSpec(intent.volumeName(), made.source(), null, false),
                    made.annotations(),
                    context);
        } catch (Throwable failed) {
            throw VolumeException.uncertain(what + ", and it could not be removed: " + failed.getMessage())
                    .withCause(failed);
        }
        throw VolumeException.finalFailure(what).provingAbsence();
    }

    private void mustLead(long epoch, CallContext context) {
        lead.mustOutlast(epoch, context);
    }

    /** The current node. If it is gone, a node with only the name, so that the call stays the same. */
    private static @Nullable Node node(ProvisioningIntent intent, @Nullable Node known) {
        if (intent.nodeName().isEmpty() || known != null) {
            return known;
        }
        return new Node(
                ObjectMeta.named("", intent.nodeName()),
                new Node.Spec(List.of()),
                new Node.Status(false, List.of(), List.of(), Map.of()),
                Unmodeled.none());
    }
}
