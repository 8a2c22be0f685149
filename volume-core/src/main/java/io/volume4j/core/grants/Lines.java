package io.volume4j.core.grants;

/** Words of a line in an annotation: separated by spaces, without white space in them. */
final class Lines {
    private Lines() {}

    /** The end of the line that begins at {@code start}. */
    static int end(String text, int start) {
        int end = text.indexOf('\n', start);
        return end < 0 ? text.length() : end;
    }

    /** Splits the line into words; false if the number of words differs from the length of the array. */
    static boolean words(String text, int start, int end, String[] words) {
        int from = start;
        for (int i = 0; i < words.length; i++) {
            int space = text.indexOf(' ', from);
            boolean last = space < 0 || space >= end;
            if (last != (i == words.length - 1)) {
                return false;
            }
            words[i] = text.substring(from, last ? end : space);
            from = space + 1;
        }
        return true;
    }

    /**
     * Escapes white space. A volume id contains {@code %} only before {@code 25} and {@code 5E}, so {@code %} with two
     * digits below 20 is free.
     */
    static String escape(String text) {
        StringBuilder escaped = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c <= ' ') {
                if (escaped == null) {
                    escaped = new StringBuilder(text.length() + 8).append(text, 0, i);
                }
                escaped.append('%').append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 15, 16));
            } else if (escaped != null) {
                escaped.append(c);
            }
        }
        return escaped == null ? text : escaped.toString();
    }

    static String unescape(String word) {
        if (word.indexOf('%') < 0) {
            return word;
        }
        StringBuilder text = new StringBuilder(word.length());
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            int high = c == '%' && i + 2 < word.length() ? Character.digit(word.charAt(i + 1), 16) : -1;
            int low = high < 0 ? -1 : Character.digit(word.charAt(i + 2), 16);
            int value = high * 16 + low;
            if (high >= 0 && low >= 0 && value <= ' ') {
                text.append((char) value);
                i += 2;
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }
}
