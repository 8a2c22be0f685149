package io.volume4j.examples.csilifecycle;

import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.internal.proto.VolumeCapability.AccessMode.Mode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the command line says.
 *
 * @param endpoint the driver's socket; null only with {@code plan} or {@code list}
 * @param nodeEndpoint the socket of its node side, null if it is the same
 * @param volumeId of a volume that is there already and stays, empty to create one
 * @param settings maps of keys and values by the name of their option
 * @param focus words of which a part's name must hold one; empty for all parts
 * @param junit where a report goes as JUnit's XML, null for nowhere
 * @param json where it goes as JSON, likewise
 * @param badge where a badge of what passed goes as SVG, with its data as JSON beside it, null for nowhere
 * @param refusals whether calls are made that the driver must refuse
 * @param parallel how many lives the driver sees at once
 * @param kill the program that kills the driver, and its arguments; empty if it is not killed
 * @param trustedUid a user that the driver may run as besides root and our own, -1 for none
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
    /** Whether the access mode forbids to write. */
    boolean onlyReads() {
        return mode == Mode.SINGLE_NODE_READER_ONLY || mode == Mode.MULTI_NODE_READER_ONLY;
    }

    Map<String, String> setting(String name) {
        return settings.getOrDefault(name, Map.of());
    }
}
