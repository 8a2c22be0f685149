package io.volume4j.examples.agent.http;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.List;

/**
 * Private keys as tools of Kubernetes write them. Java reads PKCS#8 (RFC 5208) only; the two older forms are put into its
 * envelope, which says of what kind the key is.
 */
final class PrivateKeys {
    private static final int INTEGER = 0x02;
    private static final int OCTETS = 0x04;
    private static final int NOTHING = 0x05;
    private static final int IDENTIFIER = 0x06;
    private static final int SEQUENCE = 0x30;
    private static final int FIRST_OPTION = 0xa0;

    private static final byte[] RSA = {0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 0x0d, 0x01, 0x01, 0x01};
    private static final byte[] ELLIPTIC_CURVE = {0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x02, 0x01};

    private PrivateKeys() {}

    static PrivateKey ofPkcs8(byte[] der) throws GeneralSecurityException {
        PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(der);
        for (String algorithm : List.of("RSA", "EC", "EdDSA")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (InvalidKeySpecException another) {
                // It is asked for what it is by trying: the envelope's own name of it is no name of Java's.
            }
        }
        throw new InvalidKeySpecException("neither RSA nor EC nor EdDSA");
    }

    /** RFC 8017, appendix A.1.2. */
    static PrivateKey ofPkcs1(byte[] der) throws GeneralSecurityException {
        return ofPkcs8(envelope(join(value(IDENTIFIER, RSA), value(NOTHING)), der));
    }

    /** RFC 5915: the curve, which the envelope must name, is an option of the key. */
    static PrivateKey ofSec1(byte[] der) throws GeneralSecurityException {
        try {
            ByteBuffer key = content(ByteBuffer.wrap(der), SEQUENCE);
            content(key, INTEGER);
            content(key, OCTETS);
            ByteBuffer curve = content(key, FIRST_OPTION);
            byte[] named = new byte[curve.remaining()];
            curve.get(named);
            return ofPkcs8(envelope(join(value(IDENTIFIER, ELLIPTIC_CURVE), named), der));
        } catch (BufferUnderflowException | IllegalArgumentException cutOff) {
            throw new InvalidKeySpecException("no key of a named curve");
        }
    }

    private static byte[] envelope(byte[] algorithm, byte[] key) {
        return value(SEQUENCE, join(value(INTEGER, (byte) 0), value(SEQUENCE, algorithm), value(OCTETS, key)));
    }

    /** One value in DER (X.690): its tag, its length in the shortest form, itself. */
    private static byte[] value(int tag, byte... content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (content.length < 0x80) {
            out.write(content.length);
        } else {
            int bytes = (Integer.SIZE - Integer.numberOfLeadingZeros(content.length) + 7) / 8;
            out.write(0x80 | bytes);
            for (int i = bytes - 1; i >= 0; i--) {
                out.write(content.length >>> (8 * i));
            }
        }
        out.writeBytes(content);
        return out.toByteArray();
    }

    /** What is in the next value, which must have that tag; the buffer goes on behind it. */
    private static ByteBuffer content(ByteBuffer from, int tag) throws InvalidKeySpecException {
        if ((from.get() & 0xff) != tag) {
            throw new InvalidKeySpecException("no key of a named curve");
        }
        int length = from.get() & 0xff;
        if (length >= 0x80) {
            int bytes = length & 0x7f;
            if (bytes > 3) {
                throw new InvalidKeySpecException("too long");
            }
            length = 0;
            for (int i = 0; i < bytes; i++) {
                length = (length << 8) | (from.get() & 0xff);
            }
        }
        ByteBuffer content = from.slice().limit(length);
        from.position(from.position() + length);
        return content;
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
