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

/** What the driver calls a volume. Pure. */
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

    /** Of a volume that has an object. */
    static String of(VolumeSource source) {
        String handle = source(source).volumeHandle();
        if (handle.isEmpty()) {
            throw VolumeException.finalFailure("a volume of a CSI driver needs a volumeHandle")
                    .withAdvice("set csi.volumeHandle of the PersistentVolume");
        }
        return handle;
    }

    /** The plugin's name for a volume; an inline one has no other than the pod's, and its id carries the pod's UID. */
    static String name(VolumeSpec spec) {
        return spec.persistentVolume() == null ? spec.name() : of(spec.source());
    }

    /** The driver's name for a volume; for an inline one it is made up, the same at every try. */
    static String volumeId(VolumeId volume) {
        return volume.privateToPod() ? INLINE_PREFIX + digest(volume.podUid() + "/" + volume.name()) : volume.name();
    }

    /**
     * Whether a volume of this name is an inline one, of this library or of Kubernetes: it belongs to a node, which makes it and
     * deletes it. See csi.volumeHandle of inline volumes in Kubernetes: {@code csi-} and a SHA-256 in hexadecimal.
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
