package io.volume4j.core.control.populate;

import io.volume4j.core.control.PlanRow;
import io.volume4j.core.control.host.LastEvents;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.core.control.host.source.DataSource;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.TypedReference;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What the table of filling begins from: claim {@code ns/c} is to be filled from {@code Tape ns/t}, in the namespace {@code
 * work}; nothing was begun, and leader 7 decides. Not thread-safe.
 */
final class PopulateGiven {
    static final long NOW = 1_000_000_000_000L;

    private final List<String> annotations = new ArrayList<>();
    private final List<String> primeAnnotations = new ArrayList<>();
    private String finalizers = "";
    private String deleted = "";
    private String phase = "Pending";
    private DataSource source = new DataSource(DataSource.Kind.POPULATED, "Tape ns/t", true, "");
    private String mode = "Immediate";
    private @Nullable Lookup<PersistentVolumeClaim> primeLookup = Lookup.missing();
    private String primePhase = "";
    private String primeOf = "u-c";
    private String primeDeleted = "";
    private Lookup<PersistentVolume> volume = Lookup.missing();
    private boolean given;
    private Filling memory = Filling.nothing().of(7);
    private OptionalLong left = OptionalLong.empty();

    static PopulateGiven claim() {
        return new PopulateGiven();
    }

    /** The intent of the leader of that epoch. */
    PopulateGiven begun(String epoch) {
        finalizers = Prime.FINALIZER;
        annotations.add(Prime.INTENT + ": \"" + epoch + "\"");
        return this;
    }

    PopulateGiven node(String name) {
        annotations.add("volume.kubernetes.io/selected-node: " + name);
        return this;
    }

    PopulateGiven bound() {
        phase = "Bound";
        return this;
    }

    PopulateGiven deleting() {
        deleted = ", deletionTimestamp: \"2026-01-01T00:00:00Z\"";
        return this;
    }

    PopulateGiven given() {
        given = true;
        return this;
    }

    PopulateGiven source(UnaryOperator<DataSource> change) {
        source = change.apply(source);
        return this;
    }

    PopulateGiven waitsForConsumer() {
        mode = "WaitForFirstConsumer";
        return this;
    }

    PopulateGiven prime(Lookup<PersistentVolumeClaim> known) {
        primeLookup = known;
        return this;
    }

    /** The prime claim is there and in that phase, pending for {@code ""}. */
    PopulateGiven primeIs(String word) {
        primeLookup = null;
        primePhase = word.isEmpty() ? "Pending" : word;
        return this;
    }

    /** A claim of its name is there, for the claim of that UID. */
    PopulateGiven primeOf(String uid) {
        primeOf = uid;
        return primeIs("");
    }

    /** The node that the prime claim is to have, and the one that it was to have; none for {@code ""}. */
    PopulateGiven primeAt(String node, String forNode) {
        if (!node.isEmpty()) {
            primeAnnotations.add("volume.kubernetes.io/selected-node: " + node);
        }
        primeAnnotations.add(Prime.FOR_NODE + ": " + forNode);
        return this;
    }

    PopulateGiven primeDeleting() {
        primeDeleted = ", deletionTimestamp: \"2026-01-01T00:00:00Z\"";
        return this;
    }

    PopulateGiven volume(Lookup<PersistentVolume> known) {
        volume = known;
        return this;
    }

    PopulateGiven volumeThere() {
        return volume(Lookup.found(PlanRow.object(PersistentVolume.class, """
                {apiVersion: v1, kind: PersistentVolume, metadata: {name: v, uid: u-v},
                 spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce],
                   claimRef: {namespace: work, name: prime-u-c, uid: u-p}}}
                """)));
    }

    PopulateGiven remembers(UnaryOperator<Filling> change) {
        memory = change.apply(memory);
        return this;
    }

    PopulateGiven leftUntil(long nanos) {
        left = OptionalLong.of(nanos);
        return this;
    }

    private PersistentVolumeClaim primeClaim() {
        return PlanRow.object(PersistentVolumeClaim.class, """
                {apiVersion: v1, kind: PersistentVolumeClaim,
                 metadata: {name: prime-u-c, namespace: work, uid: u-p, labels: {%s: %s}, annotations: {%s}%s},
                 spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}, status: {phase: %s}}
                """.formatted(
                        Prime.LABEL, primeOf, String.join(", ", primeAnnotations), primeDeleted, primePhase));
    }

    PopulateView view() {
        return new PopulateView(
                PlanRow.object(PersistentVolumeClaim.class, """
                        {apiVersion: v1, kind: PersistentVolumeClaim,
                         metadata: {name: c, namespace: ns, uid: u-c, finalizers: [%s], annotations: {%s}%s},
                         spec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 1Gi}},
                           dataSourceRef: {apiGroup: example.com, kind: Tape, name: t}},
                         status: {phase: %s}}
                        """.formatted(
                                finalizers, String.join(", ", annotations), deleted, phase)),
                "work",
                source,
                new TypedReference("example.com", "Tape", "ns", "t"),
                Lookup.found(PlanRow.object(StorageClass.class, """
                        {apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: fast}, provisioner: mem,
                         volumeBindingMode: %s}
                        """.formatted(mode))),
                primeLookup == null ? Lookup.found(primeClaim()) : primeLookup,
                volume,
                given,
                memory,
                left,
                NOW,
                7,
                LastEvents.nothing());
    }
}
