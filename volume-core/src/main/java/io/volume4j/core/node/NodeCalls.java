package io.volume4j.core.node;

import io.volume4j.core.engine.Call;
import io.volume4j.core.node.ResolvedPod.ResolvedVolume;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.Attacher.AttachRequest;
import io.volume4j.spi.plugin.Detacher;
import io.volume4j.spi.plugin.Detacher.DetachRequest;
import io.volume4j.spi.plugin.DeviceMounter.DeviceMountRequest;
import io.volume4j.spi.plugin.DeviceUnmounter;
import io.volume4j.spi.plugin.DeviceUnmounter.DeviceUnmountRequest;
import io.volume4j.spi.plugin.FormatLedger;
import io.volume4j.spi.plugin.Mounter.MountRequest;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.Unmounter;
import io.volume4j.spi.plugin.Unmounter.UnmountRequest;
import io.volume4j.spi.plugin.VolumePlugin;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the steps do to the machine. Each method gathers on the loop what its call needs and returns the call, which touches
 * nothing of the world.
 */
final class NodeCalls {
    private static final int DEVICE_DIRECTORY_MODE = 0700;
    private static final int POD_DIRECTORY_MODE = 0750;

    /** What a mount call found when it had succeeded. */
    record Mounted(boolean inKernel, PluginState state) {}

    private final String nodeName;
    private final NodeLayout layout;
    private final PluginRegistry plugins;
    private final @Nullable MountBackend machine;
    private final NodeOptions options;

    NodeCalls(
            String nodeName,
            NodeLayout layout,
            PluginRegistry plugins,
            @Nullable MountBackend machine,
            NodeOptions options) {
        this.nodeName = nodeName;
        this.layout = layout;
        this.plugins = plugins;
        this.machine = machine;
        this.options = options;
    }

    Call attach(ResolvedVolume volume, VolumeRow row) {
        AttachRequest request =
                new AttachRequest(volume.spec(), volume.id(), nodeName, volume.readOnly(), row.attachData());
        return call(
                volume.plugin(),
                options.attachDeadline(),
                context -> volume.plugin()
                        .attacher(volume.spec())
                        .orElseThrow(() -> lost(volume.plugin(), "attach"))
                        .attach(request, context));
    }

    Call detach(VolumeRow row) {
        VolumeId id = row.id();
        DetachRequest request = new DetachRequest(id, nodeName, row.devicePath(), row.attachData());
        return call(id, options.attachDeadline(), context -> {
            Optional<Detacher> detacher = registered(id).detacher(id);
            detacher.ifPresent(found -> found.detach(request, context));
            return null;
        });
    }

    Call mountDevice(ResolvedVolume volume, VolumeRow row, @Nullable Long fsGroup, FormatLedger formats) {
        RootedPath target = layout.deviceMount(volume.id());
        DeviceMountRequest request = new DeviceMountRequest(
                volume.spec(),
                volume.id(),
                row.devicePath(),
                row.metadata(),
                target,
                fsGroup,
                formats,
                row.deviceData());
        return call(volume.plugin(), options.mountDeadline(), context -> {
            RootedPath directory = layout.deviceDirectory(volume.id());
            return withDirectory(directory, DEVICE_DIRECTORY_MODE, List.of(directory), () -> {
                PluginState state = volume.plugin()
                        .deviceMounter(volume.spec())
                        .orElseThrow(() -> lost(volume.plugin(), "mount devices"))
                        .mountDevice(request, context)
                        .state();
                return new Mounted(inKernel(target), state);
            });
        });
    }

    Call unmountDevice(VolumeRow row) {
        VolumeId id = row.id();
        RootedPath target = layout.deviceMount(id);
        DeviceUnmountRequest request = new DeviceUnmountRequest(id, row.devicePath(), target, row.deviceData());
        return call(id, options.mountDeadline(), context -> {
            Optional<DeviceUnmounter> unmounter = registered(id).deviceUnmounter(id);
            unmounter.ifPresent(found -> found.unmountDevice(request, context));
            requireGone(target);
            removeIfEmpty(List.of(layout.deviceDirectory(id)));
            return null;
        });
    }

    Call mount(ResolvedVolume volume, VolumeRow row, Pod pod, MountRow mount) {
        String podUid = mount.podUid();
        boolean hasDevice = row.device() != MountState.NOT_MOUNTED;
        RootedPath target = layout.podMount(volume.id(), podUid, mount.outerName());
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
                0,
                mount.data());
        return call(volume.plugin(), options.mountDeadline(), context -> {
            RootedPath directory = layout.podVolumes(podUid, volume.id().plugin());
            return withDirectory(directory, POD_DIRECTORY_MODE, podDirectories(podUid, volume.id()), () -> {
                PluginState newState = volume.plugin()
                        .mounter(volume.spec())
                        .orElseThrow(() -> lost(volume.plugin(), "mount"))
                        .mount(request, context)
                        .state();
                return new Mounted(inKernel(target), newState);
            });
        });
    }

    /**
     * Takes a pod's mount away.
     *
     * @param last whether the pod has nothing else here, so that its directories can go too
     */
    Call unmount(MountRow row, boolean last) {
        VolumeId id = row.id();
        RootedPath target = layout.podMount(id, row.podUid(), row.outerName());
        UnmountRequest request = new UnmountRequest(id, row.podUid(), row.outerName(), target, row.data());
        return call(id, options.mountDeadline(), context -> {
            Unmounter unmounter = registered(id)
                    .unmounter(id)
                    .orElseThrow(() -> VolumeException.finalFailure(
                            "plugin " + id.plugin() + " mounted the volume and cannot unmount it"));
            unmounter.unmount(request, context);
            requireGone(target);
            if (last) {
                removeIfEmpty(podDirectories(row.podUid(), id));
            }
            return null;
        });
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

    /** Runs the work with the directory there; what the directory needed is removed again if the work fails. */
    private <T> T withDirectory(RootedPath directory, int mode, List<RootedPath> removable, Supplier<T> work) {
        if (machine == null) {
            return work.get();
        }
        machine.files().createDirectory(directory, mode);
        try {
            return work.get();
        } catch (VolumeException failure) {
            removeIfEmpty(removable);
            throw failure;
        }
    }

    private boolean inKernel(RootedPath target) {
        return machine != null && machine.table().at(target.absolute()).isPresent();
    }

    /** A backend may say that it unmounted what the kernel still shows. */
    private void requireGone(RootedPath target) {
        if (inKernel(target)) {
            throw VolumeException.uncertain("the plugin reported success, but " + target + " is still mounted");
        }
    }

    private List<RootedPath> podDirectories(String podUid, VolumeId id) {
        return List.of(
                layout.podVolumes(podUid, id.plugin()),
                layout.podDirectory(podUid).resolve("volumes"),
                layout.podDirectory(podUid));
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
            } catch (VolumeException filledMeanwhile) {
                return;
            }
        }
    }
}
