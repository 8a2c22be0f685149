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
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Expands volumes and changes their parameters. Thread-safe. */
public final class ChangeSide {
    private static final int NOTE_VERSION = 1;

    private final Driver driver;
    private final Secrets secrets;
    /** By volume, the parameters of modifications with an unknown outcome. May be newer than the notes on disk. */
    private final Map<String, Map<String, String>> unsettled = new ConcurrentHashMap<>();
    /**
     * Volumes that the driver refused to expand: some drivers do not report that they cannot do it online. Only these volumes, because
     * others refuse for reasons of one volume.
     */
    private final OfflineOnly offlineOnly = new OfflineOnly();

    public ChangeSide(Driver driver) {
        this.driver = driver;
        this.secrets = new Secrets(() -> driver.host().secrets());
    }

    /**
     * Whether the driver can expand the volume while it is published on a node. Without a report of the driver the answer is
     * yes, until the driver refuses for this volume.
     */
    public boolean expandsOnline(VolumeSpec spec) {
        DriverCapabilities now = driver.capabilities();
        boolean saysOnline = now.expansion().contains(VolumeExpansion.Type.ONLINE);
        boolean saysOffline = now.expansion().contains(VolumeExpansion.Type.OFFLINE);
        return saysOnline
                || (!saysOffline && !offlineOnly.contains(Handles.source(spec).volumeHandle()));
    }

    public ExpandResult expand(ExpandRequest request, CallContext context) {
        driver.learnController(context);
        if (driver.capabilities().lacks(EXPAND_VOLUME)) {
            // The driver expands on the node only.
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
        offlineOnly.remove(expand.getVolumeId());
        return new ExpandResult(expanded.getCapacityBytes(), expanded.getNodeExpansionRequired());
    }

    private ControllerExpandVolumeResponse expand(ControllerExpandVolumeRequest expand, CallContext context) {
        try {
            return driver.controller().controller().controllerExpandVolume(expand, context);
        } catch (CsiException e) {
            if (e.answered(Code.FAILED_PRECONDITION)) {
                offlineOnly.add(expand.getVolumeId());
            }
            throw e;
        }
    }

    /**
     * Applies all values. If the outcome of an earlier call is unknown, it first repeats that call, so that the earlier
     * values cannot win in the end. The values are on disk before each call, so that the next process finds them after a
     * crash.
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

    /** Any definite answer is enough. A refusal means that the driver applied nothing. */
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

    /** Whether an earlier call may still run after this failure; a call that was not sent proves nothing about it. */
    private static boolean open(VolumeException failure) {
        return failure.kind() == FailureKind.UNCERTAIN || failure.kind() == FailureKind.TRANSIENT;
    }

    /** No earlier modification of the volume may still take effect: its outcome is known, or the volume is deleted. */
    void settled(String handle) {
        unsettled.remove(handle);
        driver.modifications().drop(handle);
    }
}
