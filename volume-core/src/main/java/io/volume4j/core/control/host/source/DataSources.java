package io.volume4j.core.control.host.source;

import io.volume4j.core.control.host.facts.ClaimFacts;
import io.volume4j.core.control.host.facts.ReferenceIndex;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.core.objects.ObjectChange;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.ReferenceGrant;
import io.volume4j.spi.model.TypedReference;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumePopulator;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The sources of the content of claims, shared by the features of the host. Features that fill volumes read them.
 * Features that protect the sources publish them here. Loop thread only.
 */
public final class DataSources {
    /** Finds the plugin's name for the snapshot or claim that is the source of a claim's volume. */
    @FunctionalInterface
    public interface Contents {
        /**
         * The source, with the knowledge about its content.
         *
         * @param source a known source that is not refused
         * @param key the key of the source: a claim or a snapshot
         */
        DataSource of(PersistentVolumeClaim claim, DataSource source, ObjectKey key);
    }

    private final ObjectCache cache;

    /** Claims that wait for a volume with a source in another namespace, by that namespace. */
    private final ReferenceIndex<String, ObjectKey> waitingByNamespace = new ReferenceIndex<>();

    private final ReferenceIndex<String, ObjectKey> grantsByNamespace = new ReferenceIndex<>();
    private final List<VolumePopulator> own = new ArrayList<>();
    private boolean rulesRead;
    private @Nullable Contents contents;

    public DataSources(ObjectCache cache) {
        this.cache = cache;
    }

    /** Updates the indexes. */
    public void changed(ObjectChange change) {
        if (change.key().kind() == Kind.PERSISTENT_VOLUME_CLAIM) {
            waitingByNamespace.move(change.key(), elsewhere(change.before()), elsewhere(change.after()));
        } else if (change.key().kind() == Kind.REFERENCE_GRANT) {
            grantsByNamespace.move(change.key(), namespace(change.before()), namespace(change.after()));
        }
    }

    private static Set<String> elsewhere(@Nullable ApiObject object) {
        return object instanceof PersistentVolumeClaim claim && ClaimFacts.unbound(claim)
                ? DataSource.reference(claim)
                        .map(TypedReference::namespace)
                        .filter(namespace -> !namespace.equals(claim.metadata().namespace()))
                        .map(Set::of)
                        .orElse(Set.of())
                : Set.of();
    }

    private static Set<String> namespace(@Nullable ApiObject object) {
        return object == null ? Set.of() : Set.of(object.metadata().namespace());
    }

    /** Makes the controller check sources against grants and populators, which the cache then keeps. */
    public void readRules() {
        rulesRead = true;
    }

    /**
     * Declares that this process fills volumes from objects of that kind. Then the cluster needs no VolumePopulator
     * for the kind.
     */
    public void announce(String sourceGroup, String sourceKind) {
        own.add(new VolumePopulator(ObjectMeta.named("", sourceKind), sourceGroup, sourceKind, Unmodeled.none()));
    }

    /**
     * Sets the feature that protects snapshots and claims while plugins create volumes from them. Without this
     * feature, plugins find the sources by themselves.
     */
    public void contents(Contents known) {
        contents = known;
    }

    /** The source of the claim, with all current knowledge. */
    public DataSource of(PersistentVolumeClaim claim) {
        if (!named(claim)) {
            return DataSource.none();
        }
        DataSource source = DataSource.of(claim, rules(claim));
        @Nullable ObjectKey key = DataSource.sourceOf(claim);
        @Nullable Contents asked = source.known() && source.refusal().isEmpty() ? contents : null;
        return asked == null || key == null ? source : asked.of(claim, source, key);
    }

    /** The claims that wait for a volume with a source in that namespace, which is not their own. */
    public Collection<ObjectKey> waitingFor(String namespace) {
        return waitingByNamespace.naming(namespace);
    }

    /** The claims that wait for a volume with a source. */
    public List<ObjectKey> waiting() {
        return all(Kind.PERSISTENT_VOLUME_CLAIM, PersistentVolumeClaim.class).stream()
                .filter(claim -> named(claim) && ClaimFacts.unbound(claim))
                .map(ApiObject::key)
                .toList();
    }

    /** Whether the claim has a data source. */
    private static boolean named(PersistentVolumeClaim claim) {
        return claim.spec().dataSource() != null || claim.spec().dataSourceRef() != null;
    }

    private DataSource.Rules rules(PersistentVolumeClaim claim) {
        if (!rulesRead) {
            return new DataSource.Rules(false, false, List.of(), List.of());
        }
        List<VolumePopulator> populators = new ArrayList<>(all(Kind.VOLUME_POPULATOR, VolumePopulator.class));
        populators.addAll(own);
        return new DataSource.Rules(
                true,
                cache.complete(Kind.REFERENCE_GRANT) && cache.complete(Kind.VOLUME_POPULATOR),
                grants(DataSource.reference(claim)
                        .map(TypedReference::namespace)
                        .orElse("")),
                populators);
    }

    private List<ReferenceGrant> grants(String namespace) {
        return grantsByNamespace.naming(namespace).stream()
                .flatMap(grant -> cache.get(grant, ReferenceGrant.class).stream())
                .toList();
    }

    private <T extends ApiObject> List<T> all(Kind kind, Class<T> type) {
        return cache.all(kind).stream().filter(type::isInstance).map(type::cast).toList();
    }
}
