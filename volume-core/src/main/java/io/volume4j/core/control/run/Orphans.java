package io.volume4j.core.control.run;

import io.volume4j.core.control.binding.Annotation;
import io.volume4j.core.control.binding.ProvisioningIntent;
import io.volume4j.core.volumes.OrphanedStorage;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.plugin.Inventory;
import io.volume4j.spi.plugin.VolumePlugin;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds storage that a backend holds and that no object of this cluster tells of. The order of the readings is the argument:
 * first what the backend holds, then the claims, then the volumes. What was being made when the backend was read has a claim
 * with an open intent, and if that is closed by the time that claims are read, the volume's object is stored; so nothing
 * that the library has made or is making is ever taken for an orphan.
 *
 * <p>Orphans are told and never removed: several clusters may share a backend, all of them name volumes alike, and a list is
 * no proof that nobody else wants one. On worker threads.
 */
final class Orphans {
    private final ClusterSource source;
    private final PluginDirectory plugins;

    Orphans(ClusterSource source, PluginDirectory plugins) {
        this.source = source;
        this.plugins = plugins;
    }

    List<OrphanedStorage> find(CallContext context) {
        List<OrphanedStorage> found = new ArrayList<>();
        for (VolumePlugin plugin : plugins.all()) {
            plugin.inventory().ifPresent(inventory -> found.addAll(of(plugin.name(), inventory.list(context))));
        }
        return found;
    }

    private List<OrphanedStorage> of(String plugin, Inventory.Holdings holdings) {
        Set<String> wanted = new HashSet<>();
        boolean making = false;
        for (ApiObject object : list(Kind.PERSISTENT_VOLUME_CLAIM)) {
            if (object instanceof PersistentVolumeClaim claim) {
                wanted.add(ProvisioningIntent.volumeNameFor(claim));
                making |= claim.metadata().annotations().containsKey(Annotation.PROVISIONING_INTENT);
            }
        }
        for (ApiObject object : list(Kind.PERSISTENT_VOLUME)) {
            if (object instanceof PersistentVolume volume) {
                wanted.add(volume.metadata().name());
                plugins.handlingId(volume)
                        .filter(id -> id.plugin().equals(plugin))
                        .map(VolumeId::name)
                        .ifPresent(wanted::add);
            }
        }
        // A backend may call what is being made by any name, which nobody knows before it is stored.
        boolean namesOnly = making;
        return holdings.volumes().stream()
                .filter(held -> !wanted.contains(held.handle()))
                .filter(held -> !namesOnly || held.handle().startsWith("pvc-"))
                .map(held -> new OrphanedStorage(plugin, held.handle(), held.capacityBytes()))
                .toList();
    }

    private List<ApiObject> list(Kind kind) {
        try {
            return source.list(kind, Selection.all()).objects();
        } catch (ClusterException failure) {
            throw ClusterCalls.classified("list " + kind.apiName() + " objects", failure);
        }
    }
}
