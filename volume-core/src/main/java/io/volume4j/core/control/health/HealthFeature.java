package io.volume4j.core.control.health;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.Feature;
import io.volume4j.core.control.host.Host;
import io.volume4j.core.engine.Call;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.engine.Planner;
import io.volume4j.core.objects.ObjectChange;
import io.volume4j.core.report.PluginAnswer;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.plugin.HealthReporter;
import io.volume4j.spi.plugin.HealthReporter.Health;
import io.volume4j.spi.plugin.VolumePlugin;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Asks plugins how bound volumes are, and tells the claims. Loop thread only, but for the bodies of calls. */
public final class HealthFeature implements Feature<HealthView, HealthStep> {
    /** One answer, and the loop time when it was given. */
    private record Answer(Health health, long at) {}

    private final Host host;

    /** What plugins said last about volumes, by the UIDs of their objects. */
    private final Map<String, Answer> answers = new HashMap<>();

    public HealthFeature(Host host) {
        this.host = host;
    }

    @Override
    public List<Kind> decides() {
        return List.of(Kind.PERSISTENT_VOLUME);
    }

    @Override
    public void changed(ObjectChange change) {
        @Nullable ApiObject before = change.before();
        if (before instanceof PersistentVolume && change.after() == null) {
            answers.remove(before.metadata().uid());
        }
    }

    @Override
    public @Nullable HealthView view(ObjectKey key) {
        return host.objects().get(key, PersistentVolume.class).map(this::of).orElse(null);
    }

    private @Nullable HealthView of(PersistentVolume volume) {
        @Nullable PersistentVolumeClaim claim = claimOf(volume);
        @Nullable VolumeId id = claim == null ? null : askable(volume);
        if (claim == null || id == null || claim.metadata().deleting()) {
            return null;
        }
        @Nullable Answer answer = answers.get(volume.metadata().uid());
        return new HealthView(
                volume,
                claim,
                id,
                answer == null ? null : answer.health(),
                answer == null ? 0 : answer.at(),
                host.now(),
                host.told().about(volume.key(), HealthPlanner.TOPIC));
    }

    /** The claim that has the volume; null if they do not name each other. */
    private @Nullable PersistentVolumeClaim claimOf(PersistentVolume volume) {
        @Nullable ObjectReference reference = volume.spec().claimRef();
        if (reference == null || reference.name().isEmpty()) {
            return null;
        }
        return host.objects()
                .get(ObjectKey.claim(reference.namespace(), reference.name()), PersistentVolumeClaim.class)
                .filter(found -> found.metadata().uid().equals(reference.uid())
                        && found.spec().volumeName().equals(volume.metadata().name()))
                .orElse(null);
    }

    /** What the plugin calls the volume; null if it cannot tell how its volumes are. */
    private @Nullable VolumeId askable(PersistentVolume volume) {
        return host.plugins()
                .handlingId(volume)
                .filter(id -> host.plugins()
                        .byName(id.plugin())
                        .flatMap(VolumePlugin::health)
                        .isPresent())
                .orElse(null);
    }

    @Override
    public Planner<HealthView, ClusterStep> planner() {
        return HealthPlanner::plan;
    }

    @Override
    public Class<HealthStep> steps() {
        return HealthStep.class;
    }

    @Override
    public Call call(ObjectKey key, HealthStep step) {
        return host.calls().toPlugin(step.id().plugin(), "", context -> ask(step, context));
    }

    /** Reads how a volume is; has no effect, so that a process that does not lead may ask, too. */
    private Health ask(HealthStep step, CallContext context) {
        String plugin = step.id().plugin();
        HealthReporter reporter = host.plugins()
                .need(plugin)
                .health()
                .orElseThrow(() ->
                        VolumeException.transientFailure("plugin " + plugin + " cannot tell how its volumes are now"));
        // It becomes an event and a condition.
        return PluginAnswer.of(reporter.health(step.id(), context), plugin, reporter, "health")
                .mapTexts(host.plugins()::withoutSecrets);
    }

    @Override
    public void completed(ObjectKey key, HealthStep step, Outcome outcome) {
        boolean there = host.objects()
                .get(step.volumeKey())
                .filter(found -> found.metadata().uid().equals(step.volumeUid()))
                .isPresent();
        // Where the volume is gone meanwhile, no later change would have the answer forgotten.
        if (outcome.succeeded() && there) {
            @Nullable Answer before = answers.get(step.volumeUid());
            Health health = outcome.requireValue(Health.class).after(before == null ? null : before.health());
            answers.put(step.volumeUid(), new Answer(health, host.now()));
        }
    }
}
