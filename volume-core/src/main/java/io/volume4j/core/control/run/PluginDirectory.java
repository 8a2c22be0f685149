package io.volume4j.core.control.run;

import io.volume4j.core.control.binding.ProvisionerInfo;
import io.volume4j.core.control.binding.ProvisionerInfo.Role;
import io.volume4j.core.control.binding.ReclaimerInfo;
import io.volume4j.core.control.expand.ExpanderInfo;
import io.volume4j.core.control.host.PluginAccess;
import io.volume4j.core.migration.CsiMigration;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.WellKnown;
import io.volume4j.spi.plugin.Expander;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.Optional;

/** What the plugins of this process can do for a class or a volume, as facts for the planners. */
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

    /** Who makes volumes of the class. A plugin of that name that makes none leaves it to somebody outside. */
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
                    found.volumeModes());
        }
        return ProvisionerInfo.of(
                name.startsWith(BUILT_IN) || name.isEmpty() ? Role.UNKNOWN_BUILT_IN : Role.EXTERNAL, name);
    }

    /** Who can reclaim the volume: whoever made it, or for one that people made whoever handles such volumes. */
    ReclaimerInfo reclaimer(PersistentVolume volume) {
        ReclaimPolicy policy = volume.spec().reclaimPolicy();
        if (policy != ReclaimPolicy.DELETE && policy != ReclaimPolicy.RECYCLE) {
            return ReclaimerInfo.nobody();
        }
        String maker = CsiMigration.current(volume.metadata().annotation(WellKnown.PROVISIONED_BY));
        VolumeSpec spec = CsiMigration.specIfPossible(volume, false);
        Optional<VolumePlugin> plugin = maker.isEmpty() ? plugins.handling(spec) : plugins.byName(maker);
        if (plugin.isEmpty()) {
            return maker.isEmpty() ? ReclaimerInfo.nobody() : ReclaimerInfo.outside(maker);
        }
        VolumePlugin found = plugin.get();
        boolean deletes = found.deleter(spec).isPresent();
        return new ReclaimerInfo(
                found.name(), "", deletes, found.recycler(spec).isPresent(), deletes && !maker.isEmpty());
    }

    /** Who can expand and change the volume. */
    ExpanderInfo expander(PersistentVolume volume) {
        VolumeSpec spec = CsiMigration.specIfPossible(volume, false);
        return plugins.handling(spec)
                .map(plugin -> {
                    Optional<Expander> expander = plugin.expander(spec);
                    return new ExpanderInfo(
                            plugin.name(),
                            expander.isPresent(),
                            plugin.nodeExpander(spec).isPresent(),
                            expander.map(Expander::online).orElse(true),
                            plugin.modifier(spec).isPresent());
                })
                .orElse(ExpanderInfo.nobody());
    }
}
