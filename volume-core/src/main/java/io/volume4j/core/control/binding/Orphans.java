package io.volume4j.core.control.binding;

import io.volume4j.core.control.binding.plan.Adoption;
import io.volume4j.core.control.binding.plan.Annotation;
import io.volume4j.core.control.binding.plan.ProvisioningIntent;
import io.volume4j.core.control.host.CareCalls;
import io.volume4j.core.control.host.ClusterCalls;
import io.volume4j.core.control.host.ClusterWork.Look.At;
import io.volume4j.core.control.host.LiveReader;
import io.volume4j.core.control.host.PluginAccess;
import io.volume4j.core.control.host.Users;
import io.volume4j.core.volumes.OrphanedStorage;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.plugin.Inventory;
import io.volume4j.spi.plugin.Provisioner.ProvisionResult;
import io.volume4j.spi.plugin.VolumePlugin;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds storage of a backend that no object of this cluster refers to. The order of the reads makes this correct: first the
 * backend, then the claims, then the volumes. Storage that a plugin was making at the first read has a claim with an open intent.
 * If the intent is closed by the second read, the volume's object is stored. So storage that the library makes or has made is never
 * an orphan.
 *
 * <p>Storage in a node's report or in a VolumeAttachment is in use and no orphan, even without a PersistentVolume.
 *
 * <p>The library only reports orphans, with one exception. Several clusters may share a backend, all with the same pattern of
 * names. So a list does not prove that no other cluster needs a volume. To remove an orphan, the library first creates an object
 * for it; then normal reclaiming applies; see {@code docs/decisions/008-orphans.md}. On worker threads.
 */
final class Orphans {
    private final CareCalls calls;
    private final LiveReader reader;
    private final PluginAccess plugins;

    Orphans(CareCalls calls, LiveReader reader, PluginAccess plugins) {
        this.calls = calls;
        this.reader = reader;
        this.plugins = plugins;
    }

    List<OrphanedStorage> find(CallContext context) {
        List<OrphanedStorage> found = new ArrayList<>();
        for (VolumePlugin plugin : plugins.all()) {
            plugin.inventory().ifPresent(inventory -> found.addAll(of(plugin.name(), inventory.list(context))));
        }
        return found;
    }

    /**
     * Creates objects for storage of claims that a user removed by force, if the backend has it. A claim that fails does not hold up
     * the others.
     *
     * @return the claims that are settled
     * @throws RuntimeException if none is settled, and at least one failed, whatever a plugin threw
     */
    List<Abandoned> sweep(List<Abandoned> abandoned, CallContext context) {
        List<Abandoned> settled = new ArrayList<>();
        @Nullable Throwable failed = null;
        for (Abandoned lost : abandoned) {
            try {
                if (settles(lost, context)) {
                    settled.add(lost);
                }
            } catch (Throwable failure) {
                failed = failure;
            }
        }
        if (failed == null || !settled.isEmpty()) {
            return settled;
        }
        throw failed instanceof RuntimeException unchecked
                ? unchecked
                : VolumeException.uncertain(String.valueOf(failed.getMessage())).withCause(failed);
    }

    private boolean settles(Abandoned lost, CallContext context) {
        boolean claimLives = read(lost.claim().key())
                .filter(claim -> claim.metadata().uid().equals(lost.claimUid()))
                .isPresent();
        if (claimLives || read(ObjectKey.volume(lost.intent().volumeName())).isPresent()) {
            return true;
        }
        @Nullable ProvisionResult made = lost.made();
        if (made == null && !holds(lost.intent(), context)) {
            return false;
        }
        create(Adoption.ofAbandoned(lost.claim(), lost.intent(), made));
        return true;
    }

    /**
     * Creates an object for an orphan because a user asks for it.
     *
     * @throws VolumeException final, if it is no orphan, or if it should be deleted and its name does not contain a claim's UID
     */
    PersistentVolume adopt(String plugin, String handle, ReclaimPolicy policy, CallContext context) {
        if (policy != ReclaimPolicy.RETAIN && policy != ReclaimPolicy.DELETE) {
            throw VolumeException.finalFailure(
                    "an orphan is kept (Retain) or deleted (Delete), not " + policy.apiName());
        }
        Optional<String> claimUid = Adoption.claimUid(handle);
        if (policy == ReclaimPolicy.DELETE && claimUid.isEmpty()) {
            throw VolumeException.finalFailure("the name of " + handle
                            + " does not contain the UID of a claim, so a claim may still want it")
                    .withAdvice("adopt it with Retain, look at what is in it, and then change the volume's policy");
        }
        OrphanedStorage orphan = find(context).stream()
                .filter(found -> found.plugin().equals(plugin) && found.handle().equals(handle))
                .findFirst()
                .orElseThrow(() -> VolumeException.finalFailure("plugin " + plugin + " has no orphaned storage "
                        + handle + ": it does not exist, or an object or a node of the cluster uses it"));
        return create(Adoption.byHand(
                plugin,
                handle,
                Math.max(1, orphan.capacityBytes()),
                policy,
                policy == ReclaimPolicy.DELETE ? claimUid.get() : ""));
    }

    private boolean holds(ProvisioningIntent intent, CallContext context) {
        return plugins.byName(intent.plugin())
                .flatMap(VolumePlugin::inventory)
                .map(inventory -> inventory.list(context).volumes().stream()
                        .anyMatch(held -> held.handle().equals(intent.volumeName())))
                .orElse(false);
    }

    private PersistentVolume create(PersistentVolume volume) {
        try {
            PersistentVolume created = (PersistentVolume) calls.writer().create(volume);
            calls.stored(created);
            return created;
        } catch (ClusterException failure) {
            throw ClusterCalls.classified(
                    "give " + volume.metadata().name() + " an object",
                    failure,
                    ClusterCalls.needs("create", volume.kind()));
        }
    }

    private Optional<ApiObject> read(ObjectKey key) {
        try {
            return calls.source().readLive(key);
        } catch (ClusterException failure) {
            throw ClusterCalls.classified("read " + key, failure, ClusterCalls.needs("get", key.kind()));
        }
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
        // A backend may use any handle for storage that a plugin is making. The handle is not known before the object
        // is stored.
        boolean namesOnly = making;
        Users users = reader.users(At.NODES);
        return holdings.volumes().stream()
                .filter(held -> !wanted.contains(held.handle()))
                .filter(held -> users.of(held.handle(), VolumeId.shared(plugin, held.handle()))
                        .isEmpty())
                .filter(held -> !namesOnly || held.handle().startsWith("pvc-"))
                .map(held -> new OrphanedStorage(plugin, held.handle(), held.capacityBytes()))
                .toList();
    }

    private List<ApiObject> list(Kind kind) {
        try {
            return calls.source().list(kind, Selection.all()).objects();
        } catch (ClusterException failure) {
            throw ClusterCalls.classified(
                    "list " + kind.apiName() + " objects", failure, ClusterCalls.needs("list", kind));
        }
    }
}
