package io.volume4j.csi.internal.plugin;

import static io.volume4j.csi.internal.proto.ControllerServiceCapability.RPC.Type.PUBLISH_READONLY;
import static io.volume4j.csi.internal.proto.ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME;
import static io.volume4j.csi.internal.proto.ControllerServiceCapability.RPC.Type.SINGLE_NODE_MULTI_WRITER;

import io.grpc.Status.Code;
import io.volume4j.core.migration.CsiMigration;
import io.volume4j.csi.internal.client.CsiException;
import io.volume4j.csi.internal.proto.ControllerPublishVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerPublishVolumeResponse;
import io.volume4j.csi.internal.proto.ControllerUnpublishVolumeRequest;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.model.WellKnown;
import io.volume4j.spi.plugin.Attacher;
import io.volume4j.spi.plugin.Detacher.DetachRequest;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Attaches volumes to nodes and detaches them: ControllerPublishVolume and ControllerUnpublishVolume. */
public final class AttachSide implements Attacher {
    private static final int STATE_VERSION = 1;
    private static final String NODE_ID = "nodeId";

    /** Followed by an id that the node had at an earlier attach whose outcome may be unknown. */
    private static final String EARLIER_NODE_ID = "earlierNodeId/";

    private static final String SECRET_NAME = "secretName";
    private static final String SECRET_NAMESPACE = "secretNamespace";

    private final Driver driver;
    private final Secrets secrets;
    private final Sightings sightings;
    private final Notes notes;

    public AttachSide(Driver driver, Sightings sightings) {
        this.driver = driver;
        this.secrets = new Secrets(() -> driver.host().secrets());
        this.sightings = sightings;
        this.notes = new Notes(driver::host, driver.name(), "attachments");
    }

    /**
     * The driver's id of the node and the name of the secret. Keeps an id that the node had before until the detach. None if the
     * driver has no attach call: nothing is attached then, so that the detach needs no call either.
     */
    @Override
    public PluginState beforeAttach(AttachRequest request, CallContext context) {
        if (!hasCall()) {
            driver.learnController(context);
        }
        return hasCall() ? neededByDetach(request, context) : PluginState.none();
    }

    private boolean hasCall() {
        return !driver.capabilities().lacks(PUBLISH_UNPUBLISH_VOLUME);
    }

    private PluginState neededByDetach(AttachRequest request, CallContext context) {
        CsiSource source = Handles.source(request.spec());
        PluginState before = known(request.state(), source.volumeHandle(), request.nodeName());
        String stored = before.get(NODE_ID).isEmpty() ? before.get(WellKnown.ATTACHED_NODE_ID) : "";
        String nodeId = sightings
                .nodeId(request.nodeName(), context)
                .or(() -> Optional.of(stored).filter(id -> !id.isEmpty()))
                .orElseThrow(() -> unknownNode(request.nodeName()));
        return state(nodeId, earlierNodeIds(before, nodeId), source.controllerPublishSecretRef());
    }

    /**
     * Attaches. Read-only only if the volume itself is read-only: two pods of a node share one attachment, and the second
     * may need to write.
     */
    @Override
    public AttachResult attach(AttachRequest request, CallContext context) {
        boolean known = hasCall();
        driver.learnController(context);
        if (driver.attachesWithoutCall()) {
            return AttachResult.at("");
        }
        if (!known && hasCall() && request.state().get(NODE_ID).isEmpty()) {
            throw VolumeException.transientFailure("driver " + driver.name()
                            + " was updated and has an attach call now, and what its detach needs is not stored yet")
                    .withAdvice("the next try stores it first");
        }
        CsiSource source = Handles.source(request.spec());
        PluginState state = request.state().get(NODE_ID).isEmpty() ? neededByDetach(request, context) : request.state();
        String nodeId = state.get(NODE_ID);
        ControllerPublishVolumeRequest publish = ControllerPublishVolumeRequest.newBuilder()
                .setVolumeId(CsiMigration.repairedHandle(driver.name(), source.volumeHandle(), nodeId))
                .setNodeId(nodeId)
                .setVolumeCapability(
                        access(request.spec()).capability(modes(request.spec()), driver.has(SINGLE_NODE_MULTI_WRITER)))
                .setReadonly(source.readOnly() && driver.has(PUBLISH_READONLY))
                .putAllVolumeContext(source.volumeAttributes())
                .build();
        SecretRef secret = source.controllerPublishSecretRef();
        if (request.nodeName().equals(driver.host().nodeName()) && hasCall()) {
            notes.keep(note(source.volumeHandle(), request.nodeName()), state);
        }
        ControllerPublishVolumeResponse published = driver.controllerLanes()
                .one(
                        source.volumeHandle(),
                        nodeId,
                        context,
                        () -> secrets.with(
                                secret,
                                values -> publish(
                                        publish.toBuilder()
                                                .putAllSecrets(values)
                                                .build(),
                                        context)));
        return AttachResult.at("")
                .withMetadata(published.getPublishContextMap())
                .with(state);
    }

    private ControllerPublishVolumeResponse publish(ControllerPublishVolumeRequest publish, CallContext context) {
        try {
            return driver.controller().controller().controllerPublishVolume(publish, context);
        } catch (CsiException e) {
            if (e.answered(Code.RESOURCE_EXHAUSTED)) {
                driver.identity().forget();
            }
            if (e.kind() == FailureKind.IN_USE) {
                Optional<String> holder = sightings.holder(publish.getVolumeId(), publish.getNodeId(), context);
                if (holder.isPresent()) {
                    throw VolumeException.dangling(e.getMessage(), holder.get())
                            .withAdvice(e.advice().text())
                            .withCause(e);
                }
            }
            throw e;
        }
    }

    public void detach(DetachRequest request, CallContext context) {
        if (!hasCall()) {
            if (request.state().isEmpty()) {
                return;
            }
            // the call below asks by itself; without the call nothing else would
            driver.learnController(context);
        }
        if (!hasCall()) {
            throw VolumeException.finalFailure("driver " + driver.name() + " attached volume "
                            + request.volume().name() + ", or may have attached it, and says now that it cannot detach")
                    .withAdvice("bring back the version of the driver that can");
        }
        String handle = Handles.volumeId(request.volume());
        PluginState state = known(request.state(), handle, request.nodeName());
        SecretRef secret = secret(state);
        Set<String> last = lastNodeIds(state);
        if (last.isEmpty()) {
            last.add(sightings.nodeId(request.nodeName(), context).orElseThrow(() -> unknownNode(request.nodeName())));
        }
        if (last.size() == 1 || !knowsOneOf(last, handle, secret, context)) {
            last.forEach(nodeId -> detach(handle, nodeId, false, secret, context));
        }
        nodeIds(state).stream()
                .filter(earlier -> !last.contains(earlier))
                .forEach(earlier -> detach(handle, earlier, true, secret, context));
        notes.drop(note(handle, request.nodeName()));
    }

    /**
     * Detaches by each id. Another attacher used one of them at the last attach, and the driver may not know the others.
     *
     * @return whether the driver knew one of the ids
     */
    private boolean knowsOneOf(Set<String> nodeIds, String handle, @Nullable SecretRef secret, CallContext context) {
        boolean known = false;
        for (String nodeId : nodeIds) {
            known |= detach(handle, nodeId, true, secret, context);
        }
        return known;
    }

    /**
     * @param unknownIsDone whether the driver may answer that it does not know the id. A node may have had the id before the last attach,
     *     and that attach may have had no effect
     * @return whether the driver knew the id
     */
    private boolean detach(
            String handle, String nodeId, boolean unknownIsDone, @Nullable SecretRef secret, CallContext context) {
        ControllerUnpublishVolumeRequest unpublish = ControllerUnpublishVolumeRequest.newBuilder()
                .setVolumeId(CsiMigration.repairedHandle(driver.name(), handle, nodeId))
                .setNodeId(nodeId)
                .build();
        return driver.controllerLanes()
                .one(
                        handle,
                        nodeId,
                        context,
                        () -> secrets.with(
                                secret,
                                values -> unpublish(
                                        unpublish.toBuilder()
                                                .putAllSecrets(values)
                                                .build(),
                                        unknownIsDone,
                                        context)));
    }

    /** The caller's state; after a lost answer the caller may have none. */
    private PluginState known(PluginState state, String handle, String nodeName) {
        return state.isEmpty() ? notes.find(note(handle, nodeName)) : state;
    }

    /**
     * NOT_FOUND may mean the volume, its attachment or the node. Only the driver's own list proves that the volume is
     * detached.
     */
    private boolean unpublish(ControllerUnpublishVolumeRequest unpublish, boolean unknownIsDone, CallContext context) {
        try {
            driver.controller().controller().controllerUnpublishVolume(unpublish, context);
            return true;
        } catch (CsiException e) {
            if (e.answered(Code.NOT_FOUND)
                    && (unknownIsDone
                            || sightings.provenDetached(unpublish.getVolumeId(), unpublish.getNodeId(), context))) {
                return false;
            }
            throw e;
        }
    }

    static AccessTypes access(VolumeSpec spec) {
        return new AccessTypes(spec.volumeMode(), Handles.source(spec).fsType(), spec.mountOptions(), "");
    }

    static List<AccessMode> modes(VolumeSpec spec) {
        return spec.persistentVolume() == null
                ? List.of(AccessMode.READ_WRITE_ONCE)
                : spec.persistentVolume().spec().accessModes();
    }

    private static String note(String volume, String node) {
        return volume.length() + ":" + volume + "@" + node;
    }

    private static Set<String> earlierNodeIds(PluginState state, String now) {
        Set<String> earlier = nodeIds(state);
        earlier.remove(now);
        return earlier;
    }

    /**
     * The ids of the last attach calls, of another attacher first. The two differ if another attacher called last, or if this plugin only
     * prepared the detach of its attachment.
     */
    private static Set<String> lastNodeIds(PluginState state) {
        Set<String> ids = new LinkedHashSet<>(List.of(state.get(WellKnown.ATTACHED_NODE_ID), state.get(NODE_ID)));
        ids.remove("");
        return ids;
    }

    /** All ids of the node under which the volume may be attached, from the state of an attachment. */
    static Set<String> nodeIds(PluginState state) {
        Set<String> ids = new TreeSet<>();
        ids.add(state.get(NODE_ID));
        ids.add(state.get(WellKnown.ATTACHED_NODE_ID));
        state.values().keySet().stream()
                .filter(key -> key.startsWith(EARLIER_NODE_ID))
                .forEach(key -> ids.add(key.substring(EARLIER_NODE_ID.length())));
        ids.remove("");
        return ids;
    }

    private static PluginState state(String nodeId, Set<String> earlierNodeIds, @Nullable SecretRef secret) {
        Map<String, String> values = new TreeMap<>();
        values.put(NODE_ID, nodeId);
        values.put(WellKnown.ATTACHED_NODE_ID, nodeId);
        earlierNodeIds.forEach(earlier -> values.put(EARLIER_NODE_ID + earlier, ""));
        if (secret != null) {
            values.put(SECRET_NAME, secret.name());
            values.put(SECRET_NAMESPACE, secret.namespace());
        }
        return new PluginState(STATE_VERSION, values);
    }

    private static @Nullable SecretRef secret(PluginState state) {
        String name = state.get(SECRET_NAME);
        return name.isEmpty() ? null : new SecretRef(state.get(SECRET_NAMESPACE), name);
    }

    private VolumeException unknownNode(String nodeName) {
        return VolumeException.transientFailure(
                        "driver " + driver.name() + " has not told yet what it calls node " + nodeName)
                .withAdvice("check that the driver runs on the node and is registered there");
    }
}
