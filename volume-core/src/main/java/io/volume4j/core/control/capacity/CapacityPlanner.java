package io.volume4j.core.control.capacity;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.ClusterWork;
import io.volume4j.core.control.host.LastEvents;
import io.volume4j.core.control.host.ObjectWrite;
import io.volume4j.core.control.host.PlanBuilder;
import io.volume4j.core.engine.Plan;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.CsiStorageCapacity;
import io.volume4j.spi.model.LabelSelector;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.plugin.CapacityReporter.Capacity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Maintains one capacity object. It asks the plugin, stores a changed answer, and asks again after a while. It asks sooner after a
 * volume of the class was created or deleted, or could not be created. It removes an object of this library that is no longer
 * required. While the plugin does not answer, the object stays: an old value is better than none.
 */
public final class CapacityPlanner {
    /** The interval of questions to the plugin without an event. */
    public static final Duration EVERY = Duration.ofMinutes(1);

    /** The minimum interval, however many events happen. */
    public static final Duration AT_MOST_EVERY = Duration.ofSeconds(5);

    public static final String DRIVER = "csi.storage.k8s.io/drivername";
    public static final String MANAGED_BY = "csi.storage.k8s.io/managed-by";
    public static final String US = "volume4j";

    private CapacityPlanner() {}

    public static Plan<ClusterStep> plan(CapacityView view) {
        PlanBuilder plan = new PlanBuilder(view.key(), LastEvents.nothing(), "capacity");
        @Nullable Wanted wanted = view.wanted();
        @Nullable CsiStorageCapacity published = view.published();
        if (!view.known()) {
            plan.waitFor("the cluster", "the capacities of the cluster are not known completely");
        } else if (wanted == null && view.awaitsPlugin()) {
            plan.waitFor("plugins", "published by an earlier process; kept until the plugin of its class is there");
        } else if (wanted == null) {
            if (published != null && ours(published)) {
                plan.step(ClusterWork.Remove.asSeen(published));
            }
        } else {
            keep(view, wanted, plan);
        }
        return plan.plan();
    }

    /** Whether this library published the object. */
    static boolean ours(CsiStorageCapacity published) {
        return US.equals(published.metadata().labels().get(MANAGED_BY));
    }

    private static void keep(CapacityView view, Wanted wanted, PlanBuilder plan) {
        @Nullable Answer answer = view.answer();
        if (answer == null) {
            plan.step(new CapacityStep(view.key(), wanted.storageClass(), wanted.plugin(), wanted.segment()));
            return;
        }
        @Nullable CsiStorageCapacity published = view.published();
        if (published == null) {
            plan.step(new ClusterWork.Create(object(view.key(), wanted, answer.capacity())));
        } else {
            List<FieldChange> changes = changes(published, answer.capacity());
            if (!changes.isEmpty()) {
                plan.writes(
                        "tell what class " + wanted.storageClass().metadata().name() + " has left",
                        List.of(ObjectWrite.of(published, changes)),
                        ClusterWork.Kind.WRITE,
                        true);
            }
        }
        long due = answer.at() + (answer.outdated() ? AT_MOST_EVERY : EVERY).toNanos();
        if (plan.hasSteps()) {
            return;
        }
        if (view.now() - due >= 0) {
            plan.step(new CapacityStep(view.key(), wanted.storageClass(), wanted.plugin(), wanted.segment()));
        } else {
            plan.lookAgainAt(due, "published; the plugin is asked again then");
        }
    }

    private static CsiStorageCapacity object(ObjectKey key, Wanted wanted, Capacity capacity) {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put(DRIVER, wanted.plugin());
        labels.put(MANAGED_BY, US);
        return new CsiStorageCapacity(
                ObjectMeta.named(key.namespace(), key.name()).withLabels(labels),
                new LabelSelector(wanted.segment(), List.of()),
                wanted.storageClass().metadata().name(),
                Quantity.ofBytes(capacity.availableBytes()),
                largest(capacity),
                Unmodeled.none());
    }

    private static List<FieldChange> changes(CsiStorageCapacity published, Capacity capacity) {
        List<FieldChange> changes = new ArrayList<>();
        Quantity available = Quantity.ofBytes(capacity.availableBytes());
        @Nullable Quantity had = published.capacity();
        if (had == null || !available.equals(had)) {
            changes.add(FieldChange.set(available.toString(), "capacity"));
        }
        @Nullable Quantity largest = largest(capacity);
        @Nullable Quantity hadLargest = published.maximumVolumeSize();
        if (largest == null && hadLargest != null) {
            changes.add(FieldChange.remove("maximumVolumeSize"));
        } else if (largest != null && (hadLargest == null || !largest.equals(hadLargest))) {
            changes.add(FieldChange.set(largest.toString(), "maximumVolumeSize"));
        }
        return changes;
    }

    private static @Nullable Quantity largest(Capacity capacity) {
        return capacity.maximumVolumeBytes() == 0 ? null : Quantity.ofBytes(capacity.maximumVolumeBytes());
    }
}
