package io.volume4j.core.control.binding;

import io.volume4j.core.control.binding.plan.ProvisionerInfo;
import io.volume4j.core.control.binding.plan.ProvisionerInfo.Role;
import io.volume4j.core.control.binding.plan.ReclaimerInfo;
import io.volume4j.core.control.host.PluginAccess;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.WellKnown;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.Optional;

/** The abilities of this process's plugins for a class or a volume, as facts for the planners. */
final class PluginDirectory {
    private static final String BUILT_IN = "kubernetes.io/";

    private final PluginAccess plugins;

    PluginDirectory(PluginAccess plugins) {
        this.plugins = plugins;
    }

    boolean provisions(String plugin, StorageClass storageClass) {
        return plugins.byName(plugin)
                .flatMap(found -> found.provisioner(storageClass))
                .isPresent();
    }

    /** The provisioner of the class. If the plugin with that name does not provision, an external provisioner does. */
    ProvisionerInfo provisioner(StorageClass storageClass) {
        String name = storageClass.provisioner();
        if (name.equals(WellKnown.NO_PROVISIONER)) {
            return ProvisionerInfo.of(Role.NEVER, name);
        }
        Optional<VolumePlugin> plugin = plugins.byName(name)
                .filter(found -> found.provisioner(storageClass).isPresent());
        if (plugin.isPresent()) {
            VolumePlugin found = plugin.get();
            return new ProvisionerInfo(
                    Role.IN_PROCESS,
                    name,
                    found.supportsMountOptions(),
                    found.fillsFromDataSource(),
                    found.fillsFromContent(),
                    found.accessModes(),
                    found.volumeModes(),
                    "");
        }
        return ProvisionerInfo.of(
                        name.startsWith(BUILT_IN) || name.isEmpty() ? Role.UNKNOWN_BUILT_IN : Role.EXTERNAL, name)
                .untranslatable(plugins.migration().problem(storageClass).orElse(""));
    }

    /** The plugin that made the volume, by its current name; {@code ""} if no plugin is known to have made it. */
    String maker(PersistentVolume volume) {
        return plugins.migration().current(volume.metadata().annotation(WellKnown.PROVISIONED_BY));
    }

    /** The driver that took over sources like the volume's, {@code ""} for others. */
    String migratedTo(PersistentVolume volume) {
        return plugins.migration().driverFor(volume.spec().source()).orElse("");
    }

    /** The plugin that can reclaim the volume: the plugin that made it, or for a volume of a user the plugin that handles it. */
    ReclaimerInfo reclaimer(PersistentVolume volume) {
        ReclaimPolicy policy = volume.spec().reclaimPolicy();
        if (policy != ReclaimPolicy.DELETE && policy != ReclaimPolicy.RECYCLE) {
            return ReclaimerInfo.none();
        }
        String maker = maker(volume);
        VolumeSpec spec = plugins.migration().specIfPossible(volume, false);
        Optional<VolumePlugin> plugin = maker.isEmpty() ? plugins.handling(spec) : plugins.byName(maker);
        if (plugin.isEmpty()) {
            return maker.isEmpty() ? ReclaimerInfo.none() : ReclaimerInfo.outside(maker);
        }
        VolumePlugin found = plugin.get();
        boolean deletes = found.deleter(spec).isPresent();
        return new ReclaimerInfo(
                found.name(), "", deletes, found.recycler(spec).isPresent(), deletes && !maker.isEmpty());
    }
}
