package io.volume4j.csi.internal.plugin;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** The driver's ids of volumes. Pure. */
final class Handles {
    private static final String INLINE_PREFIX = "csi-";
    private static final Pattern INLINE = Pattern.compile(INLINE_PREFIX + "[0-9a-f]{64}");

    private Handles() {}

    static CsiSource source(VolumeSpec spec) {
        return source(spec.source());
    }

    static CsiSource source(VolumeSource source) {
        if (source instanceof CsiSource csi) {
            return csi;
        }
        throw VolumeException.finalFailure("a volume with source " + source.type() + " is none of a CSI driver");
    }

    /** The id of a volume that has a PersistentVolume. */
    static String of(VolumeSource source) {
        String handle = source(source).volumeHandle();
        if (handle.isEmpty()) {
            throw VolumeException.finalFailure("a volume of a CSI driver needs a volumeHandle")
                    .withAdvice("set csi.volumeHandle of the PersistentVolume");
        }
        return handle;
    }

    /** The plugin's name for a volume. An inline volume has its name in the pod; its {@link VolumeId} contains the pod's UID. */
    static String name(VolumeSpec spec) {
        return spec.persistentVolume() == null ? spec.name() : of(spec.source());
    }

    /** The driver's id of a volume; for an inline volume the plugin generates it, the same at each attempt. */
    static String volumeId(VolumeId volume) {
        return volume.privateToPod() ? INLINE_PREFIX + digest(volume.podUid() + "/" + volume.name()) : volume.name();
    }

    /**
     * Whether the id is of an inline volume, of this library or of Kubernetes. A node creates and deletes such volumes. See
     * csi.volumeHandle of inline volumes in Kubernetes: {@code csi-} and a SHA-256 in hexadecimal.
     */
    static boolean inline(String handle) {
        return INLINE.matcher(handle).matches();
    }

    static String digest(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
