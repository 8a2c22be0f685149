package io.volume4j.inmemory.sim;

import io.volume4j.core.node.AttachState;
import io.volume4j.core.node.Belief;
import io.volume4j.core.node.MountState;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.inmemory.fault.CallGate;
import io.volume4j.inmemory.fault.CallSite;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.inmemory.oracle.BeliefRecord;
import io.volume4j.inmemory.oracle.CallRecord;
import io.volume4j.inmemory.oracle.Oracle;
import io.volume4j.inmemory.oracle.Rule;
import io.volume4j.inmemory.oracle.Violation;
import io.volume4j.inmemory.plugin.PluginCall;
import io.volume4j.inmemory.plugin.StorageListener;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.plugin.Attacher.AttachRequest;
import io.volume4j.spi.plugin.DeviceMounter.DeviceMountRequest;
import io.volume4j.spi.plugin.DeviceUnmounter.DeviceUnmountRequest;
import io.volume4j.spi.plugin.Mounter.MountRequest;
import io.volume4j.spi.plugin.Unmounter.UnmountRequest;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reports the events of a world to the oracle and the trace. */
final class Judge implements StorageListener {
    private static final String DISKS = "/dev/mem/";

    private final Simulation world;
    private final Oracle oracle;
    private final Trace trace;
    private final boolean judges;
    private final Map<Long, CallRecord> calls = new LinkedHashMap<>();
    private StorageListener also = new StorageListener() {};
    private Consumer<String> alsoOfWrites = write -> {};
    private List<ApiObject> volumes = List.of();
    private List<ApiObject> claims = List.of();
    private int told;

    Judge(Simulation world, Oracle oracle, Trace trace) {
        this.world = world;
        this.oracle = oracle;
        this.trace = trace;
        this.judges = world.makeup().course().judged();
    }

    /** Tells the oracle the processes of the world and their permissions. */
    void begin() {
        Makeup makeup = world.makeup();
        oracle.root(NodeProcess.ROOT);
        if (makeup.attachMode() == AttachMode.SELF) {
            oracle.nodesAttach();
        }
        for (NodeProcess node : world.nodes()) {
            oracle.callLimit(node.name(), makeup.nodes().callLimits().threads());
            makeup.control().attachLimits().values().forEach(most -> oracle.limit(node.name(), most));
        }
        for (OutsideProcess process : world.outside()) {
            if (process.role() == OutsideProcess.Role.ATTACHER) {
                oracle.obeys(process.name());
            }
        }
    }

    /** Adds another judge for the calls and effects of processes, and for their writes. */
    void also(StorageListener calls, Consumer<String> writes) {
        also = calls;
        alsoOfWrites = writes;
    }

    @Override
    public void issued(PluginCall call) {
        if (!judges) {
            return;
        }
        Job job = world.traffic().current();
        CallRecord record = new CallRecord(
                call.number(),
                job == null ? "" : job.process.name(),
                job == null ? 0 : job.incarnation,
                call.name(),
                call.volume(),
                call.node(),
                call.podUid(),
                call.operationId(),
                call.driver(),
                facts(job == null ? null : job.process, call.request()));
        calls.put(call.number(), record);
        if (job != null && job.alive()) {
            if (call.name().equals("delete")) {
                oracle.cluster()
                        .deleting(
                                record.toString(),
                                call.volume(),
                                world.cluster().snapshot().values());
            }
            oracle.issued(record);
            also.issued(call);
        }
        trace.add(world.elapsed(), record.toString());
    }

    @Override
    public void effected(PluginCall call) {
        CallRecord record = calls.get(call.number());
        if (record != null) {
            oracle.effected(record);
            if (record.call().equals("detach")) {
                oracle.diskDetached(record.node(), DISKS + record.volume());
            }
            also.effected(call);
        }
    }

    @Override
    public void ended(PluginCall call) {
        CallRecord record = calls.get(call.number());
        if (record != null) {
            trace.add(world.elapsed(), record.call() + " " + record.volume() + " ended: " + call.outcome());
            oracle.ended(record);
        }
    }

    /** The process has read a whole list of the kind. */
    void listed(SimProcess process, Kind kind) {
        oracle.listed(process.name(), kind.apiName());
    }

    /** A call of a process to its machine reached this phase. */
    void machine(SimProcess process, CallSite site, CallGate.Phase phase) {
        boolean ended = phase == CallGate.Phase.EFFECTED;
        if (site.call().equals("probe") && ended) {
            oracle.diskRead(process.name(), site.subject());
        } else if (site.call().equals("format")) {
            switch (phase) {
                case ISSUED -> oracle.formatting(process.name(), site.subject());
                case HALF_DONE -> oracle.formatBegun(process.name(), site.subject());
                case EFFECTED -> oracle.formatted(site.subject());
            }
        }
    }

    /**
     * A write to the cluster succeeded, by the library or by a program of the host, which may write anything.
     *
     * @param content of the write
     */
    void written(SimProcess process, String what, Object content) {
        trace.add(world.elapsed(), what, content);
        if (process instanceof HostProcess || !judges) {
            return;
        }
        if (oracle.hasSecrets()) {
            oracle.said(what, content.toString());
        }
        List<ApiObject> volumesNow = world.cluster().all(Kind.PERSISTENT_VOLUME);
        List<ApiObject> claimsNow = world.cluster().all(Kind.PERSISTENT_VOLUME_CLAIM);
        // The cluster returns the same list while no object of the kind changes.
        if (volumesNow != volumes || claimsNow != claims) {
            volumes = volumesNow;
            claims = claimsNow;
            oracle.cluster().check(what, volumes, claims);
        }
        alsoOfWrites.accept(what);
    }

    /**
     * The cluster refused a write. The library must not send a write that is invalid in itself, for example one with an
     * unknown field.
     */
    void refused(SimProcess process, String what, ClusterException refused) {
        if (refused.reason() == ClusterException.Reason.INVALID && !(process instanceof HostProcess)) {
            oracle.violate(Rule.S25, what, String.valueOf(refused.getMessage()));
        }
    }

    /** All violations, of all judges. */
    List<Violation> violations() {
        List<Violation> all = new ArrayList<>(oracle.violations());
        all.addAll(world.storage().violations());
        for (NodeProcess node : world.nodes()) {
            node.machine().ifPresent(machine -> all.addAll(machine.violations()));
        }
        return all;
    }

    // Called after each step of worlds that stop at a violation, so it allocates nothing.
    boolean broken() {
        boolean broken = oracle.violationCount() > 0 || world.storage().violated();
        List<NodeProcess> nodes = world.nodes();
        for (int i = 0; i < nodes.size() && !broken; i++) {
            InMemoryMountBackend machine = nodes.get(i).itsMachine();
            broken = machine != null && machine.violated();
        }
        return broken;
    }

    void afterStep() {
        if (!judges) {
            return;
        }
        judgeState();
        if (world.makeup().course().stopsWhenBroken() && broken()) {
            world.scheduler().stop();
        }
        if (oracle.violationCount() == told) {
            return;
        }
        List<Violation> all = oracle.violations();
        for (; told < all.size(); told++) {
            trace.add(world.elapsed(), "BROKEN " + all.get(told));
        }
    }

    private void judgeState() {
        boolean outsideChanged = oracle.changedSince();
        if (outsideChanged) {
            oracle.afterStep();
        }
        boolean own = world.makeup().attachMode() == AttachMode.SELF;
        for (NodeProcess node : world.nodes()) {
            boolean otherwise = node.thoughtSince() && node.believesOtherwise();
            if ((otherwise || outsideChanged) && node.ready()) {
                oracle.compareBeliefs(
                        node.name(), node::busy, volume -> record(node.name(), volume, own, node.believedOf(volume)));
            }
        }
    }

    private static BeliefRecord record(String node, String volume, boolean own, @Nullable Belief belief) {
        if (belief == null) {
            return BeliefRecord.nothing(node, volume, own);
        }
        boolean any = !belief.mounts().isEmpty();
        Set<String> may = any ? new TreeSet<>() : Set.of();
        Set<String> certain = any ? new TreeSet<>() : Set.of();
        belief.mounts().forEach((pod, state) -> {
            if (state != MountState.NOT_MOUNTED) {
                may.add(pod);
            }
            if (state == MountState.MOUNTED) {
                certain.add(pod);
            }
        });
        return new BeliefRecord(
                node,
                volume,
                own,
                belief.attach() != AttachState.DETACHED,
                belief.attach() == AttachState.ATTACHED,
                belief.device() != MountState.NOT_MOUNTED,
                belief.device() == MountState.MOUNTED,
                may,
                certain);
    }

    private static CallRecord.Facts facts(@Nullable SimProcess process, Object request) {
        if (request instanceof AttachRequest attach) {
            return CallRecord.Facts.none().onOneNode(oneNode(attach.spec()));
        }
        if (request instanceof DeviceMountRequest device) {
            boolean attaches = plugin(process, device.volume(), plugin -> plugin.attacher(device.spec()))
                    && device.spec().attachRequired();
            return CallRecord.Facts.at(device.target().toString()).standingOn(attaches ? "attach" : "");
        }
        if (request instanceof DeviceUnmountRequest device) {
            return CallRecord.Facts.at(device.target().toString());
        }
        if (request instanceof MountRequest mount) {
            boolean stages = plugin(process, mount.volume(), plugin -> plugin.deviceMounter(mount.spec()));
            return CallRecord.Facts.at(mount.target().toString())
                    .forPod(onePod(mount.spec()), mount.spec().readOnly(), mount.readOnly())
                    .standingOn(stages ? "mountDevice" : "");
        }
        if (request instanceof UnmountRequest unmount) {
            return CallRecord.Facts.at(unmount.target().toString());
        }
        return CallRecord.Facts.none();
    }

    /** Whether the plugin of the volume has the capability, in this process. */
    private static boolean plugin(
            @Nullable SimProcess process, VolumeId volume, Function<VolumePlugin, Optional<?>> part) {
        return process instanceof NodeProcess node
                && node.plugins()
                        .flatMap(known -> known.byName(volume.plugin()))
                        .flatMap(part)
                        .isPresent();
    }

    private static boolean oneNode(VolumeSpec spec) {
        return spec.persistentVolume() == null
                || spec.persistentVolume().spec().accessModes().stream().noneMatch(AccessMode::manyNodes);
    }

    private static boolean onePod(VolumeSpec spec) {
        return spec.persistentVolume() != null
                && !spec.persistentVolume().spec().accessModes().isEmpty()
                && spec.persistentVolume().spec().accessModes().stream()
                        .allMatch(AccessMode.READ_WRITE_ONCE_POD::equals);
    }
}
