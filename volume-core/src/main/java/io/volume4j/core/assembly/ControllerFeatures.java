package io.volume4j.core.assembly;

import io.volume4j.core.control.binding.BindingSettings;
import io.volume4j.core.control.binding.plan.Annotation;
import io.volume4j.core.control.binding.plan.BindingPlanner;
import io.volume4j.core.control.binding.plan.BindingView;
import io.volume4j.core.control.binding.plan.ProvisionerPlanner;
import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.ControllerSpec;
import io.volume4j.core.control.populate.Populators;
import io.volume4j.core.control.snapshot.SnapshotSettings;
import io.volume4j.core.engine.Planner;
import io.volume4j.spi.plugin.Populator;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The features of one controller, and their settings. Not thread-safe. */
public final class ControllerFeatures {
    private final String name;
    private final String only;
    private final String finalizer;
    private final @Nullable Planner<BindingView, ClusterStep> planner;
    private final Set<ControllerFeature> features;
    private Populators populators = Populators.none();
    private boolean dataSources;
    private boolean snapshots;
    private boolean groupSnapshots;
    private boolean snapshotMetadata;
    private boolean restores;

    private ControllerFeatures(
            String name,
            String only,
            String finalizer,
            @Nullable Planner<BindingView, ClusterStep> planner,
            Set<ControllerFeature> features) {
        this.name = name;
        this.only = only;
        this.finalizer = finalizer;
        this.planner = planner;
        this.features = features;
    }

    /** Of a controller of claims and volumes; binding, provisioning and reclaim to begin with. */
    public static ControllerFeatures ofController() {
        return new ControllerFeatures(
                "binding",
                "",
                Annotation.RECLAIM_FINALIZER,
                new BindingPlanner(),
                EnumSet.of(ControllerFeature.BINDING));
    }

    /** Of what makes and deletes volumes in the name of one provisioner, beside a binding controller elsewhere. */
    public static ControllerFeatures ofProvisioner(String provisioner) {
        return new ControllerFeatures(
                "provisioner",
                "",
                Annotation.EXTERNAL_FINALIZER,
                new ProvisionerPlanner(provisioner),
                EnumSet.of(ControllerFeature.BINDING));
    }

    /** Of what expands and changes volumes in the name of one plugin, beside controllers elsewhere. */
    public static ControllerFeatures ofResizer(String driver) {
        return new ControllerFeatures(
                "resizer", driver, "", null, EnumSet.of(ControllerFeature.EXPAND, ControllerFeature.MODIFY));
    }

    /** Of what makes, watches and destroys snapshots, beside controllers elsewhere; of one plugin, or of all if it is {@code ""}. */
    public static ControllerFeatures ofSnapshotter(String driver) {
        return new ControllerFeatures("snapshotter", driver, "", null, EnumSet.noneOf(ControllerFeature.class))
                .snapshots();
    }

    /** Adds these with the settings that they have now. */
    public ControllerFeatures with(Collection<ControllerFeature> more) {
        features.addAll(more);
        return this;
    }

    /** The same. */
    public ControllerFeatures with(ControllerFeature... more) {
        return with(List.of(more));
    }

    /** Checks what claims are filled from against the grants between namespaces and the populators of the cluster. */
    public ControllerFeatures dataSources() {
        dataSources = true;
        return this;
    }

    /**
     * Fills volumes with these, and checks what they are filled from.
     *
     * @param namespace where claims are made for the filling
     */
    public ControllerFeatures fills(String namespace, List<Populator> with) {
        populators = new Populators(namespace, with);
        return dataSources().with(ControllerFeature.POPULATE);
    }

    /** Makes, watches and destroys snapshots. */
    public ControllerFeatures snapshots() {
        snapshots = true;
        return with(ControllerFeature.SNAPSHOT);
    }

    /** The same for groups of snapshots, where the controller has {@link #snapshots()}. */
    public ControllerFeatures groupSnapshots() {
        groupSnapshots = true;
        return this;
    }

    /** Tells drivers for which snapshot they make one. */
    public ControllerFeatures snapshotMetadata() {
        snapshotMetadata = true;
        return this;
    }

    /** Fills volumes from snapshots and claims of the cluster, and keeps those meanwhile. */
    public ControllerFeatures restores() {
        restores = true;
        return with(ControllerFeature.SNAPSHOT);
    }

    /** Everything that {@link #named} takes: the features, and what they may do besides. */
    public static Set<String> words() {
        Set<String> words = new LinkedHashSet<>();
        for (ControllerFeature feature : ControllerFeature.values()) {
            words.add(feature.word());
        }
        words.addAll(List.of("data-sources", "group-snapshots"));
        return Collections.unmodifiableSet(words);
    }

    /**
     * Adds what scenarios call so. Populators are given by {@link #fills}.
     *
     * @throws IllegalArgumentException if the word is not one of {@link #words}
     */
    public ControllerFeatures named(String word) {
        if (!words().contains(word)) {
            throw new IllegalArgumentException("no feature is called " + word + "; there are " + words());
        }
        return switch (word) {
            case "data-sources" -> dataSources();
            case "snapshots" -> snapshots().restores();
            case "group-snapshots" -> groupSnapshots();
            default -> with(ControllerFeature.named(word));
        };
    }

    /** The controller with these features. */
    public ControllerSpec spec() {
        return new ControllerSpec(
                name,
                only,
                finalizer,
                features.stream().map(feature -> feature.with(this)).toList());
    }

    String only() {
        return only;
    }

    Populators populators() {
        return populators;
    }

    BindingSettings binding() {
        return new BindingSettings(
                Objects.requireNonNull(planner, "a controller with binding has a planner"),
                finalizer,
                planner instanceof BindingPlanner,
                features.contains(ControllerFeature.MODIFY) || features.contains(ControllerFeature.PROTECTION),
                dataSources);
    }

    SnapshotSettings snapshotSettings() {
        return new SnapshotSettings(snapshots, groupSnapshots, snapshotMetadata, restores, only);
    }
}
