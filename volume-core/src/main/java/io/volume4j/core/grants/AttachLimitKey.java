package io.volume4j.core.grants;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/** The key in a Node's {@code status.allocatable} for the number of volumes of a driver that the node can have. */
public final class AttachLimitKey {
    private static final String PREFIX = "attachable-volumes-csi-";

    /** Names of resources must be shorter than this. */
    private static final int TOO_LONG = 63;

    private static final int KEPT = 23;
    private static final int DIGITS = 16;

    private AttachLimitKey() {}

    /** The key in the form of Kubernetes: the driver's name, or its beginning and a digest if the name is too long. */
    public static String of(String driver) {
        if (PREFIX.length() + driver.length() < TOO_LONG) {
            return PREFIX + driver;
        }
        return PREFIX + driver.substring(0, KEPT) + digest(driver).substring(0, DIGITS);
    }

    /** What the key names: the driver, or the beginning and the digest of a name that is too long. */
    public static Optional<String> named(String key) {
        return key.startsWith(PREFIX) ? Optional.of(key.substring(PREFIX.length())) : Optional.empty();
    }

    /** What the key of this driver names. */
    public static String name(String driver) {
        return PREFIX.length() + driver.length() < TOO_LONG
                ? driver
                : of(driver).substring(PREFIX.length());
    }

    private static String digest(String driver) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-1").digest(driver.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JVM has SHA-1", impossible);
        }
    }
}
