package io.volume4j.core.node.report;

import io.volume4j.core.engine.Call;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.engine.Questions;
import io.volume4j.core.node.MountState;
import io.volume4j.core.node.actual.ActualStateOfWorld;
import io.volume4j.core.node.actual.ActualVolume;
import io.volume4j.core.node.desired.DesiredStateOfWorld;
import io.volume4j.core.node.desired.DesiredVolume;
import io.volume4j.core.node.state.MountRow;
import io.volume4j.core.report.PluginAnswer;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.plugin.HealthReporter;
import io.volume4j.spi.plugin.HealthReporter.Health;
import io.volume4j.spi.plugin.HealthReporter.HealthRequest;
import io.volume4j.spi.plugin.StatsReporter.Stats;
import io.volume4j.spi.plugin.VolumePlugin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Queries in rounds the usage of claims' volumes and the health of all wanted volumes on this node. Writes the usage
 * as gauges, and a change of a problem as an event of the volume's pods. A plugin that does not answer changes
 * nothing, and the node takes no step because of an answer. The watch also queries a volume that could not be mounted,
 * because its plugin may know why.
 *
 * <p>It makes a few queries at a time; a query that hangs delays the round until its deadline. Loop thread only.
 */
public final class VolumeWatch {
    private static final int AT_ONCE = 4;

    private final EventLoop loop;
    private final Duration interval;
    private final Duration deadline;
    private final DesiredStateOfWorld desired;
    private final ActualStateOfWorld actual;
    private final UsageCalls usage;
    private final Questions<VolumeId> questions;
    private final NodeEvents events;
    private final ClaimFigures figures;
    private final UnaryOperator<String> withoutSecrets;

    /** The last health that plugins reported, for wanted volumes. */
    private final Map<VolumeId, Health> findings = new HashMap<>();

    private Iterator<VolumeId> round = Collections.emptyIterator();
    private int open;
    private boolean closed;

    /**
     * @param interval from the end of a round to the beginning of the next; zero for no rounds
     * @param deadline of one query
     * @param questions the queries of this watch only, separate from those for usage
     * @param withoutSecrets removes secrets from a text
     */
    public VolumeWatch(
            EventLoop loop,
            Duration interval,
            Duration deadline,
            DesiredStateOfWorld desired,
            ActualStateOfWorld actual,
            UsageCalls usage,
            Questions<VolumeId> questions,
            NodeReports reports,
            UnaryOperator<String> withoutSecrets) {
        this.loop = loop;
        this.interval = interval;
        this.deadline = deadline;
        this.desired = desired;
        this.actual = actual;
        this.usage = usage;
        this.questions = questions;
        this.events = reports.events();
        this.figures = reports.metrics().claimFigures();
        this.withoutSecrets = withoutSecrets;
    }

    /** The node knows the mounts of an earlier run. */
    public void begin() {
        if (!interval.isZero()) {
            loop.schedule(interval, this::beginRound);
        }
    }

    /** Stops all queries, and removes the gauges: the sink may outlive this node. */
    public void close() {
        closed = true;
        figures.keep(id -> false);
        round = Collections.emptyIterator();
    }

    /** The problem of the volume on this node, {@code ""} if there is none or none is known. */
    public String finding(VolumeId id) {
        Health health = findings.get(id);
        return health == null || !health.abnormal() ? "" : health.message();
    }

    private void beginRound() {
        if (!closed) {
            round = new ArrayList<>(desired.volumeIds()).iterator();
            goOn();
        }
    }

    private void goOn() {
        while (open < AT_ONCE && round.hasNext()) {
            VolumeId id = round.next();
            DesiredVolume wanted = desired.volume(id);
            ActualVolume present = actual.volume(id);
            if (wanted != null && present != null) {
                open++;
                look(id, wanted, present);
            }
        }
        if (open == 0 && !closed) {
            findings.keySet().removeIf(id -> desired.volume(id) == null);
            figures.keep(id -> desired.volume(id) != null);
            loop.schedule(interval, this::beginRound);
        }
    }

    /** A query may end while it is being started, so the round continues in a later turn of the loop. */
    private void done() {
        loop.execute(() -> {
            open--;
            goOn();
        });
    }

    private void look(VolumeId id, DesiredVolume wanted, ActualVolume present) {
        ObjectReference claim = claim(wanted);
        @Nullable
        MountRow mount = present.mounts().stream()
                .filter(each -> wanted.use(each.podUid()) != null)
                .findFirst()
                .orElse(null);
        if (claim == null || mount == null || mount.state() != MountState.MOUNTED) {
            askHealth(id, wanted, present, mount);
            return;
        }
        usage.ask(mount.podUid(), wanted.volume(), outcome -> {
            @Nullable Stats stats = outcome.succeeded() ? outcome.requireValue(Stats.class) : null;
            if (stats != null) {
                figures.full(id, claim, stats);
            }
            @Nullable Health condition = stats == null ? null : stats.condition();
            if (condition == null) {
                askHealth(id, wanted, present, mount);
            } else {
                heard(id, condition.mapTexts(withoutSecrets));
                done();
            }
        });
    }

    private void askHealth(VolumeId id, DesiredVolume wanted, ActualVolume present, @Nullable MountRow mount) {
        VolumePlugin plugin = wanted.volume().plugin();
        Optional<HealthReporter> reporter;
        try {
            reporter = plugin.health();
        } catch (Throwable failed) {
            // The plugin failed to state what it reports; the next round tries again.
            reporter = Optional.empty();
        }
        if (reporter.isEmpty()) {
            done();
            return;
        }
        HealthReporter asked = reporter.get();
        HealthRequest request = new HealthRequest(
                id,
                mount == null ? null : usage.pathForPlugin(mount),
                usage.deviceOf(present.row(), present.row().block()));
        questions.ask(
                id,
                "",
                () -> new Call(
                        plugin.name() + " health",
                        Math.max(1, Math.min(AT_ONCE, plugin.maxConcurrentCalls())),
                        deadline,
                        context -> PluginAnswer.of(
                                        asked.healthOnNode(request, context), plugin.name(), asked, "healthOnNode")
                                .mapTexts(withoutSecrets)),
                outcome -> {
                    if (outcome.succeeded()) {
                        heard(id, outcome.requireValue(Health.class));
                    }
                    done();
                });
    }

    private void heard(VolumeId id, Health told) {
        DesiredVolume wanted = desired.volume(id);
        if (wanted == null || closed) {
            return;
        }
        @Nullable Health before = findings.get(id);
        Health now = told.after(before);
        findings.put(id, now);
        ObjectReference claim = claim(wanted);
        if (claim != null && now.reported()) {
            figures.health(id, claim, now.abnormal());
        }
        if (now.abnormal() && !now.equals(before)) {
            events.abnormal(id, now.message());
        } else if (!now.abnormal() && before != null && before.abnormal()) {
            events.normal(id);
        }
    }

    private static @Nullable ObjectReference claim(DesiredVolume wanted) {
        PersistentVolume persistent = wanted.volume().spec().persistentVolume();
        return persistent == null ? null : persistent.spec().claimRef();
    }
}
