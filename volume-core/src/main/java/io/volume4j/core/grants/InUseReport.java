package io.volume4j.core.grants;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The volumes that a node uses or is about to use. The first line identifies the report. Each other line has a volume
 * and the UID of its VolumeAttachment, or {@code -} if the volume waits for one:
 *
 * <pre>{@code
 * report <generation> <agent>
 * <volume id> <UID>
 * }</pre>
 *
 * @param generation grows with each report of the node's agent
 * @param agent different for every start of the agent
 * @param volumes by the text of the volume's id: the UID, {@code ""} for none
 */
public record InUseReport(long generation, String agent, Map<String, String> volumes) {
    private static final String NONE = "-";

    public InUseReport {
        volumes = Collections.unmodifiableMap(new LinkedHashMap<>(volumes));
    }

    /**
     * Parses the text of {@link #text()}. Empty if it is not valid; the caller must then treat all volumes as in use.
     */
    public static Optional<InUseReport> parse(String text) {
        int first = Lines.end(text, 0);
        String[] head = new String[3];
        if (!Lines.words(text, 0, first, head) || !head[0].equals("report")) {
            return Optional.empty();
        }
        long generation;
        try {
            generation = Long.parseLong(head[1]);
        } catch (NumberFormatException notANumber) {
            return Optional.empty();
        }
        Map<String, String> volumes = new LinkedHashMap<>();
        String[] words = new String[2];
        int start = first + 1;
        while (start < text.length()) {
            int end = Lines.end(text, start);
            if (end > start) {
                if (!Lines.words(text, start, end, words) || words[0].isEmpty() || words[1].isEmpty()) {
                    return Optional.empty();
                }
                volumes.put(Lines.unescape(words[0]), words[1].equals(NONE) ? "" : words[1]);
            }
            start = end + 1;
        }
        return Optional.of(new InUseReport(generation, Lines.unescape(head[2]), volumes));
    }

    public String text() {
        StringBuilder text = new StringBuilder(volumes.size() * 96 + 32);
        text.append("report ")
                .append(generation)
                .append(' ')
                .append(Lines.escape(agent))
                .append('\n');
        volumes.forEach((volume, uid) -> text.append(Lines.escape(volume))
                .append(' ')
                .append(uid.isEmpty() ? NONE : uid)
                .append('\n'));
        return text.toString();
    }
}
