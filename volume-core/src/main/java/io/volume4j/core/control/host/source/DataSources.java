package io.volume4j.core.control.host.source;

import io.volume4j.core.control.host.facts.ClaimFacts;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.ReferenceGrant;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumePopulator;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What claims are filled from: a fact of the host. Features that fill volumes read it; features that keep what volumes are filled
 * from publish it here. Loop thread only.
 */
public final class DataSources {
    /** Tells what the plugin calls the snapshot or claim that a claim's volume is made from. */
    @FunctionalInterface
    public interface Contents {
        /**
         * The source with what is known of its content.
         *
         * @param source known, and not refused
         * @param key the claim or snapshot that it is
         */
        DataSource of(PersistentVolumeClaim claim, DataSource source, ObjectKey key);
    }

    private final ObjectCache cache;
    private final List<VolumePopulator> own = new ArrayList<>();
    private boolean rulesRead;
    private @Nullable Contents contents;

    public DataSources(ObjectCache cache) {
        this.cache = cache;
    }

    /** The cache keeps grants and populators, and sources are checked against them. */
    public void readRules() {
        rulesRead = true;
    }

    /** This process fills volumes from objects of that kind, which need no announcement in the cluster. */
    public void announce(String sourceGroup, String sourceKind) {
        own.add(new VolumePopulator(ObjectMeta.named("", sourceKind), sourceGroup, sourceKind, Unmodeled.none()));
    }

    /** The feature that keeps snapshots and claims while volumes are made from them. Without one, plugins find out by themselves. */
    public void contents(Contents known) {
        contents = known;
    }

    /** What the claim is filled from, by all that is known. */
    public DataSource of(PersistentVolumeClaim claim) {
        if (!named(claim)) {
            return DataSource.none();
        }
        DataSource source = DataSource.of(claim, rules());
        @Nullable ObjectKey key = DataSource.sourceOf(claim);
        @Nullable Contents asked = source.known() && source.refusal().isEmpty() ? contents : null;
        return asked == null || key == null ? source : asked.of(claim, source, key);
    }

    /** Claims that wait for a volume that is filled from something. */
    public List<ObjectKey> waiting() {
        return all(Kind.PERSISTENT_VOLUME_CLAIM, PersistentVolumeClaim.class).stream()
                .filter(claim -> named(claim) && ClaimFacts.unbound(claim))
                .map(ApiObject::key)
                .toList();
    }

    /** Whether the claim names something that it is to be filled from. */
    private static boolean named(PersistentVolumeClaim claim) {
        return claim.spec().dataSource() != null || claim.spec().dataSourceRef() != null;
    }

    private DataSource.Rules rules() {
        if (!rulesRead) {
            return new DataSource.Rules(false, false, List.of(), List.of());
        }
        List<VolumePopulator> populators = new ArrayList<>(all(Kind.VOLUME_POPULATOR, VolumePopulator.class));
        populators.addAll(own);
        return new DataSource.Rules(
                true,
                cache.complete(Kind.REFERENCE_GRANT) && cache.complete(Kind.VOLUME_POPULATOR),
                all(Kind.REFERENCE_GRANT, ReferenceGrant.class),
                populators);
    }

    private <T extends ApiObject> List<T> all(Kind kind, Class<T> type) {
        return cache.all(kind).stream().filter(type::isInstance).map(type::cast).toList();
    }
}
