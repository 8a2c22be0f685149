package io.volume4j.core.control.binding.plan;

import io.volume4j.core.control.host.ClusterWork;
import io.volume4j.core.control.host.ObjectWrite;
import io.volume4j.core.control.host.PlanBuilder;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.core.control.host.source.DataSource;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeAttributesClass;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.model.WellKnown;
import io.volume4j.spi.plugin.BlankPolicy;
import io.volume4j.spi.plugin.Provisioner.ProvisionResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Provisions volumes for claims without leaks, even if the process dies or a user deletes the claim at any moment:
 *
 * <ol>
 *   <li>the controller writes the intent and a finalizer to the claim,
 *   <li>the plugin gets the content of the intent, with a name that makes the call idempotent,
 *   <li>the controller stores the volume's object, reserved for the claim by UID,
 *   <li>the write that binds the claim, or a separate write, removes the intent and the finalizer.
 * </ol>
 *
 * <p>A claim that does not want the volume any more is {@linkplain #settle settled}. If no storage can exist, the controller only
 * removes the intent. Otherwise it repeats the call to find the storage, and stores its object; then reclaiming applies. The
 * controller deletes storage directly only if the cluster refuses its object.
 */
final class ProvisionPlanner {
    private ProvisionPlanner() {}

    /** Plans the next step towards a volume for the claim. Its class, its node and all volumes must be known well enough. */
    static void provide(ProvisionView view, PlanBuilder plan) {
        @Nullable ProvisioningIntent intent = view.intent();
        if (!view.intentError().isEmpty()) {
            unreadable(view, plan);
        } else if (intent == null) {
            begin(view, plan);
        } else if (mayAct(view, intent, plan)) {
            goOn(view, intent, plan);
        }
    }

    /** Plans the closing of an open intent of a claim that does not want the volume. Plans nothing if none is open. */
    static void settle(ProvisionView view, PlanBuilder plan) {
        PersistentVolumeClaim claim = view.claim();
        @Nullable ProvisioningIntent intent = view.intent();
        if (!view.intentError().isEmpty()) {
            unreadable(view, plan);
        } else if (intent == null) {
            // A finalizer without an intent has no purpose.
            ClaimWrites.dropIntent(claim).ifPresent(write -> plan.write("release " + claim.key(), Optional.of(write)));
        } else if (!mayAct(view, intent, plan)) {
            return;
        } else if (view.existing().state() == Lookup.State.UNKNOWN) {
            plan.waitFor("volumes", "the volumes of the cluster are not known completely");
        } else if (view.saved() || !view.doubt()) {
            plan.write("close the provisioning of " + claim.key(), ClaimWrites.dropIntent(claim));
        } else if (!view.check().confirmed()) {
            correct(view, plan);
        } else if (!intent.isOf(view.self())) {
            takeOver(view, intent, plan);
        } else if (view.memory().made() == null || !cannotBeStored(view)) {
            tellFailure(view, plan);
            finish(view, intent, plan);
        } else if (view.existing().state() == Lookup.State.MISSING) {
            // An earlier attempt may have stored the object without an answer, and the claim may be bound to it.
            plan.step(new ClusterWork.Verify(ObjectKey.volume(intent.volumeName()), ""));
        } else {
            tellFailure(view, plan);
            plan.step(new BindingStep.DeleteUnsavedVolume(
                    claim.key(), claim.metadata().uid(), intent, view.memory().made()));
        }
    }

    /** The cluster refused the object, or another volume has its name. */
    private static boolean cannotBeStored(ProvisionView view) {
        return view.nameTaken() || view.memory().saveRefused() != null;
    }

    /** This process must not act on an intent of an external provisioner or of a newer leader. */
    private static boolean mayAct(ProvisionView view, ProvisioningIntent intent, PlanBuilder plan) {
        if (!view.here() && Annotation.bindCompleted(view.claim())) {
            // An event would say of a bound claim that it waits.
            plan.waitFor(
                    "its provisioner",
                    "the claim is bound; the provisioner " + intent.plugin() + " has not closed its provisioning yet");
            return false;
        }
        if (!view.here()) {
            String why = "the provisioner " + intent.plugin() + " is making a volume for the claim";
            plan.normal(view.claim(), EventReason.EXTERNAL_PROVISIONING, why).waitFor("a volume", why);
            return false;
        }
        if (view.leftUntil().isPresent()) {
            plan.waitUntil(view.leftUntil().getAsLong(), "a newer leader is making a volume for the claim");
            return false;
        }
        return true;
    }

    private static void begin(ProvisionView view, PlanBuilder plan) {
        PersistentVolumeClaim claim = view.claim();
        if (!view.storageClass().found()) {
            String why = "storage class " + OneLine.quoted(claim.className()) + " does not exist";
            plan.warning(claim, EventReason.PROVISIONING_FAILED, why)
                    .waitFor("StorageClass " + OneLine.name(claim.className()), why);
            return;
        }
        if (leftToOthers(view, plan)) {
            return;
        }
        StorageClass storageClass = view.storageClass().get();
        switch (view.provisioner().role()) {
            case NEVER -> {
                String why = "no volume is available for the claim, and its class " + OneLine.quoted(claim.className())
                        + " does not provision volumes";
                plan.normal(claim, EventReason.FAILED_BINDING, why).waitFor("a volume", why);
            }
            case IN_PROCESS -> beginHere(view, storageClass, plan);
            case EXTERNAL -> {
                String why = "waiting for the provisioner " + storageClass.provisioner()
                        + " or for a person to create a volume that fits";
                plan.write(
                                "name the provisioner of " + claim.key(),
                                ClaimWrites.nameProvisioner(claim, storageClass.provisioner()))
                        .normal(claim, EventReason.EXTERNAL_PROVISIONING, why)
                        .waitFor("a volume", why);
            }
            default -> {
                // The class has an unknown provisioner, so the controller writes nothing. A translatable class has its
                // driver's name here.
                String problem = view.provisioner().problem();
                String why = problem.isEmpty()
                        ? "no plugin of this process is called " + storageClass.provisioner() + ", which storage class "
                                + OneLine.quoted(claim.className()) + " asks for"
                        : problem;
                plan.warning(claim, EventReason.PROVISIONING_FAILED, why).waitFor("plugins", why);
            }
        }
    }

    /** Whether the claim's data source prevents provisioning by this process. */
    private static boolean leftToOthers(ProvisionView view, PlanBuilder plan) {
        DataSource source = view.source();
        PersistentVolumeClaim claim = view.claim();
        if (!source.known()) {
            plan.waitFor("grants and populators", "the grants and populators of the cluster are not known completely");
            return true;
        }
        if (!source.refusal().isEmpty()) {
            String reason = source.kind() == DataSource.Kind.POPULATED
                    ? EventReason.UNRECOGNIZED_DATA_SOURCE_KIND
                    : EventReason.PROVISIONING_FAILED;
            plan.warning(claim, reason, source.refusal()).waitFor("a grant or a populator", source.refusal());
            return true;
        }
        if (!source.pending().isEmpty()) {
            plan.normal(claim, EventReason.WAIT_FOR_DATA_SOURCE, source.pending())
                    .waitFor(source.what(), source.pending());
            return true;
        }
        if (source.kind() == DataSource.Kind.POPULATED) {
            String why = "waiting for the populator that fills volumes from " + source.what()
                    + " to reserve one for the claim";
            plan.normal(claim, EventReason.EXTERNAL_PROVISIONING, why).waitFor("a volume", why);
            return true;
        }
        return false;
    }

    private static void beginHere(ProvisionView view, StorageClass storageClass, PlanBuilder plan) {
        PersistentVolumeClaim claim = view.claim();
        Optional<String> refusal = refusal(view, storageClass);
        if (refusal.isPresent()) {
            String why = refusal.get();
            plan.warning(claim, EventReason.PROVISIONING_FAILED, why).waitFor("the claim or its class", why);
            return;
        }
        if (withoutAttributes(view, storageClass, plan)) {
            return;
        }
        if (view.selectedNode().notThere()) {
            plan.write("take back the node chosen for " + claim.key(), ClaimWrites.dropSelectedNode(claim));
            return;
        }
        if (view.existing().found()) {
            nameTaken(view, plan);
            return;
        }
        tellFailure(view, plan);
        ProvisioningIntent intent = newIntent(view, storageClass);
        plan.prepare(
                "intend to provision a volume for " + claim.key(),
                ClaimWrites.intend(claim, intent),
                BindingStep.Provision.retryKey(intent));
    }

    /** Whether the volume would not get the attributes that its claim asks for. */
    private static boolean withoutAttributes(ProvisionView view, StorageClass storageClass, PlanBuilder plan) {
        Lookup<VolumeAttributesClass> attributes = view.attributes();
        String name = view.claim().spec().volumeAttributesClassName();
        if (attributes.state() == Lookup.State.UNKNOWN) {
            plan.waitFor("classes", "the volume attributes classes of the cluster are not known completely");
            return true;
        }
        String why = "";
        if (attributes.notThere()) {
            why = "volume attributes class " + OneLine.quoted(name) + " does not exist";
        } else if (attributes.found() && !attributes.get().driverName().equals(storageClass.provisioner())) {
            why = "volume attributes class " + OneLine.quoted(name) + " is one of driver "
                    + attributes.get().driverName() + ", the volume is to be made by " + storageClass.provisioner();
        }
        if (!why.isEmpty()) {
            plan.warning(view.claim(), EventReason.PROVISIONING_FAILED, why)
                    .waitFor("VolumeAttributesClass " + OneLine.name(name), why);
        }
        return !why.isEmpty();
    }

    private static void goOn(ProvisionView view, ProvisioningIntent intent, PlanBuilder plan) {
        PersistentVolumeClaim claim = view.claim();
        if (view.existing().found()) {
            nameTaken(view, plan);
        } else if (view.doubt() && !view.check().confirmed()) {
            correct(view, plan);
        } else if (!intent.isOf(view.self())) {
            takeOver(view, intent, plan);
        } else if (!claim.metadata().finalizers().contains(Annotation.PROVISIONING_FINALIZER)) {
            // Without the finalizer a user can delete the claim, and its intent is the only record of the new storage.
            plan.report(
                    "keep " + claim.key() + " until its provisioning is settled",
                    Optional.of(ClaimWrites.intend(claim, intent)));
        } else if (view.doubt()) {
            tellFailure(view, plan);
            finish(view, intent, plan);
        } else if (startsAnew(view, intent)) {
            if (returnsToScheduler(view)) {
                // the claim has no intent after that, so this is the last occasion
                tellFailure(view, plan);
            }
            plan.report("drop the intent to provision for " + claim.key(), withdraw(view));
        } else {
            tellFailure(view, plan);
            plan.step(new BindingStep.Provision(claim.key(), claim.metadata().uid(), intent, false));
        }
    }

    /** Storage exists or may exist: finds it by repeating the call, then stores its object. */
    private static void finish(ProvisionView view, ProvisioningIntent intent, PlanBuilder plan) {
        PersistentVolumeClaim claim = view.claim();
        @Nullable ProvisionResult made = view.memory().made();
        plan.step(
                made == null
                        ? new BindingStep.Provision(
                                claim.key(), claim.metadata().uid(), intent, true)
                        : new BindingStep.Save(claim.key(), volumeOf(claim, intent, made)));
    }

    /**
     * Whether the next attempt should use a new intent: this intent has left no storage, and its class has changed, or the last
     * failure shows that the same call cannot succeed.
     */
    private static boolean startsAnew(ProvisionView view, ProvisioningIntent intent) {
        @Nullable VolumeException failure = view.memory().lastFailure();
        boolean classChanged = !view.storageClass().found()
                || !intent.storageClass()
                        .equals(ProvisioningIntent.ClassContent.of(
                                view.storageClass().get()));
        return classChanged
                || !view.check().confirmed()
                || !intent.nodeName().equals(nodeName(view))
                || view.selectedNode().notThere()
                || (failure != null && view.memory().tried() && !worthTheSameCall(failure.kind(), intent));
    }

    private static boolean worthTheSameCall(FailureKind kind, ProvisioningIntent intent) {
        return switch (kind) {
            case FINAL, INFEASIBLE -> false;
            // Another node may have another storage pool.
            case EXHAUSTED -> intent.nodeName().isEmpty();
            case TRANSIENT, UNCERTAIN, IN_USE, DANGLING -> true;
        };
    }

    /** Whether the call for the selected node failed. */
    private static boolean returnsToScheduler(ProvisionView view) {
        return view.memory().lastFailure() != null && !nodeName(view).isEmpty();
    }

    private static Optional<ObjectWrite> withdraw(ProvisionView view) {
        return returnsToScheduler(view)
                ? ClaimWrites.dropSelectedNode(view.claim())
                : ClaimWrites.dropIntent(view.claim());
    }

    /** Takes over the intent with what the cluster's objects say, which finds the volume that an earlier process may have made. */
    private static void correct(ProvisionView view, PlanBuilder plan) {
        IntentCheck check = view.check();
        @Nullable ProvisioningIntent corrected = check.corrected();
        if (!check.known()) {
            plan.waitFor("the cluster", check.why());
        } else if (corrected != null) {
            takeOver(view, corrected, plan);
        } else {
            String volume = ProvisioningIntent.volumeNameFor(view.claim());
            String why = "an earlier process may have made volume " + volume + ", but annotation "
                    + Annotation.PROVISIONING_INTENT + " does not agree with the cluster: " + check.why()
                    + "; put this right, or look for " + volume
                    + " at the backend, then remove the annotation and the finalizer "
                    + Annotation.PROVISIONING_FINALIZER;
            plan.warning(view.claim(), EventReason.PROVISIONING_FAILED, why).waitFor("the claim", why);
        }
    }

    private static void takeOver(ProvisionView view, ProvisioningIntent intent, PlanBuilder plan) {
        PersistentVolumeClaim claim = view.claim();
        plan.prepare(
                "take over the provisioning of " + claim.key(),
                ClaimWrites.intend(
                        claim, intent.takenOver(view.self().epoch(), view.self().process())),
                BindingStep.Provision.retryKey(intent));
    }

    private static void unreadable(ProvisionView view, PlanBuilder plan) {
        String why = "annotation " + Annotation.PROVISIONING_INTENT + " cannot be read (" + view.intentError()
                + "), so a volume without an object may exist; look for "
                + ProvisioningIntent.volumeNameFor(view.claim())
                + " at the backend, then remove the annotation and the finalizer "
                + Annotation.PROVISIONING_FINALIZER;
        plan.warning(view.claim(), EventReason.PROVISIONING_FAILED, why).waitFor("the claim", why);
    }

    private static void nameTaken(ProvisionView view, PlanBuilder plan) {
        if (view.saved()) {
            plan.waitFor(
                    "its volume", "volume " + view.existing().get().metadata().name() + " is about to be bound");
            return;
        }
        String why = "volume " + view.existing().get().metadata().name()
                + " has the name that the claim's volume would get, but is not reserved for the claim";
        plan.warning(view.claim(), EventReason.PROVISIONING_FAILED, why).waitFor("that volume", why);
    }

    private static void tellFailure(ProvisionView view, PlanBuilder plan) {
        @Nullable VolumeException failure = view.memory().lastFailure();
        if (failure != null) {
            String reason = view.memory().cleanupFailed()
                    ? EventReason.PROVISIONING_CLEANUP_FAILED
                    : EventReason.PROVISIONING_FAILED;
            plan.warning(
                    view.claim(),
                    reason,
                    "failed to provision a volume of storage class "
                            + OneLine.quoted(view.claim().className()) + ": " + failure.getMessage());
        }
    }

    /** Why the controller does not call the plugin. */
    private static Optional<String> refusal(ProvisionView view, StorageClass storageClass) {
        PersistentVolumeClaim.Spec wanted = view.claim().spec();
        ProvisionerInfo provisioner = view.provisioner();
        @Nullable Quantity request = wanted.request();
        long bytes = request == null ? 0 : request.bytes();
        if (bytes <= 0) {
            return Optional.of("the claim requests no size");
        }
        if (wanted.selector() != null) {
            return Optional.of("the claim has a selector, which only existing volumes can match");
        }
        if (!storageClass.mountOptions().isEmpty() && !provisioner.mountOptions()) {
            return Optional.of("storage class \"" + storageClass.metadata().name() + "\" has mount options "
                    + storageClass.mountOptions() + ", which " + provisioner.name() + " does not support");
        }
        if (!provisioner.accessModes().containsAll(wanted.accessModes())) {
            return Optional.of("the claim asks for the access modes " + names(wanted.accessModes()) + ", "
                    + provisioner.name() + " supports " + names(provisioner.accessModes()));
        }
        if (!provisioner.volumeModes().contains(wanted.volumeMode())) {
            return Optional.of(provisioner.name() + " does not make volumes of volumeMode "
                    + wanted.volumeMode().apiName());
        }
        if ((wanted.dataSource() != null || wanted.dataSourceRef() != null)
                && !(view.source().content() == null ? provisioner.dataSources() : provisioner.contents())) {
            return Optional.of(provisioner.name() + " does not fill volumes from a data source");
        }
        return Optional.empty();
    }

    private static ProvisioningIntent newIntent(ProvisionView view, StorageClass storageClass) {
        Quantity request = Objects.requireNonNull(view.claim().spec().request(), "a claim of no size was refused");
        return new ProvisioningIntent(
                view.self().epoch(),
                view.self().process(),
                false,
                storageClass.provisioner(),
                ProvisioningIntent.volumeNameFor(view.claim()),
                request.bytes(),
                nodeName(view),
                ProvisioningIntent.ClassContent.of(storageClass),
                view.source().content(),
                ProvisioningIntent.Attributes.of(view.attributes()));
    }

    private static String nodeName(ProvisionView view) {
        return view.selectedNode().state() == Lookup.State.UNNAMED
                ? ""
                : view.claim().metadata().annotation(WellKnown.SELECTED_NODE);
    }

    /** The object of the claim's new volume. */
    static PersistentVolume volumeOf(PersistentVolumeClaim claim, ProvisioningIntent intent, ProvisionResult made) {
        Map<String, String> annotations = new LinkedHashMap<>(made.annotations());
        annotations.put(WellKnown.BOUND_BY_CONTROLLER, Annotation.YES);
        annotations.put(WellKnown.PROVISIONED_BY, intent.plugin());
        for (String name : BlankPolicy.NAMES) {
            String value = intent.storageClass().parameters().get(name);
            if (value != null) {
                annotations.put(name, value);
            }
        }
        ReclaimPolicy policy = intent.storageClass().reclaimPolicy();
        ObjectMeta meta = new ObjectMeta(
                intent.volumeName(),
                "",
                "",
                "",
                0,
                Map.of(),
                annotations,
                policy == ReclaimPolicy.DELETE ? List.of(Annotation.EXTERNAL_FINALIZER) : List.of(),
                List.of(),
                null,
                null);
        PersistentVolume.Spec spec = new PersistentVolume.Spec(
                Quantity.ofBytes(made.capacityBytes()),
                claim.spec().accessModes(),
                policy,
                intent.storageClass().name(),
                claim.spec().volumeMode(),
                ObjectReference.to(claim),
                intent.storageClass().mountOptions(),
                made.nodeAffinity(),
                intent.attributes().className().isEmpty()
                        ? claim.spec().volumeAttributesClassName()
                        : intent.attributes().className(),
                made.source());
        return new PersistentVolume(
                meta, spec, new PersistentVolume.Status(VolumePhase.PENDING, "", ""), Unmodeled.none());
    }

    private static List<String> names(List<AccessMode> modes) {
        return modes.stream().map(AccessMode::apiName).toList();
    }
}
