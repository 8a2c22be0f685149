package io.volume4j.core.control.expand;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.Feature;
import io.volume4j.core.control.host.Host;
import io.volume4j.core.control.host.PlanBuilder;
import io.volume4j.core.control.host.facts.ClaimFacts;
import io.volume4j.core.control.host.facts.ReferenceIndex;
import io.volume4j.core.control.host.facts.VolumeUse;
import io.volume4j.core.engine.Call;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.engine.Planner;
import io.volume4j.core.objects.ObjectChange;
import io.volume4j.core.report.PluginAnswer;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.EventSink.Event;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ResizeStatus;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.plugin.Expander;
import io.volume4j.spi.plugin.Expander.ExpandResult;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Expands volumes to the sizes that their claims request. Loop thread only, except the bodies of calls. */
public final class ExpandFeature implements Feature<ExpandView, ExpandStep> {
    private final Host host;
    private final String only;

    /** By the UIDs of claims. */
    private final Map<String, ExpandMemory> memories = new HashMap<>();

    private final Map<String, NodeRefusal> refusals = new HashMap<>();

    /** Claims that request more than they have, by class. */
    private final ReferenceIndex<String, ObjectKey> growingByClass = new ReferenceIndex<>();

    /** @param only the plugin whose volumes it expands, {@code ""} for all */
    public ExpandFeature(Host host, String only) {
        this.host = host;
        this.only = only;
    }

    @Override
    public List<Kind> decides() {
        return List.of(Kind.PERSISTENT_VOLUME_CLAIM);
    }

    @Override
    public void changed(ObjectChange change) {
        ObjectKey key = change.key();
        switch (key.kind()) {
            case PERSISTENT_VOLUME_CLAIM -> {
                growingByClass.move(key, growing(change.before()), growing(change.after()));
                @Nullable ApiObject before = change.before();
                if (before != null && change.after() == null) {
                    memories.remove(before.metadata().uid());
                    refusals.remove(before.metadata().uid());
                }
            }
            case PERSISTENT_VOLUME -> host.visits().markIfThere(host.uses().claimsOfVolume(key.name()));
            case POD -> host.visits().markIfThere(VolumeUse.claimsOf(change));
            case STORAGE_CLASS -> host.visits().markIfThere(growingByClass.naming(key.name()));
            default -> {
                // has no effect on sizes
            }
        }
    }

    private static Set<String> growing(@Nullable ApiObject object) {
        return object instanceof PersistentVolumeClaim claim && wantsMore(claim) ? Set.of(claim.className()) : Set.of();
    }

    private static boolean wantsMore(PersistentVolumeClaim claim) {
        @Nullable Quantity has = claim.status().capacity();
        @Nullable Quantity wants = claim.spec().request();
        return has != null && wants != null && wants.compareTo(has) > 0;
    }

    @Override
    public @Nullable ExpandView view(ObjectKey key) {
        return host.objects()
                .get(key, PersistentVolumeClaim.class)
                .map(this::of)
                .orElse(null);
    }

    private @Nullable ExpandView of(PersistentVolumeClaim claim) {
        String uid = claim.metadata().uid();
        if (claim.spec().volumeName().isEmpty()) {
            // Another program may have removed the volume's name from a bound claim.
            return null;
        }
        boolean bound = claim.status().phase() == ClaimPhase.BOUND;
        boolean concerned = bound && (ResizeStatus.of(claim) != ResizeStatus.NONE || wantsMore(claim));
        if (!concerned) {
            memories.remove(uid);
            refusals.remove(uid);
        }
        @Nullable
        PersistentVolume volume =
                bound ? ClaimFacts.volumeOf(claim, host.objects()).orElse(null) : null;
        // Most claims request no change and need no further check.
        if (volume == null || (!concerned && !ExpandPlanner.leftOver(volume))) {
            return null;
        }
        ExpanderInfo expander = expander(volume);
        return only.isEmpty() || only.equals(expander.plugin()) ? view(claim, volume, expander) : null;
    }

    private ExpandView view(PersistentVolumeClaim claim, PersistentVolume volume, ExpanderInfo expander) {
        String uid = claim.metadata().uid();
        boolean refused = ResizeStatus.of(claim) == ResizeStatus.NODE_INFEASIBLE;
        if (!refused) {
            refusals.remove(uid);
        }
        long now = host.now();
        long epoch = host.lead().epoch();
        return new ExpandView(
                claim,
                volume,
                expander,
                ClaimFacts.classOf(claim, host.objects())
                        .map(StorageClass::allowVolumeExpansion)
                        .orElse(true),
                host.uses().podsKeeping(claim.key(), pod -> !pod.terminated()),
                host.known().all(Kind.POD, claim.key()),
                memory(uid).of(epoch, volume.metadata().uid()),
                refused ? refusals.computeIfAbsent(uid, key -> new NodeRefusal(now, requested(claim))) : null,
                host.lead().leftUntil(uid, ExpandPlanner.TOPIC, ExpandPlanner.leaderOf(claim)),
                now,
                epoch,
                host.told().about(claim.key(), ExpandPlanner.TOPIC));
    }

    /** The plugin that can expand the volume. */
    private ExpanderInfo expander(PersistentVolume volume) {
        VolumeSpec spec = host.plugins().migration().specIfPossible(volume, false);
        return host.plugins()
                .handling(spec)
                .map(plugin -> {
                    Optional<Expander> expander = plugin.expander(spec);
                    return new ExpanderInfo(
                            plugin.name(),
                            expander.isPresent(),
                            plugin.nodeExpander(spec).isPresent(),
                            expander.map(Expander::online).orElse(true));
                })
                .orElse(ExpanderInfo.none());
    }

    private static long requested(PersistentVolumeClaim claim) {
        @Nullable Quantity wants = claim.spec().request();
        return wants == null ? 0 : wants.bytes();
    }

    private ExpandMemory memory(String claimUid) {
        return memories.getOrDefault(claimUid, ExpandMemory.nothing());
    }

    @Override
    public Planner<ExpandView, ClusterStep> planner() {
        return ExpandPlanner::plan;
    }

    @Override
    public Class<ExpandStep> steps() {
        return ExpandStep.class;
    }

    @Override
    public Call call(ObjectKey key, ExpandStep step) {
        return host.calls().toPlugin(step.plugin(), step.volume().className(), context -> expand(step, context));
    }

    private ExpandResult expand(ExpandStep step, CallContext context) {
        VolumeSpec spec = host.plugins().migration().specIfPossible(step.volume(), false);
        Expander expander = host.ready(step.plugin(), step.epoch())
                .expander(spec)
                .orElseThrow(() -> VolumeException.transientFailure(
                        "plugin " + step.plugin() + " cannot expand volume " + spec.name() + " now"));
        host.lead().mustOutlast(step.epoch(), context);
        ExpandResult result = PluginAnswer.of(
                expander.expand(new Expander.ExpandRequest(spec, step.newBytes(), step.oldBytes()), context),
                step.plugin(),
                expander,
                "expand");
        if (result.capacityBytes() < step.newBytes()) {
            throw VolumeException.uncertain("plugin " + step.plugin() + " expanded volume " + spec.name() + " to "
                    + result.capacityBytes() + " bytes, asked for were " + step.newBytes());
        }
        return result;
    }

    @Override
    public void completed(ObjectKey key, ExpandStep step, Outcome outcome) {
        @Nullable ApiObject claim = host.still(step.claim(), step.claimUid()).orElse(null);
        if (claim == null) {
            return;
        }
        ExpandMemory memory = memory(step.claimUid())
                .of(step.epoch(), step.volume().metadata().uid());
        if (!outcome.succeeded()) {
            memories.put(step.claimUid(), memory.failed(outcome.requireFailure(), step.newBytes(), host.now()));
            return;
        }
        ExpandResult result = outcome.requireValue(ExpandResult.class);
        memories.put(step.claimUid(), memory.grown(result.capacityBytes(), result.nodeExpansionRequired()));
        if (!result.nodeExpansionRequired()) {
            host.events()
                    .event(PlanBuilder.event(
                            Event.Type.NORMAL,
                            claim,
                            ExpandReason.VOLUME_RESIZE_SUCCESSFUL,
                            "the volume was expanded"));
        }
    }
}
