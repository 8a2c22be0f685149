package io.volume4j.examples.csilifecycle;

import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.internal.proto.VolumeCapability.AccessMode.Mode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The command line.
 *
 * @param endpoint the driver's socket; null only with {@code plan} or {@code list}
 * @param nodeEndpoint the socket of its node service, null if it is the same
 * @param volumeId of an existing volume that stays, empty to create one
 * @param settings maps of keys and values by the name of their option
 * @param focus words, one of which the name of a part must contain; empty for all parts
 * @param junit file of the report as JUnit's XML, null for none
 * @param json file of the report as JSON, null for none
 * @param badge file of the badge as SVG, with its data as JSON next to it, null for none
 * @param refusals whether to make calls that the driver must refuse
 * @param parallel most concurrent lives
 * @param kill the program that kills the driver, and its arguments; empty if it is not killed
 * @param timeout how long to repeat a call that fails temporarily
 * @param snapshotTimeout how long a snapshot may take until it is ready
 * @param trustedUid a further user as which the driver may run, -1 for none
 */
record Arguments(
        @Nullable CsiEndpoint endpoint,
        @Nullable CsiEndpoint nodeEndpoint,
        Path state,
        long size,
        boolean block,
        boolean ephemeral,
        String fsType,
        Mode mode,
        String volumeId,
        Map<String, Map<String, String>> settings,
        Duration timeout,
        Duration snapshotTimeout,
        int trustedUid,
        boolean plan,
        boolean cleanOnly,
        boolean list,
        List<String> focus,
        @Nullable Path junit,
        @Nullable Path json,
        @Nullable Path badge,
        boolean refusals,
        int parallel,
        List<String> kill) {
    /** Whether the access mode forbids writes. */
    boolean onlyReads() {
        return mode == Mode.SINGLE_NODE_READER_ONLY || mode == Mode.MULTI_NODE_READER_ONLY;
    }

    Map<String, String> setting(String name) {
        return settings.getOrDefault(name, Map.of());
    }
}
