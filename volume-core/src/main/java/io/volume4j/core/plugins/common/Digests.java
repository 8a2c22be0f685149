package io.volume4j.core.plugins.common;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Short names that replace long ones. Pure. */
public final class Digests {
    private static final int BYTES = 12;

    private Digests() {}

    /** 24 hexadecimal digits that represent the texts in their order. */
    public static String text(String... texts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String text : texts) {
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                // The length distinguishes ("a", "bc") from ("ab", "c").
                digest.update(Integer.toString(bytes.length).getBytes(StandardCharsets.US_ASCII));
                digest.update((byte) 0);
                digest.update(bytes);
            }
            return HexFormat.of().formatHex(digest.digest(), 0, BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
