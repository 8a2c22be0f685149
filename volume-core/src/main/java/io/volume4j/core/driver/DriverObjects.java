package io.volume4j.core.driver;

import io.volume4j.core.objects.ObjectCache;
import io.volume4j.spi.model.CsiDriver;
import io.volume4j.spi.model.CsiDriver.FsGroupPolicy;
import io.volume4j.spi.model.CsiDriver.LifecycleMode;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the settings of volumes' drivers: those of their CSIDriver objects, overridden by the host's settings for
 * their plugins. Reads the cache and changes nothing. Loop thread only.
 */
public final class DriverObjects {
    private static final Logger LOG = LoggerFactory.getLogger(DriverObjects.class);

    private final ObjectCache objects;
    /**
     * The last logged lines by driver. If a host overrides an object, this is logged once for each revision of the
     * object.
     */
    private final Map<String, List<String>> logged = new HashMap<>();

    /** @param objects a cache that keeps CSIDriver objects */
    public DriverObjects(ObjectCache objects) {
        this.objects = objects;
    }

    /**
     * A volume with its driver's settings.
     *
     * @param doubt why they are not known yet, {@code ""} if they are; the volume waits then
     */
    public record Described(VolumeSpec spec, String doubt) {}

    /** The volume with the settings of its driver; unchanged if its source names no driver. */
    public Described describe(VolumeSpec spec, @Nullable VolumePlugin plugin) {
        if (!(spec.source() instanceof CsiSource source)) {
            return new Described(spec, "");
        }
        Optional<CsiDriver> object = find(source.driver());
        if (object.isEmpty() && !objects.complete(Kind.CSI_DRIVER)) {
            return new Described(
                    spec, "how driver " + OneLine.name(source.driver()) + " is to be used is not known yet: " + why());
        }
        Optional<CsiDriver.Spec> told = object.map(CsiDriver::spec);
        Optional<CsiDriver.Spec> settings = plugin == null ? told : plugin.driverSettings(told);
        if (settings.isEmpty()) {
            return new Described(spec.withDriver(null), "");
        }
        log(source.driver(), told, settings.get());
        return new Described(
                spec.withDriver(settings.get()),
                object.map(found -> unknownWord(found, settings.get())).orElse(""));
    }

    /** The host's settings that override the driver's object, one sentence each, for people. */
    public List<String> overridden(VolumeSpec spec, VolumePlugin plugin) {
        if (!(spec.source() instanceof CsiSource source)) {
            return List.of();
        }
        Optional<CsiDriver.Spec> told = find(source.driver()).map(CsiDriver::spec);
        return told
                .flatMap(object -> plugin.driverSettings(told).map(settings -> SettingsDifference.of(object, settings)))
                .orElse(List.of())
                .stream()
                .map(difference -> "driver " + source.driver() + ": " + difference)
                .toList();
    }

    /**
     * Why the volume must not be used: a pod contains the volume inline, or it has a PersistentVolume, and the
     * driver's settings do not include that mode. {@code ""} if it may be used.
     *
     * @param described the result of {@link #describe}
     */
    public static String refusal(VolumeSpec described) {
        CsiDriver.Spec settings = described.driver();
        if (settings == null || !(described.source() instanceof CsiSource source)) {
            return "";
        }
        LifecycleMode needed =
                described.persistentVolume() == null ? LifecycleMode.EPHEMERAL : LifecycleMode.PERSISTENT;
        if (settings.volumeLifecycleModes().contains(needed)) {
            return "";
        }
        String what = needed == LifecycleMode.EPHEMERAL
                ? "a pod describes a volume of driver " + source.driver() + " inline"
                : "volume " + described.name() + " of driver " + source.driver() + " is persistent";
        return what + ", and volumeLifecycleModes of CSIDriver " + source.driver() + " do not include "
                + needed.apiName() + ": add it to the object if the driver supports it";
    }

    private Optional<CsiDriver> find(String driver) {
        return objects.get(CsiDriver.key(driver), CsiDriver.class);
    }

    private String why() {
        String trouble = objects.trouble(Kind.CSI_DRIVER);
        return trouble.isEmpty()
                ? "the list of CSIDriver objects is not complete"
                : "the CSIDriver objects of the cluster cannot be listed: " + trouble;
    }

    /** A word of a newer cluster. The library does not guess its meaning. Other drivers are not affected. */
    private static String unknownWord(CsiDriver object, CsiDriver.Spec settings) {
        String name = object.metadata().name();
        Object spec = object.unmodeled().document().get("spec");
        if (settings.fsGroupPolicy() == FsGroupPolicy.UNKNOWN) {
            return "CSIDriver " + name + ": spec.fsGroupPolicy: \"" + word(spec, "fsGroupPolicy")
                    + "\" is not known: write one of ReadWriteOnceWithFSType, File, None";
        }
        return settings.volumeLifecycleModes().contains(LifecycleMode.UNKNOWN)
                ? "CSIDriver " + name + ": spec.volumeLifecycleModes: " + word(spec, "volumeLifecycleModes")
                        + " has a word that is not known: write Persistent, Ephemeral or both"
                : "";
    }

    private static String word(@Nullable Object spec, String field) {
        return spec instanceof Map<?, ?> map ? String.valueOf(map.get(field)) : "";
    }

    private void log(String driver, Optional<CsiDriver.Spec> told, CsiDriver.Spec settings) {
        List<String> now =
                told.map(object -> SettingsDifference.of(object, settings)).orElse(List.of());
        if (!now.equals(logged.getOrDefault(driver, List.of()))) {
            logged.put(driver, now);
            LOG.atInfo()
                    .addKeyValue("driver", driver)
                    .addKeyValue("overridden", now)
                    .log("settings of the host override the CSIDriver object");
        }
    }
}
