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
import io.volume4j.core.ownership.Ownership;
import io.volume4j.core.ownership.OwnershipCall;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.report.PluginAnswer;
import io.volume4j.core.subpath.SubPath;
import io.volume4j.core.subpath.SubPathBinds;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.RootedPath;
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
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the steps do to the machine. Each method gathers on the loop what its call needs and returns the call, which touches
 * nothing of the world.
 */
public final class NodeCalls {
    private static final int DEVICE_DIRECTORY_MODE = 0700;
    private static final int POD_DIRECTORY_MODE = 0750;
    private static final int WALKS_AT_ONCE = 4;

    /**
     * What a mount call found when it had succeeded.
     *
     * @param label the SELinux context that a device was mounted with
     * @param refreshAt when a pod's content is to be set up again, null for never
     */
    public record Mounted(
            boolean inKernel,
            PluginState state,
            String label,
            @Nullable Instant refreshAt) {
        static Mounted device(boolean inKernel, PluginState state, String label) {
            return new Mounted(inKernel, state, label, null);
        }

        static Mounted forPod(boolean inKernel, MountResult result) {
            return new Mounted(inKernel, result.state(), "", result.refreshAt());
        }
    }

    private final String nodeName;
    private final NodeLayout layout;
    private final PluginRegistry plugins;
    private final @Nullable MountBackend machine;
    private final MountMetadataFiles cards;
    private final BlockCalls blocks;
    private final NodeOptions options;

    public NodeCalls(
            String nodeName,
            NodeLayout layout,
            PluginRegistry plugins,
            @Nullable MountBackend machine,
            MountMetadataFiles cards,
            NodeOptions options) {
        this.nodeName = nodeName;
        this.layout = layout;
        this.plugins = plugins;
        this.machine = machine;
        this.cards = cards;
        this.blocks = new BlockCalls(layout, machine);
        this.options = options;
    }

    public Call attach(ResolvedVolume volume, VolumeRow row) {
        AttachRequest request =
                new AttachRequest(volume.spec(), volume.id(), nodeName, volume.readOnly(), row.attachData());
        return call(
                volume.plugin(),
                options.attachDeadline(),
                context -> withDirectory(
                        () -> layout.deviceDirectory(row.id()), DEVICE_DIRECTORY_MODE, () -> forgetDevice(row), () -> {
                            cards.announce(row.withAttach(AttachState.UNCERTAIN));
                            AttachResult result = given(
                                    volume.plugin()
                                            .attacher(volume.spec())
                                            .orElseThrow(() -> lost(volume.plugin(), "attach"))
                                            .attach(request, context),
                                    volume.plugin(),
                                    "attach");
                            return AfterEffect.onFailure(() -> {
                                RowLimits.requireFitting(row.id(), result);
                                cards.note(row.attached(result.devicePath(), result.metadata(), result.state()));
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
            return AfterEffect.onFailure(() -> {
                forgetDevice(row.detached());
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
                context -> withDirectory(
                        () -> layout.deviceDirectory(volume.id()),
                        DEVICE_DIRECTORY_MODE,
                        () -> forgetDevice(row),
                        () -> {
                            cards.announce(row.withDevice(MountState.UNCERTAIN));
                            if (volume.block()) {
                                Mounted mapped = blocks.mapDevice(volume, row, context);
                                cards.note(row.deviceMounted(mapped.inKernel(), mapped.state(), mapped.label()));
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
                            return AfterEffect.onFailure(() -> {
                                Mounted mounted = Mounted.device(inKernel(target), state, request.seLinuxLabel());
                                cards.note(row.deviceMounted(mounted.inKernel(), state, request.seLinuxLabel()));
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
            cards.note(row.withDevice(MountState.UNCERTAIN));
            if (row.block()) {
                registered(id).blockUnmapper(id).ifPresent(found -> blocks.unmapDevice(row, found, context));
            } else {
                Optional<DeviceUnmounter> unmounter = registered(id).deviceUnmounter(id);
                unmounter.ifPresent(
                        found -> takeAway(row.deviceInKernel(), target, () -> found.unmountDevice(request, context)));
            }
            return AfterEffect.onFailure(() -> {
                requireGone(layout.deviceTarget(row));
                forgetDevice(row.withDevice(MountState.NOT_MOUNTED));
                return true;
            });
        });
    }

    /** @param after the state of the mount when the call has succeeded */
    public Call mount(ResolvedVolume volume, VolumeRow row, Pod pod, MountRow mount, MountState after) {
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
                mount.data());
        return call(
                volume.plugin(),
                options.mountDeadline(),
                context -> withDirectory(
                        () -> layout.podVolumes(podUid, volume.id().plugin(), mount.block()),
                        POD_DIRECTORY_MODE,
                        () -> forgetMount(mount, true),
                        () -> {
                            if (!mount.state().certain()) {
                                cards.announce(mount.withState(MountState.UNCERTAIN));
                            }
                            if (volume.block()) {
                                Mounted mapped = blocks.mapPod(volume, row, pod, mount, context);
                                cards.note(mount.mounted(mapped.inKernel(), mapped.state())
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
                            return AfterEffect.onFailure(() -> {
                                Mounted mounted = Mounted.forPod(inKernel(target), result);
                                cards.note(mount.mounted(mounted.inKernel(), result.state())
                                        .withState(after));
                                return mounted;
                            });
                        }));
    }

    /**
     * Makes what the node sees of the volume larger.
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
                mount == null ? null : podPath(mount));
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

    /** Where the plugin knows it to be for the pod. */
    private RootedPath podPath(MountRow mount) {
        return mount.block() ? layout.publishDirectory(mount.id()).resolve(mount.podUid()) : layout.podMount(mount);
    }

    /**
     * Gives the files of a mount to the pod's group, in a lane of its own: a long walk delays only other walks.
     *
     * @param after the state of the mount when that is done
     */
    public Call own(MountRow row, @Nullable Ownership ownership, MountState after) {
        return new Call(row.id().plugin() + " ownership", WALKS_AT_ONCE, options.ownershipDeadline(), context -> {
            if (ownership != null && machine != null) {
                new OwnershipCall(machine).apply(layout.podMount(row), ownership, context);
            }
            cards.note(row.withState(after));
            return null;
        });
    }

    /** Binds the parts of a mount that single containers see. */
    public Call divide(MountRow row, List<SubPath> parts) {
        return call(row.id(), options.mountDeadline(), context -> {
            if (machine != null) {
                SubPathBinds binds = new SubPathBinds(machine);
                parts.forEach(part -> binds.bind(layout.podMount(row), part));
            }
            cards.note(row.withState(MountState.MOUNTED));
            return null;
        });
    }

    private void removeParts(MountRow row) {
        if (machine != null && !row.block()) {
            RootedPath parts = layout.subPaths(row.podUid(), row.outerName());
            new SubPathBinds(machine).removeAll(parts);
            removeIfEmpty(List.of(layout.podDirectory(row.podUid()).resolve(NodeLayout.SUB_PATHS)));
        }
    }

    /**
     * Takes a pod's mount away, the parts that containers see first.
     *
     * @param volume the volume's own row
     * @param last whether no other pod has, or may have, the volume
     * @param leaving whether the pod's directories go as they become empty
     */
    public Call unmount(MountRow row, VolumeRow volume, boolean last, boolean leaving) {
        VolumeId id = row.id();
        if (UnidentifiedMount.is(id)) {
            return call(id, options.mountDeadline(), context -> {
                leftovers().removeMount(row);
                forgetMount(row.withState(MountState.NOT_MOUNTED), leaving);
                return null;
            });
        }
        RootedPath target = layout.podMount(row);
        UnmountRequest request = new UnmountRequest(id, row.podUid(), row.outerName(), target, row.data());
        return call(id, options.mountDeadline(), context -> {
            cards.note(row.withState(MountState.UNCERTAIN));
            removeParts(row);
            if (row.block()) {
                BlockUnmapper unmapper = registered(id).blockUnmapper(id).orElseThrow(() -> cannotUndo(id));
                blocks.unmapPod(row, volume, last, unmapper, context);
            } else {
                Unmounter unmounter = registered(id).unmounter(id).orElseThrow(() -> cannotUndo(id));
                takeAway(row.inKernel(), target, () -> unmounter.unmount(request, context));
            }
            return AfterEffect.onFailure(() -> {
                requireGone(target);
                forgetMount(row.withState(MountState.NOT_MOUNTED), leaving);
                return true;
            });
        });
    }

    private static VolumeException cannotUndo(VolumeId id) {
        return VolumeException.finalFailure("plugin " + id.plugin() + " mounted the volume and cannot unmount it");
    }

    /**
     * A plugin that runs nothing here has nothing that would need so long: what does not answer within the deadline of every
     * other mount hangs.
     */
    private Duration deviceDeadline(VolumePlugin plugin) {
        return plugin.runsPrograms() ? options.deviceDeadline() : options.mountDeadline();
    }

    private Call call(VolumePlugin plugin, Duration deadline, Call.Body body) {
        return new Call(plugin.name(), Math.max(1, plugin.maxConcurrentCalls()), deadline, body);
    }

    private Call call(VolumeId id, Duration deadline, Call.Body body) {
        int limit = plugins.byName(id.plugin())
                .map(VolumePlugin::maxConcurrentCalls)
                .orElse(1);
        return new Call(id.plugin(), Math.max(1, limit), deadline, body);
    }

    private VolumePlugin registered(VolumeId id) {
        return plugins.byName(id.plugin())
                .orElseThrow(() -> VolumeException.transientFailure("plugin " + id.plugin() + " is not registered")
                        .withAdvice("register the plugin that set the volume up, so that it can be taken down"));
    }

    private static VolumeException lost(VolumePlugin plugin, String what) {
        return VolumeException.transientFailure("plugin " + plugin.name() + " cannot " + what + " such volumes");
    }

    /**
     * Runs the work with the directory there.
     *
     * @param undo forgets what the work announced, for when it failed and certainly did nothing
     */
    private <T> T withDirectory(Supplier<RootedPath> directory, int mode, Runnable undo, Supplier<T> work) {
        if (machine == null) {
            return work.get();
        }
        machine.files().createDirectory(directory.get(), mode);
        try {
            return work.get();
        } catch (VolumeException failure) {
            if (failure.kind() != FailureKind.UNCERTAIN) {
                undo(undo, failure);
            }
            throw failure;
        }
    }

    private static <T> T given(@Nullable T result, VolumePlugin plugin, String call) {
        return PluginAnswer.of(result, plugin.name(), plugin, call);
    }

    /** Undoes the step. If something is left behind, the failure becomes uncertain, so that the node removes it later. */
    private static void undo(Runnable undo, VolumeException failure) {
        try {
            undo.run();
        } catch (VolumeException left) {
            throw VolumeException.uncertain(failure.reason() + "; what was prepared for it is left: " + left.reason())
                    .withAdvice(failure.advice())
                    .withCause(failure);
        }
    }

    /** Brings the metadata file and the directory in line with what is, or may be, there of the volume itself. */
    private void forgetDevice(VolumeRow row) {
        boolean ourAttachment = options.attachMode() == AttachMode.SELF && row.attach() != AttachState.DETACHED;
        if (row.device() != MountState.NOT_MOUNTED || ourAttachment) {
            cards.note(row);
        } else if (machine != null) {
            cards.remove(row);
            removeIfEmpty(List.of(layout.deviceDirectory(row.id())));
        }
    }

    private void forgetMount(MountRow row, boolean leaving) {
        if (row.state() == MountState.NOT_MOUNTED && machine != null) {
            cards.remove(row);
            if (leaving) {
                removeIfEmpty(podDirectories(row));
            }
        }
    }

    private UnidentifiedMountCleanup leftovers() {
        if (machine == null) {
            throw VolumeException.finalFailure("a node that mounts nothing has nothing unidentified");
        }
        return new UnidentifiedMountCleanup(layout, machine);
    }

    private boolean inKernel(RootedPath target) {
        return machine != null && machine.table().at(target.absolute()).isPresent();
    }

    /**
     * A plugin that fails after the unmount may say that nothing happened. If the node believed that, it would go on with a mount
     * that is gone: pods would get a bare directory, or wait for ever.
     */
    private void takeAway(boolean wasInKernel, RootedPath target, Runnable undo) {
        try {
            undo.run();
        } catch (VolumeException failure) {
            boolean claimsNothing = !failure.provesAbsent() && failure.kind() != FailureKind.UNCERTAIN;
            throw wasInKernel && claimsNothing ? heldAgainstTheTable(failure, target) : failure;
        }
    }

    /** A table that cannot be read says nothing against the plugin. */
    private VolumeException heldAgainstTheTable(VolumeException failure, RootedPath target) {
        try {
            return inKernel(target) ? failure : failure.afterEffect();
        } catch (VolumeException unreadable) {
            failure.addSuppressed(unreadable);
            return failure;
        }
    }

    /** A backend may say that it unmounted what the kernel still shows. */
    private void requireGone(RootedPath target) {
        if (inKernel(target)) {
            throw VolumeException.uncertain("the plugin reported success, but " + target + " is still mounted");
        }
    }

    private List<RootedPath> podDirectories(MountRow row) {
        RootedPath plugin = layout.podVolumes(row.podUid(), row.id().plugin(), row.block());
        RootedPath pod = layout.podDirectory(row.podUid());
        return List.of(plugin, pod.resolve(row.block() ? NodeLayout.VOLUME_DEVICES : NodeLayout.VOLUMES), pod);
    }

    /** Directories that hold something else stay, which is no failure. */
    private void removeIfEmpty(List<RootedPath> directories) {
        if (machine == null) {
            return;
        }
        for (RootedPath directory : directories) {
            if (!machine.files().list(directory).isEmpty()) {
                return;
            }
            try {
                machine.files().removeDirectory(directory);
            } catch (VolumeException failure) {
                if (machine.files().list(directory).isEmpty()) {
                    throw failure;
                }
                return;
            }
        }
    }
}
