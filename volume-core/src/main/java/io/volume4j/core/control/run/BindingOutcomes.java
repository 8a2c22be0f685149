package io.volume4j.core.control.run;

import io.volume4j.core.control.binding.BindingStep;
import io.volume4j.core.control.binding.ContentStep;
import io.volume4j.core.control.binding.EventReason;
import io.volume4j.core.control.binding.PopulateStep;
import io.volume4j.core.control.binding.ProvisioningMemory;
import io.volume4j.core.control.capacity.CapacityBook;
import io.volume4j.core.control.expand.ExpandMemory;
import io.volume4j.core.control.expand.ExpandReason;
import io.volume4j.core.control.host.Host;
import io.volume4j.core.control.populate.Filling;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.host.EventSink.Event;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.plugin.CapacityReporter;
import io.volume4j.spi.plugin.Expander.ExpandResult;
import io.volume4j.spi.plugin.Populator;
import io.volume4j.spi.plugin.Provisioner.ProvisionResult;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of how calls ended, and who is told. Loop thread only.
 */
final class BindingOutcomes {
    private final Host host;
    private final ObjectCache cache;
    private final BindingState state;
    private final EventSink events;
    private final Consumer<Abandoned> abandoned;
    private final CapacityBook capacities;
    private final SnapshotDesk snapshots;

    BindingOutcomes(
            Host host,
            BindingState state,
            Consumer<Abandoned> abandoned,
            CapacityBook capacities,
            SnapshotDesk snapshots) {
        this.host = host;
        this.cache = host.objects();
        this.state = state;
        this.events = host.events();
        this.abandoned = abandoned;
        this.capacities = capacities;
        this.snapshots = snapshots;
    }

    void completed(BindingStep step, Outcome outcome) {
        switch (step.kind()) {
            case EXPAND -> expanded((BindingStep.Expand) step, outcome);
            case MODIFY -> modified((BindingStep.Modify) step, outcome);
            case FILL -> filled((PopulateStep.Fill) step, outcome);
            case CLEAN_UP -> {
                PopulateStep.CleanUp done = (PopulateStep.CleanUp) step;
                String uid = done.request().claimUid();
                Filling memory = state.filling(uid).of(done.epoch());
                state.filling(
                        uid, outcome.succeeded() ? memory.cleanedUp() : memory.cleanUpFailed(outcome.requireFailure()));
            }
            case ASK -> {
                if (outcome.succeeded()) {
                    capacities.answered(
                            ((BindingStep.Ask) step).object(),
                            outcome.requireValue(CapacityReporter.Capacity.class),
                            host.now());
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
                host.exhausted().exhausted(step.intent().storageClass().name());
            }
        }
    }

    private void saved(BindingStep.Save step, Outcome outcome) {
        String uid = claimUid(step.volume());
        // Whatever was known before: it may be stored now, also if the answer says otherwise.
        host.store().mayBeThere(step.volume().key());
        if (!outcome.succeeded()) {
            VolumeException failure = outcome.requireFailure();
            ProvisioningMemory memory = state.provisioning(uid);
            state.provisioning(uid, isRefusal(failure) ? memory.refused(failure) : memory.notSaved(failure));
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

    private boolean isThere(ObjectKey key, String uid) {
        return cache.get(key)
                .filter(found -> found.metadata().uid().equals(uid))
                .isPresent();
    }

    private void expanded(BindingStep.Expand step, Outcome outcome) {
        if (!isThere(step.claim(), step.claimUid())) {
            return;
        }
        ExpandMemory memory = state.expansion(step.claimUid())
                .of(step.epoch(), step.volume().metadata().uid());
        if (!outcome.succeeded()) {
            state.expansion(step.claimUid(), memory.failed(outcome.requireFailure(), step.newBytes(), host.now()));
            return;
        }
        ExpandResult result = outcome.requireValue(ExpandResult.class);
        state.expansion(step.claimUid(), memory.grown(result.capacityBytes(), result.nodeExpansionRequired()));
        if (!result.nodeExpansionRequired()) {
            tellSuccess(step.claim(), ExpandReason.VOLUME_RESIZE_SUCCESSFUL, "the volume was expanded");
        }
    }

    private void modified(BindingStep.Modify step, Outcome outcome) {
        if (!isThere(step.claim(), step.claimUid())) {
            return;
        }
        ExpandMemory memory = state.expansion(step.claimUid())
                .of(step.epoch(), step.volume().metadata().uid());
        String attributesClass = step.target().metadata().name();
        if (outcome.succeeded()) {
            state.expansion(step.claimUid(), memory.changed(attributesClass));
            tellSuccess(
                    step.claim(),
                    ExpandReason.VOLUME_MODIFY_SUCCESSFUL,
                    "the volume has the attributes of class " + attributesClass);
        } else {
            String asked = step.target().metadata().name();
            state.expansion(step.claimUid(), memory.changeFailed(outcome.requireFailure(), asked, host.now()));
        }
    }

    private void filled(PopulateStep.Fill step, Outcome outcome) {
        String uid = step.request().claimUid();
        if (!isThere(step.claim(), uid)) {
            return;
        }
        String volume = step.request().volume().metadata().uid();
        Filling memory = state.filling(uid).of(step.epoch());
        if (!outcome.succeeded()) {
            state.filling(uid, memory.fillFailed(volume, outcome.requireFailure()));
            return;
        }
        Populator.Progress progress = outcome.requireValue(Populator.Progress.class);
        state.filling(
                uid,
                progress.done()
                        ? memory.filled(volume)
                        : memory.notBefore(volume, host.now() + progress.again().toNanos()));
    }

    private void tellSuccess(ObjectKey claim, String reason, String message) {
        cache.get(claim)
                .ifPresent(object -> events.event(new Event(Event.Type.NORMAL, reason, reference(object), message)));
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
