package io.volume4j.core.redact;

/** A quote inside quotes: {@code '\''} and {@code '"'"'} in shells, a doubled quote in YAML, SQL and CSV. */
final class NestedQuotes {
    private static final String[] SPELLINGS = {"'\"'\"'", "'\\''", "''", "\"\""};

    private NestedQuotes() {}

    static Reading decode(Reading in) {
        Reading.Builder out = new Reading.Builder(in.size(), in.packed());
        int at = 0;
        while (at < in.size()) {
            int length = length(in, at);
            out.add(in.at(at), in.from(at), in.to(at + length - 1));
            at += length;
        }
        return out.build();
    }

    /** The number of characters that encode the quote here; 1 for anything else. */
    private static int length(Reading in, int at) {
        for (String spelling : SPELLINGS) {
            int same = 0;
            while (same < spelling.length() && at + same < in.size() && in.charAt(at + same) == spelling.charAt(same)) {
                same++;
            }
            if (same == spelling.length()) {
                return same;
            }
        }
        return 1;
    }
}
