package io.volume4j.inmemory.sim;

import io.volume4j.inmemory.cluster.FlowYaml;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The external events, in order: the latest lines, and a hash over all of them. */
final class Trace {
    private static final int KEPT = 400;
    private static final long PRIME = 0x100000001B3L;

    private final Deque<Line> lines = new ArrayDeque<>();
    private long hash = 0xCBF29CE484222325L;
    private long count;

    /** @param content of a write, {@code ""} for none; converted to text only for a reader */
    private record Line(Duration at, String text, Object content) {
        @Override
        public String toString() {
            String written = FlowYaml.written(content);
            return "%10.3f s  %s".formatted(at.toNanos() / 1e9, written.isEmpty() ? text : text + ": " + written);
        }
    }

    void add(Duration at, String text) {
        add(at, text, "");
    }

    /** @param content a written patch or object, which is not part of the hash */
    void add(Duration at, String text, Object content) {
        count++;
        hash = (hash ^ at.toNanos()) * PRIME;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * PRIME;
        }
        if (lines.size() == KEPT) {
            lines.remove();
        }
        lines.add(new Line(at, text, content));
    }

    long hash() {
        return hash;
    }

    long count() {
        return count;
    }

    List<String> latest() {
        List<String> texts = new ArrayList<>(lines.size() + 1);
        if (count > lines.size()) {
            texts.add((count - lines.size()) + " earlier lines are not kept");
        }
        lines.forEach(line -> texts.add(line.toString()));
        return texts;
    }
}
