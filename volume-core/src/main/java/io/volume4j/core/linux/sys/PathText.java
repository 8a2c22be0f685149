package io.volume4j.core.linux.sys;

import io.volume4j.spi.VolumeException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Converts text for the kernel and back. Names have the encoding of {@code java.nio.file}, so that both name the same
 * file.
 */
public final class PathText {
    private static final Charset NAMES = namesOf(System.getProperty("sun.jnu.encoding", "UTF-8"));

    private PathText() {}

    private static Charset namesOf(String encoding) {
        return Charset.isSupported(encoding) ? Charset.forName(encoding) : StandardCharsets.UTF_8;
    }

    /** The text's bytes with the final zero of a C string. */
    public static byte[] bytes(Object text) {
        if (text instanceof RawName) {
            return ((RawName) text).terminated();
        }
        String string = text.toString();
        byte[] ascii = new byte[string.length() + 1];
        for (int i = 0; i < string.length(); i++) {
            char character = string.charAt(i);
            if (character == 0) {
                throw VolumeException.finalFailure("a name must not contain the character NUL");
            }
            if (character >= 0x80) {
                return encoded(string);
            }
            ascii[i] = (byte) character;
        }
        return ascii;
    }

    /** The bytes of both, one after the other, with the final zero of a C string. */
    static byte[] joined(String start, Object name) {
        byte[] first = bytes(start);
        byte[] second = bytes(name);
        byte[] whole = Arrays.copyOf(first, first.length - 1 + second.length);
        System.arraycopy(second, 0, whole, first.length - 1, second.length);
        return whole;
    }

    private static byte[] encoded(String string) {
        if (string.indexOf('\0') >= 0) {
            throw VolumeException.finalFailure("a name must not contain the character NUL");
        }
        try {
            ByteBuffer encoded = NAMES.newEncoder().encode(CharBuffer.wrap(string));
            byte[] terminated = new byte[encoded.remaining() + 1];
            encoded.get(terminated, 0, encoded.remaining());
            return terminated;
        } catch (CharacterCodingException e) {
            throw VolumeException.finalFailure(
                            "\"" + string + "\" cannot be written in this process's encoding " + NAMES)
                    .withAdvice("run with a UTF-8 locale, such as LC_ALL=C.UTF-8");
        }
    }

    /**
     * Bytes as text. If a name of a path is not valid in this encoding, each of its bytes that is no printable ASCII character becomes an
     * octal escape, and so does each backslash of the path. The rest of the other names stays, so that the text is below the same
     * directories as the path.
     */
    public static String text(byte[] bytes, int from, int to) {
        if (isAscii(bytes, from, to)) {
            return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
        }
        try {
            return decoded(bytes, from, to);
        } catch (CharacterCodingException noText) {
            return escapedNames(bytes, from, to);
        }
    }

    private static String decoded(byte[] bytes, int from, int to) throws CharacterCodingException {
        return NAMES.newDecoder()
                .decode(ByteBuffer.wrap(bytes, from, to - from))
                .toString();
    }

    private static String escapedNames(byte[] bytes, int from, int to) {
        StringBuilder path = new StringBuilder(to - from);
        int start = from;
        for (int i = from; i < to; i++) {
            if (bytes[i] == '/') {
                path.append(name(bytes, start, i)).append('/');
                start = i + 1;
            }
        }
        return path.append(name(bytes, start, to)).toString();
    }

    private static String name(byte[] bytes, int from, int to) {
        try {
            return decoded(bytes, from, to).replace("\\", "\\134");
        } catch (CharacterCodingException e) {
            return escaped(Arrays.copyOfRange(bytes, from, to));
        }
    }

    /** ASCII is a part of every encoding of names on Linux. By far the most names are ASCII. */
    private static boolean isAscii(byte[] bytes, int from, int to) {
        int all = 0;
        for (int i = from; i < to; i++) {
            all |= bytes[i];
        }
        return all >= 0;
    }

    /** The same as {@link #text}, with the octal escapes of the kernel's tables undone. */
    public static String unescape(byte[] line, int from, int to) {
        byte[] plain = plain(line, from, to);
        return text(plain, 0, plain.length - 1);
    }

    /** The bytes with octal escapes undone, and a final zero. */
    private static byte[] plain(byte[] line, int from, int to) {
        byte[] plain = new byte[to - from + 1];
        int length = 0;
        for (int i = from; i < to; ) {
            if (line[i] == '\\' && i + 3 < to && isOctal(line[i + 1]) && isOctal(line[i + 2]) && isOctal(line[i + 3])) {
                plain[length++] = (byte) ((line[i + 1] - '0') << 6 | (line[i + 2] - '0') << 3 | (line[i + 3] - '0'));
                i += 4;
            } else {
                plain[length++] = line[i++];
            }
        }
        return Arrays.copyOf(plain, length + 1);
    }

    /**
     * The names of a path whose bytes became octal escapes, as the kernel knows them. Empty if the path has no escapes,
     * or if a name would lead elsewhere: a file may also have a name that only looks escaped. For that reason this path
     * must also be the second choice.
     */
    public static List<RawName> unescaped(Path path) {
        List<RawName> names = new ArrayList<>();
        boolean escapes = false;
        for (Path name : path) {
            byte[] written = bytes(name);
            byte[] plain = plain(written, 0, written.length - 1);
            if (!isOneName(plain)) {
                return List.of();
            }
            escapes |= plain.length < written.length;
            names.add(RawName.of(plain, 0, plain.length - 1));
        }
        return escapes ? names : List.of();
    }

    /** Whether the bytes, which end with a zero, are one name in a directory: not a path, and not the directory itself. */
    private static boolean isOneName(byte[] plain) {
        int length = plain.length - 1;
        for (int i = 0; i < length; i++) {
            if (plain[i] == 0 || plain[i] == '/') {
                return false;
            }
        }
        boolean dots = length <= 2 && (length < 1 || plain[0] == '.') && (length < 2 || plain[1] == '.');
        return !dots;
    }

    /**
     * The path. Characters that this process cannot encode become octal escapes, as spaces do in the kernel's tables.
     */
    public static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            return Path.of(escaped(text.getBytes(StandardCharsets.UTF_8)));
        }
    }

    private static String escaped(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (byte each : bytes) {
            int value = each & 0xff;
            if (value >= 0x20 && value < 0x7f && value != '\\') {
                text.append((char) value);
            } else {
                text.append('\\')
                        .append((char) ('0' + (value >> 6)))
                        .append((char) ('0' + (value >> 3 & 7)))
                        .append((char) ('0' + (value & 7)));
            }
        }
        return text.toString();
    }

    private static boolean isOctal(byte character) {
        return character >= '0' && character <= '7';
    }
}
