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
import io.volume4j.spi.plugin.HealthReporter.HealthListing;
import io.volume4j.spi.plugin.VolumePlugin;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Asks plugins for the health of bound volumes, and reports it on the claims. Loop thread only, except the bodies of calls. */
public final class HealthFeature implements Feature<HealthView, HealthStep> {
    private final Host host;
    private final HealthListings listings = new HealthListings();

    /** The plugins' last answers about volumes, by the UIDs of the volumes' objects. */
    private final Map<String, Reading> readings = new HashMap<>();

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
            readings.remove(before.metadata().uid());
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
        return new HealthView(
                volume,
                claim,
                id,
                readings.get(volume.metadata().uid()),
                listings.state(id.plugin(), listsHealth(id.plugin()), host.now()),
                host.now(),
                host.told().about(volume.key(), HealthPlanner.TOPIC));
    }

    /** The claim that has the volume; null if they do not refer to each other. */
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

    /** The volume's ID; null if its plugin cannot report health. */
    private @Nullable VolumeId askable(PersistentVolume volume) {
        return host.plugins()
                .handlingId(volume)
                .filter(id -> host.plugins()
                        .byName(id.plugin())
                        .flatMap(VolumePlugin::health)
                        .isPresent())
                .orElse(null);
    }

    private boolean listsHealth(String plugin) {
        return host.plugins()
                .byName(plugin)
                .flatMap(VolumePlugin::health)
                .filter(HealthReporter::lists)
                .isPresent();
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
        if (step instanceof HealthStep.Check check) {
            return host.calls().toPlugin(check.id().plugin(), "", context -> ask(check, context));
        }
        String plugin = ((HealthStep.ListAll) step).plugin();
        return host.calls().toPlugin(plugin, "", context -> list(plugin, context));
    }

    /** Reads the health of a volume. It has no effect, so a process that does not lead may call it too. */
    private Health ask(HealthStep.Check step, CallContext context) {
        String plugin = step.id().plugin();
        HealthReporter reporter = reporter(plugin);
        // The texts become an event and a condition.
        return PluginAnswer.of(reporter.health(step.id(), context), plugin, reporter, "health")
                .mapTexts(host.plugins()::withoutSecrets);
    }

    private HealthListing list(String plugin, CallContext context) {
        HealthReporter reporter = reporter(plugin);
        return PluginAnswer.of(reporter.list(context), plugin, reporter, "list")
                .mapTexts(host.plugins()::withoutSecrets);
    }

    private HealthReporter reporter(String plugin) {
        return host.plugins()
                .need(plugin)
                .health()
                .orElseThrow(() ->
                        VolumeException.transientFailure("plugin " + plugin + " cannot tell how its volumes are now"));
    }

    @Override
    public void taken(ObjectKey key, ClusterStep step) {
        if (step instanceof HealthStep.ListAll list) {
            listings.taken(list.plugin());
        }
    }

    @Override
    public void released(ObjectKey key, ClusterStep step) {
        if (step instanceof HealthStep.ListAll list) {
            listings.released(list.plugin());
        }
    }

    @Override
    public void completed(ObjectKey key, HealthStep step, Outcome outcome) {
        if (step instanceof HealthStep.Check check) {
            checked(check, outcome);
        } else {
            listed(((HealthStep.ListAll) step).plugin(), outcome);
        }
    }

    private void checked(HealthStep.Check step, Outcome outcome) {
        // If the volume is gone meanwhile, no later change would remove the answer.
        if (outcome.succeeded()
                && host.still(step.volumeKey(), step.volumeUid()).isPresent()) {
            Health health = outcome.requireValue(Health.class);
            readings.put(step.volumeUid(), Reading.told(health, readings.get(step.volumeUid()), host.now()));
        }
    }

    /** A failed list says nothing. The controller asks for each volume until the next list is due. */
    private void listed(String plugin, Outcome outcome) {
        listings.ended(plugin, outcome.succeeded(), host.now());
        @Nullable HealthListing listing = outcome.succeeded() ? outcome.requireValue(HealthListing.class) : null;
        host.objects().forEach(Kind.PERSISTENT_VOLUME, (key, object) -> {
            PersistentVolume volume = (PersistentVolume) object;
            @Nullable VolumeId id = claimOf(volume) == null ? null : askable(volume);
            if (id != null && id.plugin().equals(plugin)) {
                if (listing != null && !id.privateToPod()) {
                    read(volume.metadata().uid(), listing.volumes().get(id.name()), listing.complete());
                }
                host.visits().mark(key);
            }
        });
    }

    private void read(String uid, @Nullable Health told, boolean complete) {
        @Nullable Reading before = readings.get(uid);
        if (told != null) {
            readings.put(uid, Reading.told(told, before, host.now()));
        } else if (complete) {
            readings.put(uid, Reading.absent(before, host.now()));
        }
    }
}
