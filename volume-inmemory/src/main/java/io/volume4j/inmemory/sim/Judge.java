package io.volume4j.inmemory.sim;

import io.volume4j.core.node.AttachState;
import io.volume4j.core.node.Belief;
import io.volume4j.core.node.MountState;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.inmemory.oracle.BeliefRecord;
import io.volume4j.inmemory.oracle.CallRecord;
import io.volume4j.inmemory.oracle.Oracle;
import io.volume4j.inmemory.oracle.Violation;
import io.volume4j.inmemory.plugin.PluginCall;
import io.volume4j.inmemory.plugin.StorageListener;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.plugin.Attacher.AttachRequest;
import io.volume4j.spi.plugin.DeviceMounter.DeviceMountRequest;
import io.volume4j.spi.plugin.DeviceUnmounter.DeviceUnmountRequest;
import io.volume4j.spi.plugin.Mounter.MountRequest;
import io.volume4j.spi.plugin.Unmounter.UnmountRequest;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Tells the oracle and the trace what happens in a world. */
final class Judge implements StorageListener {
    private final Simulation world;
    private final Oracle oracle;
    private final Trace trace;
    private final Map<Long, CallRecord> calls = new LinkedHashMap<>();
    private int told;

    Judge(Simulation world, Oracle oracle, Trace trace) {
        this.world = world;
        this.oracle = oracle;
        this.trace = trace;
    }

    @Override
    public void issued(PluginCall call) {
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
                facts(call.request()));
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
        }
        trace.add(world.elapsed(), record.toString());
    }

    @Override
    public void effected(PluginCall call) {
        CallRecord record = calls.get(call.number());
        if (record != null) {
            oracle.effected(record);
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

    /** The process has seen a whole list of the kind. */
    void listed(SimProcess process, Kind kind) {
        oracle.listed(process.name(), kind.apiName());
    }

    /** Something was written to the cluster by the library. */
    void written(String what) {
        trace.add(world.elapsed(), what);
        oracle.cluster().check(what, world.cluster().snapshot().values());
    }

    void afterStep() {
        judgeState();
        if (oracle.violationCount() == told) {
            return;
        }
        List<Violation> all = oracle.violations();
        for (; told < all.size(); told++) {
            trace.add(world.elapsed(), "BROKEN " + all.get(told));
        }
    }

    private void judgeState() {
        oracle.afterStep();
        List<String> ready = new ArrayList<>();
        Map<String, Map<String, Belief>> byNode = new LinkedHashMap<>();
        for (NodeProcess node : world.nodes()) {
            if (node.ready()) {
                ready.add(node.name());
                Map<String, Belief> byVolume = new LinkedHashMap<>();
                for (Belief belief : node.beliefs()) {
                    byVolume.put(belief.volume().name(), belief);
                }
                byNode.put(node.name(), byVolume);
            }
        }
        oracle.compareBeliefs(
                ready,
                (node, volume) -> world.node(node).busy(volume),
                (node, volume) -> record(node, volume, byNode.get(node)));
    }

    private BeliefRecord record(String node, String volume, @Nullable Map<String, Belief> beliefs) {
        boolean own = world.plan().attachMode() == AttachMode.SELF;
        Belief belief = beliefs == null ? null : beliefs.get(volume);
        if (belief == null) {
            return BeliefRecord.nothing(node, volume, own);
        }
        Set<String> may = new TreeSet<>();
        Set<String> certain = new TreeSet<>();
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

    private static CallRecord.Facts facts(Object request) {
        if (request instanceof AttachRequest attach) {
            return new CallRecord.Facts("", oneNode(attach.spec()), false, false, false);
        }
        if (request instanceof DeviceMountRequest device) {
            return new CallRecord.Facts(device.target().toString(), false, false, false, false);
        }
        if (request instanceof DeviceUnmountRequest device) {
            return new CallRecord.Facts(device.target().toString(), false, false, false, false);
        }
        if (request instanceof MountRequest mount) {
            return new CallRecord.Facts(
                    mount.target().toString(),
                    false,
                    onePod(mount.spec()),
                    mount.spec().readOnly(),
                    mount.readOnly());
        }
        if (request instanceof UnmountRequest unmount) {
            return new CallRecord.Facts(unmount.target().toString(), false, false, false, false);
        }
        return CallRecord.Facts.none();
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
