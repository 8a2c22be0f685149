package io.volume4j.core.control.attach;

import io.volume4j.core.control.attach.call.AttachCalls;
import io.volume4j.core.control.attach.call.CallLanes;
import io.volume4j.core.control.attach.call.LeaderTerm;
import io.volume4j.core.control.attach.call.RecordCalls;
import io.volume4j.core.control.attach.call.RecordText;
import io.volume4j.core.control.attach.plan.AttachKey;
import io.volume4j.core.control.attach.plan.RecordStep;
import io.volume4j.core.control.attach.plan.RecordView;
import io.volume4j.core.control.attach.plan.RecordView.Subject;
import io.volume4j.core.control.host.ClusterCalls.Written;
import io.volume4j.core.control.host.WriteConflicts;
import io.volume4j.core.engine.Call;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.engine.World;
import io.volume4j.core.grants.AttacherName;
import io.volume4j.core.grants.GrantKeys;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.core.objects.ObjectChange;
import io.volume4j.core.objects.ObjectListener;
import io.volume4j.core.objects.VolumeStory;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ApiObject;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * VolumeAttachments of one driver, carried out for the controller that creates and deletes them. That controller decides whether an
 * operation is safe; the attacher carries it out. Loop thread only, except the bodies of calls.
 */
final class ExternalRecords implements World<ObjectKey, RecordView, RecordStep>, ObjectListener {
    private final String driver;
    private final ObjectCache cache;
    private final RecordCalls calls;
    private final CallLanes lanes;
    private final RecordCalls.Stamp stamp;
    private final PluginRegistry plugins;
    private final EventLoop loop;
    private final LeaderTerm term;
    private final boolean takesOver;
    private final WriteConflicts<ObjectKey> conflicts = new WriteConflicts<>();
    private final Consumer<ObjectKey> dirty;
    private final CallResults work = new CallResults();
    private final Map<String, Set<ObjectKey>> byVolume = new HashMap<>();

    /** Loop times of the last attach calls without an answer, by the UID of the record. */
    private final Map<String, Long> attachUnanswered = new HashMap<>();

    /** Loop times of the last detach calls without an answer. They concern the next record of the volume on the node. */
    private final Map<AttachKey.Pair, Long> detachUnanswered = new HashMap<>();

    private boolean listed;

    ExternalRecords(
            String driver,
            ObjectCache cache,
            RecordCalls calls,
            CallLanes lanes,
            RecordCalls.Stamp stamp,
            PluginRegistry plugins,
            EventLoop loop,
            LeaderTerm term,
            boolean takesOver,
            Consumer<ObjectKey> dirty) {
        this.driver = driver;
        this.cache = cache;
        this.calls = calls;
        this.lanes = lanes;
        this.stamp = stamp;
        this.plugins = plugins;
        this.loop = loop;
        this.term = term;
        this.takesOver = takesOver;
        this.dirty = dirty;
    }

    @Override
    public void changed(ObjectChange change) {
        ObjectKey key = change.key();
        if (key.kind() == Kind.PERSISTENT_VOLUME) {
            dirty.accept(key);
            new ArrayList<>(byVolume.getOrDefault(key.name(), Set.of())).forEach(dirty);
            return;
        }
        if (change.latest() instanceof VolumeAttachment record
                && record.spec().attacher().equals(AttacherName.of(driver))) {
            changed(key, record, change.after() != null && mine(record));
        }
    }

    /** @param mine whether the record exists and this process carries it out; false after a controller took it over */
    private void changed(ObjectKey key, VolumeAttachment record, boolean mine) {
        String volume = record.spec().persistentVolumeName();
        if (!mine) {
            work.forget(record.metadata().uid());
            attachUnanswered.remove(record.metadata().uid());
            byVolume.computeIfPresent(volume, (name, keys) -> {
                keys.remove(key);
                return keys.isEmpty() ? null : keys;
            });
            if (!volume.isEmpty()) {
                dirty.accept(ObjectKey.volume(volume));
            }
        } else if (!volume.isEmpty()) {
            byVolume.computeIfAbsent(volume, name -> new LinkedHashSet<>(2)).add(key);
        }
        dirty.accept(key);
    }

    @Override
    public void completeness(Kind kind, boolean complete) {
        if (complete && known()) {
            if (!listed) {
                listed = true;
                cache.forEach(Kind.VOLUME_ATTACHMENT, (key, record) -> leftOpen((VolumeAttachment) record));
            }
            keys().forEachRemaining(dirty);
        }
    }

    /** An earlier process may still make calls for the record, as long as a call may take. */
    private void leftOpen(VolumeAttachment record) {
        boolean open = !record.status().attached() || record.metadata().deleting();
        if (open && mine(record) && stamp.held(record)) {
            long last = loop.nanoTime() + lanes.driverDeadline().toNanos();
            attachUnanswered.put(record.metadata().uid(), last);
            VolumeId id = identify(record, volume(record));
            if (id != null && record.metadata().deleting()) {
                detachUnanswered.put(new AttachKey.Pair(id, record.spec().nodeName()), last);
            }
        }
    }

    private boolean known() {
        return cache.complete(Kind.VOLUME_ATTACHMENT) && cache.complete(Kind.PERSISTENT_VOLUME);
    }

    @Override
    public String story(ObjectKey key) {
        return VolumeStory.of(key, cache);
    }

    @Override
    public Iterator<ObjectKey> keys() {
        List<ObjectKey> keys = new ArrayList<>();
        for (ApiObject object : cache.all(Kind.VOLUME_ATTACHMENT)) {
            if (mine((VolumeAttachment) object)) {
                keys.add(object.key());
            }
        }
        for (ApiObject object : cache.all(Kind.PERSISTENT_VOLUME)) {
            if (object.metadata().deleting()) {
                keys.add(object.key());
            }
        }
        return keys.iterator();
    }

    /** Records that a controller carries out itself belong to the controller, unless this attacher replaces it. */
    private boolean mine(VolumeAttachment record) {
        return record.spec().attacher().equals(AttacherName.of(driver)) && (takesOver || !AttachCalls.marked(record));
    }

    @Override
    public @Nullable RecordView view(ObjectKey key) {
        if (!term.goesOn() || !known()) {
            return null;
        }
        if (key.kind() == Kind.PERSISTENT_VOLUME) {
            return freed(key);
        }
        VolumeAttachment record = cache.get(key, VolumeAttachment.class).orElse(null);
        if (record == null || !mine(record)) {
            return null;
        }
        PersistentVolume volume = volume(record);
        VolumeId id = identify(record, volume);
        CallResults.Entry done = work.of(record.metadata().uid());
        boolean deleting = record.metadata().deleting();
        String error = done == null ? "" : done.errorBeside(record);
        return new RecordView(
                Subject.ATTACHMENT,
                key.name(),
                record.metadata().uid(),
                record.metadata().resourceVersion(),
                id == null ? "" : id.toString(),
                record.spec().nodeName(),
                volume == null || VolumeState.oneNodeOnly(volume),
                stamp.ours(record, term),
                stamp.held(record),
                record.status().attached(),
                deleting,
                false,
                done != null && done.result != null,
                true,
                AttachCalls.marked(record),
                done != null && done.detached,
                mayAttach(record, volume, id),
                id == null ? "until it is known which volume VolumeAttachment " + key.name() + " is for" : "",
                Long.MAX_VALUE,
                error,
                settledAt(record, id),
                loop.nanoTime());
    }

    /**
     * A backend that does not keep the order of calls may carry out an attach call after a later detach, and a detach call after a later
     * attach. So each waits for the other kind.
     */
    private long settledAt(VolumeAttachment record, @Nullable VolumeId id) {
        Long last = record.metadata().deleting()
                ? attachUnanswered.get(record.metadata().uid())
                : id == null
                        ? null
                        : detachUnanswered.get(
                                new AttachKey.Pair(id, record.spec().nodeName()));
        return last == null || !unordered()
                ? Long.MIN_VALUE
                : last + effectModel().horizon().toNanos();
    }

    private boolean unordered() {
        return effectModel().kind() == EffectModel.Kind.UNORDERED;
    }

    private EffectModel effectModel() {
        return plugins.byName(driver).map(VolumePlugin::effectModel).orElse(EffectModel.ordered());
    }

    private <K> void unanswered(Map<K, Long> calls, K call, Outcome outcome) {
        if (unordered() && outcome.requireFailure().kind() == FailureKind.UNCERTAIN) {
            long now = loop.nanoTime();
            long horizon = effectModel().horizon().toNanos();
            calls.values().removeIf(last -> last + horizon < now);
            calls.put(call, now);
        }
    }

    private @Nullable RecordView freed(ObjectKey key) {
        PersistentVolume volume = cache.get(key, PersistentVolume.class).orElse(null);
        if (volume == null
                || !volume.metadata().deleting()
                || !stamp.keeps(driver, volume.metadata())
                || byVolume.containsKey(key.name())) {
            return null;
        }
        return RecordView.freedVolume(
                key.name(), volume.metadata().uid(), volume.metadata().resourceVersion(), key.name(), loop.nanoTime());
    }

    private @Nullable PersistentVolume volume(VolumeAttachment record) {
        String name = record.spec().persistentVolumeName();
        return name.isEmpty()
                ? null
                : cache.get(ObjectKey.volume(name), PersistentVolume.class).orElse(null);
    }

    /** The volume's ID: from the record, because the volume's object may be gone; otherwise from the plugin. */
    private @Nullable VolumeId identify(VolumeAttachment record, @Nullable PersistentVolume volume) {
        String kept = record.metadata().annotation(GrantKeys.VOLUME);
        try {
            if (!kept.isEmpty()) {
                return VolumeId.parse(kept);
            }
            VolumePlugin plugin = plugins.byName(driver).orElse(null);
            if (plugin == null) {
                return null;
            }
            return VolumeId.shared(driver, plugin.volumeName(spec(record, volume)));
        } catch (IllegalArgumentException | VolumeException unnamed) {
            return null;
        }
    }

    private VolumeSpec spec(VolumeAttachment record, @Nullable PersistentVolume volume) {
        return volume == null ? calls.inline(record) : plugins.migration().specIfPossible(volume, false);
    }

    private String mayAttach(VolumeAttachment record, @Nullable PersistentVolume volume, @Nullable VolumeId id) {
        String name = record.spec().persistentVolumeName();
        if (!name.isEmpty() && volume == null) {
            return "until PersistentVolume " + OneLine.name(name) + " is there";
        }
        if (volume != null && volume.metadata().deleting()) {
            return "PersistentVolume " + name + " is being deleted";
        }
        if (plugins.byName(driver).isEmpty()) {
            return "for plugin " + driver + " to be registered";
        }
        return id == null ? "until it is known which volume it is for" : "";
    }

    @Override
    public Call call(ObjectKey key, RecordStep step) {
        if (step.kind() == RecordStep.Kind.RELEASE_VOLUME) {
            PersistentVolume volume = cache.get(key, PersistentVolume.class)
                    .orElseThrow(() -> new IllegalStateException("no PersistentVolume " + key.name()));
            return toCluster(key, () -> {
                calls.releaseVolume(driver, volume);
                return null;
            });
        }
        VolumeAttachment record = cache.get(key, VolumeAttachment.class)
                .orElseThrow(() -> new IllegalStateException("no VolumeAttachment " + key.name()));
        VolumeId id = VolumeId.parse(step.volume());
        PersistentVolume volume = volume(record);
        CallResults.Entry done = work.of(step.uid());
        return switch (step.kind()) {
            case CLAIM ->
                toCluster(key, () -> {
                    if (volume != null
                            && !record.metadata().deleting()
                            && calls.holdVolume(driver, volume) == Written.STALE) {
                        return Written.STALE;
                    }
                    return calls.claim(record, id);
                });
            case ATTACH -> {
                AttachRequest request = new AttachRequest(
                        spec(record, volume), id, record.spec().nodeName(), false, RecordText.stateOf(record));
                yield lanes.toDriver(driver, context -> calls.attach(record, request, context));
            }
            case RECORD_ATTACHED -> {
                AttachResult result = done == null || done.result == null ? AttachResult.at("") : done.result;
                yield toCluster(key, () -> calls.recordAttached(record, result));
            }
            case RECORD_ERROR -> {
                boolean exhausted = done != null && done.exhausted;
                yield toCluster(key, () -> calls.recordError(record, step.detail(), exhausted, loop.now()));
            }
            case DETACH -> {
                VolumeSpec known =
                        volume == null && record.spec().inlineVolumeSpec() == null ? null : spec(record, volume);
                yield lanes.toDriver(driver, context -> {
                    calls.detach(record, id, known, context);
                    return null;
                });
            }
            case RELEASE ->
                toCluster(key, () -> {
                    calls.release(record);
                    calls.look(key, step.uid());
                    return null;
                });
            case RESERVE, RELEASE_VOLUME -> throw new IllegalArgumentException("not done here: " + step.kind());
        };
    }

    private Call toCluster(ObjectKey key, Supplier<@Nullable Object> body) {
        return lanes.toCluster(conflicts.patient(key), body);
    }

    @Override
    public void completed(ObjectKey key, RecordStep step, Outcome outcome) {
        conflicts.ended(key, outcome);
        switch (step.kind()) {
            case ATTACH -> {
                CallResults.Entry done = work.require(step.uid());
                if (outcome.succeeded()) {
                    done.result = outcome.requireValue(AttachResult.class);
                    done.succeeded();
                } else {
                    done.failed(outcome.requireFailure());
                    unanswered(attachUnanswered, step.uid(), outcome);
                }
            }
            case DETACH -> {
                CallResults.Entry done = work.require(step.uid());
                done.detached = outcome.succeeded() || outcome.requireFailure().provesAbsent();
                if (done.detached) {
                    done.succeeded();
                } else {
                    done.failed(outcome.requireFailure());
                    unanswered(
                            detachUnanswered, new AttachKey.Pair(VolumeId.parse(step.volume()), step.node()), outcome);
                }
            }
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
    }
}
