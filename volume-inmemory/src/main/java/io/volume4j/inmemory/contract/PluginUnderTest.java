package io.volume4j.inmemory.contract;

import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.plugin.VolumePlugin;
import java.util.List;
import java.util.Map;

/**
 * A plugin that a {@link PluginContract} is to examine, and the little that it must know of it.
 *
 * @since 0.1.0
 */
public interface PluginUnderTest {
    /** A new instance of the plugin, as a restarted process would make it; the contract initialises it. */
    VolumePlugin newPlugin();

    /** The machine for the plugin's mounts. */
    BackendFixture machine();

    /** Adds what the plugin needs of its host besides the machine, such as secrets. Default nothing. */
    default void prepare(InMemoryPluginHost.Builder host) {}

    /** Parameters of a storage class for it. */
    default Map<String, String> parameters() {
        return Map.of();
    }

    /**
     * A volume that is there without having been provisioned; asked for only if the plugin has no provisioner.
     *
     * @param name another one for each volume that a test needs
     */
    default VolumeSource existing(String name) {
        throw new UnsupportedOperationException("the plugin does not provision: say which volume it can use");
    }

    /** Volumes of this plugin that are not there: setting one up must fail and leave nothing. Default none. */
    default List<VolumeSource> missing() {
        return List.of();
    }

    /** Whether the plugin knows that a refused set-up did nothing. Default true. */
    default boolean failuresAreCertain() {
        return true;
    }

    /** Whether the plugin can still tell that a volume is not attached when it was detached. Default true. */
    default boolean seesAbsence() {
        return true;
    }

    /**
     * How many effects lie between two crashes whose remains are only taken away; those that the next process carries on with
     * come at every effect all the same. Default 1; more for a plugin whose every effect is a program.
     */
    default int crashStride() {
        return 1;
    }

    /** Size of the volumes that tests make. Default 16 MiB. */
    default long bytes() {
        return 16L << 20;
    }

    /**
     * Whether files that a pod wrote outlive the unmounting of the volume everywhere. Default true, unless pods may never write
     * ({@link #readOnly()}).
     */
    default boolean keepsContent() {
        return !readOnly();
    }

    /** Whether these volumes can also be had as raw devices, where the plugin can map any. Default true. */
    default boolean canBeRaw() {
        return true;
    }

    /**
     * Whether the pod's target is the volume itself and no mount point, so that whatever lies in it is the pod's and goes
     * with it. Default false.
     */
    default boolean targetIsTheVolume() {
        return false;
    }

    /** Whether pods may never write to these volumes. Default false. */
    default boolean readOnly() {
        return false;
    }

    /** Called after each test, when everything was taken away: fails if the plugin left something that only it knows of. */
    default void verifyNothingIsLeft() {}
}
