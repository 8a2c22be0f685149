package io.volume4j.core.node.agent;

import com.google.common.collect.MapMaker;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.node.MountState;
import io.volume4j.core.node.actual.ActualStateOfWorld;
import io.volume4j.core.node.actual.ActualVolume;
import io.volume4j.core.node.desired.DesiredStateOfWorld;
import io.volume4j.core.node.desired.ResolvedPod;
import io.volume4j.core.node.desired.ResolvedPod.ResolvedVolume;
import io.volume4j.core.node.state.MountKey;
import io.volume4j.core.node.state.MountRow;
import io.volume4j.core.node.view.Preparation;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.plugin.VolumePlugin;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides when the node must set up a mount again: its pod changed, its plugin requests it, its time has come, or the
 * agent was not running for a while. Also decides when the node must bind subPaths for new ephemeral containers. Loop
 * thread only.
 */
final class RemountScheduler {
    private static final Logger LOG = LoggerFactory.getLogger(RemountScheduler.class);

    /** A plugin with a wrong clock must not keep a volume busy. */
    private static final Duration SOONEST_REFRESH = Duration.ofSeconds(10);

    /** The remount interval of volumes whose CSIDriver object has {@code requiresRepublish}. */
    private static final Duration REPUBLISH = Duration.ofMinutes(1);

    private final EventLoop loop;
    private final DesiredStateOfWorld desired;
    private final ActualStateOfWorld actual;
    private final Preparation preparation;
    private final Consumer<VolumeId> dirty;
    /** Pods whose content may have changed while no agent ran, until the node knows their volumes. */
    private final Set<String> recovered = new LinkedHashSet<>();

    /** The time of each next remount. An entry of an unmounted volume ends at its time. */
    private final Map<MountKey, Instant> due = new HashMap<>();

    /** By identity, with weak keys: a driver that registers again is a new plugin object each time. */
    private final Set<VolumePlugin> heard =
            Collections.newSetFromMap(new MapMaker().weakKeys().<VolumePlugin, Boolean>makeMap());

    /** What the plugins keep. They may live longer than the node, which must not stay in memory for that. */
    private final ContentListener contentListener = new ContentListener();

    private static final class ContentListener implements Consumer<VolumeId> {
        private volatile @Nullable Consumer<VolumeId> node;

        @Override
        public void accept(VolumeId changed) {
            @Nullable Consumer<VolumeId> told = node;
            if (told != null) {
                told.accept(changed);
            }
        }
    }

    RemountScheduler(
            EventLoop loop,
            DesiredStateOfWorld desired,
            ActualStateOfWorld actual,
            Preparation preparation,
            Consumer<VolumeId> dirty) {
        this.loop = loop;
        this.desired = desired;
        this.actual = actual;
        this.preparation = preparation;
        this.dirty = dirty;
        contentListener.node = id -> loop.execute(() -> again(id));
    }

    /** The node has ended: plugins tell it nothing more. */
    void close() {
        contentListener.node = null;
    }

    /** The pod has a mount of an earlier run. */
    void recovered(String podUid) {
        recovered.add(podUid);
    }

    /** The node knows more about the pod's volumes. */
    void resolved(String podUid) {
        ResolvedPod pod = desired.pod(podUid);
        if ((pod == null || pod.problems().isEmpty()) && recovered.remove(podUid)) {
            changed(podUid);
        }
    }

    /** The pod's own fields changed. */
    void changed(String podUid) {
        ResolvedPod pod = desired.pod(podUid);
        if (pod != null) {
            pod.volumes().values().stream()
                    .filter(ResolvedVolume::requiresRemount)
                    .forEach(volume -> again(volume.id(), podUid));
            if (!pod.pod().spec().ephemeralContainers().isEmpty()) {
                pod.volumes().values().forEach(volume -> mounted(volume.id(), podUid));
            }
        }
    }

    /** The pod has, or still has, the volume: requests the subPaths of its ephemeral containers. */
    void mounted(VolumeId id, String podUid) {
        ActualVolume volume = actual.volume(id);
        MountRow mount = volume == null ? null : volume.mount(podUid);
        if (volume != null
                && mount != null
                && mount.state() == MountState.MOUNTED
                && !preparation.laterParts(mount).isEmpty()) {
            volume.wantParts(podUid);
            dirty.accept(id);
        }
    }

    /** Subscribes to the plugins' remount requests. */
    void listenTo(Collection<VolumePlugin> plugins) {
        for (VolumePlugin plugin : plugins) {
            if (heard.add(plugin)) {
                listenTo(plugin);
            }
        }
    }

    /** A plugin that fails here tells no changes. It must not keep the node, and so all other plugins, from starting. */
    private void listenTo(VolumePlugin plugin) {
        try {
            plugin.onContentChange(contentListener);
        } catch (Throwable failed) {
            LOG.atWarn()
                    .setCause(failed)
                    .addKeyValue("plugin", plugin.name())
                    .addKeyValue("advice", "mend its onContentChange")
                    .log("plugin tells no changed content: its volumes show it at their next mount");
        }
    }

    /**
     * Only the time of the latest set-up counts. Otherwise each set-up for another reason would add a further series
     * of remounts for the life of the pod.
     */
    void refreshAt(VolumeId id, String podUid, Instant when) {
        MountKey use = new MountKey(id, podUid);
        due.put(use, when);
        Duration delay = Duration.between(loop.now(), when);
        loop.schedule(delay.compareTo(SOONEST_REFRESH) < 0 ? SOONEST_REFRESH : delay, () -> {
            if (due.remove(use, when)) {
                again(id, podUid);
            }
        });
    }

    /**
     * The CSIDriver object requests regular remounts of the volume.
     *
     * @param until the latest time that its plugin requests; null for none
     */
    void republish(VolumeId id, String podUid, @Nullable Instant until) {
        Instant again = loop.now().plus(REPUBLISH);
        refreshAt(id, podUid, until != null && until.isBefore(again) ? until : again);
    }

    /** Does nothing for volumes that the plugin never mounted here. */
    private void again(VolumeId id) {
        ActualVolume volume = actual.volume(id);
        if (volume != null) {
            new ArrayList<>(volume.mounts()).forEach(mount -> again(id, mount.podUid()));
        }
    }

    private void again(VolumeId id, String podUid) {
        ActualVolume volume = actual.volume(id);
        if (volume != null && volume.mount(podUid) != null) {
            volume.wantRemount(podUid);
            dirty.accept(id);
        }
    }
}
