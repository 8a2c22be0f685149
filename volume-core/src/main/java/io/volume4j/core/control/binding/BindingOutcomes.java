package io.volume4j.core.control.binding;

import io.volume4j.core.control.binding.plan.BindingStep;
import io.volume4j.core.control.binding.plan.EventReason;
import io.volume4j.core.control.binding.plan.ProvisioningMemory;
import io.volume4j.core.control.binding.plan.ReclaimMemory;
import io.volume4j.core.control.host.Host;
import io.volume4j.core.engine.Outcome;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.host.EventSink.Event;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Stores the outcomes of calls and notifies users and other parts. Loop thread only. */
final class BindingOutcomes {
    private final Host host;
    private final BindingState state;
    private final EventSink events;
    private final Consumer<Abandoned> abandoned;

    BindingOutcomes(Host host, BindingState state, Consumer<Abandoned> abandoned) {
        this.host = host;
        this.state = state;
        this.events = host.events();
        this.abandoned = abandoned;
    }

    void completed(BindingStep step, Outcome outcome) {
        switch (step.kind()) {
            case PROVISION -> provisioned((BindingStep.Provision) step, outcome);
            case SAVE -> saved((BindingStep.Save) step, outcome);
            case DELETE_UNSAVED_VOLUME -> unsavedDeleted((BindingStep.DeleteUnsavedVolume) step, outcome);
            case DELETE -> deleted((BindingStep.Delete) step, outcome);
            case RECYCLE -> recycled((BindingStep.Recycle) step, outcome);
        }
    }

    private void provisioned(BindingStep.Provision step, Outcome outcome) {
        ProvisioningMemory memory = state.provisioning(step.claimUid()).called(step.intent());
        boolean claimGone = host.still(step.claim(), step.claimUid()).isEmpty();
        if (outcome.succeeded() && claimGone) {
            // A user removed the claim by force while the call was running.
            Provisioned done = outcome.requireValue(Provisioned.class);
            abandoned.accept(new Abandoned(done.claim(), step.intent(), done.made()));
        } else if (outcome.succeeded()) {
            state.provisioning(
                    step.claimUid(),
                    memory.made(outcome.requireValue(Provisioned.class).made()));
        } else if (!claimGone) {
            state.provisioning(step.claimUid(), memory.failed(outcome.requireFailure()));
            if (outcome.requireFailure().kind() == FailureKind.EXHAUSTED) {
                host.exhausted().exhausted(step.intent().storageClass().name());
            }
        }
    }

    private void saved(BindingStep.Save step, Outcome outcome) {
        String uid = claimUid(step.volume());
        // Marks the object as possibly stored, even if the answer is an error.
        host.store().mayBeThere(step.volume().key());
        if (!outcome.succeeded() && host.still(step.claim(), uid).isPresent()) {
            VolumeException failure = outcome.requireFailure();
            ProvisioningMemory memory = state.provisioning(uid);
            state.provisioning(uid, isRefusal(failure) ? memory.refused(failure) : memory.notSaved(failure));
        }
    }

    /** The object of the claim's new volume is stored, by this attempt or an earlier one. */
    void stored(PersistentVolumeClaim claim, PersistentVolume volume) {
        state.provisioning(claim.metadata().uid(), ProvisioningMemory.nothing());
        events.event(new Event(
                Event.Type.NORMAL,
                EventReason.PROVISIONING_SUCCEEDED,
                reference(claim),
                "volume " + volume.metadata().name() + " was made"));
    }

    private void unsavedDeleted(BindingStep.DeleteUnsavedVolume step, Outcome outcome) {
        if (host.still(step.claim(), step.claimUid()).isEmpty()) {
            return;
        }
        ProvisioningMemory memory = state.provisioning(step.claimUid());
        state.provisioning(
                step.claimUid(),
                outcome.succeeded() ? memory.unsavedDeleted() : memory.stillMade(outcome.requireFailure()));
    }

    private void deleted(BindingStep.Delete step, Outcome outcome) {
        ReclaimMemory memory = state.reclaim(step.volume().metadata().uid());
        remember(step.volume(), outcome.succeeded() ? memory.afterDelete() : memory.failed(outcome.requireFailure()));
    }

    private void recycled(BindingStep.Recycle step, Outcome outcome) {
        ReclaimMemory memory = state.reclaim(step.volume().metadata().uid());
        if (outcome.succeeded()) {
            remember(step.volume(), memory.afterRecycle());
            events.event(new Event(
                    Event.Type.NORMAL,
                    EventReason.VOLUME_RECYCLED,
                    reference(step.volume()),
                    "the volume was emptied"));
        } else {
            remember(step.volume(), memory.failed(outcome.requireFailure()));
        }
    }

    /** Unless the volume's object is gone: no later change of it would remove the memory. */
    private void remember(PersistentVolume volume, ReclaimMemory memory) {
        String uid = volume.metadata().uid();
        if (host.still(volume.key(), uid).isPresent()) {
            state.reclaim(uid, memory);
        }
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
                object.apiVersion(),
                object.kind().apiName(),
                object.metadata().namespace(),
                object.metadata().name(),
                object.metadata().uid(),
                "");
    }
}
