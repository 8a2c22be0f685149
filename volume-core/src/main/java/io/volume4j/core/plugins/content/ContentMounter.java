package io.volume4j.core.plugins.content;

import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.core.plugins.common.MountPoints;
import io.volume4j.core.plugins.common.Rollback;
import io.volume4j.core.plugins.common.Tmpfs;
import io.volume4j.core.plugins.content.ContentWatch.Origin;
import io.volume4j.core.plugins.content.ContentWatch.Thing;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.NameRule;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import io.volume4j.spi.plugin.Mounter;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.Unmounter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Writes the files to a directory in memory that only the library sees, and binds that directory read-only for the
 * pod. The names of pod and volume determine the path, so teardown needs no other data.
 */
public final class ContentMounter implements Mounter, Unmounter {
    /**
     * The source of the tmpfs. It may be any name; this one distinguishes the library's mounts from others at the same
     * path.
     */
    private static final String SOURCE = "volume4j-content";
    /** The kubelet's interval. */
    private static final Duration LOOK_AGAIN = Duration.ofMinutes(1);

    private final PluginHost host;
    private final ForwardClock forward;
    private final ContentKind kind;
    private final ContentSources sources;
    private final ContentWatch watch;
    private final Predicate<Thing> told;

    /**
     * Creates a mounter for one kind of volumes.
     *
     * @param told whether the host reports changes of such objects; if not, the plugin requests regular calls
     */
    public ContentMounter(
            PluginHost host, ContentKind kind, ContentSources sources, ContentWatch watch, Predicate<Thing> told) {
        this.host = host;
        this.forward = new ForwardClock(host);
        this.kind = kind;
        this.sources = sources;
        this.watch = watch;
        this.told = told;
    }

    /** Every file has its owner, group and mode before the pod sees it. */
    @Override
    public boolean managesContent() {
        return false;
    }

    @Override
    public MountResult mount(MountRequest request, CallContext context) {
        if (!(request.spec().source() instanceof OtherSource source)) {
            throw VolumeException.finalFailure("not a " + kind.source() + " volume: " + request.volume());
        }
        Pod pod = request.pod();
        RootedPath place = place(pod.metadata().uid(), request.outerName());
        MountPoints mountPoints = new MountPoints(backend());
        boolean there = mountPoints.at(place).isPresent();
        AtomicWriter content = new AtomicWriter(backend().files(), place.absolute());
        Instant now = host.clock().instant();
        Renewals renewals = new Renewals(
                request.state(),
                forward.instant(),
                path -> there ? content.read(path, Integer.MAX_VALUE - 8) : Optional.empty());
        Set<Origin> origins = new LinkedHashSet<>();
        watch.begin(request.volume());
        try {
            // Before any change: if the content is not available, the volume stays as it is.
            Payload payload = sources.collect(kind, SourceFields.of(source), pod, renewals, origin -> {
                origins.add(origin);
                watch.shows(request.volume(), origin);
            });
            Runnable fill = () -> {
                content.write(payload, pod.spec().securityContext().fsGroup(), now, context);
                show(mountPoints, place, request.target());
            };
            if (there) {
                requireOurs(place, mountPoints.at(place));
                fill.run();
            } else {
                Tmpfs.mount(backend(), SOURCE, List.of("mode=0755"), place);
                orTakeAway(mountPoints, place, fill);
            }
        } catch (RuntimeException e) {
            if (!there) {
                watch.gone(request.volume());
            }
            throw e;
        }
        boolean overtaken = watch.end(request.volume(), origins);
        boolean unwatched = origins.stream().anyMatch(origin -> !told.test(origin.thing()));
        return new MountResult(renewals.state(), overtaken ? now : sooner(renewals.refreshIn(), unwatched, pod, now));
    }

    /** The time of the next call. Spreads the calls for pods that were set up together. */
    private static @Nullable Instant sooner(@Nullable Duration rest, boolean unwatched, Pod pod, Instant now) {
        Instant due = rest == null ? null : now.plus(rest);
        if (!unwatched) {
            return due;
        }
        Instant look = now.plus(LOOK_AGAIN)
                .plusSeconds(Math.floorMod(pod.metadata().uid().hashCode(), LOOK_AGAIN.toSeconds()));
        return due != null && due.isBefore(look) ? due : look;
    }

    /**
     * Unmounts the memory if the files certainly cannot be written: callers tear down only after uncertain failures.
     */
    private static void orTakeAway(MountPoints mountPoints, RootedPath place, Runnable fill) {
        try {
            fill.run();
        } catch (VolumeException failure) {
            if (failure.kind() == FailureKind.UNCERTAIN) {
                throw failure;
            }
            throw Rollback.undone(
                    failure, "its content is left", () -> mountPoints.takeAway(place, UnmountMode.NORMAL));
        }
    }

    private void show(MountPoints mountPoints, RootedPath place, RootedPath target) {
        Runnable bind = () -> backend().bind(place, target, BindOptions.onlyRead());
        if (mountPoints.at(target).isPresent()) {
            bind.run();
        } else {
            mountPoints.mountOn(target, bind);
        }
    }

    @Override
    public void unmount(UnmountRequest request, CallContext context) {
        MountPoints mountPoints = new MountPoints(backend());
        requireOurs(request.target(), mountPoints.at(request.target()));
        mountPoints.takeAway(request.target(), UnmountMode.NORMAL);
        RootedPath place = place(request.podUid(), request.outerName());
        requireOurs(place, mountPoints.at(place));
        mountPoints.takeAway(place, UnmountMode.NORMAL);
        watch.gone(request.volume());
    }

    private static void requireOurs(RootedPath place, Optional<MountEntry> there) {
        there.filter(mount -> !mount.source().equals(SOURCE)).ifPresent(mount -> {
            throw VolumeException.finalFailure("at " + place + " is mounted " + mount.fsType() + " from "
                            + MessageText.text(mount.source()) + ", which this plugin does not mount")
                    .withAdvice("unmount it by hand");
        });
    }

    /** The path of the files. A volume's name has no dot, so different pairs have different names. */
    private RootedPath place(String podUid, String outerName) {
        if (!NameRule.UID.allows(podUid) || !NameRule.LABEL.allows(outerName)) {
            throw VolumeException.finalFailure("not names of a pod and its volume: " + MessageText.text(podUid) + ", "
                    + MessageText.text(outerName));
        }
        Path own = host.root().relativize(host.pluginDirectory(kind.plugin()));
        return new RootedPath(host.root(), own.resolve("content")).resolve(podUid + "." + outerName);
    }

    private MountBackend backend() {
        return host.mounts().orElseThrow(() -> VolumeException.finalFailure("this process was given no mount backend"));
    }
}
