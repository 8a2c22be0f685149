package io.volume4j.core.redact;

import java.util.Map;

/** Entities of XML and HTML: the named ones that encoders write, and numbers. */
final class Entities {
    private static final int LONGEST = 10;
    private static final Map<String, Integer> NAMED =
            Map.of("amp", (int) '&', "lt", (int) '<', "gt", (int) '>', "quot", (int) '"', "apos", (int) '\'');

    private Entities() {}

    static Reading decode(Reading in) {
        Reading.Builder out = new Reading.Builder(in.size(), in.packed());
        int at = 0;
        while (at < in.size()) {
            int end = in.charAt(at) == '&' ? end(in, at + 1) : -1;
            int codePoint = end < 0 ? -1 : codePoint(in, at + 1, end);
            if (codePoint >= 0) {
                out.addCodePoint(codePoint, in.from(at), in.to(end));
                at = end + 1;
            } else {
                out.add(in.at(at), in.from(at), in.to(at));
                at++;
            }
        }
        return out.build();
    }

    private static int end(Reading in, int start) {
        for (int i = start; i < Math.min(in.size(), start + LONGEST); i++) {
            if (in.charAt(i) == ';') {
                return i;
            }
        }
        return -1;
    }

    private static int codePoint(Reading in, int start, int end) {
        if (in.charAt(start) != '#') {
            StringBuilder name = new StringBuilder();
            for (int i = start; i < end; i++) {
                name.append(in.charAt(i));
            }
            return NAMED.getOrDefault(name.toString(), -1);
        }
        boolean hex = in.charAt(start + 1) == 'x' || in.charAt(start + 1) == 'X';
        int first = start + (hex ? 2 : 1);
        int value = end > first ? Digits.number(in, first, end - first, hex ? 16 : 10) : -1;
        return value >= 0 && Character.isValidCodePoint(value) ? value : -1;
    }
}
