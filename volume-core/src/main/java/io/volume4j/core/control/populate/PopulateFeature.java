package io.volume4j.core.control.populate;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.Feature;
import io.volume4j.core.control.host.Host;
import io.volume4j.core.control.host.facts.ClaimFacts;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.core.engine.Call;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.engine.Planner;
import io.volume4j.core.objects.ObjectChange;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.TypedReference;
import io.volume4j.spi.plugin.Populator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Lets populators of this process fill volumes before claims get them. Loop thread only, except the bodies of calls. */
public final class PopulateFeature implements Feature<PopulateView, PopulateStep> {
    /** Concurrent calls of one populator. The filling itself runs outside of the calls. */
    private static final int CALLS = 8;

    private final Host host;
    private final Populators populators;

    /** Outcomes of filling volumes, by the UIDs of their claims. */
    private final Map<String, Filling> fillings = new HashMap<>();

    public PopulateFeature(Host host, Populators populators) {
        this.host = host;
        this.populators = populators;
        populators.all().forEach(own -> host.sources().announce(own.sourceGroup(), own.sourceKind()));
    }

    @Override
    public List<Kind> decides() {
        return List.of(Kind.PERSISTENT_VOLUME_CLAIM);
    }

    @Override
    public void changed(ObjectChange change) {
        if (change.key().kind() == Kind.PERSISTENT_VOLUME_CLAIM) {
            markTarget(change.before());
            markTarget(change.after());
            @Nullable ApiObject before = change.before();
            if (before != null && change.after() == null) {
                fillings.remove(before.metadata().uid());
            }
        }
    }

    /** Marks the claim for which the prime claim has a volume. */
    private void markTarget(@Nullable ApiObject object) {
        if (object instanceof PersistentVolumeClaim prime) {
            Prime.target(prime).ifPresent(host.visits()::markIfThere);
        }
    }

    @Override
    public @Nullable PopulateView view(ObjectKey key) {
        return host.objects()
                .get(key)
                .map(object -> object instanceof PersistentVolumeClaim claim ? of(claim) : null)
                .orElse(null);
    }

    /** Most claims have no such source, or were filled long ago. */
    private @Nullable PopulateView of(PersistentVolumeClaim claim) {
        @Nullable TypedReference reference = populators.source(claim).orElse(null);
        boolean begun = claim.metadata().finalizers().contains(Prime.FINALIZER);
        if (reference == null || (!begun && claim.status().phase() == ClaimPhase.BOUND)) {
            return null;
        }
        String uid = claim.metadata().uid();
        if (!begun) {
            // Outcomes of an earlier filling are not valid for the next one.
            fillings.remove(uid);
        }
        Lookup<PersistentVolumeClaim> prime = host.known()
                .lookup(
                        host.objects().get(Prime.key(populators.namespace(), claim), PersistentVolumeClaim.class),
                        Kind.PERSISTENT_VOLUME_CLAIM,
                        claim.key());
        long epoch = host.lead().epoch();
        return new PopulateView(
                claim,
                populators.namespace(),
                host.sources().of(claim),
                reference,
                claim.className().isEmpty()
                        ? Lookup.unnamed()
                        : host.known()
                                .lookup(ClaimFacts.classOf(claim, host.objects()), Kind.STORAGE_CLASS, claim.key()),
                prime,
                volumeOf(prime, claim.key()),
                given(claim),
                filling(uid).of(epoch),
                host.lead().leftUntil(uid, PopulatePlanner.TOPIC, Prime.leaderOf(claim)),
                host.now(),
                epoch,
                host.told().about(claim.key(), PopulatePlanner.TOPIC));
    }

    private Lookup<PersistentVolume> volumeOf(Lookup<PersistentVolumeClaim> prime, ObjectKey asking) {
        if (!prime.found()
                || prime.get().status().phase() != ClaimPhase.BOUND
                || prime.get().spec().volumeName().isEmpty()) {
            return Lookup.unnamed();
        }
        return host.known()
                .lookup(
                        host.objects()
                                .get(ObjectKey.volume(prime.get().spec().volumeName()), PersistentVolume.class)
                                .filter(found -> ClaimFacts.has(prime.get(), found)),
                        Kind.PERSISTENT_VOLUME,
                        asking);
    }

    private boolean given(PersistentVolumeClaim claim) {
        return !claim.spec().volumeName().isEmpty()
                || host.uses().volumesByClaim().naming(claim.key()).stream()
                        .anyMatch(found -> ClaimFacts.has(claim, found));
    }

    private Filling filling(String claimUid) {
        return fillings.getOrDefault(claimUid, Filling.nothing());
    }

    @Override
    public Planner<PopulateView, ClusterStep> planner() {
        return PopulatePlanner::plan;
    }

    @Override
    public Class<PopulateStep> steps() {
        return PopulateStep.class;
    }

    @Override
    public Call call(ObjectKey key, PopulateStep step) {
        return switch (step.kind()) {
            case FILL -> {
                PopulateStep.Fill fill = (PopulateStep.Fill) step;
                yield toPopulator(fill.request().source(), fill.epoch(), (populator, context) -> {
                    return populator.fill(fill.request(), context);
                });
            }
            case CLEAN_UP -> {
                PopulateStep.CleanUp cleanUp = (PopulateStep.CleanUp) step;
                yield toPopulator(cleanUp.source(), cleanUp.epoch(), (populator, context) -> {
                    populator.cleanUp(cleanUp.request(), context);
                    return null;
                });
            }
        };
    }

    /** The work of a populator; on a worker. */
    private interface Body {
        @Nullable
        Object run(Populator populator, CallContext context);
    }

    private Call toPopulator(TypedReference source, long epoch, Body body) {
        return host.calls().toLane("populator of " + source.kind(), CALLS, context -> {
            Populator populator = populators
                    .of(source)
                    .orElseThrow(() -> VolumeException.transientFailure(
                            "nothing here fills volumes from objects of kind " + source.kind()));
            host.lead().mustOutlast(epoch, context);
            return body.run(populator, context);
        });
    }

    @Override
    public void completed(ObjectKey key, PopulateStep step, Outcome outcome) {
        switch (step.kind()) {
            case FILL -> filled((PopulateStep.Fill) step, outcome);
            case CLEAN_UP -> cleanedUp((PopulateStep.CleanUp) step, outcome);
        }
    }

    private void filled(PopulateStep.Fill step, Outcome outcome) {
        String uid = step.request().claimUid();
        if (!isThere(step.claim(), uid)) {
            return;
        }
        String volume = step.request().volume().metadata().uid();
        Filling memory = filling(uid).of(step.epoch());
        if (!outcome.succeeded()) {
            fillings.put(uid, memory.fillFailed(volume, outcome.requireFailure()));
            return;
        }
        Populator.Progress progress = outcome.requireValue(Populator.Progress.class);
        fillings.put(
                uid,
                progress.done()
                        ? memory.filled(volume)
                        : memory.notBefore(volume, host.now() + progress.again().toNanos()));
    }

    private void cleanedUp(PopulateStep.CleanUp step, Outcome outcome) {
        String uid = step.request().claimUid();
        if (isThere(step.claim(), uid)) {
            Filling memory = filling(uid).of(step.epoch());
            fillings.put(
                    uid, outcome.succeeded() ? memory.cleanedUp() : memory.cleanUpFailed(outcome.requireFailure()));
        }
    }

    /** If the claim is gone meanwhile, no later change would remove its outcomes. */
    private boolean isThere(ObjectKey claim, String uid) {
        return host.still(claim, uid).isPresent();
    }
}
