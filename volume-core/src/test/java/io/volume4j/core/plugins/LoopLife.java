package io.volume4j.core.plugins;

import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.Attacher.AttachRequest;
import io.volume4j.spi.plugin.Deleter.DeleteRequest;
import io.volume4j.spi.plugin.Detacher.DetachRequest;
import io.volume4j.spi.plugin.DeviceMounter.DeviceMountRequest;
import io.volume4j.spi.plugin.DeviceUnmounter.DeviceUnmountRequest;
import io.volume4j.spi.plugin.Expander.ExpandRequest;
import io.volume4j.spi.plugin.NodeExpander.NodeExpandRequest;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.Provisioner.ProvisionRequest;
import io.volume4j.spi.plugin.Provisioner.ProvisionResult;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.Map;

/** The steps of one loop volume's life, on a machine of its own. */
final class LoopLife {
    static final String IMAGE = "/var/lib/volume4j/plugins/loop.volume4j.io/data/images/pvc-1.img";
    static final long MEBI = 1 << 20;
    static final VolumeSpec SPEC = Given.volume(Given.loop("pvc-1"), VolumeMode.FILESYSTEM);
    static final VolumeId ID = VolumeId.shared(LoopPlugin.NAME, "pvc-1");

    final FakeMachine machine = new FakeMachine();
    final LoopPlugin plugin = Given.ready(new LoopPlugin(), machine);
    final TestContext context = TestContext.first();

    ProvisionResult provision(ProvisionRequest request) {
        return plugin.provisioner(request.storageClass()).orElseThrow().provision(request, context);
    }

    void delete() {
        plugin.deleter(SPEC).orElseThrow().delete(new DeleteRequest("pv-1", Given.loop("pvc-1")), context);
    }

    String attach() {
        return plugin.attacher(SPEC)
                .orElseThrow()
                .attach(new AttachRequest(SPEC, ID, "node-1", false, PluginState.none()), context)
                .devicePath();
    }

    void detach() {
        plugin.detacher(ID).orElseThrow().detach(new DetachRequest(ID, "node-1", "", PluginState.none()), context);
    }

    void mountDevice() {
        mountDevice("");
    }

    void mountDevice(String devicePath) {
        mountDevice(SPEC, devicePath);
    }

    void mountDevice(VolumeSpec spec, String devicePath) {
        plugin.deviceMounter(spec)
                .orElseThrow()
                .mountDevice(
                        new DeviceMountRequest(
                                spec,
                                ID,
                                devicePath,
                                Map.of(),
                                Given.DEVICE_TARGET,
                                null,
                                new FakeLedger(machine.effects),
                                PluginState.none()),
                        context);
    }

    void unmountDevice() {
        plugin.deviceUnmounter(ID)
                .orElseThrow()
                .unmountDevice(new DeviceUnmountRequest(ID, "", Given.DEVICE_TARGET, PluginState.none()), context);
    }

    void mountPod(boolean readOnly) {
        plugin.mounter(SPEC)
                .orElseThrow()
                .mount(
                        Given.mount(plugin, SPEC, Given.pod(), Given.DEVICE_TARGET, readOnly, 0, PluginState.none()),
                        context);
    }

    void unmountPod() {
        plugin.unmounter(ID).orElseThrow().unmount(Given.unmount(plugin), context);
    }

    long expand(long bytes) {
        return plugin.expander(SPEC)
                .orElseThrow()
                .expand(new ExpandRequest(SPEC, bytes, 64 * MEBI), context)
                .capacityBytes();
    }

    long expandOnNode(long bytes, RootedPath mount) {
        return plugin.nodeExpander(SPEC)
                .orElseThrow()
                .expand(new NodeExpandRequest(SPEC, ID, "", mount, bytes, 64 * MEBI, PluginState.none()), context)
                .capacityBytes();
    }
}
