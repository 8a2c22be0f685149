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
 * A kind of storage. Implementations are thread-safe and hold no state that a restart may not lose.
 *
 * <p>Each capability is asked for when it is needed and may come and go with a registration; an empty answer means that
 * the step does not exist for this volume. The setting-up half of a capability is found by the volume's description, the
 * tearing-down half by its {@link VolumeId} alone, because claims, classes, secrets and the API may be gone by then.
 *
 * <p>{@link #name()}, {@link #supports}, {@link #volumeName} and the look-ups are called on the event loop: they must not
 * block.
 *
 * @since 0.1.0
 */
public interface VolumePlugin {
    /** The name, qualified by a domain ({@code kubernetes.io/nfs}, {@code loop.volume4j.io}); unique and constant. */
    String name();

    /** Called once before anything else, with what the plugin may use of its host. */
    default void init(PluginHost host) {}

    /** Whether the plugin handles such a volume. Pure. */
    boolean supports(VolumeSpec spec);

    /**
     * The plugin's name for the backing thing: equal for equal things, enough for every teardown. Pure.
     *
     * @throws io.volume4j.spi.VolumeException final, if the description is not valid
     */
    String volumeName(VolumeSpec spec);

    /** Whether several pods of a node share one such volume; otherwise each pod's is its own. Pure. */
    default boolean shared(VolumeSpec spec) {
        return true;
    }

    /**
     * Which volume a pod's mount is, as far as the names in its path tell: for the day when everything else that knew it
     * is lost. Pure.
     *
     * @param outerName the pod's name for the volume
     */
    default Optional<VolumeId> identify(String podUid, String outerName) {
        return Optional.empty();
    }

    /**
     * How the plugin's driver is to be used, given what the cluster's CSIDriver object of the plugin's name says: as the object
     * says, unless the host has told the plugin something else. Asked for volumes with a {@code csi} source; the answer is {@link
     * VolumeSpec#driver()} of every later question. Pure.
     *
     * @param object empty if the cluster has no such object
     * @return empty if neither says anything, so that the plugin's own answers count alone
     */
    default Optional<CsiDriver.Spec> driverSettings(Optional<CsiDriver.Spec> object) {
        return object;
    }

    default EffectModel effectModel() {
        return EffectModel.ordered();
    }

    /** Calls of this plugin that may run at once on one owner; at least 1. */
    default int maxConcurrentCalls() {
        return 16;
    }

    /** Whether a mounted volume is set up again when its pod changes, as content from the API is. */
    default boolean requiresRemount(VolumeSpec spec) {
        return false;
    }

    /**
     * Tells the plugin whom it may ask, on any thread and until the process ends, to set a volume up again for each pod that
     * has it: its content has changed. Called once by each node agent that uses the plugin; asking for a volume that is not
     * mounted does nothing. A set-up that fails is tried again, and leaves the content as it was.
     */
    default void onContentChange(Consumer<VolumeId> remount) {}

    /**
     * Whether such a volume is mounted with its pod's SELinux context as a mount option, so that pods with different contexts
     * cannot share it on a node. Pure.
     */
    default boolean mountsWithSeLinuxLabel(VolumeSpec spec) {
        return false;
    }

    /**
     * Whether the container runtime puts the volume's files in place by itself. The mounter then has nothing to do and leaves nothing
     * at its target, and the library does nothing with the files: it binds no parts for containers, changes no owner and maps no IDs.
     * Pure.
     */
    default boolean mountedByRuntime(VolumeSpec spec) {
        return false;
    }

    /**
     * The container image that a mounted volume shows, with its digest, by what the mounter remembered; {@code ""} for a volume that
     * shows none, or if it is not known. Pure.
     */
    default String imageRef(PluginState state) {
        return "";
    }

    /** Whether mount options of a class or volume mean something here. */
    default boolean supportsMountOptions() {
        return false;
    }

    /** The access modes that the storage can honour. */
    default List<AccessMode> accessModes() {
        return List.of(AccessMode.READ_WRITE_ONCE);
    }

    /** The forms in which the storage can be given to pods; claims for others are not provisioned. */
    default List<VolumeMode> volumeModes() {
        return List.of(VolumeMode.FILESYSTEM);
    }

    /** Whether the provisioner fills a volume from the claim's data source; if not, such claims are not provisioned. */
    default boolean fillsFromDataSource() {
        return false;
    }

    /**
     * Whether the provisioner fills a volume from the content that the request names. One that does not would leave the data out, so it
     * is not asked.
     */
    default boolean fillsFromContent() {
        return fillsFromDataSource();
    }

    /**
     * Whether its calls may run programs of this machine, with {@link io.volume4j.spi.mount.MountBackend#programs()} or otherwise
     * through the backend. Programs outlive a killed process, so before such a plugin is called a controller ends what an earlier
     * process of it left running; a plugin that says no is never kept waiting by a program that cannot be ended. Yes by default.
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

    /** Lists what the backend holds, for audits. */
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

    /** Says how its driver knows this node, so that it is registered in the node's CSINode object; empty if it has no driver. */
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
