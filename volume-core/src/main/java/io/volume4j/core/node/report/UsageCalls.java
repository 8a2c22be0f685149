package io.volume4j.core.node.report;

import io.volume4j.core.engine.Call;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.engine.Questions;
import io.volume4j.core.node.MountState;
import io.volume4j.core.node.actual.ActualStateOfWorld;
import io.volume4j.core.node.actual.ActualVolume;
import io.volume4j.core.node.desired.DesiredStateOfWorld;
import io.volume4j.core.node.desired.ResolvedPod;
import io.volume4j.core.node.desired.ResolvedPod.ResolvedVolume;
import io.volume4j.core.node.state.MountRow;
import io.volume4j.core.node.state.NodeLayout;
import io.volume4j.core.node.state.VolumeRow;
import io.volume4j.core.report.PluginAnswer;
import io.volume4j.core.volumes.MountedPod.MountedVolume;
import io.volume4j.core.volumes.VolumeUsage;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.plugin.HealthReporter.StorageHealth;
import io.volume4j.spi.plugin.StatsReporter;
import io.volume4j.spi.plugin.StatsReporter.Stats;
import io.volume4j.spi.plugin.StatsReporter.StatsRequest;
import io.volume4j.spi.plugin.VolumePlugin;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Queries the usage of a pod's certainly mounted volumes. Loop thread only, except for the bodies of calls. The calls
 * to a plugin have their own lane, because such a call may walk a tree or hang.
 */
public final class UsageCalls {
    private static final int AT_ONCE = 4;

    private final DesiredStateOfWorld desired;
    private final ActualStateOfWorld actual;
    private final NodeQueries queries;
    private final NodeLayout layout;
    private final @Nullable MountBackend machine;
    private final Questions<VolumeId> questions;
    private final Duration deadline;

    public UsageCalls(
            DesiredStateOfWorld desired,
            ActualStateOfWorld actual,
            NodeQueries queries,
            NodeLayout layout,
            @Nullable MountBackend machine,
            Questions<VolumeId> questions,
            Duration deadline) {
        this.questions = questions;
        this.desired = desired;
        this.actual = actual;
        this.queries = queries;
        this.layout = layout;
        this.machine = machine;
        this.deadline = deadline;
    }

    /** Completes the future with the usage of the pod's volumes, in the pod's order, when every query has ended. */
    public void ask(String podUid, CompletableFuture<List<VolumeUsage>> future) {
        ResolvedPod pod = desired.pod(podUid);
        if (pod == null) {
            future.complete(List.of());
            return;
        }
        Gathering gathering = new Gathering(pod.volumes().size(), future);
        int place = 0;
        for (ResolvedVolume volume : pod.inOrder()) {
            int at = place++;
            Named named = new Named(volume.outerName(), volume, queries.mounted(pod, volume));
            ask(podUid, named, usage -> gathering.put(at, usage));
        }
    }

    /** Completes the future with the health of the storage behind the plugin's volumes, as seen from this node. */
    public void askStorage(String name, @Nullable VolumePlugin plugin, CompletableFuture<StorageHealth> future) {
        if (plugin == null) {
            future.completeExceptionally(VolumeException.transientFailure("plugin " + name + " is not there")
                    .withAdvice("register it"));
            return;
        }
        // no pod has such a UID, so this volume belongs to no pod
        VolumeId storage = VolumeId.ofPod(name, "storage", "of all volumes");
        questions.ask(
                storage,
                "",
                () -> new Call(
                        name + " storage health",
                        1,
                        deadline,
                        context -> plugin.health()
                                .map(reporter -> PluginAnswer.of(reporter.storage(context), name, reporter, "storage"))
                                .orElse(StorageHealth.notReported())),
                outcome -> {
                    @Nullable VolumeException failure = outcome.failure();
                    if (failure == null) {
                        future.complete(outcome.requireValue(StorageHealth.class));
                    } else {
                        future.completeExceptionally(failure);
                    }
                });
    }

    /** A volume with the pod's name for it, and its path if it is certainly mounted. */
    private record Named(
            String name, ResolvedVolume volume, @Nullable MountedVolume mounted) {
        VolumeUsage of(Outcome outcome) {
            VolumeException failure = outcome.failure();
            return new VolumeUsage(
                    name,
                    volume.id(),
                    volume.block(),
                    mounted == null ? 0 : mounted.sizeLimitBytes(),
                    failure == null ? outcome.requireValue(Stats.class) : null,
                    failure == null ? null : new VolumeUsage.Failure(failure.kind(), failure.getMessage()));
        }
    }

    private void ask(String podUid, Named named, Consumer<VolumeUsage> answer) {
        if (named.mounted() == null) {
            answer.accept(named.of(notMounted(named.name())));
            return;
        }
        ask(podUid, named.volume(), outcome -> answer.accept(named.of(outcome)));
    }

    /** Passes the {@link Stats} of a volume that is mounted for the pod. */
    void ask(String podUid, ResolvedVolume volume, Consumer<Outcome> answer) {
        ActualVolume there = actual.volume(volume.id());
        MountRow mount = there == null ? null : there.mount(podUid);
        if (there == null || mount == null) {
            answer.accept(notMounted(volume.outerName()));
            return;
        }
        StatsReporter reporter;
        try {
            reporter = volume.plugin().stats(volume.spec()).orElse(null);
        } catch (Throwable failure) {
            answer.accept(Outcome.failure(ofPlugin(failure)));
            return;
        }
        VolumeRow row = there.row();
        questions.ask(volume.id(), podUid, () -> call(volume, request(row, mount), reporter), answer);
    }

    private static Outcome notMounted(String name) {
        return Outcome.failure(VolumeException.transientFailure("volume " + name + " is not mounted for the pod"));
    }

    /** Classifies a plugin's failure outside of a call. It affects only this volume. */
    static VolumeException ofPlugin(Throwable failure) {
        return failure instanceof VolumeException classified
                ? classified
                : VolumeException.transientFailure("its plugin failed on it: " + failure);
    }

    /** The path of the volume for the pod as its plugin knows it, whether it is certainly mounted there or not. */
    Path pathForPlugin(MountRow mount) {
        return layout.podPathOfPlugin(mount).absolute();
    }

    /** The path of the volume's device mount, certain or not; null for none. */
    @Nullable
    Path deviceOf(VolumeRow row, boolean block) {
        if (row.device() == MountState.NOT_MOUNTED) {
            return null;
        }
        return (block ? layout.staging(row.id()) : layout.deviceMount(row.id())).absolute();
    }

    private StatsRequest request(VolumeRow row, MountRow mount) {
        return new StatsRequest(
                row.id(),
                layout.podMount(mount).absolute(),
                deviceOf(row, mount.block()),
                mount.block() ? pathForPlugin(mount) : null);
    }

    private Call call(ResolvedVolume volume, StatsRequest request, @Nullable StatsReporter reporter) {
        VolumePlugin plugin = volume.plugin();
        int limit = Math.max(1, Math.min(AT_ONCE, plugin.maxConcurrentCalls()));
        return new Call(
                plugin.name() + " stats", limit, deadline, context -> figures(plugin, request, reporter, context));
    }

    private Stats figures(
            VolumePlugin plugin, StatsRequest request, @Nullable StatsReporter reporter, CallContext context) {
        if (reporter != null) {
            return PluginAnswer.of(reporter.stats(request, context), plugin.name(), reporter, "stats");
        }
        if (request.block() && machine != null) {
            return Stats.ofDevice(machine.devices().identify(request.path()).bytes());
        }
        throw VolumeException.finalFailure("plugin " + plugin.name() + " does not say how full its volumes are");
    }

    /** Collects answers in any order. */
    private static final class Gathering {
        private final List<@Nullable VolumeUsage> answers;
        private final CompletableFuture<List<VolumeUsage>> future;
        private int missing;

        Gathering(int size, CompletableFuture<List<VolumeUsage>> future) {
            this.answers = new ArrayList<>(Collections.nCopies(size, null));
            this.future = future;
            this.missing = size;
            completeIfWhole();
        }

        void put(int at, VolumeUsage usage) {
            answers.set(at, usage);
            missing--;
            completeIfWhole();
        }

        private void completeIfWhole() {
            if (missing == 0) {
                List<VolumeUsage> whole = new ArrayList<>();
                for (VolumeUsage answer : answers) {
                    if (answer != null) {
                        whole.add(answer);
                    }
                }
                future.complete(Collections.unmodifiableList(whole));
            }
        }
    }
}
