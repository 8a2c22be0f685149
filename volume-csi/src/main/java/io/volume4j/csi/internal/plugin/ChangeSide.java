package io.volume4j.csi.internal.plugin;

import static io.volume4j.csi.internal.proto.ControllerServiceCapability.RPC.Type.EXPAND_VOLUME;
import static io.volume4j.csi.internal.proto.ControllerServiceCapability.RPC.Type.SINGLE_NODE_MULTI_WRITER;

import io.grpc.Status.Code;
import io.volume4j.csi.internal.client.CsiException;
import io.volume4j.csi.internal.proto.CapacityRange;
import io.volume4j.csi.internal.proto.ControllerExpandVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerExpandVolumeResponse;
import io.volume4j.csi.internal.proto.ControllerModifyVolumeRequest;
import io.volume4j.csi.internal.proto.PluginCapability.VolumeExpansion;
import io.volume4j.csi.internal.rules.DriverCapabilities;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.plugin.Expander.ExpandRequest;
import io.volume4j.spi.plugin.Expander.ExpandResult;
import io.volume4j.spi.plugin.Modifier.ModifyRequest;
import io.volume4j.spi.plugin.PluginState;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Makes volumes larger and changes their parameters. Thread-safe. */
public final class ChangeSide {
    private static final int NOTE_VERSION = 1;

    private final Driver driver;
    private final Secrets secrets;
    /** By volume, what a modification was to apply with an unknown outcome; more than the notes know. */
    private final Map<String, Map<String, String>> unsettled = new ConcurrentHashMap<>();
    /** Learned from the driver; drivers forget to say it. */
    private volatile boolean refusesOnline;

    public ChangeSide(Driver driver) {
        this.driver = driver;
        this.secrets = new Secrets(() -> driver.host().secrets());
    }

    /**
     * Whether an expansion need not wait until the volume is off its nodes. A driver that says nothing is believed to do it,
     * until it refuses.
     */
    public boolean expandsOnline() {
        DriverCapabilities now = driver.capabilities();
        boolean saysOnline = now.expansion().contains(VolumeExpansion.Type.ONLINE);
        boolean saysOffline = now.expansion().contains(VolumeExpansion.Type.OFFLINE);
        return saysOnline || (!saysOffline && !refusesOnline);
    }

    public ExpandResult expand(ExpandRequest request, CallContext context) {
        if (driver.capabilities().lacks(EXPAND_VOLUME)) {
            // the node does it all
            return new ExpandResult(request.newBytes(), true);
        }
        CsiSource source = Handles.source(request.spec());
        ControllerExpandVolumeRequest expand = ControllerExpandVolumeRequest.newBuilder()
                .setVolumeId(Handles.of(source))
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(request.newBytes()))
                .setVolumeCapability(AttachSide.access(request.spec())
                        .capability(AttachSide.modes(request.spec()), driver.has(SINGLE_NODE_MULTI_WRITER)))
                .build();
        ControllerExpandVolumeResponse expanded = driver.controllerLanes()
                .one(
                        source.volumeHandle(),
                        context,
                        () -> secrets.with(
                                source.controllerExpandSecretRef(),
                                values -> expand(
                                        expand.toBuilder().putAllSecrets(values).build(), context)));
        return new ExpandResult(expanded.getCapacityBytes(), expanded.getNodeExpansionRequired());
    }

    private ControllerExpandVolumeResponse expand(ControllerExpandVolumeRequest expand, CallContext context) {
        try {
            return driver.controller().controller().controllerExpandVolume(expand, context);
        } catch (CsiException e) {
            if (e.answered(Code.FAILED_PRECONDITION)) {
                refusesOnline = true;
            }
            throw e;
        }
    }

    /**
     * Applies all values; what an earlier call may still be applying is settled first, so that it cannot win in the end. What
     * is sent is on disk before, so that a process that dies meanwhile finds it when it starts again.
     */
    public void modify(ModifyRequest request, CallContext context) {
        CsiSource source = Handles.source(request.spec());
        String handle = Handles.of(source);
        driver.controllerLanes().one(handle, context, () -> {
            Map<String, String> doubtful = doubtful(handle, request.unsettled());
            if (!doubtful.isEmpty()) {
                unsettled.put(handle, doubtful);
                if (!doubtful.equals(request.parameters())) {
                    settle(handle, source, doubtful, context);
                }
            }
            modify(handle, source, request.parameters(), context);
            return handle;
        });
    }

    private Map<String, String> doubtful(String handle, Map<String, String> told) {
        Map<String, String> known = unsettled.get(handle);
        if (known == null) {
            known = driver.modifications().find(handle).values();
        }
        return known.isEmpty() ? told : known;
    }

    /** Any definite answer will do, a refusal too: then nothing of it was applied. */
    private void settle(String handle, CsiSource source, Map<String, String> parameters, CallContext context) {
        try {
            modify(handle, source, parameters, context);
        } catch (VolumeException e) {
            if (open(e)) {
                throw e;
            }
        }
    }

    private void modify(String handle, CsiSource source, Map<String, String> parameters, CallContext context) {
        ControllerModifyVolumeRequest modify = ControllerModifyVolumeRequest.newBuilder()
                .setVolumeId(handle)
                .putAllMutableParams(parameters)
                .build();
        driver.modifications().keep(handle, new PluginState(NOTE_VERSION, parameters));
        try {
            secrets.with(
                    source.controllerExpandSecretRef(),
                    values -> driver.controller()
                            .controller()
                            .controllerModifyVolume(
                                    modify.toBuilder().putAllSecrets(values).build(), context));
        } catch (VolumeException e) {
            if (e.kind() == FailureKind.UNCERTAIN) {
                unsettled.put(handle, parameters);
            } else if (!open(e) || !unsettled.containsKey(handle)) {
                settled(handle);
            }
            throw e;
        }
        settled(handle);
    }

    /** Whether an earlier call may still be at work after this failure; one that was not sent tells nothing about it. */
    private static boolean open(VolumeException failure) {
        return failure.kind() == FailureKind.UNCERTAIN || failure.kind() == FailureKind.TRANSIENT;
    }

    private void settled(String handle) {
        unsettled.remove(handle);
        driver.modifications().drop(handle);
    }
}
