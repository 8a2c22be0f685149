package io.volume4j.core.assembly;

import io.volume4j.core.control.binding.BindingSettings;
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
            @Nullable Planner<BindingView, ClusterStep> planner,
            Set<ControllerFeature> features) {
        this.name = name;
        this.only = only;
        this.planner = planner;
        this.features = features;
    }

    /** The features of a controller of claims and volumes. Starts with binding, provisioning and reclaim. */
    public static ControllerFeatures ofController() {
        return new ControllerFeatures("binding", "", new BindingPlanner(), EnumSet.of(ControllerFeature.BINDING));
    }

    /** The features of an external provisioner with this name. */
    public static ControllerFeatures ofProvisioner(String provisioner) {
        return new ControllerFeatures(
                "provisioner", provisioner, new ProvisionerPlanner(provisioner), EnumSet.of(ControllerFeature.BINDING));
    }

    /** The features of an external resizer for this plugin. */
    public static ControllerFeatures ofResizer(String driver) {
        return new ControllerFeatures(
                "resizer", driver, null, EnumSet.of(ControllerFeature.EXPAND, ControllerFeature.MODIFY));
    }

    /** The features of a snapshot controller, for one plugin or, if it is {@code ""}, for all plugins. */
    public static ControllerFeatures ofSnapshotter(String driver) {
        return new ControllerFeatures("snapshotter", driver, null, EnumSet.noneOf(ControllerFeature.class)).snapshots();
    }

    /** Adds these features with the current settings. */
    public ControllerFeatures with(Collection<ControllerFeature> more) {
        features.addAll(more);
        return this;
    }

    /** The same. */
    public ControllerFeatures with(ControllerFeature... more) {
        return with(List.of(more));
    }

    /** Checks the data sources of claims against ReferenceGrants and VolumePopulators. */
    public ControllerFeatures dataSources() {
        dataSources = true;
        return this;
    }

    /**
     * Fills volumes with these populators, and checks the data sources.
     * @param namespace the namespace of the prime claims
     */
    public ControllerFeatures fills(String namespace, List<Populator> with) {
        populators = new Populators(namespace, with);
        return dataSources().with(ControllerFeature.POPULATE);
    }

    /** Creates, watches and deletes snapshots. */
    public ControllerFeatures snapshots() {
        snapshots = true;
        return with(ControllerFeature.SNAPSHOT);
    }

    /** The same for group snapshots, if the controller has {@link #snapshots()}. */
    public ControllerFeatures groupSnapshots() {
        groupSnapshots = true;
        return this;
    }

    /** Passes the names of the snapshot and its content to drivers. */
    public ControllerFeatures snapshotMetadata() {
        snapshotMetadata = true;
        return this;
    }

    /** Fills volumes from snapshots and claims of the cluster, and protects these from deletion meanwhile. */
    public ControllerFeatures restores() {
        restores = true;
        return with(ControllerFeature.SNAPSHOT);
    }

    /** All words that {@link #named} accepts: features and their options. */
    public static Set<String> words() {
        Set<String> words = new LinkedHashSet<>();
        for (ControllerFeature feature : ControllerFeature.values()) {
            words.add(feature.word());
        }
        words.addAll(List.of("data-sources", "group-snapshots"));
        return Collections.unmodifiableSet(words);
    }

    /**
     * Adds the features with this word in scenarios. For populators use {@link #fills}.
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
                name, only, features.stream().map(feature -> feature.with(this)).toList());
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
                planner instanceof BindingPlanner,
                features.contains(ControllerFeature.MODIFY) || features.contains(ControllerFeature.PROTECTION),
                dataSources);
    }

    SnapshotSettings snapshotSettings() {
        return new SnapshotSettings(snapshots, groupSnapshots, snapshotMetadata, restores, only);
    }
}
