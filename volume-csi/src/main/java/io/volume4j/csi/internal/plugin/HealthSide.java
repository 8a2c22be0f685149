package io.volume4j.csi.internal.plugin;

import static io.volume4j.csi.internal.proto.ControllerServiceCapability.RPC.Type.GET_VOLUME_HEALTH;
import static io.volume4j.csi.internal.proto.ControllerServiceCapability.RPC.Type.LIST_VOLUME_HEALTH;
import static io.volume4j.csi.internal.proto.NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME;

import io.grpc.Status.Code;
import io.volume4j.csi.internal.client.CsiClient;
import io.volume4j.csi.internal.client.CsiException;
import io.volume4j.csi.internal.client.Listing;
import io.volume4j.csi.internal.proto.ControllerGetVolumeHealthRequest;
import io.volume4j.csi.internal.proto.ControllerGetVolumeHealthResponse;
import io.volume4j.csi.internal.proto.ControllerGetVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerGetVolumeResponse;
import io.volume4j.csi.internal.proto.ControllerListVolumeHealthRequest;
import io.volume4j.csi.internal.proto.ListVolumesResponse;
import io.volume4j.csi.internal.proto.NodeGetStorageHealthRequest;
import io.volume4j.csi.internal.proto.NodeGetStorageHealthResponse;
import io.volume4j.csi.internal.proto.NodeGetStorageHealthResponse.StorageBackendHealth;
import io.volume4j.csi.internal.proto.NodeGetVolumeHealthRequest;
import io.volume4j.csi.internal.proto.NodeGetVolumeStatsResponse;
import io.volume4j.csi.internal.proto.NodeServiceCapability;
import io.volume4j.csi.internal.proto.VolumeCondition;
import io.volume4j.csi.internal.proto.VolumeHealth;
import io.volume4j.csi.internal.proto.VolumeHealth.VolumeHealthEntry;
import io.volume4j.csi.internal.redact.SecretRedactor;
import io.volume4j.csi.internal.redact.SecretScrubber;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.plugin.HealthReporter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The health of volumes and of the storage. Uses the calls of CSI 1.13 if the driver has them, else the conditions of CSI 1.12; controller
 * and node may have different versions. The library shows the driver's reports to users and does not act on them. Some drivers report
 * every volume as abnormal that is not where they expect it.
 */
final class HealthSide implements HealthReporter {
    /** In characters; longer texts are cut. The specification limits drivers to 128 bytes. */
    static final int LONGEST_REASON = 128;

    static final int LONGEST_MESSAGE = 1024;

    private static final Logger LOG = LoggerFactory.getLogger(HealthSide.class);

    private static final long NONE = -1;

    private final Driver driver;
    private final UsageSide usage;
    private final Secrets secrets;

    /** The process at the controller socket that lists the health of its volumes, and does not know the call for one volume. */
    private volatile long onlyLists = NONE;

    HealthSide(Driver driver, UsageSide usage, Secrets secrets) {
        this.driver = driver;
        this.usage = usage;
        this.secrets = secrets;
    }

    @Override
    public Health health(VolumeId volume, CallContext context) {
        return health(new HealthRequest(volume, null, null), context);
    }

    /** The reports of controller and node together; a failed call counts as no report. */
    @Override
    public Health health(HealthRequest request, CallContext context) {
        Health controller = ofController(request.volume(), context);
        boolean here = request.path() != null || request.deviceMountPath() != null;
        Health node = here ? ofNode(request, context) : Health.notReported();
        if (!controller.reported() || !node.reported()) {
            return controller.reported() ? controller : node;
        }
        List<Finding> both = new ArrayList<>(controller.findings());
        both.addAll(node.findings());
        return new Health(true, both);
    }

    private Health ofController(VolumeId volume, CallContext context) {
        return orNothing(() -> askByVersion(driver.controller(), context, () -> askController(volume, context)));
    }

    private Health askController(VolumeId volume, CallContext context) {
        if (driver.answersForHealth()) {
            if (onlyLists == driver.controller().generation() && !driver.has(GET_VOLUME_HEALTH)) {
                return Health.notReported();
            }
            return withSecrets(values -> {
                ControllerGetVolumeHealthRequest ask = ControllerGetVolumeHealthRequest.newBuilder()
                        .setVolumeId(Handles.volumeId(volume))
                        .putAllSecrets(values)
                        .build();
                VolumeHealth told = driver.controllerLanes()
                        .together(context, () -> askForOne(ask, context))
                        .getVolumeHealth();
                return health(SeenBy.CONTROLLER, told, SecretScrubber.of(ask)::hide);
            });
        }
        return driver.saysHealthOnController() ? oldController(volume, context) : Health.notReported();
    }

    private ControllerGetVolumeHealthResponse askForOne(ControllerGetVolumeHealthRequest ask, CallContext context) {
        long asked = driver.controller().generation();
        try {
            return driver.controller().controller().controllerGetVolumeHealth(ask, context);
        } catch (CsiException e) {
            if (e.answered(Code.UNIMPLEMENTED) && !driver.has(GET_VOLUME_HEALTH)) {
                onlyLists = asked;
                LOG.atWarn()
                        .addKeyValue("driver", driver.name())
                        .log("driver lists the health of volumes, and cannot be asked for that of one volume");
            }
            throw e;
        }
    }

    private Health oldController(VolumeId volume, CallContext context) {
        ControllerGetVolumeRequest ask = ControllerGetVolumeRequest.newBuilder()
                .setVolumeId(Handles.volumeId(volume))
                .build();
        try {
            ControllerGetVolumeResponse.VolumeStatus told = driver.controllerLanes()
                    .together(context, () -> driver.controller().controller().controllerGetVolume(ask, context))
                    .getStatus();
            return condition(SeenBy.CONTROLLER, told.hasVolumeCondition(), told.getVolumeCondition());
        } catch (CsiException e) {
            if (e.provesAbsent()) {
                return new Health(
                        true, List.of(new Finding(Kind.OTHER, SeenBy.CONTROLLER, "", "the volume does not exist")));
            }
            throw e;
        }
    }

    @Override
    public boolean lists() {
        return driver.listsHealth();
    }

    @Override
    public HealthListing list(CallContext context) {
        return Driver.translated(() -> askByVersion(driver.controller(), context, () -> askForAll(context)));
    }

    private HealthListing askForAll(CallContext context) {
        if (!driver.has(LIST_VOLUME_HEALTH)) {
            return driver.listsHealth() ? oldList(context) : new HealthListing(Map.of(), false);
        }
        return withSecrets(values -> {
            ControllerListVolumeHealthRequest ask = ControllerListVolumeHealthRequest.newBuilder()
                    .putAllSecrets(values)
                    .build();
            SecretScrubber scrubber = SecretScrubber.of(ask);
            Listing<VolumeHealth> told = driver.controllerLanes()
                    .together(context, () -> driver.controller().controller().listAllVolumeHealth(ask, context));
            Map<String, Health> volumes = new HashMap<>();
            for (VolumeHealth each : told.entries()) {
                volumes.put(each.getVolumeId(), health(SeenBy.CONTROLLER, each, scrubber::hide));
            }
            return new HealthListing(volumes, told.complete());
        });
    }

    /** A driver of CSI 1.12 also lists healthy volumes, so a missing volume is not a healthy one. */
    private HealthListing oldList(CallContext context) {
        Listing<ListVolumesResponse.Entry> told = Driver.translated(() -> driver.controllerLanes()
                .together(context, () -> driver.controller().controller().listAllVolumes(context)));
        Map<String, Health> volumes = new HashMap<>();
        for (ListVolumesResponse.Entry each : told.entries()) {
            ListVolumesResponse.VolumeStatus status = each.getStatus();
            Health health = condition(SeenBy.CONTROLLER, status.hasVolumeCondition(), status.getVolumeCondition());
            if (health.reported()) {
                volumes.put(each.getVolume().getVolumeId(), health);
            }
        }
        return new HealthListing(volumes, false);
    }

    /**
     * Asks with the secret that the host configured for health calls. The question removes the secret from the driver's texts, because
     * these become events and conditions of claims.
     */
    private <T> T withSecrets(Function<Map<String, String>, T> question) {
        return secrets.with(driver.policy().healthSecret().orElse(null), question);
    }

    @Override
    public Health healthOnNode(HealthRequest request, CallContext context) {
        return ofNode(request, context);
    }

    /** The report of this node. The volume may be missing on the node although it should be there. */
    Health ofNode(HealthRequest request, CallContext context) {
        return orNothing(() -> askByVersion(driver.node(), context, () -> askNode(request, context)));
    }

    private Health askNode(HealthRequest request, CallContext context) {
        if (driver.has(NodeServiceCapability.RPC.Type.GET_VOLUME_HEALTH)) {
            return newNode(request, context);
        }
        Path path = request.path() != null ? request.path() : request.deviceMountPath();
        if (path == null || !driver.saysHealthOnNode()) {
            return Health.notReported();
        }
        NodeGetVolumeStatsResponse told = usage.ask(request.volume(), path, request.deviceMountPath(), context);
        return condition(SeenBy.NODE, told.hasVolumeCondition(), told.getVolumeCondition());
    }

    private Health newNode(HealthRequest request, CallContext context) {
        NodeGetVolumeHealthRequest.Builder ask =
                NodeGetVolumeHealthRequest.newBuilder().setVolumeId(Handles.volumeId(request.volume()));
        Path path = request.path();
        if (path != null) {
            ask.setVolumePublishPath(usage.paths().there(path));
        }
        Path staging = request.deviceMountPath();
        if (staging != null && driver.has(STAGE_UNSTAGE_VOLUME)) {
            ask.setStagingTargetPath(usage.paths().there(staging));
        }
        return health(
                SeenBy.NODE,
                driver.questionLanes()
                        .together(
                                context,
                                () -> driver.nodeLanes()
                                        .together(
                                                context,
                                                () -> driver.node().node().nodeGetVolumeHealth(ask.build(), context)))
                        .getVolumeHealth(),
                UnaryOperator.identity());
    }

    @Override
    public StorageHealth storage(CallContext context) {
        return Driver.translated(() -> askByVersion(driver.node(), context, () -> askOfStorage(context)));
    }

    private StorageHealth askOfStorage(CallContext context) {
        if (!driver.has(NodeServiceCapability.RPC.Type.GET_STORAGE_HEALTH)) {
            return StorageHealth.notReported();
        }
        return withSecrets(values -> {
            NodeGetStorageHealthRequest ask = NodeGetStorageHealthRequest.newBuilder()
                    .putAllSecrets(values)
                    .build();
            SecretScrubber scrubber = SecretScrubber.of(ask);
            NodeGetStorageHealthResponse told = driver.questionLanes()
                    .together(context, () -> driver.node().node().nodeGetStorageHealth(ask, context));
            Set<List<Object>> seen = new HashSet<>();
            List<StorageFinding> findings = new ArrayList<>();
            for (StorageBackendHealth each : told.getBackendHealthList()) {
                if (seen.add(List.of(each.getStatusValue(), each.getReason(), each.getVolumeCapability()))) {
                    findings.add(finding(each, scrubber::hide));
                }
            }
            return new StorageHealth(true, findings);
        });
    }

    private static StorageFinding finding(StorageBackendHealth told, UnaryOperator<String> withoutSecrets) {
        StorageKind kind = switch (told.getStatus()) {
            case STORAGE_DEGRADED -> StorageKind.DEGRADED;
            case STORAGE_UNREACHABLE -> StorageKind.UNREACHABLE;
            case UNKNOWN_STORAGE_HEALTH_ERROR_TYPE, UNRECOGNIZED -> StorageKind.OTHER;
        };
        Use use = told.getVolumeCapability().hasBlock()
                ? Use.BLOCK
                : told.getVolumeCapability().hasMount() ? Use.MOUNTED : Use.ANY;
        return new StorageFinding(
                kind,
                use,
                SecretRedactor.shorten(withoutSecrets.apply(told.getReason()), LONGEST_REASON),
                SecretRedactor.shorten(withoutSecrets.apply(told.getMessage()), LONGEST_MESSAGE));
    }

    /** Converts each status separately: an unknown newer value does not affect the others. */
    private static Health health(SeenBy seenBy, VolumeHealth told, UnaryOperator<String> withoutSecrets) {
        Set<List<Object>> seen = new HashSet<>();
        List<Finding> findings = new ArrayList<>();
        for (VolumeHealthEntry each : told.getHealthStatusesList()) {
            if (seen.add(List.of(each.getStatusValue(), each.getReason()))) {
                Kind kind = switch (each.getStatus()) {
                    case DEGRADED -> Kind.DEGRADED;
                    case INACCESSIBLE -> Kind.INACCESSIBLE;
                    case DATA_LOSS -> Kind.DATA_LOSS;
                    case UNKNOWN_VOLUME_HEALTH_TYPE, UNRECOGNIZED -> Kind.OTHER;
                };
                findings.add(new Finding(
                        kind,
                        seenBy,
                        SecretRedactor.shorten(withoutSecrets.apply(each.getReason()), LONGEST_REASON),
                        SecretRedactor.shorten(withoutSecrets.apply(each.getMessage()), LONGEST_MESSAGE)));
            }
        }
        return new Health(true, findings);
    }

    /** Converts a condition of CSI 1.12, which has no kinds. A missing condition counts as no report. */
    static Health condition(SeenBy seenBy, boolean there, VolumeCondition told) {
        if (!there) {
            return Health.notReported();
        }
        return told.getAbnormal()
                ? new Health(
                        true,
                        List.of(new Finding(
                                Kind.OTHER, seenBy, "", SecretRedactor.shorten(told.getMessage(), LONGEST_MESSAGE))))
                : Health.well();
    }

    /**
     * Asks one side of the driver with the calls of its current version: the driver may have been upgraded or rolled back since the last
     * call.
     */
    private static <T> T askByVersion(CsiClient side, CallContext context, Supplier<T> question) {
        side.capabilities(context);
        return question.get();
    }

    /** A failed call counts as no report. */
    private static Health orNothing(Supplier<Health> question) {
        try {
            return question.get();
        } catch (CsiException | VolumeException notTold) {
            return Health.notReported();
        }
    }
}
