package io.volume4j.csi.driver;

import io.volume4j.csi.internal.proto.NodeGetStorageHealthResponse.StorageBackendHealth;
import io.volume4j.csi.internal.proto.StorageHealthErrorType;
import io.volume4j.csi.internal.proto.VolumeCapability;
import io.volume4j.csi.internal.proto.VolumeHealth.VolumeHealthEntry;
import io.volume4j.csi.internal.proto.VolumeHealthErrorType;
import java.util.List;

/**
 * One problem of a volume or of the storage that the driver reports.
 *
 * @param status a name of the schema, such as {@code DEGRADED} or {@code STORAGE_UNREACHABLE}; a number for a status
 *     that no schema knows yet
 * @param reason a short word for machines
 * @param message for users; may be empty
 * @param use for storage: {@code mount} or {@code block} if the problem affects only volumes of that type, else empty
 * @since 0.1.0
 */
public record HealthFinding(String status, String reason, String message, String use) {
    /** A finding for every use. */
    public static HealthFinding of(String status, String reason, String message) {
        return new HealthFinding(status, reason, message, "");
    }

    static List<VolumeHealthEntry> ofVolume(List<HealthFinding> findings) {
        return findings.stream()
                .map(each -> VolumeHealthEntry.newBuilder()
                        .setStatusValue(
                                each.numbered()
                                        ? Integer.parseInt(each.status)
                                        : VolumeHealthErrorType.valueOf(each.status)
                                                .getNumber())
                        .setReason(each.reason)
                        .setMessage(each.message)
                        .build())
                .toList();
    }

    static List<StorageBackendHealth> ofStorage(List<HealthFinding> findings) {
        return findings.stream().map(HealthFinding::storage).toList();
    }

    private StorageBackendHealth storage() {
        StorageBackendHealth.Builder told = StorageBackendHealth.newBuilder()
                .setStatusValue(
                        numbered()
                                ? Integer.parseInt(status)
                                : StorageHealthErrorType.valueOf(status).getNumber())
                .setReason(reason)
                .setMessage(message);
        VolumeCapability.Builder capability = VolumeCapability.newBuilder();
        return switch (use) {
            case "" -> told.build();
            case "mount" ->
                told.setVolumeCapability(capability.setMount(VolumeCapability.MountVolume.getDefaultInstance()))
                        .build();
            case "block" ->
                told.setVolumeCapability(capability.setBlock(VolumeCapability.BlockVolume.getDefaultInstance()))
                        .build();
            default ->
                throw new IllegalArgumentException("no use is called \"" + use + "\"; there are mount and block");
        };
    }

    private boolean numbered() {
        return status.matches("[0-9]{1,9}");
    }
}
