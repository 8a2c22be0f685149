package io.volume4j.spi.plugin;

import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.CsiDriver;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeMode;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A kind of storage. Implementations are thread-safe. They keep no state in memory that a restart must not lose.
 *
 * <p>The library asks for each capability when it needs it; the answer may change when the driver registers again. An
 * empty answer means that the step does not exist for this volume. The library looks up a capability that sets a
 * volume up by the volume's description. It looks up a capability that tears a volume down by the {@link VolumeId}
 * alone, because claims, classes, secrets and the API may no longer exist.
 *
 * <p>{@link #name()}, {@link #supports}, {@link #volumeName} and the capability methods run on the event loop: they
 * must not block.
 *
 * @since 0.1.0
 */
public interface VolumePlugin {
    /** The plugin's name, with a domain ({@code kubernetes.io/nfs}, {@code loop.volume4j.io}). Unique and constant. */
    String name();

    /** Called once before all other calls, with the services of the host that the plugin may use. */
    default void init(PluginHost host) {}

    /** Whether the plugin handles such a volume. Pure. */
    boolean supports(VolumeSpec spec);

    /**
     * The plugin's name for the backing storage. Equal for equal storage, and sufficient for every teardown. Pure.
     *
     * @throws io.volume4j.spi.VolumeException final, if the description is not valid
     */
    String volumeName(VolumeSpec spec);

    /** Whether several pods of a node share one such volume; otherwise each pod's is its own. Pure. */
    default boolean shared(VolumeSpec spec) {
        return true;
    }

    /**
     * The volume of a pod's mount, if the names in the mount's path identify it. The library asks only when all other
     * records of the mount are lost. Pure.
     *
     * @param outerName the pod's name for the volume
     */
    default Optional<VolumeId> identify(String podUid, String outerName) {
        return Optional.empty();
    }

    /**
     * The settings of the plugin's driver. By default they are those of the cluster's CSIDriver object with the
     * plugin's name; a host may configure the plugin with others. The library asks for volumes with a {@code csi}
     * source. It passes the answer as {@link VolumeSpec#driver()} to all later calls. Pure.
     *
     * @param object empty if the cluster has no such object
     * @return empty if there are no settings; then only the plugin's other answers count
     */
    default Optional<CsiDriver.Spec> driverSettings(Optional<CsiDriver.Spec> object) {
        return object;
    }

    default EffectModel effectModel() {
        return EffectModel.ordered();
    }

    /** The maximum number of concurrent calls to this plugin in one owner; at least 1. */
    default int maxConcurrentCalls() {
        return 16;
    }

    /** Whether the library sets a mounted volume up again when its pod changes, as for content from the API. */
    default boolean requiresRemount(VolumeSpec spec) {
        return false;
    }

    /**
     * Gives the plugin a callback for changed content. When the plugin calls it with a volume, the library sets the
     * volume up again for each pod that has it. The plugin may call it on any thread, until the process ends. Each
     * node agent that uses the plugin calls this method once. The callback does nothing for a volume that is not
     * mounted. The library retries a set-up that fails; the content stays as it was.
     */
    default void onContentChange(Consumer<VolumeId> remount) {}

    /**
     * Whether the plugin mounts such a volume with its pod's SELinux context as a mount option. Pods with different
     * contexts then cannot share it on a node. Pure.
     */
    default boolean mountsWithSeLinuxLabel(VolumeSpec spec) {
        return false;
    }

    /**
     * Whether the container runtime itself mounts the volume's files. The mounter then does nothing and leaves
     * nothing at its target. The library then binds no subPaths, changes no owners and maps no IDs. Pure.
     */
    default boolean mountedByRuntime(VolumeSpec spec) {
        return false;
    }

    /**
     * The container image of a mounted volume, with its digest, from the state that the mounter returned. {@code ""}
     * if the volume has no image or the image is unknown. Pure.
     */
    default String imageRef(PluginState state) {
        return "";
    }

    /**
     * Whether the plugin applies mount options of a class or volume. If not, no volume is made for a class with options,
     * and no pod gets a PersistentVolume of files with options.
     */
    default boolean supportsMountOptions() {
        return false;
    }

    /** The access modes that the storage supports. */
    default List<AccessMode> accessModes() {
        return List.of(AccessMode.READ_WRITE_ONCE);
    }

    /** The volume modes that the storage supports. The library does not provision claims with other modes. */
    default List<VolumeMode> volumeModes() {
        return List.of(VolumeMode.FILESYSTEM);
    }

    /**
     * Whether the provisioner fills a volume from the claim's data source. If not, the library does not provision
     * such claims.
     */
    default boolean fillsFromDataSource() {
        return false;
    }

    /**
     * Whether the provisioner fills a volume from the content that the request names. If not, the library does not
     * ask it for such volumes, because the volume would have no data.
     */
    default boolean fillsFromContent() {
        return fillsFromDataSource();
    }

    /**
     * Whether the plugin's calls may run programs of this machine, with
     * {@link io.volume4j.spi.mount.MountBackend#programs()} or otherwise through the backend. Programs survive a
     * killed process. Therefore a controller or node ends the programs of an earlier process before it calls such a
     * plugin. A plugin that returns false never waits for a program that cannot be ended. True by default.
     */
    default boolean runsPrograms() {
        return true;
    }

    default Optional<Provisioner> provisioner(StorageClass storageClass) {
        return Optional.empty();
    }

    default Optional<Deleter> deleter(VolumeSpec spec) {
        return Optional.empty();
    }

    default Optional<Recycler> recycler(VolumeSpec spec) {
        return Optional.empty();
    }

    default Optional<Attacher> attacher(VolumeSpec spec) {
        return Optional.empty();
    }

    default Optional<Detacher> detacher(VolumeId volume) {
        return Optional.empty();
    }

    default Optional<DeviceMounter> deviceMounter(VolumeSpec spec) {
        return Optional.empty();
    }

    default Optional<DeviceUnmounter> deviceUnmounter(VolumeId volume) {
        return Optional.empty();
    }

    default Optional<Mounter> mounter(VolumeSpec spec) {
        return Optional.empty();
    }

    default Optional<Unmounter> unmounter(VolumeId volume) {
        return Optional.empty();
    }

    default Optional<BlockMapper> blockMapper(VolumeSpec spec) {
        return Optional.empty();
    }

    default Optional<BlockUnmapper> blockUnmapper(VolumeId volume) {
        return Optional.empty();
    }

    default Optional<Expander> expander(VolumeSpec spec) {
        return Optional.empty();
    }

    default Optional<NodeExpander> nodeExpander(VolumeSpec spec) {
        return Optional.empty();
    }

    default Optional<Snapshotter> snapshotter() {
        return Optional.empty();
    }

    default Optional<GroupSnapshotter> groupSnapshotter() {
        return Optional.empty();
    }

    default Optional<SnapshotMetadata> snapshotMetadata() {
        return Optional.empty();
    }

    /** The plugin's inventory, for audits; empty if the plugin has none. */
    default Optional<Inventory> inventory() {
        return Optional.empty();
    }

    default Optional<Modifier> modifier(VolumeSpec spec) {
        return Optional.empty();
    }

    default Optional<Observer> observer() {
        return Optional.empty();
    }

    default Optional<CapacityReporter> capacity() {
        return Optional.empty();
    }

    default Optional<TopologyReporter> topology() {
        return Optional.empty();
    }

    default Optional<LimitsReporter> limits() {
        return Optional.empty();
    }

    /**
     * Reports how the plugin's driver identifies this node, for the node's CSINode object. Empty if the plugin has no
     * driver.
     */
    default Optional<NodeReporter> nodeReporter() {
        return Optional.empty();
    }

    default Optional<StatsReporter> stats(VolumeSpec spec) {
        return Optional.empty();
    }

    default Optional<HealthReporter> health() {
        return Optional.empty();
    }
}
