package io.volume4j.core.redact;

/**
 * Escapes that start with a backslash: letters such as {@code n}, {@code x} with two hexadecimal digits, three octal
 * digits, {@code u} with four hexadecimal digits or with some in braces, {@code U} with eight. Before any other
 * character the backslash is dropped, as in shells.
 */
final class BackslashEscapes {
    private static final String LETTERS = "nrtbfav0e";
    private static final String MEANINGS = "\n\r\t\b\f\u0007\u000b\u0000\u001b";

    private final Reading in;
    private final Reading.Builder out;
    private int at;

    private BackslashEscapes(Reading in) {
        this.in = in;
        this.out = new Reading.Builder(in.size(), in.packed());
    }

    static Reading decode(Reading in) {
        BackslashEscapes escapes = new BackslashEscapes(in);
        while (escapes.at < in.size()) {
            escapes.step();
        }
        return escapes.out.build();
    }

    private void step() {
        int start = at;
        if (in.charAt(at) != '\\' || at + 1 >= in.size()) {
            at++;
            out.add(in.at(start), in.from(start), in.to(start));
            return;
        }
        char kind = in.charAt(at + 1);
        int codePoint = kind == 'u' || kind == 'U' ? unicode(kind) : -1;
        if (codePoint >= 0) {
            out.addCodePoint(codePoint, in.from(start), in.to(at - 1));
            return;
        }
        int value = oneByte(kind);
        out.add(value, in.from(start), in.to(at - 1));
    }

    private int oneByte(char kind) {
        int value;
        if (kind == 'x' && (value = Digits.number(in, at + 2, 2, 16)) >= 0) {
            at += 4;
            return value;
        }
        if (kind >= '0' && kind <= '3' && (value = Digits.number(in, at + 1, 3, 8)) >= 0) {
            at += 4;
            return value;
        }
        at += 2;
        int letter = LETTERS.indexOf(kind);
        return letter < 0 ? kind : MEANINGS.charAt(letter);
    }

    /** The code point of a Unicode escape, which is consumed; -1 for any other escape. */
    private int unicode(char kind) {
        if (in.charAt(at + 2) == '{') {
            return braces();
        }
        int digits = kind == 'u' ? 4 : 8;
        int first = Digits.number(in, at + 2, digits, 16);
        if (first < 0 || !Character.isValidCodePoint(first)) {
            return -1;
        }
        at += 2 + digits;
        if (Character.isSurrogate((char) first) && first <= Character.MAX_VALUE && in.charAt(at) == '\\') {
            int second = in.charAt(at + 1) == 'u' ? Digits.number(in, at + 2, 4, 16) : -1;
            if (second >= 0 && Character.isSurrogatePair((char) first, (char) second)) {
                at += 6;
                return Character.toCodePoint((char) first, (char) second);
            }
        }
        return first;
    }

    private int braces() {
        for (int digits = 1; digits <= 6; digits++) {
            if (in.charAt(at + 3 + digits) == '}') {
                int value = Digits.number(in, at + 3, digits, 16);
                if (value < 0 || !Character.isValidCodePoint(value)) {
                    return -1;
                }
                at += 4 + digits;
                return value;
            }
        }
        return -1;
    }
}
