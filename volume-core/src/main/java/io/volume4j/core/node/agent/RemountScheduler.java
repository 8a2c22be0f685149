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

/**
 * Decides when a mount must be set up again because its content comes from elsewhere: its pod changed, its plugin asks, its
 * time has come, or the agent was not running for a while; and when ephemeral containers have come that see parts of it. Loop thread
 * only.
 */
final class RemountScheduler {
    /** A plugin whose clock goes wrong must not keep a volume busy. */
    private static final Duration SOONEST_REFRESH = Duration.ofSeconds(10);

    /** How often a volume is set up again whose driver's object says {@code requiresRepublish}. */
    private static final Duration REPUBLISH = Duration.ofMinutes(1);

    private final EventLoop loop;
    private final DesiredStateOfWorld desired;
    private final ActualStateOfWorld actual;
    private final Preparation preparation;
    private final Consumer<VolumeId> dirty;
    /** Pods whose content may have changed while no agent ran, until it is known what they want. */
    private final Set<String> recovered = new LinkedHashSet<>();

    /** When each is due; what is not mounted any more goes with its time. */
    private final Map<MountKey, Instant> due = new HashMap<>();

    /** By identity, and not kept for that: drivers that come back bring another plugin each time. */
    private final Set<VolumePlugin> heard =
            Collections.newSetFromMap(new MapMaker().weakKeys().<VolumePlugin, Boolean>makeMap());

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
    }

    /** Something of an earlier run is mounted for the pod. */
    void recovered(String podUid) {
        recovered.add(podUid);
    }

    /** More is known of what the pod wants. */
    void resolved(String podUid) {
        ResolvedPod pod = desired.pod(podUid);
        if ((pod == null || pod.problems().isEmpty()) && recovered.remove(podUid)) {
            changed(podUid);
        }
    }

    /** What the pod says of itself changed. */
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

    /** The pod has the volume, or has it still: its ephemeral containers get their parts of it from now on. */
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

    /** Hears from then on when one of the plugins asks. */
    void listenTo(Collection<VolumePlugin> plugins) {
        for (VolumePlugin plugin : plugins) {
            if (heard.add(plugin)) {
                plugin.onContentChange(id -> loop.execute(() -> again(id)));
            }
        }
    }

    /**
     * The time that the last set-up named is the one that counts: if each kept its own, every set-up for another reason would
     * bring one more that goes on for as long as the pod.
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
     * The driver's object says that the volume is to be set up again now and then.
     *
     * @param until when its plugin wants that at the latest; null for never
     */
    void republish(VolumeId id, String podUid, @Nullable Instant until) {
        Instant again = loop.now().plus(REPUBLISH);
        refreshAt(id, podUid, until != null && until.isBefore(again) ? until : again);
    }

    /** A plugin may ask for volumes that it never mounted here; then there is nothing to do. */
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
