package io.volume4j.inmemory.contract;

import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.plugin.VolumePlugin;
import java.util.List;
import java.util.Map;

/**
 * The plugin that a {@link PluginContract} tests, with its properties.
 *
 * @since 0.1.0
 */
public interface PluginUnderTest {
    /** A new instance of the plugin, as a restarted process would create it. The contract initialises it. */
    VolumePlugin newPlugin();

    /** The machine for the plugin's mounts. */
    BackendFixture machine();

    /** Adds further parts that the plugin needs of its host, such as secrets. Adds nothing by default. */
    default void prepare(InMemoryPluginHost.Builder host) {}

    /** The parameters of a storage class for the plugin. */
    default Map<String, String> parameters() {
        return Map.of();
    }

    /**
     * An existing volume that was not provisioned. Called only if the plugin has no provisioner.
     * @param name a different name for each volume that a test needs
     */
    default VolumeSource existing(String name) {
        throw new UnsupportedOperationException("the plugin does not provision: say which volume it can use");
    }

    /** Volumes of this plugin that do not exist: a set-up of one must fail and leave nothing behind. Default none. */
    default List<VolumeSource> missing() {
        return List.of();
    }

    /** Whether the plugin is certain that a refused set-up had no effect. Default true. */
    default boolean failuresAreCertain() {
        return true;
    }

    /** Whether the plugin can report that a volume is not attached after it was detached. Default true. */
    default boolean seesAbsence() {
        return true;
    }

    /**
     * The number of effects between two tested crashes after which the next process only tears down. The contract
     * tests crashes after which the next process continues at every effect, independently of this. Default 1; use
     * more for a plugin that runs a program for every effect.
     */
    default int crashStride() {
        return 1;
    }

    /** The size of the tests' volumes in bytes. Default 16 MiB. */
    default long bytes() {
        return 16L << 20;
    }

    /**
     * Whether files that a pod wrote still exist after the volume was unmounted everywhere. Default true, unless pods
     * may never write ({@link #readOnly()}).
     */
    default boolean keepsContent() {
        return !readOnly();
    }

    /** Whether these volumes are also available as raw devices, if the plugin can map devices. Default true. */
    default boolean canBeRaw() {
        return true;
    }

    /**
     * Whether the pod's target is the volume itself and not a mount point, so that its content is removed with it.
     * Default false.
     */
    default boolean targetIsTheVolume() {
        return false;
    }

    /** Whether pods may never write to these volumes. Default false. */
    default boolean readOnly() {
        return false;
    }

    /**
     * Called after each test, after the removal of everything. Must fail if the plugin left something that only it
     * knows.
     */
    default void verifyNothingIsLeft() {}
}
