package io.volume4j.core.control.attach;

import io.volume4j.core.control.attach.call.AttachCalls;
import io.volume4j.core.control.attach.call.CallLanes;
import io.volume4j.core.control.attach.call.LeaderTerm;
import io.volume4j.core.control.attach.call.RecordCalls;
import io.volume4j.core.control.attach.call.RecordText;
import io.volume4j.core.control.attach.call.Reservation;
import io.volume4j.core.control.attach.plan.DetachDecision;
import io.volume4j.core.control.attach.plan.PairView;
import io.volume4j.core.control.attach.plan.RecordStep;
import io.volume4j.core.control.attach.plan.RecordView;
import io.volume4j.core.control.attach.plan.RecordView.Subject;
import io.volume4j.core.control.host.ClusterCalls.Written;
import io.volume4j.core.control.host.WriteConflicts;
import io.volume4j.core.driver.DriverObjects;
import io.volume4j.core.engine.Call;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.engine.World;
import io.volume4j.core.grants.AttacherName;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.core.objects.VolumeStory;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.plugin.Attacher.AttachRequest;
import io.volume4j.spi.plugin.Attacher.AttachResult;
import io.volume4j.spi.plugin.EffectModel;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * VolumeAttachments that the controller carries out itself. Their pairs decide whether a call is allowed. The rest is the same as
 * in an external attacher. Loop thread only, except the bodies of calls.
 */
final class DirectRecords implements World<ObjectKey, RecordView, RecordStep> {
    private final ObjectCache cache;
    private final DriverObjects drivers;
    private final AttachIndex state;
    private final ActualStateOfWorld actual;
    private final AttachViews views;
    private final RecordCalls calls;
    private final CallLanes lanes;
    private final RecordCalls.Stamp stamp;
    private final CallResults work;
    private final PluginRegistry plugins;
    private final AttachReports reports;
    private final EventLoop loop;
    private final LeaderTerm term;
    private final AttachOptions options;
    private final WriteConflicts<ObjectKey> conflicts = new WriteConflicts<>();

    DirectRecords(
            ObjectCache cache,
            AttachIndex state,
            ActualStateOfWorld actual,
            AttachViews views,
            RecordCalls calls,
            CallLanes lanes,
            RecordCalls.Stamp stamp,
            CallResults work,
            PluginRegistry plugins,
            AttachReports reports,
            EventLoop loop,
            LeaderTerm term,
            AttachOptions options) {
        this.cache = cache;
        this.drivers = new DriverObjects(cache);
        this.state = state;
        this.actual = actual;
        this.views = views;
        this.calls = calls;
        this.lanes = lanes;
        this.stamp = stamp;
        this.work = work;
        this.plugins = plugins;
        this.reports = reports;
        this.loop = loop;
        this.term = term;
        this.options = options;
    }

    @Override
    public String story(ObjectKey key) {
        return VolumeStory.of(key, cache);
    }

    /** A record that is attached has no work until its pair visits it, so a controller at rest visits none. */
    @Override
    public Iterator<ObjectKey> keys() {
        return actual.open().iterator();
    }

    @Override
    public @Nullable RecordView view(ObjectKey key) {
        if (!term.goesOn()) {
            return null;
        }
        if (key.kind() == Kind.PERSISTENT_VOLUME) {
            return freed(key);
        }
        VolumeAttachment record = cache.get(key, VolumeAttachment.class).orElse(null);
        if (record == null || !direct(record)) {
            return null;
        }
        VolumeId id = actual.identify(record);
        PairState pair = id == null ? null : state.pair(id, record.spec().nodeName());
        if (id == null || pair == null) {
            return null;
        }
        CallResults.Entry known = work.of(record.metadata().uid());
        boolean attached = record.status().attached();
        boolean deleting = record.metadata().deleting();
        boolean lost = known != null && known.lost;
        boolean answered = known != null && known.result != null;
        if (attached && !deleting && !lost && !answered) {
            return null;
        }
        PairView view = views.pair(pair);
        return new RecordView(
                Subject.ATTACHMENT,
                key.name(),
                record.metadata().uid(),
                record.metadata().resourceVersion(),
                id.toString(),
                record.spec().nodeName(),
                pair.volume.oneNodeOnly,
                stamp.ours(record, term),
                stamp.held(record),
                attached,
                deleting,
                lost,
                answered,
                reserved(pair, record),
                false,
                known != null && known.detached,
                mayAttach(view, pair, record),
                mayDetach(view, record),
                deleting ? DetachDecision.of(view).lookAgainAt() : Long.MAX_VALUE,
                // only of an attach: while the record is being deleted, the error would appear as that of a detach
                known == null || !known.exhausted || deleting ? "" : known.errorBeside(record),
                deleting ? pair.attachSettledAt : pair.volume.settledFor(pair.node.name),
                loop.nanoTime());
    }

    /**
     * Whether this process carries the record out: no external attacher has its driver, and its plugin is here or the record is
     * marked.
     */
    private boolean direct(VolumeAttachment record) {
        String driver = AttacherName.plugin(record);
        return views.carriedOutHere(driver)
                || (AttachCalls.marked(record) && !options.externalAttachers().contains(driver));
    }

    /**
     * An external attacher, which this controller replaced, kept the volume's object and will not remove its finalizer any more.
     */
    private @Nullable RecordView freed(ObjectKey key) {
        PersistentVolume volume = cache.get(key, PersistentVolume.class).orElse(null);
        if (volume == null
                || !volume.metadata().deleting()
                || volume.metadata().finalizers().isEmpty()
                || !cache.complete(Kind.VOLUME_ATTACHMENT)) {
            return null;
        }
        VolumeId id = actual.idOf(key.name()).orElse(null);
        if (id == null
                || !views.carriedOutHere(id.plugin())
                || !stamp.keeps(id.plugin(), volume.metadata())
                || needed(key, id)) {
            return null;
        }
        return RecordView.freedVolume(
                key.name(),
                volume.metadata().uid(),
                volume.metadata().resourceVersion(),
                id.toString(),
                loop.nanoTime());
    }

    /**
     * Whether a node has or may have the volume, or a record names the object and its own volume is not known. With Kubernetes'
     * names most volumes come here when they are deleted, so this looks at the pairs of that volume, and at no other record.
     */
    private boolean needed(ObjectKey key, VolumeId id) {
        VolumeState known = state.volume(id);
        if (known != null && known.occupied()) {
            known.leaves(key);
            return true;
        }
        return actual.unidentified(key.name());
    }

    /** A reservation is necessary only with names that contain the node: the store does not refuse a second record then. */
    private boolean reserved(PairState pair, VolumeAttachment record) {
        PersistentVolume volume = pair.volume.oneNodeOnly && options.kubernetesNames() ? object(record) : null;
        return volume == null || Reservation.of(volume).isOf(record);
    }

    private @Nullable PersistentVolume object(VolumeAttachment record) {
        String name = record.spec().persistentVolumeName();
        return name.isEmpty()
                ? null
                : cache.get(ObjectKey.volume(name), PersistentVolume.class).orElse(null);
    }

    private String mayAttach(PairView view, PairState pair, VolumeAttachment record) {
        if (!view.unknown().isEmpty()) {
            return view.unknown();
        }
        if (!view.managed()) {
            return "not handled here: volumes of node " + view.node() + " are not attached from here";
        }
        if (!view.desired()) {
            return "no pod wants it on node " + view.node() + " any more";
        }
        PairView.Recorded best = view.record();
        if (best == null || !best.uid().equals(record.metadata().uid())) {
            return "another VolumeAttachment records the same";
        }
        if (view.oneNodeOnly() && !view.holders().isEmpty()) {
            return "only one node may have it, and " + view.holders().get(0).node() + " has it or may have it";
        }
        String name = record.spec().persistentVolumeName();
        if (!name.isEmpty() && cache.get(ObjectKey.volume(name)).isEmpty()) {
            return "until PersistentVolume " + OneLine.name(name) + " is there";
        }
        return plugins.byName(pair.key.volume().plugin()).isPresent()
                ? ""
                : "for plugin " + pair.key.volume().plugin() + " to be registered";
    }

    /**
     * The intent alone does not allow the detach. The program that deleted the record possibly did not ask the node. Another record
     * for the same attachment may exist, by which the node has the volume or gets it.
     */
    private static String mayDetach(PairView view, VolumeAttachment record) {
        if (!view.unknown().isEmpty()) {
            return view.unknown();
        }
        if (!view.managed()) {
            return "not handled here: volumes of node " + view.node() + " are not detached from here";
        }
        if (!view.doubt().isEmpty()) {
            return view.doubt();
        }
        PairView.Recorded best = view.record();
        if (best != null
                && !best.deleting()
                && !best.uid().equals(record.metadata().uid())) {
            return "another VolumeAttachment records the same";
        }
        DetachDecision verdict = DetachDecision.of(view);
        if (!verdict.allowed()) {
            return verdict.why();
        }
        if (view.shown() && view.nodeThere()) {
            return "until the node's object no longer shows the attachment";
        }
        boolean ours = best != null && best.ours();
        return ours && !view.nodeChecked() && view.nodeThere() ? "until the node was looked at" : "";
    }

    @Override
    public Call call(ObjectKey key, RecordStep step) {
        if (step.kind() == RecordStep.Kind.RELEASE_VOLUME) {
            PersistentVolume freed = cache.get(key, PersistentVolume.class)
                    .orElseThrow(() -> new IllegalStateException("no PersistentVolume " + key.name()));
            String driver = VolumeId.parse(step.volume()).plugin();
            return toCluster(key, () -> calls.releaseVolume(driver, freed));
        }
        VolumeAttachment record = cache.get(key, VolumeAttachment.class)
                .orElseThrow(() -> new IllegalStateException("no VolumeAttachment " + key.name()));
        VolumeId volume = VolumeId.parse(step.volume());
        CallResults.Entry known = work.of(step.uid());
        return switch (step.kind()) {
            case CLAIM -> toCluster(key, () -> calls.claim(record, volume));
            case RESERVE -> {
                PersistentVolume reserved = object(record);
                if (reserved == null) {
                    throw new IllegalStateException(
                            "no PersistentVolume " + record.spec().persistentVolumeName());
                }
                yield toCluster(key, () -> calls.reserve(record, reserved));
            }
            case ATTACH -> {
                AttachRequest request = new AttachRequest(
                        described(spec(record, volume), volume),
                        volume,
                        record.spec().nodeName(),
                        false,
                        RecordText.stateOf(record));
                yield toDriver(record, context -> calls.attach(record, request, context));
            }
            case RECORD_ATTACHED -> {
                AttachResult result = known == null || known.result == null ? AttachResult.at("") : known.result;
                yield toCluster(key, () -> calls.recordAttached(record, result));
            }
            case DETACH -> {
                VolumeSpec spec = specIfKnown(record, volume);
                yield toDriver(record, context -> {
                    calls.detach(record, volume, spec, context);
                    return null;
                });
            }
            case RELEASE ->
                toCluster(key, () -> {
                    calls.release(record);
                    calls.look(key, step.uid());
                    return null;
                });
            case RECORD_ERROR -> toCluster(key, () -> calls.recordError(record, step.detail(), true, loop.now()));
            case RELEASE_VOLUME -> throw new IllegalArgumentException("of a volume, not of an attachment");
        };
    }

    /** With the settings of its driver, which the plugin may need to know whether and how it attaches. */
    private VolumeSpec described(VolumeSpec spec, VolumeId volume) {
        return drivers.describe(spec, plugins.byName(volume.plugin()).orElse(null))
                .spec();
    }

    private @Nullable VolumeSpec specIfKnown(VolumeAttachment record, VolumeId volume) {
        String name = record.spec().persistentVolumeName();
        boolean known = name.isEmpty() ? record.spec().inlineVolumeSpec() != null : object(record) != null;
        return known ? described(spec(record, volume), volume) : null;
    }

    private VolumeSpec spec(VolumeAttachment record, VolumeId volume) {
        String name = record.spec().persistentVolumeName();
        if (name.isEmpty()) {
            VolumeState known = state.volume(volume);
            return known == null || known.inline == null ? calls.inline(record) : known.inline;
        }
        PersistentVolume persistent = cache.get(ObjectKey.volume(name), PersistentVolume.class)
                .orElseThrow(() -> new IllegalStateException("no PersistentVolume " + name));
        return plugins.migration().specIfPossible(persistent, false);
    }

    @Override
    public void taken(ObjectKey key, RecordStep step) {
        PairState pair = attachedBy(step);
        if (pair != null) {
            pair.attachBegins();
        }
    }

    @Override
    public void abandoned(ObjectKey key, RecordStep step) {
        PairState pair = attachedBy(step);
        if (pair != null) {
            pair.attaching = false;
        }
    }

    private @Nullable PairState attachedBy(RecordStep step) {
        return step.kind() == RecordStep.Kind.ATTACH ? state.pair(VolumeId.parse(step.volume()), step.node()) : null;
    }

    private Call toCluster(ObjectKey key, java.util.function.Supplier<@Nullable Object> body) {
        return lanes.toCluster(conflicts.patient(key), body);
    }

    private Call toDriver(VolumeAttachment record, Call.Body body) {
        return lanes.toDriver(AttacherName.plugin(record), body);
    }

    @Override
    public void completed(ObjectKey key, RecordStep step, Outcome outcome) {
        conflicts.ended(key, outcome);
        VolumeId volume = VolumeId.parse(step.volume());
        PairState pair = state.pair(volume, step.node());
        switch (step.kind()) {
            case ATTACH -> attached(step, pair, outcome);
            case DETACH -> detached(step, pair, outcome);
            case RECORD_ATTACHED -> {
                if (outcome.succeeded() && outcome.value() == Written.DONE) {
                    work.forget(step.uid());
                }
            }
            case RECORD_ERROR -> {
                if (outcome.succeeded() && outcome.value() == Written.DONE) {
                    work.recorded(step.uid(), step.detail());
                }
            }
            case CLAIM, RESERVE, RELEASE, RELEASE_VOLUME -> {
                // the cache has the store's answer
            }
        }
        work.forgetIfGone(cache.get(key), step.uid());
        if (pair != null) {
            state.visit(pair);
        }
    }

    private void attached(RecordStep step, @Nullable PairState pair, Outcome outcome) {
        if (pair != null) {
            pair.attaching = false;
            pair.attachEndedAt = loop.nanoTime();
        }
        if (outcome.succeeded()) {
            CallResults.Entry known = work.require(step.uid());
            known.result = outcome.requireValue(AttachResult.class);
            known.succeeded();
            known.lost = false;
            if (pair != null) {
                pair.forgetReports();
                pair.told = null;
                reports.attached(pair);
            }
            return;
        }
        VolumeException failure = outcome.requireFailure();
        if (failure.kind() == FailureKind.EXHAUSTED || work.of(step.uid()) != null) {
            work.require(step.uid()).failed(failure);
        }
        long settledAt = unheard(pair, failure);
        if (pair != null) {
            pair.attachSettledAt = Math.max(pair.attachSettledAt, settledAt);
            reports.attachFailed(pair, failure);
            if (failure.kind() == FailureKind.DANGLING && !failure.holder().equals(step.node())) {
                actual.dangles(pair.key.volume(), failure.holder());
            }
        }
    }

    private void detached(RecordStep step, @Nullable PairState pair, Outcome outcome) {
        if (outcome.succeeded() || outcome.requireFailure().provesAbsent()) {
            work.require(step.uid()).detached = true;
            return;
        }
        unheard(pair, outcome.requireFailure());
        if (pair != null) {
            reports.detachFailed(pair, outcome.requireFailure());
        }
    }

    /**
     * A backend that does not keep the order of calls may still carry out the call, so the volume waits before it goes to another
     * node. Returns the loop time from which the call can have no effect any more.
     */
    private long unheard(@Nullable PairState pair, VolumeException failure) {
        if (pair == null || failure.kind() != FailureKind.UNCERTAIN) {
            return Long.MIN_VALUE;
        }
        return plugins.byName(pair.key.volume().plugin())
                .map(VolumePlugin::effectModel)
                .filter(model -> model.kind() == EffectModel.Kind.UNORDERED)
                .map(model -> {
                    long settledAt = loop.nanoTime() + model.horizon().toNanos();
                    pair.volume.unsettled(pair.node.name, settledAt);
                    return settledAt;
                })
                .orElse(Long.MIN_VALUE);
    }
}
