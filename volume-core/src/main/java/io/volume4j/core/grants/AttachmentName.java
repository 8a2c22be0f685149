package io.volume4j.core.grants;

import io.volume4j.spi.VolumeId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Names of VolumeAttachments: digests of their fields, each preceded by its length, so that different attachments
 * never share a name.
 */
public final class AttachmentName {
    private AttachmentName() {}

    /**
     * The name of the only attachment that a volume for one node can have. It does not contain the node: the first
     * stored attachment gets the volume, and the store refuses others.
     */
    public static String exclusive(String attacher, VolumeId volume) {
        return "v4j-x-" + digest(attacher, volume.toString());
    }

    /** The name of an attachment for a volume that may have several. */
    public static String shared(String attacher, VolumeId volume, String node) {
        return "v4j-s-" + digest(attacher, volume.toString(), node);
    }

    /** The name that kube-controller-manager uses, to read its attachments. */
    public static String ofKubernetes(String driver, String handle, String node) {
        return "csi-" + hex(sha256((handle + driver + node).getBytes(StandardCharsets.UTF_8)));
    }

    private static String digest(String... parts) {
        StringBuilder identity = new StringBuilder();
        for (String part : parts) {
            identity.append(part.getBytes(StandardCharsets.UTF_8).length)
                    .append(':')
                    .append(part);
        }
        return hex(sha256(identity.toString().getBytes(StandardCharsets.UTF_8))).substring(0, 40);
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JVM has SHA-256", impossible);
        }
    }
}
