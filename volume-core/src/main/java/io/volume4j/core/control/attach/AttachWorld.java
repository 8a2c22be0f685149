package io.volume4j.core.control.attach;

import io.volume4j.core.control.attach.call.AttachCalls;
import io.volume4j.core.control.attach.call.CallLanes;
import io.volume4j.core.control.attach.call.LeaderTerm;
import io.volume4j.core.control.attach.call.RecordText;
import io.volume4j.core.control.attach.plan.AttachKey;
import io.volume4j.core.control.attach.plan.AttachStep;
import io.volume4j.core.control.attach.plan.AttachStep.AskFence;
import io.volume4j.core.control.attach.plan.AttachStep.CheckNode;
import io.volume4j.core.control.attach.plan.AttachStep.Claim;
import io.volume4j.core.control.attach.plan.AttachStep.CreateRecord;
import io.volume4j.core.control.attach.plan.AttachStep.DeleteRecord;
import io.volume4j.core.control.attach.plan.AttachStep.Tell;
import io.volume4j.core.control.attach.plan.AttachStep.Verify;
import io.volume4j.core.control.attach.plan.AttachStep.WriteGrants;
import io.volume4j.core.control.attach.plan.AttachView;
import io.volume4j.core.control.host.ClusterCalls.Written;
import io.volume4j.core.control.host.WriteConflicts;
import io.volume4j.core.engine.Call;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.engine.World;
import io.volume4j.core.operations.LeftoverProcesses;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.Fence;
import io.volume4j.spi.host.FencingAuthority;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.plugin.Observer;
import io.volume4j.spi.plugin.Observer.Observation;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.VolumePlugin;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The engine's view of pairs, nodes and drivers: creates views, creates calls for steps, and applies their outcomes. Loop thread
 * only, except the bodies of calls.
 */
final class AttachWorld implements World<AttachKey, AttachView, AttachStep> {
    private static final String FENCE_LANE = "fencing authority";

    private final AttachIndex state;
    private final ActualStateOfWorld actual;
    private final AttachViews views;
    private final AttachCalls calls;
    private final CallLanes lanes;
    private final RecordMaker records;
    private final CallResults work;
    private final PluginRegistry plugins;
    private final FencingAuthority fencing;
    private final AttachReports reports;
    private final EventLoop loop;
    private final LeaderTerm term;
    private final LeftoverProcesses tools;
    private final AttachOptions options;
    private final WriteConflicts<AttachKey> conflicts = new WriteConflicts<>();

    AttachWorld(
            AttachIndex state,
            ActualStateOfWorld actual,
            AttachViews views,
            AttachCalls calls,
            CallLanes lanes,
            RecordMaker records,
            CallResults work,
            PluginRegistry plugins,
            FencingAuthority fencing,
            AttachReports reports,
            EventLoop loop,
            LeaderTerm term,
            LeftoverProcesses tools,
            AttachOptions options) {
        this.state = state;
        this.actual = actual;
        this.views = views;
        this.calls = calls;
        this.lanes = lanes;
        this.records = records;
        this.work = work;
        this.plugins = plugins;
        this.fencing = fencing;
        this.reports = reports;
        this.loop = loop;
        this.term = term;
        this.tools = tools;
        this.options = options;
    }

    @Override
    public @Nullable AttachView view(AttachKey key) {
        return views.of(key);
    }

    @Override
    public String story(AttachKey key) {
        VolumeState volume = key instanceof AttachKey.Pair pair ? state.volume(pair.volume()) : null;
        return volume == null ? key.toString() : volume.shownName();
    }

    /** Copies one node's pairs at a time, so that no copy has the size of the cluster. */
    @Override
    public Iterator<AttachKey> keys() {
        List<String> nodes = new ArrayList<>();
        state.nodes().forEach(node -> nodes.add(node.name));
        return nodes.stream().flatMap(this::keysOf).iterator();
    }

    private java.util.stream.Stream<AttachKey> keysOf(String name) {
        List<AttachKey> keys = new ArrayList<>();
        NodeState node = state.node(name);
        if (node != null) {
            keys.add(new AttachKey.OfNode(name));
            node.pairs.values().forEach(pair -> keys.add(pair.key));
        }
        return keys.stream();
    }

    @Override
    public void taken(AttachKey key, AttachStep step) {
        if (step instanceof CreateRecord create) {
            creating(create, true);
        }
    }

    @Override
    public void abandoned(AttachKey key, AttachStep step) {
        if (step instanceof CreateRecord create) {
            creating(create, false);
        }
    }

    private void creating(CreateRecord step, boolean value) {
        PairState pair = state.pair(step.volume(), step.node());
        if (pair != null) {
            state.creating(pair, value);
        }
    }

    @Override
    public Call call(AttachKey key, AttachStep step) {
        return switch (step.kind()) {
            case CREATE_RECORD -> create(key, (CreateRecord) step);
            case CLAIM -> {
                Claim claim = (Claim) step;
                boolean direct = views.carriedOutHere(claim.volume().plugin());
                yield toCluster(key, () -> calls.claim(claim, term.generation(), direct));
            }
            case CHECK_NODE -> {
                CheckNode check = (CheckNode) step;
                yield toCluster(key, () -> {
                    calls.read(ObjectKey.node(check.node()), "", check.describe());
                    return null;
                });
            }
            case DELETE_RECORD -> toCluster(key, () -> calls.delete((DeleteRecord) step));
            case WRITE_GRANTS -> toCluster(key, () -> calls.grants((WriteGrants) step));
            case ASK_FENCE -> {
                String node = ((AskFence) step).node();
                yield new Call(FENCE_LANE, 16, options.clusterDeadline(), context -> fencing.fence(node, context));
            }
            case VERIFY -> verify((Verify) step);
            case TELL -> throw new IllegalArgumentException("telling is not a call");
        };
    }

    private Call create(AttachKey key, CreateRecord step) {
        PairState pair = state.pair(step.volume(), step.node());
        if (pair == null) {
            throw new IllegalStateException("nothing is known of " + step.volume() + " on " + step.node());
        }
        actual.findObject(pair.volume);
        VolumeAttachment record = records.make(pair, step.adopt());
        return toCluster(key, () -> calls.create(record));
    }

    private Call toCluster(AttachKey key, java.util.function.Supplier<@Nullable Object> body) {
        return lanes.toCluster(conflicts.patient(key), body);
    }

    /** One call for all attachments that the driver should have, or that its backend reported without a record. */
    private Call verify(Verify step) {
        List<Checked> pairs = new ArrayList<>();
        long asked = loop.nanoTime();
        for (NodeState node : state.nodes()) {
            for (PairState pair : node.pairs.values()) {
                VolumeAttachment record = pair.key.volume().plugin().equals(step.driver()) ? views.record(pair) : null;
                if (record != null
                        && record.status().attached()
                        && !record.metadata().deleting()) {
                    pairs.add(new Checked(pair.key, record));
                }
            }
        }
        for (PairState pair : actual.dangling()) {
            if (pair.key.volume().plugin().equals(step.driver())) {
                pairs.add(new Checked(pair.key, null));
            }
        }
        return lanes.question(step.driver(), context -> {
            Optional<VolumePlugin> plugin = plugins.byName(step.driver());
            // A program of an earlier process must not attach a volume after the backend reported it absent.
            plugin.ifPresent(found -> tools.mustHaveEnded(found, term.generation()));
            Observer observer = plugin.flatMap(VolumePlugin::observer)
                    .orElseThrow(() -> VolumeException.transientFailure(
                            "plugin " + step.driver() + " cannot say now what is attached"));
            // Here and not on the loop, because each state is text that must be read.
            List<Observer.Query> queries = pairs.stream().map(Checked::query).toList();
            return new Verified(asked, pairs, observer.attachments(queries, context));
        });
    }

    /** A volume and a node that a backend is asked about, with the record; null for an attachment without one. */
    private record Checked(AttachKey.Pair key, @Nullable VolumeAttachment record) {
        Observer.Query query() {
            PluginState attached = record == null ? PluginState.none() : RecordText.stateOf(record);
            return new Observer.Query(key.volume(), key.node(), attached);
        }

        String uid() {
            return record == null ? "" : record.metadata().uid();
        }
    }

    /** The answers of a backend, with the time of the query. */
    private record Verified(long asked, List<Checked> pairs, List<Observation> answers) {}

    @Override
    public void completed(AttachKey key, AttachStep step, Outcome outcome) {
        conflicts.ended(key, outcome);
        switch (step.kind()) {
            case CREATE_RECORD -> created((CreateRecord) step, outcome);
            case CLAIM -> {
                // the cache has the store's answer
            }
            case CHECK_NODE -> {
                CheckNode check = (CheckNode) step;
                PairState pair = state.pair(check.volume(), check.node());
                if (outcome.succeeded() && pair != null) {
                    pair.checkedUid = check.uid();
                    state.visit(pair);
                }
            }
            case DELETE_RECORD -> {
                DeleteRecord delete = (DeleteRecord) step;
                if (done(outcome) && delete.force() != null) {
                    reports.forced(delete.volume(), delete.node(), delete.force());
                }
            }
            case WRITE_GRANTS -> {
                WriteGrants write = (WriteGrants) step;
                if (!outcome.succeeded()) {
                    unsure(write);
                } else if (outcome.value() == Written.DONE) {
                    write.forced().forEach((volume, fence) -> reports.forced(volume, write.node(), fence));
                }
            }
            case ASK_FENCE -> asked((AskFence) step, outcome);
            case VERIFY -> verified((Verify) step, outcome);
            case TELL -> {
                Tell tell = (Tell) step;
                PairState pair = state.pair(tell.volume(), tell.node());
                if (pair != null) {
                    pair.told = tell.told();
                    reports.tell(pair, tell.told());
                }
            }
        }
    }

    /** The node may have the new grants although the cache does not show them. Requires another check before any detach. */
    private void unsure(WriteGrants write) {
        NodeState node = state.node(write.node());
        if (node == null) {
            return;
        }
        for (PairState pair : node.pairs.values()) {
            if (!pair.shown && write.tellsOf(pair.key.volume())) {
                pair.checkedUid = "";
                state.visit(pair);
            }
        }
    }

    private static boolean done(Outcome outcome) {
        return outcome.succeeded() && outcome.value() == Written.DONE;
    }

    private void created(CreateRecord step, Outcome outcome) {
        PairState pair = state.pair(step.volume(), step.node());
        if (pair != null) {
            pair.maybeCreated(!outcome.succeeded() && outcome.requireFailure().kind() != FailureKind.FINAL);
        }
        creating(step, false);
        if (pair != null && outcome.succeeded() && outcome.value() instanceof Optional<?> stored) {
            stored.filter(VolumeAttachment.class::isInstance)
                    .map(VolumeAttachment.class::cast)
                    .ifPresent(record -> pair.checkedUid = record.metadata().uid());
            state.visit(pair);
        }
    }

    /** The answer concerns the machine and agent at the time of the request. An agent that started later may use volumes again. */
    private void asked(AskFence step, Outcome outcome) {
        NodeState node = state.node(step.node());
        if (node == null) {
            return;
        }
        node.askFenceAt = loop.nanoTime() + options.askFenceEvery().toNanos();
        if (outcome.succeeded()
                && outcome.value() instanceof Optional<?> answer
                && answer.orElse(null) instanceof Fence fence
                && node.uid.equals(step.uid())
                && node.words.agent().equals(step.agent())
                && !node.healthy()) {
            fenced(node, fence);
        }
    }

    /** Stores evidence that a node is cut off. */
    void fenced(NodeState node, Fence fence) {
        node.fence = fence;
        new ArrayList<>(node.pairs.values()).forEach(state::visit);
    }

    private void verified(Verify step, Outcome outcome) {
        views.verified(step.driver());
        if (!outcome.succeeded()) {
            return;
        }
        Verified verified = outcome.requireValue(Verified.class);
        for (int i = 0; i < verified.pairs().size() && i < verified.answers().size(); i++) {
            observed(
                    verified.pairs().get(i),
                    verified.asked(),
                    verified.answers().get(i));
        }
    }

    /** Only an answer proves absence. Without an answer the pair stays as it was, also if an attach call ended after the query. */
    private void observed(Checked checked, long asked, Observation answer) {
        PairState pair = state.pair(checked.key().volume(), checked.key().node());
        String uid = checked.uid();
        if (pair != null && uid.isEmpty() && answer == Observation.ABSENT) {
            actual.danglesNoMore(pair, asked);
        }
        VolumeAttachment record = pair == null ? null : views.record(pair);
        if (pair == null
                || record == null
                || answer == Observation.UNKNOWN
                || !record.metadata().uid().equals(uid)
                || pair.attaching
                || pair.attachEndedAt >= asked) {
            return;
        }
        boolean absent = answer == Observation.ABSENT;
        boolean before = pair.absent();
        boolean certainBefore = pair.certainlyAbsent();
        pair.reported(absent);
        if (absent != before) {
            work.require(uid).lost = absent;
            if (absent) {
                reports.lost(pair);
            }
        }
        if (absent != before || pair.certainlyAbsent() != certainBefore) {
            state.visit(pair);
        }
    }
}
