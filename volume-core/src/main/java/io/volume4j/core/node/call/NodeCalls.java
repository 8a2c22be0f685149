package io.volume4j.core.node.call;

import io.volume4j.core.engine.Call;
import io.volume4j.core.node.AttachState;
import io.volume4j.core.node.MountState;
import io.volume4j.core.node.NodeOptions;
import io.volume4j.core.node.desired.ResolvedPod.ResolvedVolume;
import io.volume4j.core.node.desired.SizeLimit;
import io.volume4j.core.node.state.MountMetadataFiles;
import io.volume4j.core.node.state.MountRow;
import io.volume4j.core.node.state.NodeLayout;
import io.volume4j.core.node.state.RowLimits;
import io.volume4j.core.node.state.UnidentifiedMount;
import io.volume4j.core.node.state.VolumeRow;
import io.volume4j.core.operations.LeftoverProcesses;
import io.volume4j.core.ownership.Ownership;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.report.PluginAnswer;
import io.volume4j.core.subpath.SubPath;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.mount.IdMapping;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.Attacher;
import io.volume4j.spi.plugin.Attacher.AttachRequest;
import io.volume4j.spi.plugin.Attacher.AttachResult;
import io.volume4j.spi.plugin.BlockUnmapper;
import io.volume4j.spi.plugin.Detacher;
import io.volume4j.spi.plugin.Detacher.DetachRequest;
import io.volume4j.spi.plugin.DeviceMounter.DeviceMountRequest;
import io.volume4j.spi.plugin.DeviceUnmounter;
import io.volume4j.spi.plugin.DeviceUnmounter.DeviceUnmountRequest;
import io.volume4j.spi.plugin.FormatLedger;
import io.volume4j.spi.plugin.Mounter.MountRequest;
import io.volume4j.spi.plugin.Mounter.MountResult;
import io.volume4j.spi.plugin.NodeExpander.NodeExpandRequest;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.Unmounter;
import io.volume4j.spi.plugin.Unmounter.UnmountRequest;
import io.volume4j.spi.plugin.VolumePlugin;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The calls of the steps on the machine. Each method collects on the loop what its call needs, and returns the call.
 * The call does not use the node's states.
 */
public final class NodeCalls {
    /** A node leads in no terms: its journal's lock excludes other processes as long as it runs. */
    public static final String THE_ONLY_TERM = "node";

    private static final int DEVICE_DIRECTORY_MODE = 0700;
    private static final int POD_DIRECTORY_MODE = 0750;
    private static final int WALKS_AT_ONCE = 4;

    private final String nodeName;
    private final NodeLayout layout;
    private final PluginRegistry plugins;
    private final @Nullable MountBackend machine;
    private final MountMetadataFiles metadataFiles;
    private final Effects effects;
    private final Places places;
    private final PodPreparation preparation;
    private final BlockCalls blocks;
    private final NodeOptions options;
    private final LeftoverProcesses tools;

    public NodeCalls(
            String nodeName,
            NodeLayout layout,
            PluginRegistry plugins,
            @Nullable MountBackend machine,
            MountMetadataFiles metadataFiles,
            NodeOptions options,
            LeftoverProcesses tools) {
        this.nodeName = nodeName;
        this.layout = layout;
        this.plugins = plugins;
        this.machine = machine;
        this.metadataFiles = metadataFiles;
        this.effects = new Effects(machine);
        this.places = new Places(layout, machine, metadataFiles, options.attachMode());
        this.preparation = new PodPreparation(layout, machine, metadataFiles, places);
        this.blocks = new BlockCalls(layout, machine);
        this.options = options;
        this.tools = tools;
    }

    public Call attach(ResolvedVolume volume, VolumeRow row) {
        AttachRequest request =
                new AttachRequest(volume.spec(), volume.id(), nodeName, volume.readOnly(), row.attachData());
        return call(
                volume.plugin(),
                options.attachDeadline(),
                context -> places.with(
                        () -> layout.deviceDirectory(row.id()),
                        DEVICE_DIRECTORY_MODE,
                        () -> places.forgetDevice(row),
                        () -> {
                            metadataFiles.announce(row.withAttach(AttachState.UNCERTAIN));
                            Attacher attacher = volume.plugin()
                                    .attacher(volume.spec())
                                    .orElseThrow(() -> lost(volume.plugin(), "attach"));
                            PluginState state =
                                    given(attacher.beforeAttach(request, context), volume.plugin(), "beforeAttach");
                            AttachResult result =
                                    given(attacher.attach(request.prepared(state), context), volume.plugin(), "attach");
                            return Effects.afterEffect(() -> {
                                RowLimits.requireFitting(row.id(), result);
                                metadataFiles.note(
                                        row.attached(result.devicePath(), result.metadata(), result.state()));
                                return result;
                            });
                        }));
    }

    public Call detach(VolumeRow row) {
        VolumeId id = row.id();
        DetachRequest request = new DetachRequest(id, nodeName, row.devicePath(), row.attachData());
        return call(id, options.attachDeadline(), context -> {
            Optional<Detacher> detacher = registered(id).detacher(id);
            detacher.ifPresent(found -> found.detach(request, context));
            return Effects.afterEffect(() -> {
                places.forgetDevice(row.detached());
                return true;
            });
        });
    }

    public Call mountDevice(ResolvedVolume volume, VolumeRow row, @Nullable Long fsGroup, FormatLedger formats) {
        RootedPath target = layout.deviceMount(volume.id());
        DeviceMountRequest request = new DeviceMountRequest(
                volume.spec(),
                volume.id(),
                row.devicePath(),
                row.metadata(),
                target,
                fsGroup,
                formats,
                row.deviceData(),
                row.label() == null ? "" : row.label());
        return call(
                volume.plugin(),
                deviceDeadline(volume.plugin()),
                context -> places.with(
                        () -> layout.deviceDirectory(volume.id()),
                        DEVICE_DIRECTORY_MODE,
                        () -> places.forgetDevice(row),
                        () -> {
                            metadataFiles.announce(row.withDevice(MountState.UNCERTAIN));
                            if (volume.block()) {
                                Mounted mapped = blocks.mapDevice(volume, row, context);
                                metadataFiles.note(
                                        row.deviceMounted(mapped.inKernel(), mapped.state(), mapped.label()));
                                return mapped;
                            }
                            PluginState state = given(
                                            volume.plugin()
                                                    .deviceMounter(volume.spec())
                                                    .orElseThrow(() -> lost(volume.plugin(), "mount devices"))
                                                    .mountDevice(request, context),
                                            volume.plugin(),
                                            "mountDevice")
                                    .state();
                            return Effects.afterEffect(() -> {
                                Mounted mounted =
                                        Mounted.device(effects.inKernel(target), state, request.seLinuxLabel());
                                metadataFiles.note(
                                        row.deviceMounted(mounted.inKernel(), state, request.seLinuxLabel()));
                                return mounted;
                            });
                        }));
    }

    public Call unmountDevice(VolumeRow row) {
        VolumeId id = row.id();
        if (UnidentifiedMount.is(id)) {
            return call(id, options.mountDeadline(), context -> {
                leftovers().removeDevice(id);
                return null;
            });
        }
        RootedPath target = layout.deviceMount(id);
        DeviceUnmountRequest request = new DeviceUnmountRequest(id, row.devicePath(), target, row.deviceData());
        return call(id, options.mountDeadline(), context -> {
            metadataFiles.note(row.withDevice(MountState.UNCERTAIN));
            if (row.block()) {
                registered(id).blockUnmapper(id).ifPresent(found -> blocks.unmapDevice(row, found, context));
            } else {
                Optional<DeviceUnmounter> unmounter = registered(id).deviceUnmounter(id);
                unmounter.ifPresent(found ->
                        effects.takeAway(row.deviceInKernel(), target, () -> found.unmountDevice(request, context)));
            }
            return Effects.afterEffect(() -> {
                effects.requireGone(layout.deviceTarget(row));
                places.forgetDevice(row.withDevice(MountState.NOT_MOUNTED));
                return true;
            });
        });
    }

    /**
     * Mounts a volume for a pod.
     *
     * @param label the SELinux context that the pod wants on it
     * @param after the state of the mount after a success
     */
    public Call mount(ResolvedVolume volume, VolumeRow row, Pod pod, MountRow mount, String label, MountState after) {
        String podUid = mount.podUid();
        boolean hasDevice = row.device() != MountState.NOT_MOUNTED;
        RootedPath target = layout.podMount(mount);
        MountRequest request = new MountRequest(
                volume.spec(),
                volume.id(),
                pod,
                mount.outerName(),
                hasDevice ? layout.deviceMount(volume.id()) : null,
                row.devicePath(),
                row.metadata(),
                target,
                volume.readOnly(),
                SizeLimit.of(pod, volume.spec().source()),
                mount.data(),
                label);
        return call(
                volume.plugin(),
                options.mountDeadline(),
                context -> places.with(
                        () -> layout.podVolumes(podUid, volume.id().plugin(), mount.block()),
                        POD_DIRECTORY_MODE,
                        () -> places.forgetMount(mount, true),
                        () -> {
                            if (!mount.state().certain()) {
                                metadataFiles.announce(mount.withState(MountState.UNCERTAIN));
                            }
                            if (volume.block()) {
                                Mounted mapped = blocks.mapPod(volume, row, pod, mount, context);
                                metadataFiles.note(mount.mounted(mapped.inKernel(), mapped.state())
                                        .withState(after));
                                return mapped;
                            }
                            MountResult result = given(
                                    volume.plugin()
                                            .mounter(volume.spec())
                                            .orElseThrow(() -> lost(volume.plugin(), "mount"))
                                            .mount(request, context),
                                    volume.plugin(),
                                    "mount");
                            return Effects.afterEffect(() -> {
                                Mounted mounted = Mounted.forPod(effects.inKernel(target), result);
                                metadataFiles.note(mount.mounted(mounted.inKernel(), result.state())
                                        .withState(after));
                                return mounted;
                            });
                        }));
    }

    /**
     * Expands the volume on the node.
     *
     * @param mount one of its pods' mounts, null if no pod has it
     */
    public Call expand(ResolvedVolume volume, VolumeRow row, @Nullable MountRow mount, long bytes) {
        boolean hasDevice = row.device() != MountState.NOT_MOUNTED;
        RootedPath ofDevice = row.block() ? layout.staging(row.id()) : layout.deviceMount(row.id());
        NodeExpandRequest request = new NodeExpandRequest(
                volume.spec(),
                volume.id(),
                row.devicePath(),
                hasDevice ? ofDevice : null,
                bytes,
                row.growth().bytes(),
                row.deviceData(),
                mount == null ? null : layout.podPathOfPlugin(mount));
        return call(volume.plugin(), deviceDeadline(volume.plugin()), context -> {
            long grown = given(
                            volume.plugin()
                                    .nodeExpander(volume.spec())
                                    .orElseThrow(() -> lost(volume.plugin(), "expand"))
                                    .expand(request, context),
                            volume.plugin(),
                            "expand")
                    .capacityBytes();
            if (grown < bytes) {
                throw VolumeException.transientFailure(
                        "plugin " + volume.plugin().name() + " reported success, but volume "
                                + volume.id().name() + " has " + grown + " bytes, not " + bytes);
            }
            return null;
        });
    }

    /**
     * Changes the group of a mount's files to the pod's group. Has its own lane: a long walk delays only other walks.
     *
     * @param ownership null for a pod that requests no change
     * @param after the state of the mount after a success
     */
    public Call applyFsGroup(MountRow row, @Nullable Ownership ownership, MountState after) {
        return new Call(row.id().plugin() + " ownership", WALKS_AT_ONCE, options.ownershipDeadline(), context -> {
            preparation.applyFsGroup(row, ownership, after, context);
            return null;
        });
    }

    /**
     * Maps the IDs of a mount to those of the pod's users.
     *
     * @param ids null for no mapping, if that is known only now
     * @param after the state of the mount after a success
     */
    public Call mapIds(MountRow row, @Nullable IdMapping ids, MountState after) {
        MountRow mapped = row.withIds(ids == null ? "" : ids.toString());
        return call(row.id(), options.mountDeadline(), context -> {
            preparation.mapIds(mapped, ids, after);
            return mapped.ids();
        });
    }

    /** Binds the subPaths that single containers use. */
    public Call bindSubPaths(MountRow row, List<SubPath> parts) {
        return call(row.id(), options.mountDeadline(), context -> {
            preparation.bindSubPaths(row, parts);
            return null;
        });
    }

    /** Binds the subPaths of ephemeral containers that are not bound yet. The pod already has the mount. */
    public Call bindLaterSubPaths(MountRow row, List<SubPath> parts) {
        return call(row.id(), options.mountDeadline(), context -> {
            preparation.bindLaterSubPaths(row, parts);
            return null;
        });
    }

    /**
     * Unmounts a pod's volume, its subPaths first.
     *
     * @param volume the volume's own row
     * @param last whether no other pod has, or may have, the volume
     * @param leaving whether the call removes the pod's directories when they are empty
     */
    public Call unmount(MountRow row, VolumeRow volume, boolean last, boolean leaving) {
        VolumeId id = row.id();
        if (UnidentifiedMount.is(id)) {
            return call(id, options.mountDeadline(), context -> {
                leftovers().removeMount(row);
                places.forgetMount(row.withState(MountState.NOT_MOUNTED), leaving);
                return null;
            });
        }
        RootedPath target = layout.podMount(row);
        UnmountRequest request = new UnmountRequest(id, row.podUid(), row.outerName(), target, row.data());
        return call(id, options.mountDeadline(), context -> {
            metadataFiles.note(row.withState(MountState.UNCERTAIN));
            preparation.removeSubPaths(row);
            if (row.block()) {
                BlockUnmapper unmapper = registered(id).blockUnmapper(id).orElseThrow(() -> cannotUndo(id));
                blocks.unmapPod(row, volume, last, unmapper, context);
            } else {
                Unmounter unmounter = registered(id).unmounter(id).orElseThrow(() -> cannotUndo(id));
                effects.takeAway(row.inKernel(), target, () -> unmounter.unmount(request, context));
            }
            return Effects.afterEffect(() -> {
                effects.requireGone(target);
                places.forgetMount(row.withState(MountState.NOT_MOUNTED), leaving);
                return true;
            });
        });
    }

    private static VolumeException cannotUndo(VolumeId id) {
        return VolumeException.finalFailure("plugin " + id.plugin() + " mounted the volume and cannot unmount it");
    }

    /**
     * A plugin that runs no programs needs no long deadline: a call that exceeds the deadline of other mounts hangs.
     */
    private Duration deviceDeadline(VolumePlugin plugin) {
        return plugin.runsPrograms() ? options.deviceDeadline() : options.mountDeadline();
    }

    private Call call(VolumePlugin plugin, Duration deadline, Call.Body body) {
        return new Call(plugin.name(), Math.max(1, plugin.maxConcurrentCalls()), deadline, context -> {
            tools.mustHaveEnded(plugin, THE_ONLY_TERM);
            return body.run(context);
        });
    }

    private Call call(VolumeId id, Duration deadline, Call.Body body) {
        int limit = plugins.byName(id.plugin())
                .map(VolumePlugin::maxConcurrentCalls)
                .orElse(1);
        return new Call(id.plugin(), Math.max(1, limit), deadline, context -> {
            tools.mustHaveEnded(plugins.byName(id.plugin()).orElse(null), THE_ONLY_TERM);
            return body.run(context);
        });
    }

    private VolumePlugin registered(VolumeId id) {
        return plugins.byName(id.plugin())
                .orElseThrow(() -> VolumeException.transientFailure("plugin " + id.plugin() + " is not registered")
                        .withAdvice("register the plugin that set the volume up, so that it can be taken down"));
    }

    private static VolumeException lost(VolumePlugin plugin, String what) {
        return VolumeException.transientFailure("plugin " + plugin.name() + " cannot " + what + " such volumes");
    }

    private static <T> T given(@Nullable T result, VolumePlugin plugin, String call) {
        return PluginAnswer.of(result, plugin.name(), plugin, call);
    }

    private UnidentifiedMountCleanup leftovers() {
        if (machine == null) {
            throw VolumeException.finalFailure("a node that mounts nothing has nothing unidentified");
        }
        return new UnidentifiedMountCleanup(layout, machine);
    }
}
