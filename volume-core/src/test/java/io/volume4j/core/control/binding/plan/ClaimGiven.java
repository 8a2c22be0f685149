package io.volume4j.core.control.binding.plan;

import io.volume4j.core.control.PlanRow;
import io.volume4j.core.control.binding.plan.ProvisionerInfo.Role;
import io.volume4j.core.control.host.LastEvents;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.core.control.host.lead.Self;
import io.volume4j.core.control.host.source.DataSource;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeAttributesClass;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.plugin.Provisioner.ProvisionResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What the tables of claims begin from: a pending claim {@code ns/c} with UID {@code u-c} that asks for 1 GiB of class {@code
 * fast}, which the plugin {@code mem} of this process makes; no volume fits, and nothing was begun. Not thread-safe.
 */
final class ClaimGiven {
    static final Self SELF = new Self(7, "p");

    private final List<String> annotations = new ArrayList<>();
    private String finalizers = "";
    private String deleted = "";
    private String spec = ", storageClassName: fast, resources: {requests: {storage: 1Gi}}";
    private String volumeName = "";
    private String status = "phase: Pending";
    private boolean known = true;
    private Lookup<PersistentVolume> volume = Lookup.unnamed();
    private Match match = Match.none();
    private boolean waits;
    private String defaultClass = "";
    private List<String> pods = List.of();
    private String classFields = "";
    private boolean classThere = true;
    private Role role = Role.IN_PROCESS;
    private Lookup<Node> node = Lookup.unnamed();
    private @Nullable ProvisioningIntent intent;
    private boolean here = true;
    private Lookup<PersistentVolume> existing = Lookup.missing();
    private ProvisioningMemory memory = ProvisioningMemory.nothing();
    private DataSource source = DataSource.none();
    private Lookup<VolumeAttributesClass> attributes = Lookup.unnamed();
    private OptionalLong left = OptionalLong.empty();
    private boolean mountOptions = true;
    private boolean contents = true;
    private boolean wordsKnown = true;
    private VolumeBindingMode bindingMode = VolumeBindingMode.IMMEDIATE;
    private ReclaimPolicy reclaimPolicy = ReclaimPolicy.DELETE;

    static ClaimGiven claim() {
        return new ClaimGiven();
    }

    /** Everything of the spec but the access modes and the volume's name. */
    ClaimGiven spec(String fields) {
        spec = fields.isEmpty() ? "" : ", " + fields;
        return this;
    }

    ClaimGiven ofClass(String name) {
        return spec("storageClassName: \"" + name + "\", resources: {requests: {storage: 1Gi}}");
    }

    ClaimGiven withoutClass() {
        return spec("resources: {requests: {storage: 1Gi}}");
    }

    ClaimGiven names(String name) {
        volumeName = ", volumeName: " + name;
        return this;
    }

    ClaimGiven status(String fields) {
        status = fields;
        return this;
    }

    ClaimGiven annotated(String key, String value) {
        annotations.add("\"" + key + "\": '" + value + "'");
        return this;
    }

    ClaimGiven completed() {
        return annotated("pv.kubernetes.io/bind-completed", "yes");
    }

    ClaimGiven chosenByController() {
        return annotated("pv.kubernetes.io/bound-by-controller", "yes");
    }

    ClaimGiven finalizer() {
        finalizers = Annotation.PROVISIONING_FINALIZER;
        return this;
    }

    ClaimGiven deleting() {
        deleted = ", deletionTimestamp: \"2026-01-01T00:00:00Z\"";
        return this;
    }

    /** The store holds an access mode that no version of ours knows yet. */
    ClaimGiven accessModeUnknown() {
        wordsKnown = false;
        return this;
    }

    /** The same of the class's binding mode. */
    ClaimGiven bindingModeUnknown() {
        bindingMode = VolumeBindingMode.UNKNOWN;
        return this;
    }

    /** The same of the class's reclaim policy. */
    ClaimGiven reclaimPolicyUnknown() {
        reclaimPolicy = ReclaimPolicy.UNKNOWN;
        return this;
    }

    ClaimGiven choiceUnknown() {
        known = false;
        return this;
    }

    ClaimGiven volumeIs(Lookup.State state) {
        volume = new Lookup<>(state, null);
        return this;
    }

    ClaimGiven volumeIs(PersistentVolume found) {
        volume = Lookup.found(found);
        return this;
    }

    ClaimGiven match(Match found) {
        match = found;
        return this;
    }

    ClaimGiven waitsForConsumer(String... unscheduled) {
        waits = true;
        pods = List.of(unscheduled);
        return this;
    }

    ClaimGiven defaultClass(String name) {
        defaultClass = name;
        return this;
    }

    ClaimGiven classMissing() {
        classThere = false;
        return this;
    }

    ClaimGiven classSays(String fields) {
        classFields = ", " + fields;
        return this;
    }

    ClaimGiven role(Role what) {
        role = what;
        return this;
    }

    ClaimGiven noMountOptions() {
        mountOptions = false;
        return this;
    }

    ClaimGiven noDataSources() {
        contents = false;
        return this;
    }

    ClaimGiven nodeIs(Lookup.State state) {
        node = state == Lookup.State.FOUND
                ? Lookup.found(PlanRow.object(Node.class, "{apiVersion: v1, kind: Node, metadata: {name: n1}}"))
                : new Lookup<>(state, null);
        return annotated("volume.kubernetes.io/selected-node", "n1");
    }

    /** The claim's intent is open, held by this process, with what else is said of it. */
    ClaimGiven intent(UnaryOperator<ProvisioningIntent> change) {
        intent = change.apply(new ProvisioningIntent(
                7, "p", false, "mem", "pvc-u-c", 1L << 30, "", ProvisioningIntent.ClassContent.of(storageClass())));
        finalizer();
        return annotated(Annotation.PROVISIONING_INTENT, intent.text());
    }

    ClaimGiven intent() {
        return intent(same -> same);
    }

    ClaimGiven unreadableIntent() {
        return annotated(Annotation.PROVISIONING_INTENT, "?");
    }

    ClaimGiven withoutFinalizer() {
        finalizers = "";
        return this;
    }

    ClaimGiven elsewhere() {
        here = false;
        return this;
    }

    ClaimGiven existing(Lookup.State state) {
        existing = new Lookup<>(state, null);
        return this;
    }

    ClaimGiven existing(PersistentVolume found) {
        existing = Lookup.found(found);
        return this;
    }

    ClaimGiven failed(FailureKind kind) {
        memory = called().failed(VolumeException.of(kind, "no way"));
        return this;
    }

    ClaimGiven remembers(UnaryOperator<ProvisioningMemory> change) {
        memory = change.apply(memory);
        return this;
    }

    ClaimGiven made() {
        memory = called().made(result());
        return this;
    }

    /** The calls of this process are for the open intent. */
    private ProvisioningMemory called() {
        return intent == null ? memory : memory.called(intent);
    }

    static ProvisionResult result() {
        return new ProvisionResult(CsiSource.of("mem", "h", "", Map.of()), 1L << 30, null, Map.of("made", "here"));
    }

    ClaimGiven source(DataSource from) {
        source = from;
        return this;
    }

    ClaimGiven attributes(Lookup.State state) {
        attributes = new Lookup<>(state, null);
        return this;
    }

    ClaimGiven attributesOf(String driver) {
        attributes = Lookup.found(PlanRow.object(VolumeAttributesClass.class, """
                {apiVersion: storage.k8s.io/v1, kind: VolumeAttributesClass, metadata: {name: gold}, driverName: %s,
                 parameters: {iops: "9"}}
                """.formatted(driver)));
        return this;
    }

    ClaimGiven leftUntil(long nanos) {
        left = OptionalLong.of(nanos);
        return this;
    }

    private StorageClass storageClass() {
        StorageClass said = PlanRow.object(StorageClass.class, """
                {apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: fast, uid: u-f}, provisioner: mem%s}
                """.formatted(classFields));
        StorageClass.Builder builder = said.toBuilder();
        if (!bindingMode.known()) {
            builder.volumeBindingMode(bindingMode);
        }
        if (!reclaimPolicy.known()) {
            builder.reclaimPolicy(reclaimPolicy);
        }
        return builder.build();
    }

    PersistentVolumeClaim object() {
        PersistentVolumeClaim said = said();
        return wordsKnown
                ? said
                : new PersistentVolumeClaim(
                        said.metadata(),
                        said.spec().toBuilder()
                                .accessModes(List.of(AccessMode.UNKNOWN))
                                .build(),
                        said.status(),
                        said.unmodeled());
    }

    private PersistentVolumeClaim said() {
        return PlanRow.object(PersistentVolumeClaim.class, """
                {apiVersion: v1, kind: PersistentVolumeClaim,
                 metadata: {name: c, namespace: ns, uid: u-c, finalizers: [%s], annotations: {%s}%s},
                 spec: {%s%s%s},
                 status: {%s}}
                """.formatted(
                        finalizers,
                        String.join(", ", annotations),
                        deleted,
                        spec.contains("accessModes") ? "volumeName: \"\"" : "accessModes: [ReadWriteOnce]",
                        spec,
                        volumeName,
                        status));
    }

    ClaimView view() {
        PersistentVolumeClaim claim = object();
        ProvisionView provisioning = ProvisionView.of(
                        claim,
                        classThere ? Lookup.found(storageClass()) : Lookup.missing(),
                        new ProvisionerInfo(
                                role,
                                "mem",
                                mountOptions,
                                contents,
                                contents,
                                List.of(AccessMode.READ_WRITE_ONCE),
                                List.of(VolumeMode.FILESYSTEM),
                                ""),
                        node,
                        new Intents(),
                        open -> here,
                        open -> new IntentCheck.Copied(
                                classThere ? Lookup.found(storageClass()) : Lookup.missing(), attributes),
                        existing,
                        memory,
                        source,
                        attributes,
                        SELF)
                .leftUntil(left);
        return new ClaimView(
                claim, known, volume, match, waits, defaultClass, pods, provisioning, LastEvents.nothing());
    }

    /** The volume with a volume mode that no version of ours knows yet. */
    static PersistentVolume ofUnknownMode(PersistentVolume volume) {
        return new PersistentVolume(
                volume.metadata(),
                volume.spec().toBuilder().volumeMode(VolumeMode.UNKNOWN).build(),
                volume.status(),
                volume.unmodeled());
    }

    /** A volume of 2 GiB of that name, with these fields of its spec. */
    static PersistentVolume volume(String name, String fields) {
        return volume(name, fields, Map.of());
    }

    static PersistentVolume volume(String name, String fields, Map<String, String> annotations) {
        return PlanRow.object(PersistentVolume.class, """
                {apiVersion: v1, kind: PersistentVolume, metadata: {name: %s, uid: u-%s, annotations: {%s}},
                 spec: {accessModes: [ReadWriteOnce], csi: {driver: mem, volumeHandle: h}%s}, status: {phase: Available}}
                """.formatted(
                        name,
                        name,
                        annotations.entrySet().stream()
                                .map(each -> "\"" + each.getKey() + "\": \"" + each.getValue() + "\"")
                                .reduce((left, right) -> left + ", " + right)
                                .orElse(""),
                        fields.isEmpty() ? "" : ", " + fields));
    }
}
