package io.volume4j.inmemory.host;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Writes certificates (RFC 5280), because Java has no public API for it. Without extensions, signed with ECDSA and SHA-256. */
final class X509 {
    private static final int SEQUENCE = 0x30;
    private static final byte[] ECDSA_SHA256 =
            der(SEQUENCE, der(6, new byte[] {0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x04, 0x03, 0x02}));
    private static final byte[] COMMON_NAME = der(6, new byte[] {0x55, 0x04, 0x03});
    private static final int LONGEST_NAME = 64;
    /** GeneralizedTime, also for years before 2050; readers accept it. */
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private X509() {}

    static byte[] signed(
            String issuer,
            PrivateKey issuerKey,
            long serial,
            String subject,
            PublicKey subjectKey,
            Instant from,
            Instant until) {
        byte[] body = der(
                SEQUENCE,
                der(2, BigInteger.valueOf(serial).toByteArray()),
                ECDSA_SHA256,
                name(issuer),
                der(SEQUENCE, time(from), time(until)),
                name(subject),
                subjectKey.getEncoded());
        try {
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(issuerKey);
            signature.update(body);
            return der(SEQUENCE, body, ECDSA_SHA256, der(3, new byte[1], signature.sign()));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("this Java cannot sign", impossible);
        }
    }

    private static byte[] name(String common) {
        String text = common.length() > LONGEST_NAME ? common.substring(0, LONGEST_NAME) : common;
        byte[] value = der(0x0c, text.getBytes(StandardCharsets.UTF_8));
        return der(SEQUENCE, der(0x31, der(SEQUENCE, COMMON_NAME, value)));
    }

    private static byte[] time(Instant time) {
        return der(0x18, TIME.format(time).getBytes(StandardCharsets.US_ASCII));
    }

    /** A value of less than 64 KiB. */
    private static byte[] der(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        int length = content.size();
        if (length >= 0x100) {
            out.write(0x82);
            out.write(length >>> 8);
        } else if (length >= 0x80) {
            out.write(0x81);
        }
        out.write(length);
        out.writeBytes(content.toByteArray());
        return out.toByteArray();
    }
}
