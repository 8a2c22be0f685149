package io.volume4j.csi.driver.backend;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.grpc.Status.Code;
import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.csi.driver.backend.State.KnownNode;
import io.volume4j.csi.driver.backend.State.KnownVolume;
import io.volume4j.csi.driver.options.DriverOptions;
import io.volume4j.csi.driver.options.MountStyle;
import io.volume4j.csi.driver.oracle.Inventory;
import io.volume4j.csi.driver.oracle.Oracle;
import io.volume4j.csi.driver.oracle.Rule;
import io.volume4j.csi.internal.proto.CreateVolumeRequest;
import io.volume4j.csi.internal.proto.NodeGetStorageHealthResponse;
import io.volume4j.csi.internal.proto.Topology;
import io.volume4j.csi.internal.proto.VolumeCapability;
import io.volume4j.csi.internal.proto.VolumeHealth;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The storage and its nodes, which all endpoints of one driver share. One call at a time works here; its effect is in the
 * store before it returns. Thread-safe.
 */
public final class Backend {
    private final Object lock = new Object();
    private final DriverOptions options;
    private final Oracle oracle;
    private final Store store;
    private final Contents contents;
    private final Exposure exposure;
    private final InstantSource clock;

    @GuardedBy("lock")
    private final State state;

    @GuardedBy("lock")
    private boolean dead;

    /** Starts with the state in the store. */
    public Backend(DriverOptions options, Oracle oracle, Store store, InstantSource clock) {
        this.options = options;
        this.oracle = oracle;
        this.store = store;
        this.clock = clock;
        this.contents = new Contents(store.contents());
        this.exposure = exposure(options.mounts());
        this.state = store.load();
        options.presetVolumes().forEach(this::preset);
    }

    /** Creates a volume as an operator does by hand: it has no context, and can be used in every way. */
    @GuardedBy("lock")
    private void preset(String id, long bytes) {
        if (state.volumes.containsKey(id) || state.gone.contains(id)) {
            return;
        }
        VolumeCapability.AccessMode mode = VolumeCapability.AccessMode.newBuilder()
                .setMode(VolumeCapability.AccessMode.Mode.MULTI_NODE_MULTI_WRITER)
                .build();
        KnownVolume volume = new KnownVolume();
        volume.number = ++state.sequence;
        volume.id = id;
        volume.name = id;
        volume.bytes = bytes;
        volume.nodeBytes = bytes;
        volume.asked = CreateVolumeRequest.newBuilder()
                .setName(id)
                .addVolumeCapabilities(VolumeCapability.newBuilder()
                        .setMount(VolumeCapability.MountVolume.getDefaultInstance())
                        .setAccessMode(mode))
                .addVolumeCapabilities(VolumeCapability.newBuilder()
                        .setBlock(VolumeCapability.BlockVolume.getDefaultInstance())
                        .setAccessMode(mode))
                .build();
        state.volumes.put(id, volume);
    }

    private static Exposure exposure(MountStyle style) {
        if (style == MountStyle.LINKS) {
            return new LinkExposure();
        }
        LinuxMountBackend machine;
        try {
            machine = LinuxMountBackend.create();
        } catch (RuntimeException | LinkageError unable) {
            if (style == MountStyle.AUTO) {
                return new LinkExposure();
            }
            throw unable;
        }
        if (!machine.abilities().mayMount()) {
            String reason = machine.abilities().reason();
            machine.close();
            if (style == MountStyle.AUTO) {
                return new LinkExposure();
            }
            throw new IllegalStateException("this process may not mount: " + reason);
        }
        return new KernelExposure(machine, style != MountStyle.BINDS);
    }

    /** How volumes appear at their targets, as text. */
    public String mounts() {
        return exposure instanceof LinkExposure ? "symbolic links (no right to mount)" : "bind mounts";
    }

    /** Runs the work of one call. @throws Refused if the driver refuses the call */
    public <T> T work(Supplier<T> call) {
        synchronized (lock) {
            if (dead) {
                throw new IllegalStateException("the driver is dead");
            }
            T reply = call.get();
            store.save(state);
            return reply;
        }
    }

    /** From now on calls have no effect, as if the process were gone. */
    public void die() {
        synchronized (lock) {
            if (!dead) {
                dead = true;
                exposure.close();
            }
        }
    }

    /** Reboots the machine of a node: its mounts are gone, attachments stay. */
    public void reboot(String node) {
        synchronized (lock) {
            KnownNode known = state.node(node);
            forget(known);
            store.save(state);
        }
    }

    /** Removes all mounts and devices, also those that the state does not contain. */
    public void unmountAll() {
        synchronized (lock) {
            state.nodes.values().forEach(this::forget);
            for (Path target : store.shown()) {
                exposure.vanish(target);
                store.notShowing(target);
            }
            exposure.releaseAll(store.contents());
            store.save(state);
        }
    }

    @GuardedBy("lock")
    private void forget(KnownNode node) {
        node.published.forEach((target, publication) -> {
            exposure.vanish(Path.of(target));
            store.notShowing(Path.of(target));
        });
        node.staged.values().forEach(stage -> {
            exposure.unstage(Path.of(stage.path));
            store.notShowing(Path.of(stage.path));
        });
        List<String> volumes = new ArrayList<>(node.staged.keySet());
        node.published.values().forEach(publication -> volumes.add(publication.volume));
        node.published.clear();
        node.staged.clear();
        volumes.forEach(this::releaseIfUnused);
        for (KnownVolume volume : List.copyOf(state.volumes.values())) {
            if (volume.ephemeral && volumes.contains(volume.id)) {
                remove(volume);
            }
        }
    }

    /** The existing objects. */
    public Inventory inventory() {
        synchronized (lock) {
            return state.inventory(exposure.present(store.shown(), store.contents()));
        }
    }

    /** Marks a volume as abnormal, or as healthy again. @throws Refused if it does not exist */
    public void setAbnormal(String volume, boolean abnormal) {
        synchronized (lock) {
            HealthCalls.set(volume(volume), abnormal);
            store.save(state);
        }
    }

    /**
     * Sets the health of a volume as a node, the controller or all of them report it. @throws Refused if it does not exist
     */
    public void setHealth(String volume, String viewer, List<VolumeHealth.VolumeHealthEntry> findings) {
        synchronized (lock) {
            HealthCalls.set(volume(volume), viewer, findings);
            store.save(state);
        }
    }

    /** Sets the health of the storage as a node reports it. */
    public void setStorageHealth(String node, List<NodeGetStorageHealthResponse.StorageBackendHealth> findings) {
        synchronized (lock) {
            HealthCalls.set(state.node(node), findings);
            store.save(state);
        }
    }

    // The methods below are for the calls of this package, inside work(…).

    DriverOptions options() {
        return options;
    }

    @SuppressWarnings("GuardedBy") // called only inside work(…)
    State state() {
        return state;
    }

    Contents contents() {
        return contents;
    }

    Exposure exposure() {
        return exposure;
    }

    Store store() {
        return store;
    }

    long nowSeconds() {
        return clock.instant().getEpochSecond();
    }

    /** Capabilities of the controller are off while the plugin has no controller service. */
    boolean has(String capability) {
        return options.switches().has(capability)
                && (!capability.startsWith("controller.") || options.switches().has("plugin.CONTROLLER_SERVICE"));
    }

    void note(Rule rule, String rpc, String text) {
        oracle.note(rule, rpc, text);
    }

    /** Records an error of the caller and returns the refusal for it. */
    Refused wrong(Rule rule, String rpc, Code code, String text) {
        oracle.note(rule, rpc, text);
        return new Refused(code, text);
    }

    KnownVolume volume(String id) {
        KnownVolume volume = state().volumes.get(id);
        if (volume == null) {
            throw Refused.notFound("volume", id);
        }
        return volume;
    }

    boolean knowsNode(String node) {
        return options.nodeId().equals(node) || options.otherNodes().containsKey(node);
    }

    Topology placeOf(String node) {
        return Topology.newBuilder().putAllSegments(options.placeOf(node)).build();
    }

    /** The free bytes of a pool. */
    long free(int pool) {
        long taken = state().volumes.values().stream()
                .filter(volume -> volume.pool == pool && !volume.ephemeral)
                .mapToLong(volume -> volume.bytes)
                .sum();
        return Math.max(0, options.pools().get(pool).bytes() - taken);
    }

    /** The places where the volume is staged or published, by node and path. */
    List<String> uses(String volume) {
        List<String> uses = new ArrayList<>();
        state().nodes.forEach((id, node) -> uses.addAll(usesOn(id, node, volume)));
        return uses;
    }

    List<String> usesOn(String node, String volume) {
        return usesOn(node, state().node(node), volume);
    }

    private static List<String> usesOn(String id, KnownNode node, String volume) {
        List<String> uses = new ArrayList<>();
        State.KnownStage stage = node.staged.get(volume);
        if (stage != null) {
            uses.add("staged on " + id + " at " + stage.path);
        }
        for (Map.Entry<String, State.KnownPublication> each : node.published.entrySet()) {
            if (each.getValue().volume.equals(volume)) {
                uses.add("published on " + id + " at " + each.getKey());
            }
        }
        return uses;
    }

    /** Frees the device of a volume that no path uses any more. */
    void releaseIfUnused(String volume) {
        if (uses(volume).isEmpty() && contents.hasImage(volume)) {
            exposure.release(contents.image(volume, 0));
        }
    }

    void remove(KnownVolume volume) {
        contents.delete(volume.id);
        state().volumes.remove(volume.id);
        state().gone.add(volume.id);
    }

    void born(String what) {
        state().born.merge(what, 1, Integer::sum);
    }
}
