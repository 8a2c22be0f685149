package io.volume4j.core.control.binding.plan;

import static io.volume4j.core.control.PlanRow.row;
import static io.volume4j.core.control.binding.plan.ClaimGiven.claim;
import static io.volume4j.core.control.binding.plan.ClaimGiven.volume;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.control.PlanRow;
import io.volume4j.core.control.binding.plan.ProvisionerInfo.Role;
import io.volume4j.core.control.host.ClusterWork;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.core.control.host.source.DataSource;
import io.volume4j.core.control.host.source.DataSource.Kind;
import io.volume4j.core.engine.Wait;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.ReclaimPolicy;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How a volume is made for a claim that no volume fits, row by row. */
class ProvisionPlannerTest {
    private static final String NAMES_PLUGIN = "metadata.annotations.volume.kubernetes.io/storage-provisioner=mem,"
            + " metadata.annotations.volume.beta.kubernetes.io/storage-provisioner=mem";
    private static final String INTEND = "write PersistentVolumeClaim c: " + NAMES_PLUGIN
            + ", metadata.annotations.volume4j.io/provisioning-intent={\"v\":1,\"epoch\":7,\"by\":\"p\",\"inherited\":false,"
            + "\"plugin\":\"mem\",\"volume\":\"pvc-u-c\",\"bytes\":1073741824,…";
    private static final String TAKE_OVER = "write PersistentVolumeClaim c: " + NAMES_PLUGIN
            + ", metadata.annotations.volume4j.io/provisioning-intent={\"v\":1,\"epoch\":7,\"by\":\"p\",\"inherited\":true,…";
    private static final String PROVISION = "PROVISION provision volume pvc-u-c with mem";
    private static final String SAVE = "SAVE save volume pvc-u-c";
    private static final String DELETE_UNSAVED_VOLUME =
            "DELETE_UNSAVED_VOLUME remove the storage of volume pvc-u-c, which could not be saved";
    private static final String DROP = "write PersistentVolumeClaim c:"
            + " metadata.annotations.volume4j.io/provisioning-intent=null, metadata.finalizers=[]";
    private static final String DROP_WITH_NODE =
            DROP.replace("c: ", "c: metadata.annotations.volume.kubernetes.io/selected-node=null, ");
    private static final String NO_WAY =
            "tell Warning ProvisioningFailed: failed to provision a volume of storage class \"fast\": no way";
    private static final String NAME_TAKEN =
            "volume pvc-u-c has the name that the claim's volume would get, but is not reserved for the claim";
    private static final String UNREADABLE = "annotation volume4j.io/provisioning-intent cannot be read…";
    private static final String UNCONFIRMED = "an earlier process may have made volume pvc-u-c, but annotation"
            + " volume4j.io/provisioning-intent does not agree with the cluster: storage class \"fast\" does not exist…";
    private static final String OTHER_PARAMETERS =
            UNCONFIRMED.replace("does not exist", "has other parameters or topologies than the annotation");
    private static final String OUTSIDE =
            "waiting for the provisioner mem or for a person to create a volume that fits";

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void decides(PlanRow<ClaimView> row) {
        row.check(ClaimPlanner::plan);
    }

    /** A plugin must find out what came of an earlier call, even where it would refuse a first one. */
    @Test
    void tellsThePluginWhetherAnEarlierCallMayHaveHadAnEffect() {
        assertThat(provisions(claim().intent().view())).isEqualTo(List.of(false));
        assertThat(provisions(claim().intent().failed(FailureKind.TRANSIENT).view()))
                .isEqualTo(List.of(false));
        assertThat(provisions(claim().intent().failed(FailureKind.UNCERTAIN).view()))
                .isEqualTo(List.of(true));
        assertThat(provisions(claim().intent(held -> held(held, 7, "p", true)).view()))
                .isEqualTo(List.of(true));
    }

    private static List<Boolean> provisions(ClaimView view) {
        return ClaimPlanner.plan(view).steps().stream()
                .filter(BindingStep.Provision.class::isInstance)
                .map(step -> ((BindingStep.Provision) step).repeated())
                .toList();
    }

    static Stream<PlanRow<ClaimView>> decides() {
        return Stream.of(whoMakesIt(), refusals(), beginning(), goingOn(), settling())
                .flatMap(rows -> rows);
    }

    private static Stream<PlanRow<ClaimView>> whoMakesIt() {
        return Stream.of(
                refused("the class does not exist", claim().classMissing(), "storage class \"fast\" does not exist"),
                row(
                                "a class without provisioning is not a failure",
                                claim().role(Role.NEVER).view(),
                                "tell Normal FailedBinding: no volume is available for the claim, and its class \"fast\" does"
                                        + " not provision volumes")
                        .waits(
                                "no volume is available for the claim, and its class \"fast\" does not provision volumes"),
                row(
                                "names a provisioner that is outside, and waits for it",
                                claim().role(Role.EXTERNAL).view(),
                                "write PersistentVolumeClaim c: " + NAMES_PLUGIN,
                                "tell Normal ExternalProvisioning: " + OUTSIDE)
                        .waits(OUTSIDE),
                row(
                                "names it also if the class has a policy that only the provisioner may know",
                                claim().role(Role.EXTERNAL)
                                        .reclaimPolicyUnknown()
                                        .view(),
                                "write PersistentVolumeClaim c: " + NAMES_PLUGIN,
                                "tell Normal ExternalProvisioning: " + OUTSIDE)
                        .waits(OUTSIDE),
                row(
                                "names it once",
                                claim().role(Role.EXTERNAL)
                                        .annotated("volume.kubernetes.io/storage-provisioner", "mem")
                                        .annotated("volume.beta.kubernetes.io/storage-provisioner", "mem")
                                        .view(),
                                "tell Normal ExternalProvisioning: " + OUTSIDE)
                        .waits(OUTSIDE),
                refused(
                        "writes nothing about an unknown plugin",
                        claim().role(Role.UNKNOWN_BUILT_IN),
                        "no plugin of this process is called mem, which storage class \"fast\" asks for"),
                row(
                                "does nothing before it is known what fills the volume",
                                claim().source(from(Kind.CLAIM).unknown()).view())
                        .waits("the grants and populators of the cluster are not known completely"),
                refused(
                        "the source may not be used",
                        claim().source(from(Kind.CLAIM).refused("no grant")),
                        "no grant"),
                row(
                                "no populator is there",
                                claim().source(from(Kind.POPULATED).refused("no populator"))
                                        .view(),
                                "tell Warning UnrecognizedDataSourceKind: no populator")
                        .waits("no populator"),
                row(
                                "the source is not ready",
                                claim().source(from(Kind.SNAPSHOT).awaited("not ready"))
                                        .view(),
                                "tell Normal WaitForDataSource: not ready")
                        .waits("not ready"),
                row(
                                "a populator fills it",
                                claim().source(from(Kind.POPULATED)).view(),
                                "tell Normal ExternalProvisioning: waiting for the populator that fills volumes from S ns/s to reserve one"
                                        + " for the claim")
                        .waits(
                                "waiting for the populator that fills volumes from S ns/s to reserve one for the claim"));
    }

    private static Stream<PlanRow<ClaimView>> refusals() {
        return Stream.of(
                refused("no size", claim().spec("storageClassName: fast"), "the claim requests no size"),
                refused(
                        "a selector",
                        claim().spec(
                                        "storageClassName: fast, resources: {requests: {storage: 1Gi}}, selector: {matchLabels: {a:"
                                                + " b}}"),
                        "the claim has a selector, which only existing volumes can match"),
                refused(
                        "mount options that the plugin does not support",
                        claim().classSays("mountOptions: [ro]").noMountOptions(),
                        "storage class \"fast\" has mount options [ro], which mem does not support"),
                refused(
                        "an access mode that the plugin does not support",
                        claim().spec("storageClassName: fast, resources: {requests: {storage: 1Gi}}, accessModes:"
                                + " [ReadWriteMany]"),
                        "the claim asks for the access modes [ReadWriteMany], mem supports [ReadWriteOnce]"),
                refused(
                        "a volume mode that the plugin does not support",
                        claim().spec(
                                        "storageClassName: fast, resources: {requests: {storage: 1Gi}}, volumeMode: Block"),
                        "mem does not make volumes of volumeMode Block"),
                refused(
                        "a source that the plugin does not take",
                        claim().spec("storageClassName: fast, resources: {requests: {storage: 1Gi}}, dataSource: {kind:"
                                        + " PersistentVolumeClaim, name: d}")
                                .source(from(Kind.CLAIM))
                                .noDataSources(),
                        "mem does not fill volumes from a data source"),
                row(
                                "does nothing before the attributes classes are known",
                                claim().attributes(Lookup.State.UNKNOWN).view())
                        .waits("the volume attributes classes of the cluster are not known completely"),
                refused(
                        "an attributes class that does not exist",
                        gold().attributes(Lookup.State.MISSING),
                        "volume attributes class \"gold\" does not exist"),
                refused(
                        "an attributes class of another driver",
                        gold().attributesOf("far"),
                        "volume attributes class \"gold\" is one of driver far, the volume is to be made by mem"),
                refused(
                        "a volume of that name that is another's",
                        claim().existing(volume("pvc-u-c", "capacity: {storage: 2Gi}")),
                        NAME_TAKEN));
    }

    private static Stream<PlanRow<ClaimView>> beginning() {
        return Stream.of(
                row("stores the intent before anything is called", claim().view(), INTEND),
                row("with the attributes class", gold().attributesOf("mem").view(), INTEND),
                row(
                        "takes back a node that is gone",
                        claim().nodeIs(Lookup.State.MISSING).view(),
                        "write PersistentVolumeClaim c: metadata.annotations.volume.kubernetes.io/selected-node=null"),
                row(
                                "waits for the volume that an earlier try stored",
                                claim().existing(stored()).view())
                        .waits("volume pvc-u-c is about to be bound"),
                row(
                        "says why the last try failed, and tries anew",
                        claim().remembers(before -> before.failed(VolumeException.finalFailure("no way"))
                                        .closed())
                                .view(),
                        NO_WAY,
                        INTEND),
                row(
                                "does not touch an intent that cannot be read",
                                claim().unreadableIntent().view(),
                                "tell Warning ProvisioningFailed: " + UNREADABLE)
                        .waits(UNREADABLE));
    }

    private static Stream<PlanRow<ClaimView>> goingOn() {
        String theirs = "the provisioner mem is making a volume for the claim";
        return Stream.of(
                row("calls once the intent is stored", claim().intent().view(), PROVISION),
                row(
                                "leaves the intent of a provisioner outside to it",
                                claim().intent().elsewhere().view(),
                                "tell Normal ExternalProvisioning: " + theirs)
                        .waits(theirs),
                row(
                                "leaves the intent of a newer leader to it for a while",
                                claim().intent().leftUntil(99).view())
                        .waits("a newer leader is making a volume for the claim"),
                row(
                        "takes over the intent of an earlier leader with a write of its own",
                        claim().intent(held -> held(held, 6, "p", false)).view(),
                        TAKE_OVER),
                row(
                        "takes over the intent of another process",
                        claim().intent(held -> held(held, 7, "q", false)).view(),
                        TAKE_OVER),
                row(
                        "puts the finalizer back before it calls",
                        claim().intent().withoutFinalizer().view(),
                        INTEND),
                row(
                                "waits for the volume that an earlier try stored",
                                claim().intent().existing(stored()).view())
                        .waits("volume pvc-u-c is about to be bound"),
                row(
                        "stores the object of what was made",
                        claim().intent().made().view(),
                        SAVE),
                row(
                        "tries to store it again, and says why it failed",
                        claim().intent()
                                .made()
                                .remembers(before -> before.notSaved(VolumeException.transientFailure("no way")))
                                .view(),
                        NO_WAY,
                        SAVE),
                row(
                        "repeats a call whose answer was lost",
                        claim().intent().failed(FailureKind.UNCERTAIN).view(),
                        NO_WAY,
                        PROVISION),
                row(
                        "repeats it though its class has changed by now",
                        claim().intent()
                                .classSays("parameters: {a: b}")
                                .failed(FailureKind.UNCERTAIN)
                                .view(),
                        NO_WAY,
                        PROVISION),
                row(
                        "repeats a call that failed for a while",
                        claim().intent().failed(FailureKind.TRANSIENT).view(),
                        NO_WAY,
                        PROVISION),
                row(
                        "begins anew after a call that failed for good",
                        claim().intent().failed(FailureKind.FINAL).view(),
                        DROP),
                row(
                        "begins anew after a call that can never be done",
                        claim().intent().failed(FailureKind.INFEASIBLE).view(),
                        DROP),
                row(
                        "begins anew when the class has changed",
                        claim().intent().classSays("parameters: {a: b}").view(),
                        DROP),
                row(
                        "begins anew when the class is gone",
                        claim().intent().classMissing().view(),
                        DROP),
                row(
                        "tries again where there is no room, without a node",
                        claim().intent().failed(FailureKind.EXHAUSTED).view(),
                        NO_WAY,
                        PROVISION),
                row(
                        "takes back a node without room, and says why",
                        claim().intent(held -> at(held, "n1"))
                                .nodeIs(Lookup.State.FOUND)
                                .failed(FailureKind.EXHAUSTED)
                                .view(),
                        NO_WAY,
                        DROP_WITH_NODE),
                row(
                        "goes on at the node that was chosen",
                        claim().intent(held -> at(held, "n1"))
                                .nodeIs(Lookup.State.FOUND)
                                .view(),
                        PROVISION),
                row(
                        "begins anew when another node was chosen",
                        claim().intent(held -> at(held, "n0"))
                                .nodeIs(Lookup.State.FOUND)
                                .view(),
                        DROP),
                row(
                        "begins anew when the node is gone",
                        claim().intent(held -> at(held, "n1"))
                                .nodeIs(Lookup.State.ABSENT)
                                .view(),
                        DROP),
                row(
                        "calls for an inherited intent, of which it is not known what came of it",
                        claim().intent(held -> held(held, 7, "p", true)).view(),
                        PROVISION),
                row(
                        "takes over the settings that the class has now, if this process did not make the call itself",
                        claim().intent(held -> held(held, 7, "p", true))
                                .classSays("mountOptions: [ro]")
                                .view(),
                        TAKE_OVER),
                row(
                                "does not call with other parameters than the class has",
                                claim().intent(held -> held(held, 7, "p", true))
                                        .classSays("parameters: {a: b}")
                                        .view(),
                                "tell Warning ProvisioningFailed: " + OTHER_PARAMETERS)
                        .waits(OTHER_PARAMETERS),
                row(
                                "does not call with parameters that no class confirms any more",
                                claim().intent(held -> held(held, 7, "p", true))
                                        .classMissing()
                                        .view(),
                                "tell Warning ProvisioningFailed: " + UNCONFIRMED)
                        .waits(UNCONFIRMED),
                row(
                        "repeats its own call though the class is gone",
                        claim().intent(held -> held(held, 7, "p", true))
                                .failed(FailureKind.UNCERTAIN)
                                .classMissing()
                                .view(),
                        NO_WAY,
                        PROVISION),
                row(
                        "an inherited intent is settled by a proof that nothing is left",
                        claim().intent(held -> held(held, 7, "p", true))
                                .classMissing()
                                .remembers(before -> before.failed(
                                        VolumeException.finalFailure("no way").provingAbsence()))
                                .view(),
                        DROP));
    }

    private static Stream<PlanRow<ClaimView>> settling() {
        return Stream.of(
                row("lets a claim go without an intent", claim().deleting().view()),
                row(
                        "takes a finalizer away that has no intent",
                        claim().deleting().finalizer().view(),
                        "write PersistentVolumeClaim c: metadata.finalizers=[]"),
                row(
                        "closes an intent without doubt",
                        claim().deleting().intent().view(),
                        DROP),
                row(
                                "does nothing before all volumes are known",
                                claim().deleting()
                                        .intent()
                                        .existing(Lookup.State.UNKNOWN)
                                        .view())
                        .waits("the volumes of the cluster are not known completely"),
                row(
                        "closes an intent whose volume is stored",
                        claim().deleting().intent().made().existing(stored()).view(),
                        DROP),
                row(
                                "leaves a newer leader's intent alone",
                                claim().deleting().intent().leftUntil(99).view())
                        .waits("a newer leader is making a volume for the claim"),
                row(
                        "takes over an intent in doubt",
                        claim().deleting()
                                .intent(held -> held(held, 6, "p", false))
                                .view(),
                        TAKE_OVER),
                row(
                                "finds nothing with parameters that no class confirms any more",
                                claim().deleting()
                                        .intent(held -> held(held, 6, "p", false))
                                        .classMissing()
                                        .view(),
                                "tell Warning ProvisioningFailed: " + UNCONFIRMED)
                        .waits(UNCONFIRMED),
                row(
                        "learns what a call made whose answer was lost",
                        claim().deleting()
                                .intent()
                                .failed(FailureKind.UNCERTAIN)
                                .view(),
                        NO_WAY,
                        PROVISION),
                row(
                        "stores what was made, so that reclaiming takes it",
                        claim().deleting().intent().made().view(),
                        SAVE),
                row(
                        "asks the store before it destroys what cannot be stored",
                        unstorable().view(),
                        "VERIFY read PersistentVolume//pvc-u-c from the store"),
                row(
                        "destroys what cannot be stored",
                        unstorable().existing(Lookup.State.ABSENT).view(),
                        NO_WAY,
                        DELETE_UNSAVED_VOLUME),
                row(
                        "destroys what has no name of its own",
                        claim().deleting()
                                .intent()
                                .made()
                                .existing(volume("pvc-u-c", ""))
                                .view(),
                        DELETE_UNSAVED_VOLUME),
                row(
                        "says that destroying it failed",
                        unstorable()
                                .remembers(before -> before.stillMade(VolumeException.transientFailure("no way")))
                                .existing(Lookup.State.ABSENT)
                                .view(),
                        NO_WAY.replace("ProvisioningFailed", "ProvisioningCleanupFailed"),
                        DELETE_UNSAVED_VOLUME),
                row(
                                "does not touch an intent that cannot be read",
                                claim().deleting().unreadableIntent().view(),
                                "tell Warning ProvisioningFailed: " + UNREADABLE)
                        .waits(UNREADABLE));
    }

    @Test
    void theObjectOfWhatWasMadeHasEverythingThatTheClassAndTheClaimSay() {
        BindingStep.Save save =
                (BindingStep.Save) ClaimPlanner.plan(claim().classSays("mountOptions: [ro], reclaimPolicy: Delete")
                                .intent()
                                .made()
                                .view())
                        .steps()
                        .get(0);
        PersistentVolume volume = save.volume();

        assertThat(volume.metadata().name()).isEqualTo("pvc-u-c");
        assertThat(volume.metadata().finalizers()).containsExactly(Annotation.EXTERNAL_FINALIZER);
        assertThat(volume.metadata().annotations())
                .isEqualTo(Map.of(
                        "made", "here",
                        "pv.kubernetes.io/bound-by-controller", "yes",
                        "pv.kubernetes.io/provisioned-by", "mem"));
        assertThat(volume.spec().capacity()).hasToString("1Gi");
        assertThat(volume.spec().storageClassName()).isEqualTo("fast");
        assertThat(volume.spec().mountOptions()).containsExactly("ro");
        assertThat(volume.spec().reclaimPolicy()).isEqualTo(ReclaimPolicy.DELETE);
        assertThat(volume.spec().claimRef()).isEqualTo(ObjectReference.to(claim().object()));
    }

    @Test
    void aVolumeToBeKeptIsNotProtected() {
        BindingStep.Save save = (BindingStep.Save) ClaimPlanner.plan(claim().classSays("reclaimPolicy: Retain")
                        .intent()
                        .made()
                        .view())
                .steps()
                .get(0);
        assertThat(save.volume().metadata().finalizers()).isEmpty();
    }

    @Test
    void theIntentRemembersTheAttributesAndTheNode() {
        ClusterWork.Write write = (ClusterWork.Write) ClaimPlanner.plan(
                        gold().attributesOf("mem").nodeIs(Lookup.State.FOUND).view())
                .steps()
                .get(0);
        assertThat(PlanRow.text(write)).contains("\"node\":\"n1\"", "\"class\":\"gold\"", "\"iops\":\"9\"");
        assertThat(write.retryKey())
                .as("it waits for the backoff of this call only")
                .isEqualTo("PROVISION u-f gold n1");
    }

    @Test
    void looksAgainWhenTheNewerLeadersTimeIsOver() {
        assertThat(ClaimPlanner.plan(claim().intent().leftUntil(99).view()).waits())
                .extracting(Wait::notBeforeNanos)
                .containsExactly(99L);
    }

    private static PlanRow<ClaimView> refused(String rule, ClaimGiven given, String why) {
        return row("refuses: " + rule, given.view(), "tell Warning ProvisioningFailed: " + why)
                .waits(why);
    }

    private static DataSource from(Kind kind) {
        return new DataSource(kind, "S ns/s", true, "");
    }

    private static ClaimGiven gold() {
        return claim().spec(
                        "storageClassName: fast, resources: {requests: {storage: 1Gi}}, volumeAttributesClassName: gold");
    }

    private static ClaimGiven unstorable() {
        return claim().deleting()
                .intent()
                .made()
                .remembers(before -> before.refused(VolumeException.finalFailure("no way")));
    }

    private static PersistentVolume stored() {
        return volume("pvc-u-c", "capacity: {storage: 1Gi}, claimRef: {namespace: ns, name: c, uid: u-c}");
    }

    private static ProvisioningIntent held(ProvisioningIntent intent, long epoch, String by, boolean inherited) {
        return new ProvisioningIntent(
                epoch,
                by,
                inherited,
                intent.plugin(),
                intent.volumeName(),
                intent.bytes(),
                intent.nodeName(),
                intent.storageClass());
    }

    private static ProvisioningIntent at(ProvisioningIntent intent, String node) {
        return new ProvisioningIntent(
                intent.epoch(),
                intent.by(),
                intent.inherited(),
                intent.plugin(),
                intent.volumeName(),
                intent.bytes(),
                node,
                intent.storageClass());
    }
}
