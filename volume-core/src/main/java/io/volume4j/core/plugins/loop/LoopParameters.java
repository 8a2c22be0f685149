package io.volume4j.core.plugins.loop;

import io.volume4j.core.plugins.common.FormatDecision;
import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeMode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The parameters of a class for loop volumes. Pure.
 *
 * @param fsType the filesystem to make, {@code ""} for a raw device
 */
record LoopParameters(String fsType) {
    private static final String FS_TYPE = "fsType";
    /** The key of CSI provisioners; external-provisioner. */
    private static final String CSI_FS_TYPE = "csi.storage.k8s.io/fstype";

    private static final long MEBI = 1 << 20;

    /**
     * The smallest device for mkfs with default options: mkfs.xfs refuses less than 300 MiB, mkfs.btrfs less than 109
     * MiB; ext4 needs some space for a journal.
     */
    private static final Map<String, Long> SMALLEST =
            new TreeMap<>(Map.of("ext4", 4 * MEBI, "xfs", 300 * MEBI, "btrfs", 109 * MEBI));

    static LoopParameters of(StorageClass storageClass, VolumeMode mode) {
        String fsType = "";
        for (Map.Entry<String, String> parameter : storageClass.parameters().entrySet()) {
            if (!List.of(FS_TYPE, CSI_FS_TYPE).contains(parameter.getKey())) {
                throw VolumeException.finalFailure("storage class " + MessageText.text(name(storageClass))
                        + " has parameter " + MessageText.text(parameter.getKey()) + ", which " + LoopImages.PLUGIN
                        + " does not know; known are " + FS_TYPE + " and " + CSI_FS_TYPE);
            }
            if (!fsType.isEmpty() && !fsType.equals(parameter.getValue())) {
                throw VolumeException.finalFailure("storage class " + MessageText.text(name(storageClass))
                        + " gives both " + FS_TYPE + " and " + CSI_FS_TYPE + ", and they differ");
            }
            fsType = parameter.getValue();
        }
        if (fsType.isEmpty()) {
            fsType = FormatDecision.DEFAULT_TYPE;
        }
        if (!SMALLEST.containsKey(fsType)) {
            throw VolumeException.finalFailure(
                    "storage class " + MessageText.text(name(storageClass)) + " asks for filesystem "
                            + MessageText.text(fsType) + "; loop volumes can have one of " + SMALLEST.keySet());
        }
        return new LoopParameters(mode == VolumeMode.BLOCK ? "" : fsType);
    }

    /**
     * The size of the image.
     *
     * @param limitBytes 0 for none
     * @throws VolumeException infeasible, if no size meets both limits
     */
    long size(long requestedBytes, long limitBytes) {
        long smallest = fsType.isEmpty() ? 1 : SMALLEST.getOrDefault(fsType, 1L);
        long bytes = LoopImages.roundUp(Math.max(requestedBytes, smallest));
        if (bytes < requestedBytes || (limitBytes > 0 && bytes > limitBytes)) {
            throw VolumeException.of(
                    FailureKind.INFEASIBLE,
                    "no loop volume is of at least " + LoopImages.shown(requestedBytes) + " and at most "
                            + (limitBytes > 0 ? LoopImages.shown(limitBytes) : "any size") + ": the next one "
                            + (fsType.isEmpty() ? "" : "that holds " + fsType + " ") + "has "
                            + LoopImages.shown(bytes));
        }
        return bytes;
    }

    private static String name(StorageClass storageClass) {
        return storageClass.metadata().name();
    }
}
