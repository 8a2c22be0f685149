package io.volume4j.core.control.modify;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.Feature;
import io.volume4j.core.control.host.Host;
import io.volume4j.core.control.host.PlanBuilder;
import io.volume4j.core.control.host.facts.ClaimFacts;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.core.engine.Call;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.engine.Planner;
import io.volume4j.core.objects.ObjectChange;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.EventSink.Event;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.VolumeAttributesClass;
import io.volume4j.spi.plugin.Modifier;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Gives volumes the attributes that their claims request. Loop thread only, except the bodies of calls. */
public final class ModifyFeature implements Feature<ModifyView, ModifyStep> {
    private final Host host;
    private final String only;

    /** By the UIDs of claims. */
    private final Map<String, ModifyMemory> memories = new HashMap<>();

    /** @param only the plugin whose volumes it changes, {@code ""} for all */
    public ModifyFeature(Host host, String only) {
        this.host = host;
        this.only = only;
    }

    @Override
    public Set<Kind> watches() {
        return Set.of(Kind.VOLUME_ATTRIBUTES_CLASS);
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
                @Nullable ApiObject before = change.before();
                if (before != null && change.after() == null) {
                    memories.remove(before.metadata().uid());
                }
            }
            case PERSISTENT_VOLUME -> host.visits().markIfThere(host.uses().claimsOfVolume(key.name()));
            case VOLUME_ATTRIBUTES_CLASS ->
                host.visits().markIfThere(host.uses().namingAttributesClass(key.name()));
            default -> {
                // has no effect on attributes
            }
        }
    }

    @Override
    public @Nullable ModifyView view(ObjectKey key) {
        return host.objects()
                .get(key, PersistentVolumeClaim.class)
                .map(this::of)
                .orElse(null);
    }

    private @Nullable ModifyView of(PersistentVolumeClaim claim) {
        String uid = claim.metadata().uid();
        if (claim.spec().volumeName().isEmpty()) {
            // Another program may have removed the volume's name from a bound claim.
            return null;
        }
        if (claim.status().phase() != ClaimPhase.BOUND || !concerned(claim)) {
            memories.remove(uid);
            return null;
        }
        @Nullable
        PersistentVolume volume = ClaimFacts.volumeOf(claim, host.objects()).orElse(null);
        if (volume == null) {
            return null;
        }
        VolumeSpec spec = host.plugins().migration().specIfPossible(volume, false);
        Optional<VolumePlugin> plugin = host.plugins().handling(spec);
        String name = plugin.map(VolumePlugin::name).orElse("");
        if (!only.isEmpty() && !only.equals(name)) {
            return null;
        }
        long epoch = host.lead().epoch();
        return new ModifyView(
                claim,
                volume,
                name,
                plugin.flatMap(found -> found.modifier(spec)).isPresent(),
                attributes(claim.spec().volumeAttributesClassName(), claim.key()),
                attributes(ModifyPlanner.begunClass(claim), claim.key()),
                memory(uid).of(epoch, volume.metadata().uid()),
                host.lead().leftUntil(uid, ModifyPlanner.TOPIC, ModifyPlanner.leaderOf(claim)),
                host.now(),
                epoch,
                host.told().about(claim.key(), ModifyPlanner.TOPIC));
    }

    /** Whether a change is requested or running. Most claims request none and need no further check. */
    private static boolean concerned(PersistentVolumeClaim claim) {
        return !ModifyPlanner.begunClass(claim).isEmpty()
                || !claim.spec()
                        .volumeAttributesClassName()
                        .equals(claim.status().currentVolumeAttributesClassName());
    }

    private Lookup<VolumeAttributesClass> attributes(String name, ObjectKey asking) {
        return name.isEmpty()
                ? Lookup.unnamed()
                : host.known()
                        .lookup(
                                host.objects()
                                        .get(
                                                new ObjectKey(Kind.VOLUME_ATTRIBUTES_CLASS, "", name),
                                                VolumeAttributesClass.class),
                                Kind.VOLUME_ATTRIBUTES_CLASS,
                                asking);
    }

    private ModifyMemory memory(String claimUid) {
        return memories.getOrDefault(claimUid, ModifyMemory.nothing());
    }

    @Override
    public Planner<ModifyView, ClusterStep> planner() {
        return ModifyPlanner::plan;
    }

    @Override
    public Class<ModifyStep> steps() {
        return ModifyStep.class;
    }

    @Override
    public Call call(ObjectKey key, ModifyStep step) {
        return host.calls().toPlugin(step.plugin(), step.volume().className(), context -> {
            modify(step, context);
            return null;
        });
    }

    private void modify(ModifyStep step, CallContext context) {
        VolumeSpec spec = host.plugins().migration().specIfPossible(step.volume(), false);
        Modifier modifier = host.ready(step.plugin(), step.epoch())
                .modifier(spec)
                .orElseThrow(() -> VolumeException.transientFailure(
                        "plugin " + step.plugin() + " cannot change the attributes of volume " + spec.name() + " now"));
        host.lead().mustOutlast(step.epoch(), context);
        modifier.modify(new Modifier.ModifyRequest(spec, step.target().parameters()), context);
    }

    @Override
    public void completed(ObjectKey key, ModifyStep step, Outcome outcome) {
        @Nullable ApiObject claim = host.still(step.claim(), step.claimUid()).orElse(null);
        if (claim == null) {
            return;
        }
        ModifyMemory memory = memory(step.claimUid())
                .of(step.epoch(), step.volume().metadata().uid());
        String asked = step.target().metadata().name();
        if (outcome.succeeded()) {
            memories.put(step.claimUid(), memory.changed(asked));
            host.events()
                    .event(PlanBuilder.event(
                            Event.Type.NORMAL,
                            claim,
                            ModifyReason.VOLUME_MODIFY_SUCCESSFUL,
                            "the volume has the attributes of class " + asked));
        } else {
            memories.put(step.claimUid(), memory.failed(outcome.requireFailure(), asked, host.now()));
        }
    }
}
