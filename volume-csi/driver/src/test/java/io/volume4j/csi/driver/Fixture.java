package io.volume4j.csi.driver;

import io.volume4j.csi.driver.options.DriverOptions;
import io.volume4j.csi.driver.options.MountStyle;
import io.volume4j.csi.internal.proto.CapacityRange;
import io.volume4j.csi.internal.proto.ControllerPublishVolumeRequest;
import io.volume4j.csi.internal.proto.CreateSnapshotRequest;
import io.volume4j.csi.internal.proto.CreateVolumeRequest;
import io.volume4j.csi.internal.proto.NodePublishVolumeRequest;
import io.volume4j.csi.internal.proto.NodeStageVolumeRequest;
import io.volume4j.csi.internal.proto.Snapshot;
import io.volume4j.csi.internal.proto.Volume;
import io.volume4j.csi.internal.proto.VolumeCapability;
import io.volume4j.csi.internal.proto.VolumeCapability.AccessMode;
import io.volume4j.csi.internal.proto.VolumeCapability.AccessMode.Mode;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A driver, a bare client of it, and requests that are as they should be. */
final class Fixture implements AutoCloseable {
    static final long MI = 1 << 20;

    private final Place place = new Place();
    private final CsiTestDriver driver;
    private DriverClient client;
    private int names;

    Fixture() {
        this(options -> options);
    }

    Fixture(UnaryOperator<DriverOptions.Builder> change) {
        driver = CsiTestDriver.start(change.apply(options()).build());
        client = new DriverClient(place.socket());
    }

    private DriverOptions.Builder options() {
        return DriverOptions.at(place.socket())
                .stateDirectory(place.path().resolve("state"))
                .mounts(MountStyle.LINKS);
    }

    /** For a volume, a snapshot or a pod whose name no other test uses. */
    String newName() {
        return "new-" + ++names;
    }

    Place place() {
        return place;
    }

    CsiTestDriver driver() {
        return driver;
    }

    /** After a crash: the client may not have noticed yet that its connection ended. */
    void reconnect() {
        client.close();
        client = new DriverClient(place.socket());
    }

    DriverClient client() {
        return client;
    }

    static VolumeCapability mounted(Mode mode) {
        return VolumeCapability.newBuilder()
                .setMount(VolumeCapability.MountVolume.getDefaultInstance())
                .setAccessMode(AccessMode.newBuilder().setMode(mode))
                .build();
    }

    static VolumeCapability mounted() {
        return mounted(Mode.SINGLE_NODE_WRITER);
    }

    static VolumeCapability block() {
        return VolumeCapability.newBuilder()
                .setBlock(VolumeCapability.BlockVolume.getDefaultInstance())
                .setAccessMode(AccessMode.newBuilder().setMode(Mode.SINGLE_NODE_WRITER))
                .build();
    }

    static CreateVolumeRequest.Builder create(String name) {
        return CreateVolumeRequest.newBuilder()
                .setName(name)
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(8 * MI))
                .addVolumeCapabilities(mounted());
    }

    Volume volume(String name) {
        return volume(create(name));
    }

    Volume volume(CreateVolumeRequest.Builder request) {
        return client.controller().createVolume(request.build()).getVolume();
    }

    Snapshot snapshot(Volume volume, String name) {
        return client.controller()
                .createSnapshot(CreateSnapshotRequest.newBuilder()
                        .setSourceVolumeId(volume.getVolumeId())
                        .setName(name)
                        .build())
                .getSnapshot();
    }

    ControllerPublishVolumeRequest.Builder attach(Volume volume, String node, Mode mode) {
        return ControllerPublishVolumeRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .setNodeId(node)
                .setVolumeCapability(mounted(mode))
                .putAllVolumeContext(volume.getVolumeContextMap());
    }

    Map<String, String> attached(Volume volume) {
        return attached(volume, Mode.SINGLE_NODE_WRITER);
    }

    Map<String, String> attached(Volume volume, Mode mode) {
        return client.controller()
                .controllerPublishVolume(attach(volume, "node-1", mode).build())
                .getPublishContextMap();
    }

    NodeStageVolumeRequest.Builder stage(Volume volume, Map<String, String> context, Mode mode) {
        return NodeStageVolumeRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .setStagingTargetPath(place.staging(volume.getVolumeId()))
                .setVolumeCapability(mounted(mode))
                .putAllVolumeContext(volume.getVolumeContextMap())
                .putAllPublishContext(context);
    }

    NodePublishVolumeRequest.Builder publish(Volume volume, Map<String, String> context, Mode mode, String target) {
        return NodePublishVolumeRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .setStagingTargetPath(place.staging(volume.getVolumeId()))
                .setTargetPath(place.target(target))
                .setVolumeCapability(mounted(mode))
                .putAllVolumeContext(volume.getVolumeContextMap())
                .putAllPublishContext(context);
    }

    /** A volume that is attached and staged. */
    Staged staged(String name, Mode mode) {
        Volume volume = volume(create(name).clearVolumeCapabilities().addVolumeCapabilities(mounted(mode)));
        Map<String, String> context = attached(volume, mode);
        client.node().nodeStageVolume(stage(volume, context, mode).build());
        return new Staged(volume, context, mode);
    }

    record Staged(Volume volume, Map<String, String> context, Mode mode) {
        NodePublishVolumeRequest.Builder publish(Fixture fixture, String target) {
            return fixture.publish(volume, context, mode, target);
        }
    }

    @Override
    public void close() {
        client.close();
        driver.close();
        place.close();
    }
}
