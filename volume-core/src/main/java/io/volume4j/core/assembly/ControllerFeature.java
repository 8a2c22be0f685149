package io.volume4j.core.assembly;

import io.volume4j.core.control.binding.BindingFeature;
import io.volume4j.core.control.capacity.CapacityFeature;
import io.volume4j.core.control.ephemeral.EphemeralFeature;
import io.volume4j.core.control.expand.ExpandFeature;
import io.volume4j.core.control.health.HealthFeature;
import io.volume4j.core.control.host.Feature;
import io.volume4j.core.control.host.Host;
import io.volume4j.core.control.modify.ModifyFeature;
import io.volume4j.core.control.move.MoveFeature;
import io.volume4j.core.control.populate.PopulateFeature;
import io.volume4j.core.control.protection.ProtectionFeature;
import io.volume4j.core.control.selinux.SeLinuxFeature;
import io.volume4j.core.control.snapshot.SnapshotFeature;
import io.volume4j.core.control.unused.UnusedFeature;
import java.util.EnumSet;
import java.util.Set;

/**
 * All features of the control plane. A controller has some of them. The engine executes their plans for one object in
 * this order.
 */
public enum ControllerFeature {
    BINDING("binding", (host, settings) -> new BindingFeature(host, settings.binding())),
    EXPAND("expand", (host, settings) -> new ExpandFeature(host, settings.only())),
    MODIFY("expand", (host, settings) -> new ModifyFeature(host, settings.only())),
    EPHEMERAL("pod-claims", (host, settings) -> new EphemeralFeature(host)),
    PROTECTION("protection", (host, settings) -> new ProtectionFeature(host)),
    CAPACITY("capacity", (host, settings) -> new CapacityFeature(host, settings.only())),
    POPULATE("populators", (host, settings) -> new PopulateFeature(host, settings.populators())),
    SNAPSHOT("snapshots", (host, settings) -> new SnapshotFeature(host, settings.snapshotSettings())),
    HEALTH("health", (host, settings) -> new HealthFeature(host)),
    UNUSED("unused", (host, settings) -> new UnusedFeature(host)),
    MOVE("moves", (host, settings) -> new MoveFeature(host)),
    SELINUX("selinux", (host, settings) -> new SeLinuxFeature(host));

    /** Makes a feature with the settings of its controller. */
    private interface Maker {
        Feature<?, ?> on(Host host, ControllerFeatures settings);
    }

    private final String word;

    @SuppressWarnings("ImmutableEnumChecker") // each is a lambda that captures nothing
    private final Maker maker;

    /** @param word what scenarios call it; several features may have one */
    ControllerFeature(String word, Maker maker) {
        this.word = word;
        this.maker = maker;
    }

    Feature.Factory with(ControllerFeatures settings) {
        return host -> maker.on(host, settings);
    }

    String word() {
        return word;
    }

    /** The features that scenarios call so; none for another word. */
    static Set<ControllerFeature> named(String word) {
        Set<ControllerFeature> named = EnumSet.allOf(ControllerFeature.class);
        named.removeIf(feature -> !feature.word.equals(word));
        return named;
    }
}
