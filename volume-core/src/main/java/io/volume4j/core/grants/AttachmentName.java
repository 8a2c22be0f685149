package io.volume4j.core.grants;

import io.volume4j.spi.VolumeId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Names of VolumeAttachments: digests of what they are for, each part preceded by its length, so that different
 * attachments never share a name.
 */
public final class AttachmentName {
    private AttachmentName() {}

    /**
     * Of the one attachment that a volume for one node can have. The node is no part of it: the node that stores it first has the
     * volume, and the store refuses the others.
     */
    public static String exclusive(String attacher, VolumeId volume) {
        return "v4j-x-" + digest(attacher, volume.toString());
    }

    /** Of an attachment beside which there may be others of the same volume. */
    public static String shared(String attacher, VolumeId volume, String node) {
        return "v4j-s-" + digest(attacher, volume.toString(), node);
    }

    /** The name that a kube-controller-manager gives, for reading what it attached. */
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
