package io.volume4j.core.control.snapshot;

import io.volume4j.core.control.host.Host;
import io.volume4j.core.control.host.LiveReader;
import io.volume4j.core.control.host.PluginAccess;
import io.volume4j.core.control.host.lead.Lead;
import io.volume4j.core.report.PluginAnswer;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.DeletionPolicy;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.plugin.GroupSnapshotter;
import io.volume4j.spi.plugin.GroupSnapshotter.GroupSnapshot;
import io.volume4j.spi.plugin.Snapshotter;
import io.volume4j.spi.plugin.Snapshotter.Snapshot;
import io.volume4j.spi.plugin.VolumePlugin;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Calls to plugins that create, query and delete snapshots and group snapshots, on worker threads. A call with an effect requires a
 * lease that lasts until the call's deadline.
 */
final class SnapshotCalls {
    private final PluginAccess plugins;
    private final Lead lead;
    private final LiveReader live;

    SnapshotCalls(Host host) {
        this.plugins = host.plugins();
        this.lead = host.lead();
        this.live = host.live();
    }

    SnapshotResult create(SnapshotStep.CreateSnapshot step, CallContext context) {
        if (step.content().kind() == Kind.VOLUME_GROUP_SNAPSHOT_CONTENT) {
            GroupSnapshotter groups = groups(step.plugin());
            ready(step.plugin(), step.epoch(), context);
            List<VolumeSource> sources = step.volumes().stream()
                    .<VolumeSource>map(volume -> source(step.plugin(), volume))
                    .toList();
            return result(PluginAnswer.of(
                    groups.create(
                            new GroupSnapshotter.CreateGroupRequest(step.name(), sources, step.parameters()), context),
                    step.plugin(),
                    groups,
                    "create"));
        }
        Snapshotter snapshots = snapshots(step.plugin());
        ready(step.plugin(), step.epoch(), context);
        return result(PluginAnswer.of(
                snapshots.create(
                        new Snapshotter.CreateRequest(
                                step.name(),
                                source(step.plugin(), step.volumes().get(0)),
                                step.parameters(),
                                step.handle()),
                        context),
                step.plugin(),
                snapshots,
                "create"));
    }

    /** Has no effect, so a process that does not lead may call it too. Empty if the snapshot does not exist. */
    Optional<SnapshotResult> get(SnapshotStep.GetSnapshot step, CallContext context) {
        if (step.content().kind() == Kind.VOLUME_GROUP_SNAPSHOT_CONTENT) {
            GroupSnapshotter groups = groups(step.plugin());
            return PluginAnswer.of(
                            groups.get(
                                    new GroupSnapshotter.GroupRequest(step.handle(), step.members(), step.parameters()),
                                    context),
                            step.plugin(),
                            groups,
                            "get")
                    .map(SnapshotCalls::result);
        }
        Snapshotter snapshots = snapshots(step.plugin());
        return PluginAnswer.of(
                        snapshots.get(new Snapshotter.SnapshotRequest(step.handle(), step.parameters()), context),
                        step.plugin(),
                        snapshots,
                        "get")
                .map(SnapshotCalls::result);
    }

    void delete(SnapshotStep.DeleteSnapshot step, CallContext context) {
        ApiObject content = live.mustBeDeleting(step.content(), step.contentUid());
        @Nullable ContentFacts facts = ContentFacts.ofAny(content);
        if (facts == null || facts.policy() != DeletionPolicy.DELETE) {
            throw live.forbids(step.content() + " no longer has the deletion policy Delete", content);
        }
        if (step.content().kind() == Kind.VOLUME_GROUP_SNAPSHOT_CONTENT) {
            GroupSnapshotter groups = groups(step.plugin());
            ready(step.plugin(), step.epoch(), context);
            groups.delete(new GroupSnapshotter.GroupRequest(step.handle(), step.members(), step.parameters()), context);
            return;
        }
        Snapshotter snapshots = snapshots(step.plugin());
        ready(step.plugin(), step.epoch(), context);
        snapshots.delete(new Snapshotter.SnapshotRequest(step.handle(), step.parameters()), context);
    }

    private Snapshotter snapshots(String plugin) {
        return plugins.byName(plugin)
                .flatMap(VolumePlugin::snapshotter)
                .orElseThrow(() -> notThere(plugin, "makes no snapshots now"));
    }

    private GroupSnapshotter groups(String plugin) {
        return plugins.byName(plugin)
                .flatMap(VolumePlugin::groupSnapshotter)
                .orElseThrow(() -> notThere(plugin, "makes no group snapshots now"));
    }

    private static VolumeException notThere(String plugin, String what) {
        return VolumeException.transientFailure("plugin " + plugin + " is not there, or " + what)
                .withAdvice("register it again: only it can go on with what it began");
    }

    /** Makes sure that no program of an earlier process works for the plugin any more, and that this process leads. */
    private void ready(String plugin, long epoch, CallContext context) {
        plugins.byName(plugin).ifPresent(found -> lead.ready(found, epoch));
        lead.mustOutlast(epoch, context);
    }

    private static CsiSource source(String plugin, String handle) {
        return CsiSource.of(plugin, handle, "", Map.of());
    }

    private static SnapshotResult result(Snapshot snapshot) {
        return new SnapshotResult(
                snapshot.handle(),
                snapshot.cutAt(),
                snapshot.sizeBytes(),
                snapshot.ready(),
                List.of(),
                snapshot.places());
    }

    private static SnapshotResult result(GroupSnapshot group) {
        return new SnapshotResult(
                group.handle(),
                group.cutAt(),
                0,
                group.ready(),
                group.members().stream()
                        .map(member -> new SnapshotResult.Member(
                                member.volumeHandle(),
                                member.snapshot().handle(),
                                member.snapshot().cutAt(),
                                member.snapshot().sizeBytes(),
                                member.snapshot().ready()))
                        .toList());
    }
}
