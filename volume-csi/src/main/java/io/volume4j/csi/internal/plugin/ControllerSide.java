package io.volume4j.csi.internal.plugin;

import io.grpc.Status.Code;
import io.volume4j.csi.CsiNodes.CsiNode;
import io.volume4j.csi.internal.client.CsiException;
import io.volume4j.csi.internal.plugin.ClassParameters.SecretUse;
import io.volume4j.csi.internal.proto.CapacityRange;
import io.volume4j.csi.internal.proto.CreateVolumeRequest;
import io.volume4j.csi.internal.proto.CreateVolumeResponse;
import io.volume4j.csi.internal.proto.DeleteVolumeRequest;
import io.volume4j.csi.internal.proto.GetCapacityRequest;
import io.volume4j.csi.internal.proto.GetCapacityResponse;
import io.volume4j.csi.internal.proto.NodeGetInfoResponse;
import io.volume4j.csi.internal.proto.PluginCapability;
import io.volume4j.csi.internal.proto.Topology;
import io.volume4j.csi.internal.proto.Volume;
import io.volume4j.csi.internal.proto.VolumeContentSource;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.TypedReference;
import io.volume4j.spi.plugin.CapacityReporter.Capacity;
import io.volume4j.spi.plugin.CapacityReporter.CapacityRequest;
import io.volume4j.spi.plugin.Deleter.DeleteRequest;
import io.volume4j.spi.plugin.Places;
import io.volume4j.spi.plugin.Provisioner.ContentSource;
import io.volume4j.spi.plugin.Provisioner.ProvisionRequest;
import io.volume4j.spi.plugin.Provisioner.ProvisionResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Creates and deletes volumes, and reports capacity. */
public final class ControllerSide {
    /** Annotations for the secret that DeleteVolume needs when claim and class are gone; the names are those of Kubernetes. */
    static final String DELETION_SECRET_NAME = "volume.kubernetes.io/provisioner-deletion-secret-name";

    static final String DELETION_SECRET_NAMESPACE = "volume.kubernetes.io/provisioner-deletion-secret-namespace";

    private final Driver driver;
    private final Secrets secrets;
    private final Sightings sightings;
    private final ChangeSide changes;

    /** @param changes forgets what it knows about deleted volumes */
    public ControllerSide(Driver driver, Sightings sightings, ChangeSide changes) {
        this.driver = driver;
        this.secrets = new Secrets(() -> driver.host().secrets());
        this.sightings = sightings;
        this.changes = changes;
    }

    public ProvisionResult provision(ProvisionRequest request, CallContext context) {
        ClassParameters parameters =
                ClassParameters.of(request.storageClass().parameters(), request.volumeName(), request.claim());
        driver.learnController(context);
        CreateVolumeRequest create = create(request, parameters, context);
        SecretRef secret = parameters.secret(SecretUse.PROVISIONER).orElse(null);
        CreateVolumeResponse made = driver.controllerLanes()
                .one(
                        "name:" + request.volumeName(),
                        context,
                        () -> secrets.with(
                                secret,
                                values -> createOrTakeBack(
                                        create.toBuilder().putAllSecrets(values).build(), context)));
        return result(request, parameters, made.getVolume());
    }

    private CreateVolumeRequest create(ProvisionRequest request, ClassParameters parameters, CallContext context) {
        PersistentVolumeClaim.Spec wanted = request.claim().spec();
        AccessTypes access = new AccessTypes(
                wanted.volumeMode(), parameters.fsType(), request.storageClass().mountOptions(), "");
        CreateVolumeRequest.Builder create = CreateVolumeRequest.newBuilder()
                .setName(request.volumeName())
                .addAllVolumeCapabilities(access.capabilities(wanted.accessModes(), singleNodeModes()))
                .putAllParameters(parameters.forDriver())
                .putAllMutableParams(mutableParameters(request));
        if (driver.policy().extraCreateMetadata()) {
            create.putAllParameters(ClassParameters.whoAsks(request.volumeName(), request.claim()));
        }
        if (request.requestedBytes() > 0 || request.limitBytes() > 0) {
            create.setCapacityRange(CapacityRange.newBuilder()
                    .setRequiredBytes(request.requestedBytes())
                    .setLimitBytes(request.limitBytes()));
        }
        Optional<ContentSource> content = content(request);
        content.map(ControllerSide::source).ifPresent(create::setVolumeContentSource);
        Places places = content.map(ContentSource::places).orElse(Places.everywhere());
        if (driver.has(PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS)) {
            Topologies.requirement(
                            request.storageClass().allowedTopologies(),
                            request.repeated() ? allowedPlace(request, context) : knownPlace(request, context),
                            places(context),
                            driver.policy().strictTopology(),
                            places,
                            request.claim().metadata().name())
                    .ifPresent(create::setAccessibilityRequirements);
        } else if (!places.isEverywhere()) {
            // the driver does not accept the place of the first consumer, so the library checks whether the consumer
            // can reach the content
            Topologies.requirement(
                    null,
                    place(request.selectedNode(), context),
                    List.of(),
                    true,
                    places,
                    request.claim().metadata().name());
        }
        return create.build();
    }

    private boolean singleNodeModes() {
        return driver.has(io.volume4j.csi.internal.proto.ControllerServiceCapability.RPC.Type.SINGLE_NODE_MULTI_WRITER);
    }

    /**
     * Creates a volume. An invalid answer may still name a volume: one that is too small, too large, empty, in the wrong place, or with an
     * id that is too long. The library deletes such a volume, because the driver would return it at each repetition.
     */
    private CreateVolumeResponse createOrTakeBack(CreateVolumeRequest create, CallContext context) {
        try {
            return driver.controller().controller().createVolume(create, context);
        } catch (CsiException e) {
            String useless = e.reply()
                    .map(reply -> ((CreateVolumeResponse) reply).getVolume().getVolumeId())
                    .orElse("");
            if (useless.isEmpty()) {
                throw e;
            }
            throw TakenBack.after(
                    e,
                    () -> driver.controller()
                            .controller()
                            .deleteVolume(
                                    DeleteVolumeRequest.newBuilder()
                                            .setVolumeId(useless)
                                            .putAllSecrets(create.getSecretsMap())
                                            .build(),
                                    context));
        }
    }

    private Map<String, String> mutableParameters(ProvisionRequest request) {
        String className = request.claim().spec().volumeAttributesClassName();
        if (!request.mutableParameters().isEmpty() || className.isEmpty()) {
            return request.mutableParameters();
        }
        return driver.objects()
                .volumeAttributes(className)
                .orElseThrow(() -> VolumeException.finalFailure(
                                "volume attributes class " + OneLine.name(className) + " of the claim is not known")
                        .withAdvice("create it, or give the plugin its objects"));
    }

    private Optional<ContentSource> content(ProvisionRequest request) {
        ContentSource content = request.content();
        PersistentVolumeClaim.Spec wanted = request.claim().spec();
        TypedReference reference = wanted.dataSourceRef() != null ? wanted.dataSourceRef() : wanted.dataSource();
        if (content == null && reference != null) {
            content = driver.objects()
                    .contentSource(request.claim().metadata().namespace(), reference)
                    .orElseThrow(() -> VolumeException.finalFailure(
                                    "the claim's data source, " + OneLine.name(reference.kind()) + " "
                                            + OneLine.name(reference.name()) + ", does not exist or is not known")
                            .withAdvice("create it, or give the plugin its objects"));
        }
        return Optional.ofNullable(content);
    }

    private static VolumeContentSource source(ContentSource content) {
        VolumeContentSource.Builder source = VolumeContentSource.newBuilder();
        switch (content.kind()) {
            case SNAPSHOT ->
                source.setSnapshot(
                        VolumeContentSource.SnapshotSource.newBuilder().setSnapshotId(content.handle()));
            case VOLUME ->
                source.setVolume(VolumeContentSource.VolumeSource.newBuilder().setVolumeId(content.handle()));
        }
        return source.build();
    }

    /**
     * The selected node's place. On a node that has just started, the driver may not be registered yet, or the node's labels may not
     * say yet where it is. A volume that is made without its place could be out of its reach for good.
     *
     * @throws VolumeException if the places of other nodes are known, but not that of this one, or if the class does not allow its
     *     place; another node may be chosen
     */
    private Map<String, String> knownPlace(ProvisionRequest request, CallContext context) {
        Node selected = request.selectedNode();
        if (selected == null) {
            return Map.of();
        }
        String name = selected.metadata().name();
        Map<String, String> place = place(selected, context);
        if (!allows(request.storageClass(), selected, place)) {
            throw VolumeException.of(
                            FailureKind.EXHAUSTED,
                            "storage class " + request.storageClass().metadata().name()
                                    + " allows no volume where node " + name + " is: " + place)
                    .withAdvice("run the pod on a node that allowedTopologies of the class allow, or change the class");
        }
        if (place.isEmpty()
                && driver.nodes().all().stream()
                        .anyMatch(node -> !node.segments().isEmpty())) {
            throw VolumeException.of(
                            FailureKind.EXHAUSTED,
                            "it is not known yet where node " + name + " is for driver " + driver.name()
                                    + ", so a volume for a pod there cannot be made")
                    .withAdvice(
                            "check that the driver runs on the node and is registered there, and that the node has the"
                                    + " labels of the driver's topology keys");
        }
        return place;
    }

    /** The selected node's place for a call that must not be refused; empty if the class does not allow it. */
    private Map<String, String> allowedPlace(ProvisionRequest request, CallContext context) {
        Node selected = request.selectedNode();
        Map<String, String> place = place(selected, context);
        return selected == null || allows(request.storageClass(), selected, place) ? place : Map.of();
    }

    private static boolean allows(StorageClass storageClass, Node node, Map<String, String> place) {
        return place.isEmpty()
                || Topologies.allows(
                        storageClass.allowedTopologies(), node.metadata().labels(), place);
    }

    /** The node's place from the driver, or else from the node's labels. */
    private Map<String, String> place(@Nullable Node selected, CallContext context) {
        if (selected == null) {
            return Map.of();
        }
        String name = selected.metadata().name();
        Optional<CsiNode> known = driver.nodes().byName(name);
        if (known.isPresent()) {
            return known.get().segments();
        }
        Optional<Topology> own = ownPlace(context);
        if (own.isEmpty()) {
            return Map.of();
        }
        if (name.equals(driver.host().nodeName())) {
            return own.get().getSegmentsMap();
        }
        Map<String, String> segments = new TreeMap<>();
        for (String key : own.get().getSegmentsMap().keySet()) {
            String value = selected.metadata().labels().get(key);
            if (value == null) {
                return Map.of();
            }
            segments.put(key, value);
        }
        return segments;
    }

    private List<Map<String, String>> places(CallContext context) {
        List<Map<String, String>> places = new ArrayList<>();
        for (CsiNode node : driver.nodes().all()) {
            places.add(node.segments());
        }
        if (places.isEmpty()) {
            ownPlace(context).ifPresent(own -> places.add(own.getSegmentsMap()));
        }
        return places;
    }

    /** The process of a controller often has no node. */
    private Optional<Topology> ownPlace(CallContext context) {
        if (driver.capabilities().node().isEmpty()) {
            return Optional.empty();
        }
        NodeGetInfoResponse info = driver.identity().get(context);
        return info.hasAccessibleTopology() ? Optional.of(info.getAccessibleTopology()) : Optional.empty();
    }

    private ProvisionResult result(ProvisionRequest request, ClassParameters parameters, Volume volume) {
        CsiSource source = new CsiSource(
                driver.name(),
                volume.getVolumeId(),
                false,
                parameters.fsType(),
                volume.getVolumeContextMap(),
                parameters.secret(SecretUse.CONTROLLER_PUBLISH).orElse(null),
                parameters.secret(SecretUse.NODE_STAGE).orElse(null),
                parameters.secret(SecretUse.NODE_PUBLISH).orElse(null),
                parameters.secret(SecretUse.CONTROLLER_EXPAND).orElse(null),
                parameters.secret(SecretUse.NODE_EXPAND).orElse(null));
        Map<String, String> annotations = new TreeMap<>();
        parameters.secret(SecretUse.PROVISIONER).ifPresent(secret -> {
            annotations.put(DELETION_SECRET_NAME, secret.name());
            annotations.put(DELETION_SECRET_NAMESPACE, secret.namespace());
        });
        // zero means that the driver does not know the size; the volume has at least the requested size
        long bytes = volume.getCapacityBytes() > 0 ? volume.getCapacityBytes() : Math.max(1, request.requestedBytes());
        ProvisionResult result = ProvisionResult.of(source, bytes).annotated(annotations);
        NodeSelector nodes = Topologies.selector(volume.getAccessibleTopologyList());
        return nodes == null ? result : result.onlyOn(nodes);
    }

    public void delete(DeleteRequest request, CallContext context) {
        String handle = Handles.of(request.source());
        String name = request.annotations().getOrDefault(DELETION_SECRET_NAME, "");
        SecretRef secret = name.isEmpty()
                ? null
                : new SecretRef(
                        Objects.requireNonNullElse(request.annotations().get(DELETION_SECRET_NAMESPACE), ""), name);
        driver.controllerLanes().one(handle, context, () -> {
            var deleted = secrets.withIfThere(secret, values -> {
                try {
                    return driver.controller()
                            .controller()
                            .deleteVolume(
                                    DeleteVolumeRequest.newBuilder()
                                            .setVolumeId(handle)
                                            .putAllSecrets(values)
                                            .build(),
                                    context);
                } catch (CsiException e) {
                    if (e.answered(Code.NOT_FOUND) && sightings.provenGone(handle, context)) {
                        return io.volume4j.csi.internal.proto.DeleteVolumeResponse.getDefaultInstance();
                    }
                    throw e;
                }
            });
            changes.settled(handle);
            return deleted;
        });
    }

    public Capacity capacity(CapacityRequest request, CallContext context) {
        GetCapacityRequest.Builder ask = GetCapacityRequest.newBuilder()
                .putAllParameters(
                        ClassParameters.forDriverOnly(request.storageClass().parameters()));
        if (!request.topologySegment().isEmpty()
                && driver.has(PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS)) {
            ask.setAccessibleTopology(Topology.newBuilder().putAllSegments(request.topologySegment()));
        }
        GetCapacityResponse told = driver.controllerLanes()
                .together(
                        context,
                        () -> Driver.translated(
                                () -> driver.controller().controller().getCapacity(ask.build(), context)));
        long largest = told.getMaximumVolumeSize().getValue();
        // a driver whose room is in parts that are all too small says zero; to the library zero means no such limit
        return told.hasMaximumVolumeSize() && largest == 0
                ? new Capacity(0, 0)
                : new Capacity(told.getAvailableCapacity(), largest);
    }
}
