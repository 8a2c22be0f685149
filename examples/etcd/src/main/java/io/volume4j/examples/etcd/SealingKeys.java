package io.volume4j.examples.etcd;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The keys that encrypt values before etcd gets them: AES-256 in Galois/Counter Mode. The first key encrypts, and all keys
 * decrypt, so an administrator must put a new key before the old one. The key in etcd authenticates its value, so a value that is
 * moved to another key in etcd cannot be decrypted. A value with an unknown key makes it read the file again, in case an administrator
 * has inserted the key. Thread-safe. {@code toString} shows no key.
 */
public final class SealingKeys {
    private static final byte[] FORMAT = "v4j1".getBytes(StandardCharsets.US_ASCII);
    private static final int KEY_BYTES = 32;
    private static final int ID_BYTES = 8;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final Set<PosixFilePermission> OWNERS =
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    private static final long PAUSE_NANOS = Duration.ofSeconds(5).toNanos();

    private final Path file;
    private final LongSupplier nanoTime;
    private final SecureRandom random = new SecureRandom();
    private volatile List<Key> keys;
    private long readAt;

    /** @param id identifies the key without revealing it, in hexadecimal digits */
    private record Key(String id, SecretKeySpec spec) {}

    private SealingKeys(Path file, LongSupplier nanoTime) {
        this.file = file;
        this.nanoTime = nanoTime;
        keys = keys(file);
        readAt = nanoTime.getAsLong();
    }

    /**
     * Reads the keys of a file: one key on each line, 32 random bytes in base64, as {@code openssl rand -base64 32} prints them. Lines
     * that begin with {@code #} are comments.
     *
     * @throws IllegalArgumentException if the file is not readable, is accessible to other users than its owner, or contains no key or a
     *     line that is not a key
     */
    public static SealingKeys read(Path file) {
        return read(file, System::nanoTime);
    }

    static SealingKeys read(Path file, LongSupplier nanoTime) {
        return new SealingKeys(file, nanoTime);
    }

    private static List<Key> keys(Path file) {
        List<Key> keys = new ArrayList<>();
        try {
            if (!OWNERS.containsAll(Files.getPosixFilePermissions(file))) {
                throw new IllegalArgumentException(
                        "the key file " + file + " may be read by other users; run chmod 600 " + file);
            }
            for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    keys.add(key(file, line.strip()));
                }
            }
        } catch (NoSuchFileException missing) {
            throw new IllegalArgumentException(
                    "the key file " + file
                            + " cannot be read: there is no such file; make it with openssl rand -base64 32",
                    missing);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("the key file " + file + " cannot be read: " + unreadable, unreadable);
        }
        if (keys.isEmpty()) {
            throw new IllegalArgumentException(
                    "the key file " + file + " holds no key; make one with openssl rand -base64 32");
        }
        return List.copyOf(keys);
    }

    private static Key key(Path file, String line) {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(line);
        } catch (IllegalArgumentException noBase64) {
            bytes = new byte[0]; // without the cause, because its message repeats a character of the key
        }
        if (bytes.length != KEY_BYTES) {
            throw new IllegalArgumentException("the key file " + file
                    + " holds a line that is not 32 bytes in base64; make a key with openssl rand -base64 32");
        }
        return new Key(id(bytes), new SecretKeySpec(bytes, "AES"));
    }

    private static String id(byte[] key) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update("volume4j sealing key".getBytes(StandardCharsets.US_ASCII));
            return HexFormat.of().formatHex(digest.digest(key), 0, ID_BYTES);
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every Java has SHA-256", missing);
        }
    }

    /**
     * Encrypts a value.
     *
     * @param place the key in etcd under which the value will be
     */
    byte[] seal(byte[] place, byte[] value) {
        Key key = keys.get(0);
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        byte[] sealed = cipher(Cipher.ENCRYPT_MODE, key, nonce, place, value);
        return ByteBuffer.allocate(FORMAT.length + ID_BYTES + NONCE_BYTES + sealed.length)
                .put(FORMAT)
                .put(HexFormat.of().parseHex(key.id()))
                .put(nonce)
                .put(sealed)
                .array();
    }

    /** @throws IllegalArgumentException if no key decrypts the value at this place; the message says what to do */
    byte[] open(byte[] place, byte[] sealed) {
        ByteBuffer from = ByteBuffer.wrap(sealed);
        byte[] format = new byte[FORMAT.length];
        byte[] id = new byte[ID_BYTES];
        byte[] nonce = new byte[NONCE_BYTES];
        if (from.remaining() < format.length + id.length + nonce.length) {
            throw new IllegalArgumentException("it is not encrypted as volume4j does it; write it anew");
        }
        from.get(format).get(id).get(nonce);
        if (!Arrays.equals(format, FORMAT)) {
            throw new IllegalArgumentException("it is not encrypted as volume4j does it; write it anew");
        }
        byte[] rest = new byte[from.remaining()];
        from.get(rest);
        String named = HexFormat.of().formatHex(id);
        Key key = known(named)
                .or(() -> {
                    readAgain();
                    return known(named);
                })
                .orElseThrow(() -> new IllegalArgumentException(
                        "it is encrypted with a key that the key file does not hold; add the key to the file"));
        return cipher(Cipher.DECRYPT_MODE, key, nonce, place, rest);
    }

    private Optional<Key> known(String id) {
        return keys.stream().filter(each -> each.id().equals(id)).findFirst();
    }

    /**
     * Does nothing if the file was read a moment ago. While the file cannot be used, the earlier keys stay.
     *
     * @throws IllegalArgumentException as {@link #read} does
     */
    private synchronized void readAgain() {
        long now = nanoTime.getAsLong();
        if (now - readAt >= PAUSE_NANOS) {
            readAt = now;
            keys = keys(file);
        }
    }

    private static byte[] cipher(int mode, Key key, byte[] nonce, byte[] place, byte[] value) {
        try {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(mode, key.spec(), new GCMParameterSpec(TAG_BITS, nonce));
            cipher.updateAAD(place);
            return cipher.doFinal(value);
        } catch (GeneralSecurityException changed) {
            throw new IllegalArgumentException(
                    "it was changed, or moved from another place, after it was encrypted; write it anew", changed);
        }
    }

    @Override
    public String toString() {
        return "SealingKeys[" + keys.size() + "]";
    }
}
