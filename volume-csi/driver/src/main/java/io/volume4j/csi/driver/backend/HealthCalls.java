package io.volume4j.csi.driver.backend;

import io.volume4j.csi.driver.backend.State.KnownFinding;
import io.volume4j.csi.driver.backend.State.KnownNode;
import io.volume4j.csi.driver.backend.State.KnownVolume;
import io.volume4j.csi.driver.options.Quirk;
import io.volume4j.csi.internal.proto.ControllerGetVolumeHealthRequest;
import io.volume4j.csi.internal.proto.ControllerGetVolumeHealthResponse;
import io.volume4j.csi.internal.proto.ControllerListVolumeHealthRequest;
import io.volume4j.csi.internal.proto.ControllerListVolumeHealthResponse;
import io.volume4j.csi.internal.proto.NodeGetStorageHealthResponse;
import io.volume4j.csi.internal.proto.NodeGetStorageHealthResponse.StorageBackendHealth;
import io.volume4j.csi.internal.proto.NodeGetVolumeHealthRequest;
import io.volume4j.csi.internal.proto.NodeGetVolumeHealthResponse;
import io.volume4j.csi.internal.proto.VolumeCapability;
import io.volume4j.csi.internal.proto.VolumeCondition;
import io.volume4j.csi.internal.proto.VolumeHealth;
import io.volume4j.csi.internal.proto.VolumeHealth.VolumeHealthEntry;
import io.volume4j.csi.internal.proto.VolumeHealthErrorType;
import java.util.ArrayList;
import java.util.List;

/** Calls for the health of volumes and of the storage. Called inside {@link Backend#work}. */
public final class HealthCalls {
    /** The controller as a viewer of a volume. */
    public static final String CONTROLLER = "controller";
    /** The controller and each node as viewers. */
    public static final String ALL = "*";

    private final Backend backend;
    private final ListingCalls listing;

    public HealthCalls(Backend backend, ListingCalls listing) {
        this.backend = backend;
        this.listing = listing;
    }

    /** Lists unhealthy volumes only. */
    public ControllerListVolumeHealthResponse list(ControllerListVolumeHealthRequest request) {
        List<KnownVolume> unwell = new ArrayList<>(backend.state().volumes.values());
        unwell.removeIf(volume -> volume.ephemeral
                || findings(volume, CONTROLLER).isEmpty()
                || backend.options().has(Quirk.HEALTH_LIST_MISSES));
        ListingCalls.Page<KnownVolume> page =
                listing.page(unwell, volume -> volume.number, request.getMaxEntries(), request.getStartingToken());
        ControllerListVolumeHealthResponse.Builder reply =
                ControllerListVolumeHealthResponse.newBuilder().setNextToken(page.next());
        page.entries().forEach(volume -> reply.addEntries(health(volume, CONTROLLER)));
        return reply.build();
    }

    public ControllerGetVolumeHealthResponse get(ControllerGetVolumeHealthRequest request) {
        return ControllerGetVolumeHealthResponse.newBuilder()
                .setVolumeHealth(health(backend.volume(request.getVolumeId()), CONTROLLER))
                .build();
    }

    /** Answers also for a volume that is not on this node: the caller may have failed to publish it. */
    public NodeGetVolumeHealthResponse onNode(String node, NodeGetVolumeHealthRequest request) {
        return NodeGetVolumeHealthResponse.newBuilder()
                .setVolumeHealth(health(backend.volume(request.getVolumeId()), node))
                .build();
    }

    public NodeGetStorageHealthResponse storage(String node) {
        NodeGetStorageHealthResponse.Builder reply = NodeGetStorageHealthResponse.newBuilder();
        for (KnownFinding finding : backend.state().node(node).storage) {
            StorageBackendHealth.Builder told = StorageBackendHealth.newBuilder()
                    .setStatusValue(finding.status)
                    .setReason(finding.reason)
                    .setMessage(finding.message);
            switch (finding.use) {
                case "mount" -> told.getVolumeCapabilityBuilder().getMountBuilder();
                case "block" -> told.getVolumeCapabilityBuilder().getBlockBuilder();
                default -> {}
            }
            if (told.hasVolumeCapability()) {
                told.getVolumeCapabilityBuilder()
                        .getAccessModeBuilder()
                        .setMode(VolumeCapability.AccessMode.Mode.SINGLE_NODE_WRITER);
            }
            reply.addBackendHealth(told);
        }
        return reply.build();
    }

    /** The same as a condition of CSI 1.12. */
    static VolumeCondition condition(KnownVolume volume, String viewer) {
        List<KnownFinding> findings = findings(volume, viewer);
        return VolumeCondition.newBuilder()
                .setAbnormal(!findings.isEmpty())
                .setMessage(findings.isEmpty() ? "healthy" : findings.get(0).message)
                .build();
    }

    static void set(KnownVolume volume, boolean abnormal) {
        volume.health.clear();
        if (abnormal) {
            set(
                    volume,
                    ALL,
                    List.of(VolumeHealthEntry.newBuilder()
                            .setStatus(VolumeHealthErrorType.DEGRADED)
                            .setReason("ATestSaidSo")
                            .setMessage("a test said so")
                            .build()));
        }
    }

    static void set(KnownVolume volume, String viewer, List<VolumeHealthEntry> told) {
        List<KnownFinding> findings = new ArrayList<>();
        for (VolumeHealthEntry each : told) {
            findings.add(finding(each.getStatusValue(), each.getReason(), each.getMessage()));
        }
        volume.health.put(viewer, findings);
    }

    static void set(KnownNode node, List<StorageBackendHealth> told) {
        node.storage.clear();
        for (StorageBackendHealth each : told) {
            KnownFinding finding = finding(each.getStatusValue(), each.getReason(), each.getMessage());
            VolumeCapability use = each.getVolumeCapability();
            finding.use = use.hasMount() ? "mount" : use.hasBlock() ? "block" : "";
            node.storage.add(finding);
        }
    }

    private static KnownFinding finding(int status, String reason, String message) {
        KnownFinding finding = new KnownFinding();
        finding.status = status;
        finding.reason = reason;
        finding.message = message;
        return finding;
    }

    private static VolumeHealth health(KnownVolume volume, String viewer) {
        VolumeHealth.Builder health = VolumeHealth.newBuilder().setVolumeId(volume.id);
        for (KnownFinding finding : findings(volume, viewer)) {
            health.addHealthStatuses(VolumeHealthEntry.newBuilder()
                    .setStatusValue(finding.status)
                    .setReason(finding.reason)
                    .setMessage(finding.message));
        }
        return health.build();
    }

    private static List<KnownFinding> findings(KnownVolume volume, String viewer) {
        List<KnownFinding> findings = new ArrayList<>(volume.health.getOrDefault(ALL, List.of()));
        findings.addAll(volume.health.getOrDefault(viewer, List.of()));
        return findings;
    }
}
