package io.volume4j.core.redact;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Finds a value, or parts of it, in the readings of one text. A value of at least 8 bytes is compared window by window
 * (8 bytes each) with the windows of the readings; consecutive windows form a run. Takes time in proportion to the
 * text and the value, however repetitive they are. Not thread-safe.
 */
final class ValueSearch {
    /** The shortest beginning or end of a value that is hidden. */
    private static final int WINDOW = 8;
    /** A run of this many windows in the middle of a value is hidden: 16 bytes. */
    private static final int INNER_RUN = 9;

    private static final int WORD = 4;

    private final List<Reading> readings;
    private final WindowIndex index;
    private final int[] runs;
    private final int[] stamps;
    private final BitSet anchored;
    private int stamp = 1;

    ValueSearch(List<Reading> readings) {
        this.readings = readings;
        this.index = WindowIndex.of(readings, WINDOW);
        this.runs = new int[index.size()];
        this.stamps = new int[index.size()];
        this.anchored = new BitSet(index.size());
    }

    /** Marks the characters of the original text that encode the value or a part of it. */
    void mark(byte[] value, BitSet secret) {
        if (value.length < WINDOW) {
            readings.forEach(reading -> markWhole(value, reading, secret));
        } else {
            markParts(value, secret);
        }
    }

    private static void markWhole(byte[] value, Reading reading, BitSet secret) {
        if (value.length < WORD && reading.packed()) {
            return;
        }
        for (int at = 0; at + value.length <= reading.size(); at++) {
            int end = at + value.length;
            if (spells(value, reading, at) && (value.length >= WORD || wordAt(reading, at, end))) {
                secret.set(reading.from(at), reading.to(end - 1));
            }
        }
    }

    private static boolean spells(byte[] value, Reading reading, int at) {
        for (int i = 0; i < value.length; i++) {
            if (reading.at(at + i) != value[i]) {
                return false;
            }
        }
        return true;
    }

    private static boolean wordAt(Reading reading, int at, int end) {
        return (at == 0 || !Character.isLetterOrDigit(reading.charAt(at - 1)))
                && !Character.isLetterOrDigit(reading.charAt(end));
    }

    private void markParts(byte[] value, BitSet secret) {
        BitSet firsts = new BitSet();
        BitSet lasts = new BitSet();
        anchors(value, firsts, lasts);
        stamp++;
        long window = 0;
        for (int i = 0; i < value.length; i++) {
            window = window << 8 | (value[i] & 0xff);
            int offset = i - WINDOW + 1;
            if (offset >= 0) {
                stamp++;
                follow(window, firsts.get(offset), lasts.get(offset), secret);
            }
        }
    }

    /** Processes one window of the value: continues runs of the previous window, and starts others. */
    private void follow(long window, boolean first, boolean last, BitSet secret) {
        int head = index.head(window);
        if (head >= 0 && index.repetitive(head)) {
            for (int at = head; at >= 0; at = index.next(at)) {
                index.mark(at, secret);
            }
            index.forget(head);
            return;
        }
        // From the last index to the first, so that the state at the previous index still belongs to the previous
        // window.
        for (int at = head; at >= 0; at = index.next(at)) {
            boolean goesOn = at > 0 && stamps[at - 1] == stamp - 1;
            int run = goesOn ? runs[at - 1] + 1 : 1;
            boolean fromFirst = first || (goesOn && anchored.get(at - 1));
            stamps[at] = stamp;
            runs[at] = run;
            anchored.set(at, fromFirst);
            if (fromFirst || run > INNER_RUN) {
                index.mark(at, secret);
            }
            if (last || run == INNER_RUN) {
                for (int back = at - run + 1; back <= at; back++) {
                    index.mark(back, secret);
                }
            }
        }
    }

    /** The first and the last windows of the value and of each of its lines. */
    private static void anchors(byte[] value, BitSet firsts, BitSet lasts) {
        firsts.set(0);
        lasts.set(value.length - WINDOW);
        int start = 0;
        for (int i = 0; i <= value.length; i++) {
            if (i == value.length || value[i] == '\n' || value[i] == '\r') {
                int from = start;
                int to = i;
                while (from < to && value[from] == ' ') {
                    from++;
                }
                while (to > from && value[to - 1] == ' ') {
                    to--;
                }
                if (to - from >= WINDOW) {
                    firsts.set(from);
                    lasts.set(to - WINDOW);
                }
                start = i + 1;
            }
        }
    }

    /** The indexes of each window in the readings. */
    private static final class WindowIndex {
        /** A window with more indexes than this belongs to a pattern; all its indexes are marked at once. */
        private static final int REPETITIVE = 64;

        private final List<Reading> readings;
        private final int[] bases;
        private final long[] windows;
        private final int[] next;
        private final int[] counts;
        private final int[] heads;
        private final int width;

        private WindowIndex(List<Reading> readings, int width) {
            this.readings = readings;
            this.width = width;
            this.bases = new int[readings.size() + 1];
            for (int i = 0; i < readings.size(); i++) {
                bases[i + 1] = bases[i] + readings.get(i).size();
            }
            int size = bases[readings.size()];
            this.windows = new long[size];
            this.next = new int[size];
            this.counts = new int[size];
            this.heads = new int[Integer.highestOneBit(Math.max(8, size)) * 4];
        }

        static WindowIndex of(List<Reading> readings, int width) {
            WindowIndex index = new WindowIndex(new ArrayList<>(readings), width);
            for (int r = 0; r < readings.size(); r++) {
                Reading reading = readings.get(r);
                long window = 0;
                for (int i = 0; i < reading.size(); i++) {
                    window = window << 8 | (reading.at(i) & 0xff);
                    if (i >= width - 1) {
                        index.add(index.bases[r] + i - width + 1, window);
                    }
                }
            }
            return index;
        }

        int size() {
            return windows.length;
        }

        private void add(int at, long window) {
            int slot = slot(window);
            int head = heads[slot] - 1;
            windows[at] = window;
            next[at] = head;
            counts[at] = head < 0 ? 1 : counts[head] + 1;
            heads[slot] = at + 1;
        }

        private int slot(long window) {
            long mixed = window * 0x9E3779B97F4A7C15L;
            int slot = (int) (mixed >>> 32) & (heads.length - 1);
            while (heads[slot] != 0 && windows[heads[slot] - 1] != window) {
                slot = (slot + 1) & (heads.length - 1);
            }
            return slot;
        }

        /** The last index of the window, -1 if there is none. */
        int head(long window) {
            return heads[slot(window)] - 1;
        }

        /** The previous index of the same window, -1 if there is none. */
        int next(int at) {
            return next[at];
        }

        boolean repetitive(int head) {
            return counts[head] > REPETITIVE;
        }

        /** Keeps one index of the window, after all are marked. */
        void forget(int head) {
            next[head] = -1;
            counts[head] = 1;
        }

        void mark(int at, BitSet secret) {
            int r = 0;
            while (bases[r + 1] <= at) {
                r++;
            }
            Reading reading = readings.get(r);
            secret.set(reading.from(at - bases[r]), reading.to(at - bases[r] + width - 1));
        }
    }
}
